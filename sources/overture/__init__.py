"""Overture Maps: places."""
