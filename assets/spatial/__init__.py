"""Space: nearest stops, distance matrices, clusters, coverage and the map of each city."""
