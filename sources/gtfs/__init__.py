"""GTFS Schedule feeds."""
