"""The whole graph for Dagster: every step by recipe and city, every family's release, the jobs and what starts them."""

from __future__ import annotations

import warnings
from pathlib import Path

import dagster as dg

from assets.families import families
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
from pipelines.walk.recipes import load_recipe
from schemas.errors import ExpectedError

_MAY_SAY = dg.Field(dg.Permissive(), is_required=False)
ONE_PROCESS = dg.multi_or_in_process_executor.configured(
    lambda launch: launch or {"in_process": {}},
    name="one_process",
    config_schema=dg.Shape({"in_process": _MAY_SAY, "multiprocess": _MAY_SAY}),
)
"""How jobs and assets run unless a launch says `multiprocess`: a process for each asset takes seconds to start."""


def definitions(recipes: dict[str, Path], home: str = "") -> dg.Definitions:
    """Return the definitions for recipes by name, with their home.

    That Dagster may yet change what is used of it is no news to who looks at a build: the version is locked.
    """
    with warnings.catch_warnings():
        for category in (dg.PreviewWarning, dg.BetaWarning):
            warnings.simplefilter("ignore", category)
        return _definitions(recipes, home)


def readable(recipes: dict[str, Path]) -> dict[str, Path]:
    """Return the recipes that can be read; of the others Dagster's log says why, and they hold up none of these."""
    readable_recipes = {}
    for name, path in recipes.items():
        try:
            load_recipe(path, families())
        except (ExpectedError, OSError) as error:
            dg.get_dagster_logger().warning(f"recipe {name} is left out; mend it and reload: {error}")
            continue
        readable_recipes[name] = path
    return readable_recipes


def _definitions(recipes: dict[str, Path], home: str) -> dg.Definitions:
    steps, releases = step_assets(recipes), release_assets(recipes)
    by_recipe = [asset for asset in steps if asset.partitions_def == dg.StaticPartitionsDefinition(sorted(recipes))]
    by_city = [asset for asset in steps if asset not in by_recipe]
    build_city = dg.define_asset_job("build_city", selection=dg.AssetSelection.assets(*by_city))
    build_recipe = dg.define_asset_job("build_recipe", selection=dg.AssetSelection.assets(*by_recipe))
    release = dg.define_asset_job("release", selection=dg.AssetSelection.assets(*releases))
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
        executor=ONE_PROCESS,
    )


defs = definitions(readable(named_recipes()))
