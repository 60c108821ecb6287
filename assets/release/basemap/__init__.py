"""The basemap of a city: land, sea, green, buildings, streets and names, cut from the sources that the recipe binds."""
