"""What trips are made from: flights, stays, places, prices and ways, out of the clean tables."""
