"""The careful planner of trips by rules: it reads the request and asks the tools; the record is not read."""
