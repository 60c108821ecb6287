"""Running planners on a release: one line a task, resumable, paid for once."""
