"""The published files: a release's tasks, witnesses and tables in TripCraft's and TravelPlanner's shapes (1.D).

For each trip length a query file with reference information, TravelPlanner's reference information, and the gold
plans; and the database as CSV. Cities are written by their plan names, which are unique (T13).
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from assets.rows import ReleaseTables
from assets.tripcraft.facts.reference_tables import WORLD_TABLES
from assets.tripcraft.published.database import database
from assets.tripcraft.published.query import persona_text, published_record
from assets.tripcraft.published.ref_info import place_info, trip_info
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.vocabulary import LENGTHS
from assets.tripcraft.world import world
from schemas.json_lines import as_json_lines

if TYPE_CHECKING:
    import pandas as pd

RECORD_COLUMNS = (
    "org", "dest", "days", "visiting_city_number", "date", "people_number", "local_constraint", "budget", "query",
    "level", "persona",
)  # fmt: skip
"""Columns of a query file before the reference information (1.D)."""


@dataclass(frozen=True)
class _JsonEntry:
    """An entry of reference information as JSON: in the list of a query file, and in an object of a `ref_info` file."""

    element: str
    member: str


@dataclass(frozen=True)
class ExportedTask:
    """A certified task as the published files hold it."""

    task_id: str
    query: str
    record: Record
    cities: tuple[str, ...]
    plan: list[dict[str, Any]]
    remark: str


def export(tables: ReleaseTables) -> dict[str, bytes]:
    """Return the published files of a release (see `export_files`)."""
    database_files = tables.once(_database, *WORLD_TABLES.values())
    return export_files(tables.tasks, tables.certificates, database_files, world(tables))


def _database(tables: ReleaseTables) -> dict[str, bytes]:
    return database({name: tables[table] for name, table in WORLD_TABLES.items()}, world(tables))


def export_files(
    tasks: pd.DataFrame, certificates: pd.DataFrame, database_files: Mapping[str, bytes], reference: Reference
) -> dict[str, bytes]:
    """Return the published files as relative path to bytes.

    Tasks without a certificate are left out; the others are numbered from 1 by task_id within their length, in all
    files alike. `database_files` are those of the family's tables.
    """
    certified = {row["task_id"]: row for row in certificates.to_dict("records")}
    certified_tasks = [
        _task(row, certified[row["task_id"]])
        for row in tasks.sort_values("task_id").to_dict("records")
        if row["task_id"] in certified
    ]
    files = {f"database/{name}": data for name, data in database_files.items()}

    @cache
    def places(city_id: str) -> dict[str, _JsonEntry]:
        return _json_entries(place_info(reference, city_id))

    for days in LENGTHS:
        tasks_of_length = [task for task in certified_tasks if task.record["days"] == days]
        if tasks_of_length:
            files |= {
                path: text.encode() for path, text in _of_length(tasks_of_length, days, reference, places).items()
            }
    return files


def csv_text(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Return a header and the rows as CSV: every text quoted, null as an empty text, lines ended by a line feed."""
    import io

    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(["" if value is None else value for value in row] for row in rows)
    return out.getvalue()


def _task(task: dict[Any, Any], certificate: dict[Any, Any]) -> ExportedTask:
    values = certificate["proof"]
    plan = certificate["plan"]
    record = task["record"]
    return ExportedTask(task["task_id"], task["query"], record, tuple(values["cities"]), plan, values["remark"])


def _of_length(
    tasks: Sequence[ExportedTask], days: int, reference: Reference, places: Callable[[str], dict[str, _JsonEntry]]
) -> dict[str, str]:
    """Return file name to text for trips of one length; `places` gives what is written of a city for every trip."""
    lists = [f"reference_information_{i + 1}" for i in range(len(tasks[0].cities))]
    columns = [*RECORD_COLUMNS, *(lists if len(lists) > 1 else ["reference_information"])]
    rows, gold, info_lines = [], [], []
    for index, task in enumerate(tasks, start=1):
        of_trip = trip_info(reference, task.record, task.cities)
        info = [places(city) | _json_entries(more) for city, more in zip(task.cities, of_trip, strict=True)]
        record = published_record(task.record, reference)
        persona = persona_text(task.record["persona"])
        cells = {**record, "date": repr(record["date"]), "local_constraint": repr(record["local_constraint"])}
        cells |= {"query": task.query, "persona": persona}
        listings = [f"[{', '.join(entry.element for entry in city.values())}]" for city in info]
        rows.append([*(cells[column] for column in RECORD_COLUMNS), *listings])
        members = {what: entry.member for city in info for what, entry in city.items()}
        info_lines.append(f"{{{', '.join(members.values())}}}\n")
        gold.append(
            {
                "idx": index,
                "task_id": task.task_id,
                "JSON": {**record, "query": task.query},
                "persona": persona,
                "plan": task.plan,
                "remarks": task.remark,
            }
        )
    return {
        f"tripcraft_{days}day.csv": csv_text(columns, rows),
        f"ref_info_{days}day.jsonl": "".join(info_lines),
        f"annotation_{days}day.jsonl": as_json_lines(gold),
    }


def _json_entries(info: Mapping[str, Any]) -> dict[str, _JsonEntry]:
    return {
        what: _JsonEntry(
            json.dumps({"Description": what, "Content": as_text(content)}), f"{json.dumps(what)}: {json.dumps(content)}"
        )
        for what, content in info.items()
    }


def as_text(content: Any) -> str:
    """Return reference information as a prompt holds it: a sentence as it is, rows as a CSV table."""
    if isinstance(content, str):
        return content
    columns = list(content[0])
    return csv_text(columns, [[row[column] for column in columns] for row in content])
