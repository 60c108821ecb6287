"""Yelp's businesses and reviews."""
