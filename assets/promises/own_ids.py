"""Ids of rows held against the records that the rows point to, whether a task names the row or not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]

OF_CITIES = "city_id"
"""What the ids of cities end in, which are the recipe's."""


def native_ids(records: Sequence[Row]) -> set[str]:
    """Return the ids that our tables give to what these records are of: source and native id."""
    return {f"{record['source']}:{record['native_id']}" for record in records if {"source", "native_id"} <= set(record)}


def id_columns(names: Iterable[str]) -> list[str]:
    """Return the columns that hold ids, but for those of cities."""
    return [name for name in names if name.endswith("_id") and not name.endswith(OF_CITIES)]


def ids_by_records(row: Row, records: Sequence[Row], names: Iterable[str]) -> dict[str, str]:
    """Return the columns of `names` of which records say an id, each with what is wrong with the row's, if anything.

    An id is said in the column of its name, and that of a place also by its source and native id. Of an id that no
    record says in either way, as of the place whose nearest stop a row tells, nothing is known.
    """
    problems: dict[str, str] = {}
    for name in names:
        ids = {record[name] for record in records if name in record}
        ids |= native_ids(records) if name == "place_id" else set()
        if ids:
            own, said = row[name], ", ".join(sorted(map(str, ids)))
            problems[name] = "" if own in ids else f"{name} is {own!r:.60}; its records are of {said[:120]}"
    return problems
