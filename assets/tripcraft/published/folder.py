"""A published TripCraft folder: its database as a world, its queries and gold plans, read from the files alone.

The shape is the export's (docs, `tripwright export`): `database/*.csv`, and for each trip length
`annotation_<days>day.jsonl` (query and gold plan) or `tripcraft_<days>day.csv` (queries). Everything read is untrusted.
"""

from __future__ import annotations

import ast
import csv
import gzip
import io
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assets.core.opening import MAX_FILE_BYTES, read_published
from assets.tripcraft.published.cells import text_columns
from assets.tripcraft.published.world import FILES, Flights, World, world_of
from schemas.counts import counted
from schemas.json_lines import json_lines, lines_told, unstorable
from schemas.source import SourceError

if TYPE_CHECKING:
    import pyarrow as pa

Columns = tuple[str, ...]

LENGTHS = (3, 5, 7)

ROWS_AT_ONCE, CHUNK_BYTES = 65_536, 1 << 20

QUERY_KEYS = ("org", "dest", "days", "visiting_city_number", "date", "people_number", "local_constraint", "budget")
CONSTRAINT_KEYS = ("house rule", "cuisine", "room type", "transportation", "event", "attraction")


def _annotation(days: int) -> str:
    return f"annotation_{days}day.jsonl"


def _queries(days: int) -> str:
    return f"tripcraft_{days}day.csv"


NAMES = (
    *(f"database/{file}" for file, _ in FILES.values()),
    *(name_of(days) for days in LENGTHS for name_of in (_annotation, _queries)),
)
"""Every file of the shape, by its path in the folder."""


@dataclass(frozen=True)
class PublishedTask:
    """One published query under its own keys, its number within its length, and its gold plan if the folder has one."""

    task_id: str
    index: int
    query: Mapping[str, Any]
    persona: str
    gold: Any = None


@dataclass(frozen=True)
class PublishedSet:
    """A published folder, read."""

    world: World
    tasks: Mapping[str, PublishedTask]


def open_folder(folder: Path) -> PublishedSet:
    """Return what a published folder holds; a folder or a `.tar.gz` of one, of which nothing is unpacked to disk.

    Raises SourceError naming every file that is missing and every line that is not what it should be.
    """
    return published_set(files_of(folder))


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the folder's files by relative path: those of its shape. Raises SourceError as `read_published` does."""
    if folder.is_file():
        return dict(_members(folder))
    return read_published({name: folder / name for name in NAMES})


def published_set(files: Mapping[str, bytes]) -> PublishedSet:
    """Return the world and the tasks of a published folder's files, by relative path. Raises SourceError."""
    problems: list[str] = []
    paths = {name: (f"database/{file}", columns) for name, (file, columns) in FILES.items()}
    flights = Flights(_text_columns(files, *paths.pop("flights"), problems))
    tables = {name: list(_csv_rows(files, path, columns, problems)) for name, (path, columns) in paths.items()}
    tasks: dict[str, PublishedTask] = {}
    for task in (task for days in LENGTHS for task in _tasks(files, days, problems)):
        if task.task_id in tasks:
            problems.append(f"the {task.query['days']}-day tasks: {task.task_id!r:.60} was there before")
        tasks[task.task_id] = task
    if not tasks and not problems:
        problems.append("found no annotation_<days>day.jsonl and no tripcraft_<days>day.csv for 3, 5 or 7 days")
    world = None
    if not problems:
        try:
            world = world_of(flights.numbered, tables)
        except ValueError as error:
            problems.append(f"database: {error}")
    if world is None:
        raise SourceError(
            f"this is not a TripCraft folder as published:\n{lines_told(problems)}\n"
            "Name the folder that holds database/ and the files of each trip length."
        )
    return PublishedSet(world, tasks)


def _members(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the archive's files of the shape; of paths outside nothing is read. Raises SourceError for what is none."""
    try:
        with gzip.open(archive) as unpacked, tarfile.open(fileobj=unpacked, mode="r:") as opened:
            for member in opened:
                path = member.name.removeprefix("./")
                if path not in NAMES:
                    continue
                if not member.isfile():
                    what = "a folder" if member.isdir() else "a link" if member.issym() or member.islnk() else "no file"
                    raise SourceError(f"{archive.name}: {path}: found {what}; expected a file")
                if member.size > MAX_FILE_BYTES:
                    raise SourceError(
                        f"{archive.name}: {path} has {counted(member.size, 'byte')}, expected at most "
                        f"{MAX_FILE_BYTES:,}"
                    )
                stream = opened.extractfile(member)
                if stream is not None:
                    yield path, stream.read()
            while unpacked.read(CHUNK_BYTES):  # to the checksum at its end, which tells a changed byte
                pass
    except (tarfile.TarError, OSError, EOFError, zlib.error) as error:
        raise SourceError(f"{archive.name}: is no gzipped tar ({error}); name a folder or a .tar.gz of one") from error


def _text_columns(files: Mapping[str, bytes], path: str, columns: Columns, problems: list[str]) -> pa.Table:
    """Return the columns' cells, of which there may be millions."""
    import pyarrow as pa

    table = text_columns(files.get(path, b""), columns)
    if table is not None:
        return table
    schema = pa.schema([(column, pa.string()) for column in columns])
    cells = (row for _, row in _csv_cells(files, path, columns, problems))
    pieces = iter(lambda: list(islice(cells, ROWS_AT_ONCE)), [])
    tables = (pa.table([*zip(*rows, strict=True)], schema=schema) for rows in pieces)
    return pa.concat_tables([schema.empty_table(), *tables])


def _csv_rows(
    files: Mapping[str, bytes], path: str, columns: Columns, problems: list[str], optional: Columns = ()
) -> Iterator[dict[str, str]]:
    """Yield the columns of each row, and of the optional ones those that the file has."""
    for names, cells in _csv_cells(files, path, columns, problems, optional):
        yield dict(zip(names, cells, strict=True))


def _csv_cells(
    files: Mapping[str, bytes], path: str, columns: Columns, problems: list[str], optional: Columns = ()
) -> Iterator[tuple[Columns, tuple[str, ...]]]:
    """Yield the names of the columns and a row's cells in them."""
    csv.field_size_limit(MAX_FILE_BYTES)
    try:
        reader = csv.reader(io.TextIOWrapper(io.BytesIO(files[path]), "utf-8-sig", newline=""))
    except KeyError:
        problems.append(f"{path}: found no such file")
        return
    try:
        header = next(reader, [])
        missing = [column for column in columns if column not in header]
        if missing:
            problems.append(f"{path}: found no column {', '.join(missing)}")
            return
        names = (*columns, *(column for column in optional if column in header))
        cells_of = itemgetter(*map(header.index, names))
        for row in reader:
            if len(row) == len(header):
                yield names, cells_of(row)
            elif row:
                detail = f"found {counted(len(row), 'cell')}, expected one for each column"
                problems.append(f"{path}, line {reader.line_num}: {detail}")
    except UnicodeDecodeError as error:
        problems.append(f"{path}: is not UTF-8 ({error.reason}), soon after line {reader.line_num}")


def _tasks(files: Mapping[str, bytes], days: int, problems: list[str]) -> Iterator[PublishedTask]:
    if _annotation(days) in files:
        yield from _annotated_tasks(files, days, problems)
    elif _queries(days) in files:
        columns = (*QUERY_KEYS, "level")
        for index, row in enumerate(_csv_rows(files, _queries(days), columns, problems, ("query", "persona")), 1):
            persona = row.pop("persona", "")
            text = {"query": row.pop("query")} if "query" in row else {}
            query = _query({**_literals(row), **text}, f"{_queries(days)}, query {index}", problems)
            if query is not None:
                yield PublishedTask(f"{days}d-{index:04d}", index, query, persona)


def _annotated_tasks(files: Mapping[str, bytes], days: int, problems: list[str]) -> Iterator[PublishedTask]:
    if not files[_annotation(days)].strip():
        problems.append(f"{_annotation(days)}: found no task")
    for line in json_lines(files[_annotation(days)], storable=True):
        where = f"{_annotation(days)}, line {line.number}"
        if line.problem:
            problems.append(f"{where}: {line.problem}")
            continue
        row = line.value
        query = _query(row.get("JSON"), where, problems)
        if query is not None:
            index, task_id = row.get("idx"), row.get("task_id")
            index = index if isinstance(index, int) else line.number
            task_id = task_id if isinstance(task_id, str) else f"{days}d-{index:04d}"
            yield PublishedTask(task_id, index, query, str(row.get("persona") or ""), row.get("plan"))


def _literals(row: Mapping[str, str]) -> dict[str, Any]:
    """Return a query file's row with its cells' Python literals read; what is none, or no table holds, stays text."""
    literals: dict[str, Any] = {}
    for key, value in row.items():
        try:
            literal = ast.literal_eval(value)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            literal = value
        literals[key] = value if unstorable(literal) else literal
    return literals


def _query(row: Any, where: str, problems: list[str]) -> Mapping[str, Any] | None:
    """Return the row if the checks can judge by it, else None and what is wrong with it."""
    missing = [key for key in QUERY_KEYS if key not in row] if isinstance(row, dict) else list(QUERY_KEYS)
    if missing:
        problems.append(f"{where}: found no {', '.join(missing)}")
        return None
    constraints = row["local_constraint"]
    wrong = [
        f"{name} is {row[name]!r:.60}"
        for name, is_right in (
            ("org", isinstance(row["org"], str)),
            ("dest", isinstance(row["dest"], str)),
            ("days", isinstance(row["days"], int) and row["days"] in LENGTHS),
            ("people_number", isinstance(row["people_number"], int) and row["people_number"] > 0),
            ("visiting_city_number", _is_whole(row["visiting_city_number"])),
            ("budget", _is_whole(row["budget"])),
            ("date", isinstance(row["date"], list) and all(isinstance(date, str) for date in row["date"])),
            ("local_constraint", isinstance(constraints, dict) and all(key in constraints for key in CONSTRAINT_KEYS)),
        )
        if not is_right
    ]
    if not wrong:
        wrong = [
            f"{key} asks for {constraints[key]!r:.60}" for key in CONSTRAINT_KEYS if not _is_asked(constraints[key])
        ]
    problems += [f"{where}: {what}" for what in wrong]
    return None if wrong else row


def _is_asked(value: Any) -> bool:
    """Return whether a constraint is nothing, a text or a list of texts."""
    return value is None or all(isinstance(one, str) for one in (value if isinstance(value, list) else [value]))


def _is_whole(value: Any) -> bool:
    """Return whether the value is a whole number, written as one or as a float, that a table holds."""
    return isinstance(value, int | float) and -(2**63) <= value < 2**63 and value == int(value)
