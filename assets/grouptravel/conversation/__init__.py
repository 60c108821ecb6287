"""The conversation of a group with its planner: the protocol, its users, and its judge."""
