"""Ratings read from review text, with the passages they rest on."""
