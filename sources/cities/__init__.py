"""Which city a point, a name or a country means, and the lists of towns."""
