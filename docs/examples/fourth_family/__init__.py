"""Strolls: a few days in one city, each with something to see and somewhere to eat; a family to learn from."""
