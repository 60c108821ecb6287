"""What eating out costs, from Numbeo."""
