"""What Dagster's page shows of a built step, and telling its instance what a command built outside of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assets.family import all_steps, families
from pipelines.walk.build import Built
from schemas.spatial import CityMap
from schemas.table import Table
from warehouse.built import BuiltStep
from warehouse.home import Home
from warehouse.tables import TableVersion

if TYPE_CHECKING:
    import dagster as dg

INSTANCE_VARIABLE = "DAGSTER_HOME"
INSTANCE_KEY = "dagster"
ACCOUNTING = "every_row_is_accounted_for"
SCHEMA = "rows_fit_their_declaration"


def instance_folder(home: Home) -> Path | None:
    """Return where Dagster's records of a home are: $DAGSTER_HOME, else a folder of it; None if neither can be."""
    if named := os.environ.get(INSTANCE_VARIABLE):
        return Path(named).absolute()
    folder = home.store.folder(INSTANCE_KEY)
    return folder.absolute() if folder else None


def report_to_dagster(home: Home, built: Built) -> int:
    """Report each run of a step to the home's Dagster instance, and return how many events it got; 0 without one.

    A step that runs once a recipe is reported for every city, as Dagster's partitions have it.
    """
    folder = instance_folder(home)
    if not built.ran or folder is None or not folder.is_dir():
        return 0
    import dagster as dg

    reported = 0
    steps = all_steps(families().values())
    with dg.DagsterInstance.from_config(str(folder)) as instance:
        for ran in built.ran:
            for city_id in [ran.scope] if ran.scope else built.city_ids:
                if city_id not in ran.outputs and "" not in ran.outputs:
                    continue  # what runs once a recipe left out a city that is blocked
                table, licences = steps[ran.step].output, built.licences[ran.step]
                for event in _events(home, table, ran, f"{built.recipe}/{city_id}", city_id, licences):
                    instance.report_runless_asset_event(event)
                    reported += 1
    return reported


def version_for(built: BuiltStep, city_id: str) -> TableVersion:
    """Return the table of a step as a city reads it: the city's part, or the undivided whole."""
    return built.outputs.get(city_id) or built.outputs[""]


def step_metadata(
    home: Home, table: type[Table], built: BuiltStep, city_id: str, licences: list[str]
) -> dict[str, Any]:
    """Return what is shown of a step that was built: rows, rejections, hash, licences, columns, a city's map."""
    import dagster as dg

    version = version_for(built, city_id)
    drawn = home.tables.read(version).to_pylist() if table is CityMap else []
    maps = "".join(f"![map](data:image/png;base64,{row['png_base64']})" for row in drawn)
    return {
        "rows": version.rows,
        "rejected": sum(built.accounting.rejected.values()),
        "reasons": dg.JsonMetadataValue(built.accounting.rejected),
        "sha256": version.sha256,
        "licence": ", ".join(licences) or "none: no file of a source was read",
        "seconds": built.seconds,
        **({"map": dg.MarkdownMetadataValue(maps)} if drawn else {}),
        "columns": dg.MarkdownMetadataValue(table.dictionary_page()),
    }


def step_checks(built: BuiltStep, misfit: str = "") -> list[tuple[str, bool, str]]:
    """Return each check of a step that was built: its name, whether it holds, and what was found.

    `misfit` says how the kept rows do not fit their declaration; no table is written that does not.
    """
    unaccounted = built.accounting.problem()
    return [
        (SCHEMA, not misfit, misfit or "every row fits"),
        (ACCOUNTING, unaccounted is None, unaccounted or "rows in = rows out + rejected + merged"),
        *((verdict["check"], verdict["holds"], verdict["found"]) for verdict in built.verdicts),
    ]


def _events(
    home: Home, table: type[Table], built: BuiltStep, partition: str, city_id: str, licences: list[str]
) -> list[dg.AssetMaterialization | dg.AssetCheckEvaluation]:
    import dagster as dg

    made = dg.AssetMaterialization(
        built.step,
        partition=partition,
        metadata=step_metadata(home, table, built, city_id, licences),
        tags={"dagster/data_version": version_for(built, city_id).sha256},
    )
    checks = [
        dg.AssetCheckEvaluation(
            asset_key=dg.AssetKey(built.step),
            check_name=name,
            passed=holds,
            metadata={"found": found},
            partition=partition,
        )
        for name, holds, found in step_checks(built)
    ]
    return [made, *checks]
