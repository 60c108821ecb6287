"""Ids of rows held against the records that the rows point to, whether a task names the row or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]

OF_CITIES = "city_id"
"""What the ids of cities end in, which are the recipe's."""


def native_ids(records: Iterable[Row]) -> Iterator[str]:
    """Yield the ids that our tables give to what these records are of: source and native id."""
    for record in records:
        if "source" in record and "native_id" in record:
            yield f"{record['source']}:{record['native_id']}"


def id_columns(names: Iterable[str]) -> list[str]:
    """Return the columns that hold ids, and of those of cities the row's own where no position tells its city."""
    columns = [*names]
    city_columns = ["city_id"] if "city_id" in columns and not {"lat", "lon"} <= set(columns) else []
    return city_columns + [name for name in columns if name.endswith("_id") and not name.endswith(OF_CITIES)]


def ids_by_records(row: Row, records: Sequence[Row], names: Iterable[str]) -> dict[str, str]:
    """Return the columns of `names` of which records say an id, each with what is wrong with the row's, if anything.

    An id is said in the column of its name, and that of a place also by its source and native id. Of an id that no
    record says in either way, as of the place whose nearest stop a row tells, nothing is known.
    """
    problems: dict[str, str] = {}
    for name in names:
        if row[name] in _ids_in_records(records, name):  # mostly the first of maybe thousands
            problems[name] = ""
        elif ids := sorted(set(map(str, _ids_in_records(records, name)))):
            problems[name] = f"{name} is {row[name]!r:.60}; its records are of {', '.join(ids)[:120]}"
    return problems


def _ids_in_records(records: Sequence[Row], name: str) -> Iterator[Any]:
    for record in records:
        if name in record:
            yield record[name]
        if name == "place_id":
            yield from native_ids([record])
