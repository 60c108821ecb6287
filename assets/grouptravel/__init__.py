"""GroupTravelBench: groups whose members want different things."""
