"""The files of a published GroupTravelBench folder as they stand, for the inspection. Cleaning is not done here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from assets.core.opening import published_files, read_published
from assets.grouptravel.wishes.preferences import Table, read_table
from schemas.json_lines import json_lines, lines_told, unstorable
from schemas.source import SourceError
from sources.formats.document import members_of

TASKS, PLACES = ("datas/test.jsonl", "test.jsonl"), "poi2category/all_poi_by_city.json"
WITNESSES = "witness.jsonl"
"""Beside the published files, in an export of ours: a plan for each task, {task_id, plan} a line."""

KEYS = ("task_id", "time", "metadata", "user_preferences", "initial_messages")
"""What a task cannot be inspected without (3.D)."""

SHOWN = 10


@dataclass(frozen=True)
class PublishedTask:
    """One task as its line says, with every table that could be read; `problems` is what could not."""

    line: int
    record: dict[str, Any]
    tables: dict[str, Table]
    problems: tuple[str, ...]

    @property
    def task_id(self) -> str:
        """Return its id, as text whatever it is."""
        return str(self.record["task_id"])

    @property
    def metadata(self) -> dict[str, Any]:
        """Return the metadata, which is an object."""
        return self.record["metadata"]

    @property
    def cities(self) -> list[str]:
        """Return the cities gone to."""
        cities = self.metadata.get("cities")
        return [str(city) for city in cities] if isinstance(cities, list) else []

    @property
    def pattern(self) -> list[Any]:
        """Return the members that may compromise."""
        pattern = self.metadata.get("compromise_pattern")
        return pattern if isinstance(pattern, list) else []

    @property
    def children(self) -> list[dict[str, Any]]:
        """Return the children without a table, as {user, role}."""
        listed = self.metadata.get("child_members")
        return [child for child in listed if isinstance(child, dict)] if isinstance(listed, list) else []


@dataclass(frozen=True)
class KnownPlaces:
    """What the folder's list of places says: each city's categories by name of a sight, and where its places lie."""

    categories: dict[str, dict[str, str]] = field(default_factory=dict)
    middles: dict[str, tuple[float, float]] = field(default_factory=dict)
    duplicates: int = 0
    places: int = 0


@dataclass(frozen=True)
class PublishedFolder:
    """A folder's tasks and its places; `places` is None where it has no list of them."""

    tasks: tuple[PublishedTask, ...]
    places: KnownPlaces | None
    lacks_cache_code: bool | None
    """Whether code is there that imports the sandbox's cache, and that is not (G1); None without the code."""


def read_folder(folder: Path) -> PublishedFolder:
    """Return the folder as published. Raises SourceError if it holds no task, and naming every line that is none."""
    path = task_file(folder)
    name = path.relative_to(folder).as_posix()
    tasks, unreadable = read_tasks(name, read_published({name: path})[name])
    if unreadable:
        raise SourceError(
            f"{name} holds what is no task:\n{lines_told(unreadable)}\nMend these lines, or get the file again."
        )
    cities = {city for task in tasks for city in (*task.cities, str(task.metadata.get("departure_city")))}
    code = folder / "group_travelbench" / "core"
    lacks = not (code / "sandbox_cache.py").is_file() if (code / "tools.py").is_file() else None
    places = folder / PLACES
    known_places = read_places(places, cities) if published_files({PLACES: places}) else None
    return PublishedFolder(tuple(tasks), known_places, lacks)


def task_file(folder: Path) -> Path:
    """Return the folder's file of tasks. Raises SourceError where there is none."""
    path = next(iter(published_files({name: folder / name for name in TASKS}).values()), None)
    if path is None:
        raise SourceError(f"{folder}: found no {TASKS[0]}; expected a GroupTravelBench folder as released")
    return path


def read_tasks(name: str, data: bytes) -> tuple[list[PublishedTask], list[str]]:
    """Return the tasks of a file, a line each, and what is wrong with the lines that are none. Raises SourceError."""
    tasks: list[PublishedTask] = []
    unreadable: list[str] = []
    for line in json_lines(data, nan=False, storable=True):
        task_or_problem = f"line {line.number}: {line.problem}" if line.problem else _task(line.number, line.value)
        if isinstance(task_or_problem, str):
            unreadable.append(task_or_problem)
        else:
            tasks.append(task_or_problem)
    if not tasks:
        problem_lines = "\n".join(f"  - {problem}" for problem in unreadable[:SHOWN]) or "  - no line"
        raise SourceError(f"{name}: found no task with {', '.join(KEYS)}:\n{problem_lines}")
    return tasks, unreadable


def read_places(path: Path, cities: set[str]) -> KnownPlaces:
    """Return what the list says of the named cities. One city is held at a time. Raises SourceError."""
    known_places = KnownPlaces()
    duplicates = places = 0
    with path.open("rb") as stream:
        for city, rows in listed_places(path.name, stream):
            places += len(rows)
            if city not in cities:
                continue
            sights = [row for row in rows if row.get("poi_type") == "attractions"]
            duplicates += len(sights) - len({str(row.get("name")) for row in sights})
            known_places.categories[city] = {
                str(row.get("name")): str(row.get("custom_category") or "") for row in sights
            }
            points = [point for row in rows if (point := _point(row.get("location"))) is not None]
            if points:
                middle = (sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points))
                known_places.middles[city] = middle
    return KnownPlaces(known_places.categories, known_places.middles, duplicates, places)


def listed_places(name: str, stream: BinaryIO) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield each city of a list of places, with its entries that are objects; one city is held at a time.

    Raises SourceError naming the file where the bytes are no such list.
    """
    for city, listed in members_of(
        stream, name, "{city: [place]}", "Name each city once, with the list of its places."
    ):
        if unstorable(city):
            raise SourceError(
                f"{name}: found half of a surrogate pair in the name of a city, {city!r:.60}; expected text"
            )
        yield city, [row for row in listed if isinstance(row, dict)] if isinstance(listed, list) else []


def _task(number: int, record: dict[str, Any]) -> PublishedTask | str:
    where = f"line {number}"
    missing = [key for key in KEYS if key not in record]
    if missing:
        return f"{where}: found no {', '.join(missing)}"
    for key, kind in (("metadata", dict), ("user_preferences", dict), ("initial_messages", list)):
        if not isinstance(record[key], kind):
            return f"{where}: {key} is a {type(record[key]).__name__}, expected a {kind.__name__}"
    tables, problems = {}, []
    for user, entry in record["user_preferences"].items():
        table, table_problems = read_table(entry)
        problems += [f"{user}: {problem}" for problem in table_problems]
        if table is not None:
            tables[user] = table
    return PublishedTask(number, record, tables, tuple(problems))


def _point(text: Any) -> tuple[float, float] | None:
    """Return lat and lon of `lon,lat`, None for anything else."""
    try:
        lon, lat = (float(part) for part in str(text).split(","))
    except ValueError:
        return None
    return (lat, lon) if -90 <= lat <= 90 and -180 <= lon <= 180 else None
