"""What the scorer holds a plan against: validity, utility, completeness, fairness, splits."""
