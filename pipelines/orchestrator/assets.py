"""Each Step as a Dagster asset, partitioned by recipe and city, and each family's release as one by recipe."""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import dagster as dg

from assets.family import Family, all_steps, families, stage_of
from assets.named import definition
from assets.step import Raw, Step
from pipelines.orchestrator.report import ACCOUNTING, SCHEMA, step_checks, step_metadata, version_for
from pipelines.walk.build import Built, build, family_targets
from pipelines.walk.fingerprint import Code
from pipelines.walk.inputs import resolve
from pipelines.walk.recipes import LoadedRecipe, load_recipe
from pipelines.walk.walk import Walk
from schemas.table import Table, TableError
from warehouse.home import Home
from warehouse.store import StoreError
from warehouse.tables import TableVersion

CERTIFIED = "every_task_is_certified"


class TripwrightHome(dg.ConfigurableResource[None]):
    """Where everything is kept; empty for $TRIPWRIGHT_HOME, else `.tripwright`."""

    url: str = ""

    def open(self) -> Home:
        """Return the home."""
        return Home(self.url or None)


def step_assets(recipes: Mapping[str, Path]) -> list[dg.AssetsDefinition]:
    """Return one asset a step of what the recipes ask for, over all cities of all recipes, named by their path."""
    cities = dg.StaticPartitionsDefinition(sorted(_city_partitions(recipes)))
    wanted = {name: family for path in recipes.values() for name, family in _loaded(path).families.items()}
    return [_step_asset(step, cities, recipes) for step in all_steps(wanted.values()).values()]


def release_assets(recipes: Mapping[str, Path]) -> list[dg.AssetsDefinition]:
    """Return one asset a family that a recipe asks for: its release, by recipe.

    All have the same partitions, so that one job releases all; a recipe that does not ask for a family skips it.
    """
    partitions = _city_partitions(recipes)
    to_recipe = dg.StaticPartitionMapping({key: recipe for key, (recipe, _) in partitions.items()})
    return [
        _release_asset(family, recipes, to_recipe)
        for family in families().values()
        if any(family.name in _loaded(path).families for path in recipes.values())
    ]


def _loaded(path: Path) -> LoadedRecipe:
    return load_recipe(path, families())


def _city_partitions(recipes: Mapping[str, Path]) -> dict[str, tuple[str, str]]:
    """Return partition key to (recipe, city_id)."""
    return {
        f"{name}/{city.city_id}": (name, city.city_id)
        for name, path in recipes.items()
        for city in _loaded(path).recipe.cities
    }


@lru_cache(maxsize=8)
def _walk_of(run_id: str, path: Path, home_url: str) -> Walk:  # noqa: ARG001  (one walk a run)
    """Return the walk that the assets of one run share, with its inputs resolved once."""
    home = Home(home_url)
    loaded = _loaded(path)
    code = Code()
    with home.building():
        lock = resolve(home, loaded, code)
    return Walk(home, loaded, lock, all_steps(loaded.families.values()), code)


def _step_asset(step: Step, cities: dg.PartitionsDefinition[str], recipes: Mapping[str, Path]) -> dg.AssetsDefinition:
    names = (SCHEMA, ACCOUNTING, *step.check_names)
    specs = [dg.AssetCheckSpec(name, asset=step.name, blocking=True) for name in names]

    spec = dg.AssetSpec(
        step.name,
        group_name=group_of(stage_of(step)),
        deps=[table.table_name() for table in step.inputs if not isinstance(table, Raw)],
        description=definition(step.run).summary,
        kinds={"parquet"},
        skippable=True,
    )

    # A subset may be empty: the steps of a family that a recipe does not ask for are skipped in its cities' runs.
    @dg.multi_asset(name=step.name, specs=[spec], check_specs=specs, partitions_def=cities, can_subset=True)
    def made(context: dg.AssetExecutionContext, home: TripwrightHome) -> Iterator[Any]:
        recipe, city_id = context.partition_key.split("/", 1)
        if step.name not in all_steps(_loaded(recipes[recipe]).families.values()):
            context.log.info(f"recipe {recipe} does not ask for the family of {step.name}")
            return
        walk = _walk_of(context.run.run_id, recipes[recipe], home.open().url)
        with home.open().building():
            walked = walk.build([step.name], [city_id])
        cause = walked.blocked.get((step.name, city_id))
        built = walked.made.get((step.name, city_id)) or walked.made.get((step.name, ""))
        if built is None:
            raise dg.Failure(description=cause.reason if cause else "nothing was built", allow_retries=False)
        opened = home.open()
        yield dg.MaterializeResult(
            asset_key=step.name,
            data_version=dg.DataVersion(version_for(built, city_id).sha256),
            metadata=step_metadata(opened, step.output, built, city_id, walked.licences(walk.lock)[step.name]),
        )
        misfit = _misfit(opened, step.output, version_for(built, city_id))
        for check, holds, found in step_checks(built, misfit):
            yield dg.AssetCheckResult(check_name=check, passed=holds, metadata={"found": found}, asset_key=step.name)

    return made


@cache
def group_of(stage: str) -> str:
    """Return the group of a stage's assets: its name after a number, since Dagster lists groups by the alphabet."""
    every = all_steps(families().values())
    needs: dict[str, set[str]] = {}
    for step in every.values():
        tables = [table for table in step.inputs if not isinstance(table, Raw)]
        needs.setdefault(stage_of(step), set()).update(stage_of(every[table.table_name()]) for table in tables)
    flow = TopologicalSorter({name: sorted(needed - {name}) for name, needed in sorted(needs.items())})
    order = sorted(flow.static_order(), key=lambda name: name in families())
    return f"{order.index(stage) + 1}_{stage}"


def _misfit(home: Home, table: type[Table], version: TableVersion) -> str:
    """Return how the rows as they are kept do not fit the table's declaration; empty if they do."""
    try:
        table.validate(home.tables.read(version))
    except (TableError, StoreError) as error:
        return str(error)
    return ""


def _release_asset(
    family: Family, recipes: Mapping[str, Path], to_recipe: dg.StaticPartitionMapping
) -> dg.AssetsDefinition:
    name = f"{family.name}_release"

    spec = dg.AssetSpec(
        name,
        group_name=group_of(family.name),
        deps=[dg.AssetDep(table, partition_mapping=to_recipe) for table in family_targets(family)],
        description=f"The {family.title} task sets of a recipe, released when all its cities pass.",
        skippable=True,
    )

    @dg.multi_asset(
        name=name,
        specs=[spec],
        check_specs=[dg.AssetCheckSpec(CERTIFIED, asset=name, blocking=True)],
        partitions_def=dg.StaticPartitionsDefinition(sorted(recipes)),
        can_subset=True,
    )
    def released(context: dg.AssetExecutionContext, home: TripwrightHome) -> Iterator[Any]:
        if family.name not in _loaded(recipes[context.partition_key]).families:
            context.log.info(f"recipe {context.partition_key} does not ask for {family.name}")
            return
        opened = home.open()
        built = build(opened, recipes[context.partition_key], family_names=[family.name])
        if not built.releases:
            raise dg.Failure(description=_why_not(built), allow_retries=False)
        made = built.releases[0]
        yield dg.MaterializeResult(
            asset_key=name,
            data_version=dg.DataVersion(made.ref.version),
            metadata={
                "tasks": made.tasks,
                "certified": made.certified,
                "rejected": made.rejected,
                "folder": dg.PathMetadataValue(str(opened.releases.folder(made.ref))),
            },
        )
        yield dg.AssetCheckResult(check_name=CERTIFIED, passed=made.certified == made.tasks, asset_key=name)

    return released


def _why_not(built: Built) -> str:
    return "; ".join(f"{b.city_id} is blocked at {b.step}: {b.reason}" for b in built.blocked)
