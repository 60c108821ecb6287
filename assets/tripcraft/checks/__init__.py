"""What the scorer holds a plan against: the seventeen published checks, our own, and the metrics."""
