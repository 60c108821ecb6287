"""What the core does once for every family: slots, tools, corrections, work shared among processes."""
