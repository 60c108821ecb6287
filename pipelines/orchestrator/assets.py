"""Each Step as a Dagster asset, by recipe or by recipe and city; the files they read; and each family's release."""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import dagster as dg

from assets.families import all_steps, families, stage_of
from assets.family import Family
from assets.named import definition
from assets.step import Raw, Step
from pipelines.orchestrator.report import (
    check_says,
    column_schema,
    cursor,
    data_version,
    step_checks,
    step_metadata,
)
from pipelines.walk.build import BuildResult, build
from pipelines.walk.fingerprint import Code
from pipelines.walk.graph import code_of
from pipelines.walk.inputs import resolve
from pipelines.walk.recipe_walk import family_targets
from pipelines.walk.recipes import LoadedRecipe, load_recipe
from pipelines.walk.router import require_router
from pipelines.walk.walk import Walk
from schemas.table import Table, TableError
from sources.registry import SOURCES
from warehouse.home import Home
from warehouse.releases import PAGE_FILE
from warehouse.store import StoreError
from warehouse.tables import TableVersion

CERTIFIED = "every_task_is_certified"
CERTIFIED_SAYS = "Each task ships with a plan that solves it, which a checker that cannot find plans has accepted."
OWNERS = ["team:tripwright"]


class TripwrightHome(dg.ConfigurableResource[None]):
    """Where everything is kept; empty for $TRIPWRIGHT_HOME, else `.tripwright`."""

    url: str = ""

    def open(self) -> Home:
        """Return the home."""
        return Home(self.url or None)


def step_assets(recipes: Mapping[str, Path]) -> list[dg.AssetsDefinition]:
    """Return one asset a step of what the recipes ask for: by recipe, or by recipe and city."""
    families_by_name = {name: family for path in recipes.values() for name, family in _loaded(path).families.items()}
    partitions, code = Partitions(recipes), Code()
    return [_step_asset(step, partitions, recipes, code) for step in all_steps(families_by_name.values()).values()]


def source_assets(recipes: Mapping[str, Path]) -> list[dg.AssetSpec]:
    """Return the files that steps read, as assets that others make: one for each role of a source."""
    families_by_name = {name: family for path in recipes.values() for name, family in _loaded(path).families.items()}
    raws = {
        step_input
        for step in all_steps(families_by_name.values()).values()
        for step_input in step.inputs
        if isinstance(step_input, Raw)
    }
    return [
        dg.AssetSpec(
            _source_key(raw),
            group_name="0_sources",
            description=f"{SOURCES[raw.source].title}: {raw.role}. {SOURCES[raw.source].how_to_get}",
            metadata={"licence": SOURCES[raw.source].licence_id, "homepage": SOURCES[raw.source].homepage},
            kinds={"source"},
            owners=OWNERS,
        )
        for raw in sorted(raws, key=lambda raw: (raw.source, raw.role))
    ]


def release_assets(recipes: Mapping[str, Path]) -> list[dg.AssetsDefinition]:
    """Return one asset a family that a recipe asks for: its release, by recipe.

    All have the same partitions, so that one job releases all; a recipe that does not ask for a family skips it.
    """
    partitions = Partitions(recipes)
    return [
        _release_asset(family, recipes, partitions)
        for family in families().values()
        if any(family.name in _loaded(path).families for path in recipes.values())
    ]


class Partitions:
    """The partitions of recipes and of their cities, and which of them belong together."""

    def __init__(self, recipes: Mapping[str, Path]) -> None:
        self._cities = _city_partitions(recipes)
        self.recipes = dg.StaticPartitionsDefinition(sorted(recipes))
        self.cities = dg.StaticPartitionsDefinition(sorted(self._cities))

    def of(self, step: Step) -> dg.PartitionsDefinition[str]:
        """Return the partitions of a step."""
        return self.recipes if step.per == "recipe" else self.cities

    def dep(self, other: Step, per: str) -> dg.AssetDep:
        """Return how what is made `per` recipe or city depends on another step."""
        if other.per == per:
            return dg.AssetDep(other.name)
        if per == "recipe":
            to_recipe = {key: recipe for key, (recipe, _) in self._cities.items()}
            return dg.AssetDep(other.name, partition_mapping=dg.StaticPartitionMapping(to_recipe))
        to_cities: dict[str, set[str]] = {}
        for key, (recipe, _) in self._cities.items():
            to_cities.setdefault(recipe, set()).add(key)
        return dg.AssetDep(other.name, partition_mapping=dg.StaticPartitionMapping(to_cities))


def _source_key(raw: Raw) -> dg.AssetKey:
    return dg.AssetKey(["sources", raw.source, raw.role])


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
    """Return the walk that the assets of one run share in a process, with its inputs resolved once."""
    home = Home(home_url)
    loaded = _loaded(path)
    code = Code()
    lock = resolve(home, loaded, code)
    require_router(loaded, lock, no_install=False)
    return Walk(home, loaded, lock, all_steps(loaded.families.values()), code)


def _step_asset(step: Step, partitions: Partitions, recipes: Mapping[str, Path], code: Code) -> dg.AssetsDefinition:
    specs = [
        dg.AssetCheckSpec(name, asset=step.name, description=says, blocking=True, partitions_def=partitions.of(step))
        for name, says in check_says(step).items()
    ]
    every = all_steps(families().values())
    tables = [
        partitions.dep(every[table.table_name()], step.per) for table in step.inputs if not isinstance(table, Raw)
    ]
    spec = dg.AssetSpec(
        step.name,
        group_name=group_of(stage_of(step)),
        deps=[*tables, *(_source_key(raw) for raw in step.inputs if isinstance(raw, Raw))],
        description=step.output.meaning(),
        metadata={"dagster/column_schema": column_schema(step.output), "made by": definition(step.run).summary},
        code_version=code_of(code, step)[:16],
        kinds={"parquet"},
        owners=OWNERS,
        skippable=True,
    )

    # A subset may be empty: the steps of a family that a recipe does not ask for are skipped in its cities' runs.
    @dg.multi_asset(
        name=step.name, specs=[spec], check_specs=specs, partitions_def=partitions.of(step), can_subset=True
    )
    def materialize(context: dg.AssetExecutionContext, home: TripwrightHome) -> Iterator[Any]:
        recipe, _, city_id = context.partition_key.partition("/")
        if step.name not in all_steps(_loaded(recipes[recipe]).families.values()):
            context.log.info(f"recipe {recipe} does not ask for the family of {step.name}")
            return
        opened = home.open()
        with opened.building():
            walk = _walk_of(context.run.run_id, recipes[recipe], opened.url)
            walked = walk.build([step.name], [city_id] if city_id else None)
        built = walked.records.get((step.name, city_id))
        if built is None:
            causes = [c for c in walked.causes([step.name]) if c.city_id == city_id or not city_id]
            reason = "; ".join(dict.fromkeys(c.reason for c in causes)) or "nothing was built"
            raise dg.Failure(description=reason, allow_retries=False)
        licences = walked.licences(walk.lock)[step.name]
        metadata = step_metadata(opened, step.output, built, licences)
        version = dg.DataVersion(data_version(built))
        yield dg.MaterializeResult(asset_key=step.name, data_version=version, metadata=metadata)
        misfits = (_misfit(opened, step.output, one) for one in built.outputs.values())
        for check, holds, finding in step_checks(built, next(filter(None, misfits), "")):
            yield dg.AssetCheckResult(
                check_name=check, passed=holds, metadata={"found": finding}, description=finding, asset_key=step.name
            )
        context.instance.daemon_cursor_storage.set_cursor_values({cursor(recipe, built): built.fingerprint})

    return materialize


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


def _release_asset(family: Family, recipes: Mapping[str, Path], partitions: Partitions) -> dg.AssetsDefinition:
    name = f"{family.name}_release"
    every = all_steps(families().values())

    spec = dg.AssetSpec(
        name,
        group_name=group_of(family.name),
        deps=[partitions.dep(every[table], "recipe") for table in family_targets(family)],
        description=f"The {family.title} task sets of a recipe, released when all its cities pass.",
        kinds={"parquet", "huggingface"},
        owners=OWNERS,
        skippable=True,
    )

    @dg.multi_asset(
        name=name,
        specs=[spec],
        check_specs=[dg.AssetCheckSpec(CERTIFIED, asset=name, description=CERTIFIED_SAYS, blocking=True)],
        partitions_def=partitions.recipes,
        can_subset=True,
    )
    def materialize_release(context: dg.AssetExecutionContext, home: TripwrightHome) -> Iterator[Any]:
        if family.name not in _loaded(recipes[context.partition_key]).families:
            context.log.info(f"recipe {context.partition_key} does not ask for {family.name}")
            return
        opened = home.open()
        built = build(opened, recipes[context.partition_key], family_names=[family.name])
        if not built.releases:
            raise dg.Failure(description=_why_not(built), allow_retries=False)
        release = built.releases[0]
        folder = opened.releases.folder(release.ref)
        yield dg.MaterializeResult(
            asset_key=name,
            data_version=dg.DataVersion(release.ref.version),
            metadata={
                "tasks": release.tasks,
                "certified": release.certified,
                "rejected": release.rejected,
                "folder": dg.PathMetadataValue(str(folder)),
                "page": dg.PathMetadataValue(str(folder / PAGE_FILE)),
            },
        )
        description = f"{release.certified} of {release.tasks} tasks have a witness that holds"
        yield dg.AssetCheckResult(
            check_name=CERTIFIED, passed=release.certified == release.tasks, description=description, asset_key=name
        )

    return materialize_release


def _why_not(built: BuildResult) -> str:
    return "; ".join(f"{b.city_id} is blocked at {b.step}: {b.reason}" for b in built.blocked)
