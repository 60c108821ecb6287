"""Flights, from the US Bureau of Transportation Statistics."""
