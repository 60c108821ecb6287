"""What is built: pure functions in stages, and each stage's list of steps. Never imports dagster."""
