"""Where places are: nearest stops, road distances, clusters, maps."""
