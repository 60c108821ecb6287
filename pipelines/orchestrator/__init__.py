"""The same steps as Dagster assets. The only place that imports dagster."""
