"""The whole graph for Dagster: every step by recipe and city, every family's release, the jobs and what starts them."""

from __future__ import annotations

import warnings
from pathlib import Path

import dagster as dg

from pipelines.orchestrator.assets import TripwrightHome, release_assets, source_assets, step_assets
from pipelines.orchestrator.automation import (
    changed_file_sensor,
    expiry_sensor,
    orphan_sensor,
    refresh_job,
    refresh_schedule,
    release_sensor,
)
from pipelines.orchestrator.report import named_recipes

ONE_PROCESS = {"execution": {"config": {"in_process": {}}}}
"""How a job runs unless its launch says otherwise: a process for each asset would take seconds to start."""


def definitions(recipes: dict[str, Path], home: str = "") -> dg.Definitions:
    """Return the definitions for recipes by name, with their home.

    That Dagster may yet change what is used of it is no news to who looks at a build: the version is locked.
    """
    with warnings.catch_warnings():
        for category in (dg.PreviewWarning, dg.BetaWarning):
            warnings.simplefilter("ignore", category)
        return _definitions(recipes, home)


def _definitions(recipes: dict[str, Path], home: str) -> dg.Definitions:
    steps, releases = step_assets(recipes), release_assets(recipes)
    by_recipe = [made for made in steps if made.partitions_def == dg.StaticPartitionsDefinition(sorted(recipes))]
    by_city = [made for made in steps if made not in by_recipe]
    build_city = dg.define_asset_job("build_city", selection=dg.AssetSelection.assets(*by_city), config=ONE_PROCESS)
    build_recipe = dg.define_asset_job(
        "build_recipe", selection=dg.AssetSelection.assets(*by_recipe), config=ONE_PROCESS
    )
    release = dg.define_asset_job("release", selection=dg.AssetSelection.assets(*releases), config=ONE_PROCESS)
    refresh = refresh_job(recipes)
    return dg.Definitions(
        assets=[*source_assets(recipes), *steps, *releases],
        jobs=[build_city, build_recipe, release, refresh],
        schedules=[refresh_schedule(recipes, refresh)],
        sensors=[
            changed_file_sensor(recipes, build_city),
            release_sensor(recipes, build_city, release),
            expiry_sensor(recipes, refresh),
            orphan_sensor(),
        ],
        resources={"home": TripwrightHome(url=home)},
    )


defs = definitions(named_recipes())
