"""A published folder as tables: what every family's `open` makes rows with, and the tables that they become.

Nothing here is certified: certificates, lineage and model calls are tables without rows. What a folder does not say is
null, in columns that a release of ours may not leave empty.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from schemas.counts import counted
from schemas.generation import Generation
from schemas.rejection import Rejection
from schemas.source import Snapshot, SourceError
from schemas.stable import content_hash
from schemas.table import Table

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from assets.family import Family, Opened
    from assets.rows import ReleaseTables

SOURCE = "opened"
"""What pointers and inputs call the folder."""

ENGINE = "published"
"""Who worded an opened task: not one of ours."""

MAX_FILE_BYTES = 1_000_000_000
"""A larger file is no published one; the largest, TripCraft's flights, has some 300 MB."""

UNKNOWN_COUNTRY = "ZZ"
"""ISO 3166-1 keeps it free; the Unicode locale data use it for an unknown country."""


def read_published(paths: Mapping[str, Path]) -> dict[str, bytes]:
    """Return a published folder's files by name, those that are there. Raises SourceError as `published_files` does."""
    return {name: path.read_bytes() for name, path in published_files(paths).items()}


def published_files(paths: Mapping[str, Path]) -> dict[str, Path]:
    """Return which of a published folder's files are there.

    Raises SourceError naming every one that is none, or too large to be one: what is there and cannot be read is not
    absent, or a folder would be opened without it.
    """
    existing_paths = {name: path for name, path in paths.items() if os.path.lexists(path)}
    problems = []
    for name, path in existing_paths.items():
        if path.is_dir():
            problems.append(f"{name}: found a folder; expected a file")
        elif not path.is_file():
            what = "a link that leads to no file" if path.is_symlink() else "what is no file"
            problems.append(f"{name}: found {what}; expected a file")
        elif (size := path.stat().st_size) > MAX_FILE_BYTES:
            problems.append(f"{name}: has {counted(size, 'byte')}, expected at most {MAX_FILE_BYTES:,}")
    if problems:
        raise SourceError("\n".join(problems))
    return existing_paths


def snapshot_of(path: str, data: bytes, licence_id: str) -> Snapshot:
    """Return one of the folder's files as a release's manifest lists it."""
    role = re.sub(r"[^a-z]+", "_", path.rpartition("/")[2].rpartition(".")[0].lower()).strip("_") or "file"
    return Snapshot(
        source=SOURCE,
        role=role,
        location=path,
        sha256=hashlib.sha256(data).hexdigest(),
        size_bytes=len(data),
        licence_id=licence_id,
    )


def pointers(path: str, data: bytes) -> Snapshot:
    """Return what makes pointers into one of the folder's files: `.pointer(locator)`."""
    return snapshot_of(path, data, "LicenseRef-unverified")


def opened_task(
    task_id: str,
    city_id: str,
    number: int,
    query: str,
    record: Mapping[str, Any],
    level: str = "",
    messages: Sequence[Mapping[str, str]] = (),
) -> dict[str, Any]:
    """Return a row of a family's tasks; `number` is the task's in the folder. How it was drawn is not known."""
    message_rows = [dict(message) for message in messages]
    return {
        "task_id": task_id, "city_id": city_id, "slot": number, "level": level, "query": query,
        "messages": message_rows, "repairs": [], "engine": ENGINE, "generation_ids": [],
        "content_hash": content_hash([query, message_rows, record]), "record": dict(record), "drawn": None,
    }  # fmt: skip


def opened_city(
    city_id: str, name: str, points: Iterable[tuple[float | None, float | None]], region: str = "", country: str = ""
) -> dict[str, Any] | None:
    """Return the city as a manifest has it, in a box around its known points; None where these span none."""
    from schemas.recipe import City
    from schemas.recipe_values import Box

    coordinates = [(lat, lon) for lat, lon in points if is_degree(lat, 90) and is_degree(lon, 180)]
    lats, lons = [lat for lat, _ in coordinates if lat is not None], [lon for _, lon in coordinates if lon is not None]
    if not coordinates or min(lats) == max(lats) or min(lons) == max(lons):
        return None
    code = country if re.fullmatch("[A-Z]{2}", country) else UNKNOWN_COUNTRY
    box = Box(south=min(lats), west=min(lons), north=max(lats), east=max(lons))
    city = City(city_id=city_id, name=name, region=region, country=code, box=box)
    return city.model_dump(mode="json", exclude={"sources"})


def is_degree(value: Any, most: float) -> bool:
    """Return whether the value is a number of degrees within -most and most."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -most <= value <= most


def opened_tables(family: Family, opened: Opened) -> dict[str, tuple[type[Table], pd.DataFrame]]:
    """Return every table that a release of the family has, by file: the folder's rows, and none where it has none."""
    tables = family.tables
    unknown = {**opened.unknown, tables.task: ("drawn",)}
    rows = {**opened.rows, tables.task: opened.tasks}
    frames: dict[str, tuple[type[Table], pd.DataFrame]] = {}
    for table in family.released:
        declared = with_unknown(table, unknown[table]) if table in unknown else table
        frames[f"{family.file_of(table)}.parquet"] = (declared, _frame(table, rows.get(table, ())))
    rejected = [{"city_id": "", **row} for row in opened.rejected]
    frames["generations.parquet"] = (Generation, _frame(Generation, ()))
    frames["rejections.parquet"] = (Rejection, _frame(Rejection, rejected))
    return frames


@cache
def with_unknown(table: type[Table], columns: tuple[str, ...]) -> type[Table]:
    """Return the table's declaration with columns that may be null: what a published folder need not say."""
    hints = get_type_hints(table, include_extras=True)
    constraints = {column.name: column.constraint for column in table.columns()}
    body = {name: constraints[name] for name in columns}
    annotations = {name: hints[name] | None for name in columns}
    class_attributes = {"__annotations__": annotations, "__module__": __name__, "__doc__": table.__doc__}
    return type(table.__name__, (table,), {**body, **class_attributes})


def why_unplanned(family: Family, tables: ReleaseTables, planner: str) -> str:
    """Return why a planner of ours, by its name, cannot plan on the tables; empty on every release of ours.

    An opened folder has no witnesses, and one that does not say what a table needs gives nothing to plan from.
    """
    if tables.published is None:
        return ""
    if planner == "witness":
        return "a published folder that was opened has no witnesses of ours"
    unsaid = [
        f"{table.table_name()}.{column.name}"
        for table in family.world_tables
        for column in table.columns()
        if not column.nullable and column.name != "source_rows" and _has_nulls(tables[table][column.name])
    ]
    return f"the folder does not say {', '.join(unsaid)}" if unsaid else ""


def _has_nulls(column: pd.Series | pa.ChunkedArray) -> bool:
    import pyarrow as pa

    return bool(column.null_count if isinstance(column, pa.ChunkedArray) else column.isna().any())


def _frame(table: type[Table], rows: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(list(rows), columns=[column.name for column in table.columns()], dtype=object)
