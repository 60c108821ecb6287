"""What people corrected, as a source: which values a row must have, and how the records that it was made of changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any, NamedTuple

from assets.promises.own_ids import native_ids
from schemas.corrections import DROP, key_parts
from schemas.source import RowPointer

Row = Mapping[str, Any]


class Upstream(NamedTuple):
    """What is known of a table that another is made of: its key columns, and the sources and roles that it reads."""

    key: Sequence[str]
    roles: Set[tuple[str, str]]


class Corrected(NamedTuple):
    """What people's corrections make of a row and of its records, and which of them are not about it."""

    own_values: dict[str, Any]
    """What the row must have, by column."""
    upstream_values: dict[str, Any]
    """What stands in rows that it was made of, by column."""
    records: list[dict[str, Any]]
    problems: list[str]


def is_correction(pointer: RowPointer) -> bool:
    """Return whether a pointer leads to an entry of people's corrections, not to a source's record."""
    return pointer.source == "corrections"


def as_corrected(
    ref: str,
    row: Row,
    records: Sequence[tuple[RowPointer, dict[str, Any]]],
    entries: Sequence[Row],
    upstream: Mapping[str, Upstream],
) -> Corrected:
    """Return what a row and its records are by corrections.

    `ref` names the row as `table/key`; `upstream` has the tables that its own is made of, by name. A correction of the
    row itself says what its field must be. One of a row that it was made of, such as a place's, stands in the place of
    what that row's records say: their former value is no longer any source's. Records that the place was not made of
    say what they said.
    """
    if not entries:
        return Corrected({}, {}, [record for _, record in records], [])
    own_values: dict[str, Any] = {}
    changes: list[tuple[Set[tuple[str, str]], str, Any]] = []
    problems = []
    ids = {str(value) for _, record in records for value in record.values() if not isinstance(value, (list, dict))}
    ids |= {*native_ids(record for _, record in records), *row}
    ids |= {str(value) for name, value in row.items() if name.endswith("_id")}
    for entry in entries:
        table, _, key = str(entry.get("row", "")).partition("/")
        is_made_of = table in upstream and ids.issuperset(key_parts(key, upstream[table].key))
        if entry.get("field") == DROP and (is_made_of or f"{table}/{key}" == ref):
            problems.append(f"points to the correction that drops {entry['row']}")
        elif f"{table}/{key}" == ref:
            own_values[entry["field"]] = entry["value"]
        elif is_made_of:
            changes.append((upstream[table].roles, entry["field"], entry["value"]))
        else:
            target = entry.get("row") or entry.get("task_id")
            problems.append(f"points to the correction of {target}, which it is not made of")
    corrected_records = [
        record | {field: value for roles, field, value in changes if (pointer.source, pointer.role) in roles}
        for pointer, record in records
    ]
    return Corrected(own_values, {field: value for _, field, value in changes}, corrected_records, problems)
