"""ItinBench: trips in one city, from reviews and routes."""
