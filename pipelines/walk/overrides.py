"""The overrides of a recipe, as its lock pins them: corrected rows by table, and withdrawn tasks."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from assets.step import RawFile, Step
from schemas.corrections import correction_problem
from schemas.recipe import RecipeLock
from schemas.source import Snapshot, SourceError
from sources.corrections.overrides import read_corrections
from warehouse.home import Home


def entries_of(home: Home, snapshot: Snapshot) -> list[dict[str, Any]]:
    """Return the entries of one overrides file."""
    with home.snapshots.open(snapshot) as path:
        return read_corrections(RawFile(snapshot, path))


def row_corrections(
    home: Home, lock: RecipeLock, steps: Mapping[str, Step], city_ids: Set[str]
) -> dict[str, list[dict[str, Any]]]:
    """Return the corrections of rows, by table. Raises SourceError with every one that no step could apply."""
    corrections: dict[str, list[dict[str, Any]]] = {}
    problems = []
    for snapshot in (s for s in lock.snapshots if s.source == "corrections"):
        for entry in (entry for entry in entries_of(home, snapshot) if "row" in entry):
            table, *keys = entry["row"].split("/")
            problem = _problem(entry, steps.get(table), keys[0] if keys else "", city_ids)
            if problem:
                problems.append(f"{snapshot.location}: {entry['row']}: {problem}")
            corrections.setdefault(table, []).append(entry)
    if problems:
        raise SourceError("\n".join(problems))
    return corrections


def _problem(entry: dict[str, Any], step: Step | None, city_id: str, city_ids: Set[str]) -> str:
    if step is None:
        return "the recipe builds no such table; a row is named by table and keys, as `tripwright audit` prints it"
    if step.output.key()[:1] == ("city_id",) and city_id not in city_ids:
        return f"the recipe has no city {city_id!r}"
    return correction_problem(step.output, entry["field"], entry.get("value"))
