"""TripAdvisor's places."""
