"""What things are: tables, sources, recipes, tasks, releases. Imports nothing of ours."""
