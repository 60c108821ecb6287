"""Wikivoyage: listings of travel guides."""
