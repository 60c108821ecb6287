"""A published folder opened: its tasks, places and witnesses, as trials are scored against them.

The places are read as the published code reads them: of a repeated name the last counts, and a category outside its
Chinese lists becomes its fallback, whatever the language of the folder (published benchmarks, 3.A, 3.F).
"""

from __future__ import annotations

import io
import marshal
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from assets.core.opening import read_published
from assets.grouptravel.asked import request_of
from assets.grouptravel.facts.opening import read_opening
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.plan import is_finite_number
from assets.grouptravel.published.published_folder import (
    PLACES,
    TASKS,
    WITNESSES,
    listed_places,
    read_tasks,
    task_file,
)  # fmt: skip
from assets.grouptravel.scoring import TaskCase, task_case
from assets.grouptravel.vocabulary import ZH, Vocabulary
from schemas.counts import counted
from schemas.json_lines import json_lines
from schemas.nested import WITHOUT_REFERENCES
from schemas.source import SourceError


@dataclass(frozen=True)
class OpenedFolder:
    """The records by task id in their order, the places as they are looked up, the witnesses, and what is wrong.

    `problems` name lines that are no task, tables and hours that cannot be read; the rest of the folder stands.
    `damaged` are those among them that lose a whole task or plan.
    """

    records: dict[str, dict[str, Any]]
    cities: tuple[str, ...]
    """Those of which places are listed."""
    pois: Pois
    witnesses: dict[str, Any]
    problems: tuple[str, ...]
    damaged: tuple[str, ...] = ()

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Return the words of the folder's language; Chinese where no task's words tell."""
        tasks = (request for record in self.records.values() if (request := request_of(record)).days is not None)
        return next((request.vocabulary for request in tasks), ZH)

    def cases(self) -> dict[str, TaskCase]:
        """Return what trials of each task are scored against by `released`, in the folder's order."""
        return {
            task_id: task_case(task_id, record, self.pois, None, self.vocabulary)
            for task_id, record in self.records.items()
        }


def open_folder(folder: Path) -> OpenedFolder:
    """Return a folder in the published shape. Raises SourceError if it holds no task."""
    tasks = task_file(folder)
    files = {str(path.relative_to(folder)): path for path in (tasks, folder / PLACES, folder / WITNESSES)}
    return open_files(read_published(files))


def open_files(files: Mapping[str, bytes]) -> OpenedFolder:
    """Return the published files, given by their relative paths. Raises SourceError if there is no task."""
    name = next((name for name in TASKS if name in files), None)
    if name is None:
        raise SourceError(
            f"found no {TASKS[0]} among {counted(len(files), 'file')}; expected an export or a published folder"
        )
    tasks, unreadable = read_tasks(name, files[name])
    problems: list[str] = []
    damaged = [f"{name} {line}" for line in unreadable]
    records: dict[str, dict[str, Any]] = {}
    for task in tasks:
        problems += [f"{task.task_id}: {problem}" for problem in task.problems]
        if task.task_id in records:
            damaged.append(f"{name} line {task.line}: {task.task_id} has been there before")
        try:
            request_of(task.record)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            damaged.append(f"{name} line {task.line}: {task.task_id} is no task: {error!r:.80}")
            continue
        records.setdefault(task.task_id, task.record)
    places = _places(files[PLACES], problems) if PLACES in files else {}
    pois = Pois(places)
    witnesses = _witnesses(files.get(WITNESSES, b""), damaged)
    return OpenedFolder(records, tuple(places), pois, witnesses, (*damaged, *problems), tuple(damaged))


def places_with_names(listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the listed places that have a name: the others can be in no plan."""
    return [row for row in listed if isinstance(row.get("name"), str) and row["name"]]


def _places(data: bytes, problems: list[str]) -> dict[str, list[Poi]]:
    """Return each city's places as the published code reads them; of the listed ones, a city's are held at a time."""
    places: dict[str, list[Poi]] = {}
    hours: dict[bytes, tuple[Any, bool]] = {}  # many places have the same, which are kept and looked at once
    for city, listed in listed_places(PLACES, io.BytesIO(data)):
        wrong = 0
        for row in listed:
            raw_hours = row.get("opening_hours")
            hours_key = marshal.dumps(raw_hours, WITHOUT_REFERENCES)
            if hours_key not in hours:
                hours[hours_key] = raw_hours, bool(read_opening(raw_hours)[1])
            row["opening_hours"], is_wrong = hours[hours_key]
            wrong += is_wrong
        if wrong:
            problems.append(f"{city}: {counted(wrong, 'place')} with hours that are not as declared")
        places[city] = _as_read(city, places_with_names(listed))
    return places


def _witnesses(data: bytes, problems: list[str]) -> dict[str, Any]:
    witnesses = {}
    for line in json_lines(data, storable=True):
        task_id = line.value.get("task_id")
        if line.problem or not isinstance(task_id, str) or "plan" not in line.value:
            problem = line.problem or "found no task_id that is a text, or no plan"
            problems.append(f"{WITNESSES} line {line.number}: {problem}; expected {{task_id, plan}}")
        else:
            witnesses[task_id] = line.value["plan"]
    return witnesses


def _as_read(city: str, listed: list[dict[str, Any]]) -> list[Poi]:
    """Return the city's places by name, the last of each name, with the category that the published code counts."""
    last: dict[str, Poi] = {}
    for number, row in enumerate(listed):
        kind, category, cost = str(row.get("poi_type")), row.get("custom_category"), row.get("avg_cost")
        last[row["name"]] = Poi(
            place_id=f"{city}/{number}",
            name=row["name"],
            poi_type=kind,
            category=ZH.category(category if isinstance(category, str) else "", kind),
            hours=row.get("opening_hours"),
            cost=float(cost) if is_finite_number(cost) else None,
        )
    return list(last.values())
