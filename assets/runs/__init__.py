"""Planners meet the tasks: planners, what one run of a task keeps, and what runs teach about the tasks."""
