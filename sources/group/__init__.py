"""Data of group trips: places, fares, users, climate."""
