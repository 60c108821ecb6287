"""Airbnb's listings."""
