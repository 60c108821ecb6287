"""How dear countries are, and what their money is worth: the World Bank's price levels, the Big Mac index."""
