"""What a person may correct: values that a table has from its sources, and whole rows that should not be there."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Sequence
from typing import Any

from schemas.json_lines import unstorable
from schemas.table import Column, Table

DROP = "drop"
"""The field of a correction that takes a row out."""

PROVENANCE = "source_rows"
"""The column that a corrected row's first pointer stands in: that to the correction."""

POSITION = ("lat", "lon")
"""Never corrected: stops and roads are measured from what the source's file says. Mend that, or drop the row."""


def key_parts(key: str, columns: Sequence[str]) -> list[str]:
    """Return the parts of a row's key, one a column; of more parts, the first column that is no city's has several.

    As `osm:node/7` of `xx-a/osm:node/7`.
    """
    parts = key.split("/")
    first = next((number for number, name in enumerate(columns) if not name.endswith("city_id")), 0)
    after = first + 1 + len(parts) - len(columns)
    return [*parts[:first], "/".join(parts[first:after]), *parts[after:]]


def correctable(table: type[Table]) -> dict[str, Column]:
    """Return the columns of a table that a person may correct, by name; none if its rows do not point to sources.

    What we compute is not among them, nor what others of the row were computed from, which would stay as they were: all
    of it follows when a row is corrected that this one is made of.
    """
    columns = {column.name: column for column in table.columns()}
    if PROVENANCE not in columns:
        return {}
    fixed = (*table.key(), *POSITION)
    return {
        name: column
        for name, column in columns.items()
        if column.holds == "source" and name not in fixed and not column.shape.is_nested and not column.constraint.makes
    }


def fits(column: Column, value: Any) -> bool:
    """Return whether a value is of the column's type; an integer is a number too."""
    if column.item is not None:
        return isinstance(value, list) and all(_is(column.item, item) for item in value)
    return _is(column.type, value)


def _is(kind: type, value: Any) -> bool:
    if kind is float:
        return type(value) in (int, float) and abs(value) <= sys.float_info.max
    return type(value) is kind and not unstorable(value)


def correction_problem(table: type[Table], field: str, value: Any) -> str:
    """Return why a field of a table's row cannot be corrected so, "" if it can."""
    columns = correctable(table)
    if not columns:
        return f"row: rows of {table.table_name()} are computed by us; correct what they are computed from"
    if field == DROP:
        return ""
    if outputs := next((column.constraint.makes for column in table.columns() if column.name == field), ()):
        return f"field: {', '.join(outputs)} would stay as {field} made it; correct what the row is made of, or drop it"
    if field not in columns:
        return f"field: expected one of {', '.join((*columns, DROP))}, found {field!r}"
    if value is None:
        return (
            f"value: found none for {field}; a correction says what should stand there, and cannot make it unknown. "
            f"Say what it is, {DROP} the row, or mend its source's file"
        )
    column, value_text = columns[field], value.isoformat() if isinstance(value, dt.date) else repr(value)
    if not fits(column, value):
        return f"value: {field} is {column.type_name}, found {value_text:.80}"
    return "" if column.keeps(value) else f"value: {field}: expected {column.promise}, found {value_text:.80}"
