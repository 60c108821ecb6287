"""Ratings of places, read out of their kept reviews with the passages they rest on."""
