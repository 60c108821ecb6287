"""OpenStreetMap extracts."""
