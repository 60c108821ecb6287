"""A release put together from what a walk built: its tables, its manifest and its counts, before it is tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assets.family import Family
from assets.release import licences
from assets.release.audit_recipe import SHARED_SECTIONS
from assets.release.measures import UNANSWERED, release_counts, tasks_due
from assets.release.splits import split_tasks, what_tasks_hold
from assets.rows import ReleaseTables
from pipelines.releases.beside import KeptTables
from pipelines.releases.gathering import (
    NoTaskError,
    TooFewTasksError,
    accounting,
    advice,
    facts,
    generations,
    inputs_of,
    whole_reasons,
)
from pipelines.walk.recipe_walk import RecipeWalk
from pipelines.walk.recipes import LoadedRecipe
from schemas.generation import Generation
from schemas.recipe import City
from schemas.rejection import Reason, Rejection
from schemas.release import Manifest
from schemas.table import Table
from warehouse.build_records import BuiltStep
from warehouse.home import Home
from warehouse.tables import TableVersion

if TYPE_CHECKING:
    from assets.step import Step

NO_TASK = (Reason.UNSATISFIABLE.value, Reason.WORDING_DISAGREES.value, *UNANSWERED)
SLOTS_SHOWN = 3
"""Slots named in the error of a release that would be too small; all are in the rejections."""


@dataclass(frozen=True)
class Assembled:
    """A release's files by path, its manifest, and its tables as a family reads them, here and in other processes."""

    manifest: Manifest
    files: dict[str, tuple[type[Table], TableVersion]]
    tables: ReleaseTables
    kept_tables: KeptTables


def assemble(
    home: Home, walked: RecipeWalk, family: Family, steps: list[Step], built_steps: list[BuiltStep]
) -> Assembled:
    """Return the family's release from these steps of a walk, without the cities left out; it rests on `built_steps`.

    Raises ReleaseError if fewer tasks are certified than the recipe asks for.
    """
    loaded, lock, cities = walked.loaded, walked.lock, list(walked.loaded.recipe.cities)
    files: dict[str, tuple[type[Table], TableVersion]] = {}
    by_name = {step.name: step for step in steps}
    for table in family.released:
        step = by_name[table.table_name()]
        versions = list(dict.fromkeys(walked.walk.walked.version(step, city.city_id) for city in cities))
        files[f"{family.file_of(table)}.parquet"] = (table, home.tables.join(table, versions))
    files["generations.parquet"] = (Generation, generations(home, loaded, built_steps))
    rejections = list(dict.fromkeys(b.rejections for b in built_steps))
    files["rejections.parquet"] = (Rejection, home.tables.join(Rejection, rejections))
    section = loaded.sections[family.name].model_dump(mode="json")
    kept_tables = KeptTables(home.url, family.name, {name: version for name, (_, version) in files.items()}, section)
    tables = kept_tables.read(home, family)
    accounts = accounting(home, steps, built_steps)
    counts = release_counts(family, tables, accounts)
    _require_all(loaded, family, cities, counts, tables, facts(built_steps))
    manifest = Manifest(
        recipe=loaded.recipe.name,
        family=family.name,
        title=loaded.recipe.title or f"{family.title}: {loaded.recipe.name}",
        seed=loaded.recipe.seed,
        cities=[c.model_dump(mode="json", exclude={"sources"}) for c in cities],
        missing_cities=[{"city_id": b.city_id, "step": b.step, "reason": b.reason} for b in walked.left_out],
        inputs=inputs_of(lock, built_steps),
        licences=licences.release_licences(inputs_of(lock, built_steps)),
        engines=loaded.recipe.engines.as_released(),
        settings=loaded.recipe.model_dump(mode="json", include=SHARED_SECTIONS, exclude_none=True),
        section=section,
        choices=[{"choice_id": c.choice_id, "text": c.text} for c in family.choices],
        rules=family.rules,
        counts=counts,
        retired=[r.model_dump(exclude={"family"}) for r in lock.retired if r.family == family.name],
        accounting=accounts,
        measures={},
        files=[],
    )
    files |= _splits(home, loaded, family, tables)
    manifest.files = home.releases.file_descriptions(files)
    return Assembled(manifest, files, tables, kept_tables)


def _splits(
    home: Home, loaded: LoadedRecipe, family: Family, tables: ReleaseTables
) -> dict[str, tuple[type[Table], TableVersion]]:
    """Return the tasks of each split that the recipe asks for, as `splits/<name>.parquet`."""
    splits = loaded.recipe.splits
    if splits is None:
        return {}
    keys_by_task = what_tasks_hold(family, tables, splits.apart)
    tasks, table = tables.tasks, family.tables.task
    return {
        f"splits/{name}.parquet": (table, home.tables.write(table, tasks[tasks["task_id"].isin(ids)]))
        for name, ids in split_tasks(splits, keys_by_task, loaded.recipe.seed).items()
    }


def _require_all(
    loaded: LoadedRecipe,
    family: Family,
    cities: list[City],
    counts: dict[str, Any],
    tables: ReleaseTables,
    facts: dict[str, Any],
) -> None:
    quota = tasks_due(family, loaded.sections[family.name], len(cities), counts)
    if counts["certified"] < quota or counts["tasks"] != counts["certified"]:
        unanswered = f" ({counts['unanswered']} got no usable wording of the model)" if counts["unanswered"] else ""
        error = TooFewTasksError if counts["certified"] else NoTaskError
        raise error(
            f"{family.name}: the recipe asks for {quota} tasks, and {counts['certified']} of {counts['tasks']} drafts "
            f"are certified{unanswered}; nothing is released. {_in_the_way(family, tables)}{advice(counts)}"
            f"{_lacking(family, cities, tables, facts)}"
        )


def _lacking(family: Family, cities: list[City], tables: ReleaseTables, facts: dict[str, Any]) -> str:
    """Return what each city lacks that is travelled to, a line for each, those that lack the same together."""
    if family.lacking is None:
        return ""
    visited = {city.city_id for city in cities if city.is_visited}
    cities_of: dict[str, list[str]] = {}
    for city_id, lines in family.call("lacking", tables, facts).items():
        if city_id in visited:
            cities_of.setdefault("; ".join(lines), []).append(city_id)
    city_lines = [f"\n  - {', '.join(cities)}: {lines}" for lines, cities in cities_of.items()]
    return f"\nWhat cities lack:{''.join(city_lines)}" if city_lines else ""


def _in_the_way(family: Family, tables: ReleaseTables) -> str:
    """Return the first slots for which there is no task, and what stood in their way."""
    rejected = tables.tables["rejections"]
    slots = rejected[rejected["step"].isin({s.name for s in family.steps}) & rejected["reason"].isin(NO_TASK)]
    slot_lines = [f"{row['row']}: {whole_reasons(row['detail'])}" for row in slots.head(SLOTS_SHOWN).to_dict("records")]
    return f"Without a task, among {len(slots)}: {'; '.join(slot_lines)}. " if slot_lines else ""
