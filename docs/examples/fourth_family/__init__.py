"""Round trips: some days in another city, by direct flights there and back within a budget; a family to learn from."""
