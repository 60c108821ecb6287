"""The whole graph for Dagster: every step by recipe and city, every family's release by recipe, and the jobs."""

from __future__ import annotations

import os
from pathlib import Path

import dagster as dg

from pipelines.assets import TripwrightHome, release_assets, step_assets
from pipelines.fingerprint import ROOT

RECIPES_VARIABLE = "TRIPWRIGHT_RECIPES"


def definitions(recipes: dict[str, Path], home: str = "") -> dg.Definitions:
    """Return the definitions for recipes by name, with their home."""
    steps, releases = step_assets(recipes), release_assets(recipes)
    return dg.Definitions(
        assets=[*steps, *releases],
        jobs=[
            dg.define_asset_job(
                "build_city", selection=dg.AssetSelection.assets(*steps), executor_def=dg.in_process_executor
            ),
            dg.define_asset_job(
                "release", selection=dg.AssetSelection.assets(*releases), executor_def=dg.in_process_executor
            ),
        ],
        resources={"home": TripwrightHome(url=home)},
        executor=dg.in_process_executor,
    )


def _recipes() -> dict[str, Path]:
    """Return the recipes of $TRIPWRIGHT_RECIPES, else of the project's own folder, by file name."""
    folder = Path(os.environ.get(RECIPES_VARIABLE) or ROOT / "recipes")
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


defs = definitions(_recipes())
