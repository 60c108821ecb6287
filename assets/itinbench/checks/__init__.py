"""What the scorer holds a plan against: matching, ratios, gaps, strict certification."""
