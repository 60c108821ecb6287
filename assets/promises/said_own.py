"""Columns that a table declares to be ours, held against the records that its rows point to.

A licence follows what a column is declared to hold, so a name of a source's under `ours` would be shared as nobody's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from assets.families import steps
from assets.promises.said_chosen import tells_rows_apart
from schemas.table import Table

ROWS_TRIED = 300
"""Rows of a larger table that are looked at, evenly spaced: so all cities have some."""

MOST, FEWEST = 0.1, 3
"""So large a share of a column's values is no chance, if so many differ: a place may be named by its own kind."""


@dataclass
class SaidOwn:
    """What columns of some tables that are declared to be ours repeat of the records behind their rows."""

    tables: Mapping[str, type[Table]]
    sizes: Mapping[str, int]
    """Rows of each table that are given."""
    given: dict[str, int] = field(default_factory=dict)
    values: dict[tuple[str, str], int] = field(default_factory=dict)
    """By table and column, the values that tell rows apart."""
    repeated: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """By table and column, each value that stands in a record of its row, with that record's column."""

    def look(self, table: str, row: Mapping[str, Any], records: Iterable[Mapping[str, Any]]) -> None:
        """Take one row, and what the readers make of its records."""
        number = self.given[table] = self.given.get(table, -1) + 1
        if number % max(1, self.sizes[table] // ROWS_TRIED):
            return
        source_columns = _source_columns()
        said = {
            value: column
            for record in records
            for column, value in record.items()
            if column in source_columns and tells_rows_apart(value)
        }
        for column in (c.name for c in self.tables[table].columns() if c.holds == "ours"):
            value = row.get(column)
            if not tells_rows_apart(value):
                continue
            self.values[table, column] = self.values.get((table, column), 0) + 1
            if value in said:
                self.repeated.setdefault((table, column), []).append(f"{value!r:.60} ({said[value]})")

    def problems(self) -> list[str]:
        """Return the columns that repeat what records say more often than chance would have it."""
        return [
            f"{table}.{column} is declared to hold `ours`, and {len(values):,} of {self.values[table, column]:,} "
            f"values are what the record behind their row says, as {values[0]}; declare `source`"
            for (table, column), values in sorted(self.repeated.items())
            if len(set(values)) >= FEWEST and len(values) > MOST * self.values[table, column]
        ]


@cache
def _source_columns() -> frozenset[str]:
    """Return the columns that hold a source's own value in every table of the shared stages that has them."""
    holds: dict[str, set[str]] = {}
    for step in steps():
        for column in step.output.columns():
            holds.setdefault(column.name, set()).add(column.holds)
    return frozenset(name for name, ways in holds.items() if ways == {"source"})
