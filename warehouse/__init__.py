"""Keeping bytes, tables and answers. Knows nothing of where they come from."""
