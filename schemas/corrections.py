"""What a person may correct: values that a table has from its sources, and whole rows that should not be there."""

from __future__ import annotations

import datetime as dt
import sys
from typing import Any

from schemas.json_lines import unstorable
from schemas.table import Column, Table

DROP = "drop"
"""The field of a correction that takes a row out."""

PROVENANCE = "source_rows"
"""The column that a corrected row's first pointer stands in: that to the correction."""

POSITION = ("lat", "lon")
"""Never corrected: stops and roads are measured from what the source's file says. Mend that, or drop the row."""


def correctable(table: type[Table]) -> dict[str, Column]:
    """Return the columns of a table that a person may correct, by name; none if its rows do not point to sources.

    What we compute is not among them: it follows when that is corrected which it is computed from.
    """
    columns = {column.name: column for column in table.columns()}
    if PROVENANCE not in columns:
        return {}
    fixed = (*table.key(), *POSITION)
    return {
        name: c for name, c in columns.items() if c.holds == "source" and name not in fixed and not c.shape.is_nested
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
    if field not in columns:
        return f"field: expected one of {', '.join((*columns, DROP))}, found {field!r}"
    column, value_text = columns[field], value.isoformat() if isinstance(value, dt.date) else repr(value)
    if not fits(column, value):
        return f"value: {field} is {column.type_name}, found {value_text:.80}"
    return "" if column.keeps(value) else f"value: {field}: expected {column.promise}, found {value_text:.80}"
