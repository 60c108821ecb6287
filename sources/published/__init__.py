"""Published benchmarks as sources."""
