"""TripCraft: trips over several cities, with flights, transit, events and personas."""
