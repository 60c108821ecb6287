"""What people corrected, as a source: which values a row must have, and how the records that it was made of changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assets.promises.own_ids import native_ids
from schemas.corrections import DROP, key_parts
from schemas.source import RowPointer

Row = Mapping[str, Any]


def is_correction(pointer: RowPointer) -> bool:
    """Return whether a pointer leads to an entry of people's corrections, not to a source's record."""
    return pointer.source == "corrections"


def as_corrected(
    ref: str,
    row: Row,
    records: Sequence[dict[str, Any]],
    entries: Sequence[Row],
    keys_upstream: Mapping[str, Sequence[str]],
) -> tuple[dict[str, Any], list[dict[str, Any]], list[str]]:
    """Return the values that a row must have, its records as corrected, and which corrections are not about it.

    `ref` names the row as `table/key`; `keys_upstream` are the key columns of the tables that its own is made of, by
    name. A correction of the row itself says what its field must be. One of a row that it was made of, such as a
    place's, stands in the place of what that row's records say: their former value is no longer any source's.
    """
    if not entries:
        return {}, list(records), []
    corrected_values: dict[str, Any] = {}
    changes_of_records: dict[str, Any] = {}
    problems = []
    ids = {str(value) for record in records for value in record.values() if not isinstance(value, (list, dict))}
    ids |= {*native_ids(records), *row, *(str(value) for name, value in row.items() if name.endswith("_id"))}
    for entry in entries:
        table, _, key = str(entry.get("row", "")).partition("/")
        is_made_of = table in keys_upstream and ids.issuperset(key_parts(key, keys_upstream[table]))
        if entry.get("field") == DROP and (is_made_of or f"{table}/{key}" == ref):
            problems.append(f"points to the correction that drops {entry['row']}")
        elif f"{table}/{key}" == ref:
            corrected_values[entry["field"]] = entry["value"]
        elif is_made_of:
            changes_of_records[entry["field"]] = entry["value"]
        else:
            target = entry.get("row") or entry.get("task_id")
            problems.append(f"points to the correction of {target}, which it is not made of")
    record_columns = {name for record in records for name in record}
    in_no_record = {
        name: value for name, value in changes_of_records.items() if name not in record_columns and name in row
    }
    return {**in_no_record, **corrected_values}, [{**record, **changes_of_records} for record in records], problems
