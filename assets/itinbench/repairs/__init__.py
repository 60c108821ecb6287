"""How a record that a city cannot satisfy is changed as little as can be."""
