"""When and how it runs: the walk, the Dagster assets, the commands. The only room that imports dagster."""
