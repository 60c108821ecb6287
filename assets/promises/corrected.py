"""What people corrected, as a source: which values a row must have, and how the records that it was made of changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assets.promises.own_ids import native_ids
from schemas.source import RowPointer

Row = Mapping[str, Any]


def is_correction(pointer: RowPointer) -> bool:
    """Return whether a pointer leads to an entry of people's corrections, not to a source's record."""
    return pointer.source == "corrections"


def as_corrected(
    ref: str, row: Row, records: Sequence[dict[str, Any]], entries: Sequence[Row]
) -> tuple[dict[str, Any], list[dict[str, Any]], list[str]]:
    """Return the values that a row must have, its records as corrected, and which corrections are not about it.

    `ref` names the row as `table/key`. A correction of the row itself says what its field must be. One of a row that
    it was made of, such as a place's, stands in the place of what that row's records say: their former value is no
    longer any source's.
    """
    if not entries:
        return {}, list(records), []
    corrected_values: dict[str, Any] = {}
    changes_of_records: dict[str, Any] = {}
    problems = []
    ids = {value for one in (row, *records) for value in one.values() if isinstance(value, str) and value}
    ids.update(native_ids(records))
    for entry in entries:
        table, _, key = str(entry.get("row", "")).partition("/")
        if f"{table}/{key}" == ref:
            corrected_values[entry["field"]] = entry["value"]
        elif table and table != ref.partition("/")[0] and _ends(key) & ids:
            changes_of_records[entry["field"]] = entry["value"]
        else:
            target = entry.get("row") or entry.get("task_id")
            problems.append(f"points to the correction of {target}, which it is not made of")
    record_columns = {name for record in records for name in record}
    in_no_record = {
        name: value for name, value in changes_of_records.items() if name not in record_columns and name in row
    }
    return {**in_no_record, **corrected_values}, [{**record, **changes_of_records} for record in records], problems


def _ends(key: str) -> set[str]:
    """Return what a row's key may end in: its last parts, since an id such as `osm:node/7` has several."""
    parts = key.split("/")
    return {"/".join(parts[n:]) for n in range(len(parts))}
