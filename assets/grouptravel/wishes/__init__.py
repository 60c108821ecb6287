"""What the members want: preference tables, their candidates and rules, the messages that tell of them."""
