"""The whole graph for Dagster: every step by recipe and city, every family's release, the jobs and what starts them."""

from __future__ import annotations

import os
from pathlib import Path

import dagster as dg

from pipelines.orchestrator.assets import TripwrightHome, release_assets, step_assets
from pipelines.orchestrator.automation import (
    changed_file_sensor,
    expiry_sensor,
    orphan_sensor,
    refresh_job,
    refresh_schedule,
    release_sensor,
)
from pipelines.walk.fingerprint import ROOT

RECIPES_VARIABLE = "TRIPWRIGHT_RECIPES"


def definitions(recipes: dict[str, Path], home: str = "") -> dg.Definitions:
    """Return the definitions for recipes by name, with their home."""
    steps, releases = step_assets(recipes), release_assets(recipes)
    build_city = dg.define_asset_job(
        "build_city", selection=dg.AssetSelection.assets(*steps), executor_def=dg.in_process_executor
    )
    release = dg.define_asset_job(
        "release", selection=dg.AssetSelection.assets(*releases), executor_def=dg.in_process_executor
    )
    refresh = refresh_job(recipes)
    return dg.Definitions(
        assets=[*steps, *releases],
        jobs=[build_city, release, refresh],
        schedules=[refresh_schedule(recipes, refresh)],
        sensors=[
            changed_file_sensor(recipes, build_city),
            release_sensor(recipes, build_city, release),
            expiry_sensor(recipes, refresh),
            orphan_sensor(),
        ],
        resources={"home": TripwrightHome(url=home)},
        executor=dg.in_process_executor,
    )


def _recipes() -> dict[str, Path]:
    """Return the recipes of $TRIPWRIGHT_RECIPES, else of the project's own folder, by file name."""
    folder = Path(os.environ.get(RECIPES_VARIABLE) or ROOT / "recipes")
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


defs = definitions(_recipes())
