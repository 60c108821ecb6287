"""A published folder opened: its tasks, places and witnesses, as trials are scored against them.

The places are read as the published code reads them: of a repeated name the last counts, and a category outside its
Chinese lists becomes its fallback, whatever the language of the folder (published benchmarks, 3.A, 3.F).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from assets.grouptravel.asked import asked_of
from assets.grouptravel.facts.opening import read_opening
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.published.published_folder import PLACES, TASKS, WITNESSES, read_tasks, task_file
from assets.grouptravel.scoring import TaskCase, task_case
from assets.grouptravel.vocabulary import ZH, Vocabulary
from schemas.json_lines import json_lines
from schemas.source import SourceError


@dataclass(frozen=True)
class OpenedFolder:
    """The records by task id in their order, each city's listed places, the witnesses by task id, and what is wrong.

    `problems` name lines that are no task, tables and hours that cannot be read; the rest of the folder stands.
    `damaged` are those among them that lose a whole task or plan.
    """

    records: dict[str, dict[str, Any]]
    places: dict[str, list[dict[str, Any]]]
    witnesses: dict[str, Any]
    problems: tuple[str, ...]
    damaged: tuple[str, ...] = ()

    @cached_property
    def _pois(self) -> Pois:
        return Pois({city: _as_read(city, listed) for city, listed in self.places.items()})

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Return the words of the folder's language; Chinese where no task's words tell."""
        known = (asked for record in self.records.values() if (asked := asked_of(record)).days is not None)
        return next((asked.vocabulary for asked in known), ZH)

    def cases(self) -> dict[str, TaskCase]:
        """Return what trials of each task are scored against by `released`, in the folder's order."""
        return {
            task_id: task_case(task_id, record, self._pois, None, self.vocabulary)
            for task_id, record in self.records.items()
        }


def open_folder(folder: Path) -> OpenedFolder:
    """Return a folder in the published shape. Raises SourceError if it holds no task."""
    tasks = task_file(folder)
    files = {str(path.relative_to(folder)): path for path in (tasks, folder / PLACES, folder / WITNESSES)}
    return open_files({name: path.read_bytes() for name, path in files.items() if path.is_file()})


def open_files(files: Mapping[str, bytes]) -> OpenedFolder:
    """Return the published files, given by their relative paths. Raises SourceError if there is no task."""
    name = next((name for name in TASKS if name in files), None)
    if name is None:
        raise SourceError(f"found no {TASKS[0]} among {len(files)} files; expected an export or a published folder")
    tasks, unreadable = read_tasks(name, files[name])
    problems: list[str] = []
    damaged = [f"{name} {line}" for line in unreadable]
    records: dict[str, dict[str, Any]] = {}
    for task in tasks:
        problems += [f"{task.task_id}: {problem}" for problem in task.problems]
        if task.task_id in records:
            damaged.append(f"{name} line {task.line}: {task.task_id} has been there before")
        try:
            asked_of(task.record)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            damaged.append(f"{name} line {task.line}: {task.task_id} is no task: {error!r:.80}")
            continue
        records.setdefault(task.task_id, task.record)
    places = _places(files[PLACES], problems) if PLACES in files else {}
    witnesses = _witnesses(files.get(WITNESSES, b""), damaged)
    return OpenedFolder(records, places, witnesses, (*damaged, *problems), tuple(damaged))


def _places(data: bytes, problems: list[str]) -> dict[str, list[dict[str, Any]]]:
    try:
        listed = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{PLACES}: {str(error)[:120]}; expected {{city: [place]}}") from None
    if not isinstance(listed, dict):
        raise SourceError(f"{PLACES}: found a {type(listed).__name__}; expected {{city: [place]}}")
    places = {}
    for city, rows in listed.items():
        known = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        wrong = [row for row in known if read_opening(row.get("opening_hours"))[1]]
        if wrong:
            problems.append(f"{city}: {len(wrong)} places with hours that are not as declared")
        places[city] = [row for row in known if isinstance(row.get("name"), str) and row["name"]]
    return places


def _witnesses(data: bytes, problems: list[str]) -> dict[str, Any]:
    found = {}
    for line in json_lines(data):
        task_id = line.value.get("task_id")
        if line.problem or not isinstance(task_id, str) or "plan" not in line.value:
            problem = line.problem or "found no task_id that is a text, or no plan"
            problems.append(f"{WITNESSES} line {line.number}: {problem}; expected {{task_id, plan}}")
        else:
            found[task_id] = line.value["plan"]
    return found


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
            cost=float(cost) if isinstance(cost, (int, float)) and not isinstance(cost, bool) else None,
        )
    return list(last.values())
