"""OpenFlights' airports."""
