"""What Dagster's page shows of a built step, and telling its instance what commands built, each record once."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assets.families import all_steps, families
from assets.named import definition, function_of
from assets.step import Step
from pipelines.walk.build import BuildResult
from pipelines.walk.fingerprint import ROOT
from pipelines.walk.locks import read_lock
from pipelines.walk.recipes import RecipeError, load_recipe
from pipelines.walk.walk_report import licences_of
from schemas.spatial import CityMap
from schemas.stable import content_hash
from schemas.table import Table
from warehouse.build_records import BuiltStep
from warehouse.home import Home

if TYPE_CHECKING:
    import dagster as dg

INSTANCE_VARIABLE = "DAGSTER_HOME"
INSTANCE_KEY = "dagster"
RECIPES_VARIABLE = "TRIPWRIGHT_RECIPES"
ACCOUNTING = "every_row_is_accounted_for"
SCHEMA = "rows_fit_their_declaration"
TOGETHER = 500
"""Cursors that are asked of an instance at once."""


def named_recipes() -> dict[str, Path]:
    """Return the recipes of $TRIPWRIGHT_RECIPES, else of the project's own folder, by file name."""
    folder = Path(os.environ.get(RECIPES_VARIABLE) or ROOT / "recipes")
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def instance_folder(home: Home) -> Path | None:
    """Return where Dagster's records of a home are: $DAGSTER_HOME, else a folder of it; None if neither can be."""
    if dagster_home := os.environ.get(INSTANCE_VARIABLE):
        return Path(dagster_home).absolute()
    folder = home.store.folder(INSTANCE_KEY)
    return folder.absolute() if folder else None


def report_to_dagster(home: Home, built: BuildResult, say: Callable[[str], None] = lambda _: None) -> int:
    """Report what a build made or found to the home's Dagster instance, and return how many records it was told of.

    What it knows already is not told again. No trouble with Dagster is a build's: `say` tells it, and 0 is returned.
    """
    return _reported(home, [(built.recipe, built.records, built.licences)], say)


def backfill(home: Home, recipes: Mapping[str, Path], say: Callable[[str], None] = lambda _: None) -> int:
    """Report the last records of the recipes' steps that the home's instance does not know; return how many."""
    recipe_records = []
    for path in recipes.values():
        try:
            loaded, lock = load_recipe(path, families()), read_lock(path.with_suffix(".lock.json"))
        except RecipeError as error:
            say(f"not shown: {error}")
            continue
        name, cities = loaded.recipe.name, [city.city_id for city in loaded.recipe.cities]
        built_steps = [
            latest
            for step in all_steps(loaded.families.values()).values()
            for scope in ([""] if step.per == "recipe" else cities)
            if (latest := home.built.latest(name, step.name, scope)) is not None
        ]
        recipe_records.append((name, built_steps, licences_of(built_steps, lock) if lock else {}))
    return _reported(home, recipe_records, say)


def _reported(
    home: Home,
    recipe_records: Iterable[tuple[str, list[BuiltStep], Mapping[str, list[str]]]],
    say: Callable[[str], None],
) -> int:
    folder = instance_folder(home)
    if folder is None or not folder.is_dir():
        return 0
    count = 0
    try:
        import dagster as dg
        from dagster._core.utils import make_new_run_id

        # In SQLite each run has a file of its own, half a second to make: one serves all that is told here.
        run_id = make_new_run_id()
        with dg.DagsterInstance.from_config(str(folder)) as instance:
            for recipe, built_steps, licences in recipe_records:
                for built in _unknown(instance, recipe, built_steps):
                    _tell(instance, run_id, home, recipe, built, licences.get(built.step, []))
                    count += 1
    except Exception as error:  # the boundary: Dagster shows a build, it never decides one
        first = str(error).splitlines()[0] if str(error) else ""
        say(f"Dagster was not told of all that was built ({type(error).__name__}: {first}); nothing else depends on it")
    return count


def _unknown(instance: dg.DagsterInstance, recipe: str, built_steps: list[BuiltStep]) -> list[BuiltStep]:
    """Return the records that the instance was not told of as the last of their step and scope."""
    cursors = {cursor(recipe, built): built for built in built_steps}
    names, fingerprints = list(cursors), {}
    for start in range(0, len(names), TOGETHER):
        fingerprints |= instance.daemon_cursor_storage.get_cursor_values(set(names[start : start + TOGETHER]))
    return [built for name, built in cursors.items() if fingerprints.get(name) != built.fingerprint]


def cursor(recipe: str, built: BuiltStep) -> str:
    """Return the name under which an instance keeps which record of a step and scope it was told of last."""
    return f"tripwright/{recipe}/{built.step}/{built.scope}"


def partition_of(recipe: str, built: BuiltStep) -> str:
    """Return the partition that a record is of: the recipe's, or that of a city of it."""
    return f"{recipe}/{built.scope}" if built.scope else recipe


def _tell(
    instance: dg.DagsterInstance, run_id: str, home: Home, recipe: str, built: BuiltStep, licences: list[str]
) -> None:
    """Tell the instance of one record: its materialization, and each check as an event of its own.

    Dagster keeps one evaluation of a check for a run and partition: `run_id` is new, and no record is told twice of it.
    A check names the materialization it is of, or Dagster's page goes by the clock and calls it not evaluated.
    """
    import dagster as dg
    from dagster._core.definitions.asset_checks.asset_check_evaluation import (
        AssetCheckEvaluationTargetMaterializationData,
    )
    from dagster._core.events import DagsterEvent, DagsterEventType

    table = all_steps(families().values())[built.step].output
    partition = partition_of(recipe, built)
    tags = {"dagster/data_version": data_version(built), "dagster/code_version": built.code[:16]}
    metadata = step_metadata(home, table, built, licences)
    materialization = dg.AssetMaterialization(built.step, partition=partition, metadata=metadata, tags=tags)
    instance.report_runless_asset_event(materialization)
    records_filter = dg.AssetRecordsFilter(dg.AssetKey(built.step), asset_partitions=[partition])
    (latest,) = instance.fetch_materializations(records_filter, limit=1).records
    of = AssetCheckEvaluationTargetMaterializationData(
        storage_id=latest.storage_id, run_id=latest.run_id, timestamp=latest.timestamp
    )
    for name, holds, finding in step_checks(built):
        evaluation = dg.AssetCheckEvaluation(
            asset_key=dg.AssetKey(built.step),
            check_name=name,
            passed=holds,
            metadata={"found": finding},
            description=finding,
            partition=partition,
            target_materialization_data=of,
        )
        event = DagsterEvent(DagsterEventType.ASSET_CHECK_EVALUATION.value, "<runless>", event_specific_data=evaluation)
        instance.report_dagster_event(event, run_id=run_id, log_level=logging.DEBUG)
    instance.daemon_cursor_storage.set_cursor_values({cursor(recipe, built): built.fingerprint})


def data_version(built: BuiltStep) -> str:
    """Return the hash of a record's rows: its table's, or that of all cities' tables together."""
    if len(built.outputs) == 1:
        return next(iter(built.outputs.values())).sha256
    return content_hash({part: version.sha256 for part, version in built.outputs.items()})


def step_metadata(home: Home, table: type[Table], built: BuiltStep, licences: list[str]) -> dict[str, Any]:
    """Return what is shown of a step that was built: rows, rejections, hash, licences, a city's map."""
    import dagster as dg

    version = built.outputs.get(built.scope)
    drawn = home.tables.read(version).to_pylist() if table is CityMap and version else []
    maps = "".join(f"![map](data:image/png;base64,{row['png_base64']})" for row in drawn)
    return {
        "dagster/row_count": sum(version.rows for version in built.outputs.values()),
        "rejected": sum(built.accounting.rejected.values()),
        "reasons": dg.JsonMetadataValue(built.accounting.rejected),
        "sha256": data_version(built),
        "licence": ", ".join(licences) or "none: no file of a source was read",
        "seconds": built.seconds,
        **({"map": dg.MarkdownMetadataValue(maps)} if drawn else {}),
    }


def column_schema(table: type[Table]) -> dg.TableSchema:
    """Return a table's columns as Dagster shows them: name, type, what each is."""
    import dagster as dg

    types = {field.name: str(field.type) for field in table.arrow_schema()}
    return dg.TableSchema(
        columns=[
            dg.TableColumn(
                column.name,
                type=types[column.name],
                description=column.constraint.description,
                constraints=dg.TableColumnConstraints(nullable=column.nullable),
            )
            for column in table.columns()
        ]
    )


SAYS = {
    SCHEMA: "Every row as it is kept has the columns, types, units and limits that the table declares.",
    ACCOUNTING: "No row is lost: rows in = rows out + merged + rejected, and a rejected row is kept with its reason.",
}
"""What the checks of every step say, in words."""


def check_says(step: Step) -> dict[str, str]:
    """Return the checks of a step, each with a sentence that says what it looks for and why."""
    return SAYS | {function_of(check): definition(check).summary for check in step.checks}


def step_checks(built: BuiltStep, misfit: str = "") -> list[tuple[str, bool, str]]:
    """Return each check of a step that was built: its name, whether it holds, and what was found.

    `misfit` says how the kept rows do not fit their declaration; no table is written that does not.
    """
    unaccounted = built.accounting.problem()
    counts = built.accounting
    dropped = sum(counts.rejected.values())
    rows_in = "rows of its own" if counts.rows_in is None else f"{counts.rows_in} in"
    accounted = f"{rows_in}: {counts.rows_out} out, {dropped} rejected, {counts.merged} merged"
    return [
        (SCHEMA, not misfit, misfit or "every row fits"),
        (ACCOUNTING, unaccounted is None, unaccounted or accounted),
        *((verdict["check"], verdict["holds"], verdict["found"]) for verdict in built.verdicts),
    ]
