"""Columns that a table declares to be ours, held against the records of its rows, and against what other tables hold.

A licence follows what a column is declared to hold, so a name of a source's under `ours` would be shared as nobody's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from assets.families import steps
from assets.family import Family
from assets.promises.said_chosen import SHORTEST, tells_rows_apart
from assets.release.reading import OpenedRelease
from schemas.table import OURS, Table

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
    row_numbers: dict[str, int] = field(default_factory=dict)
    values: dict[tuple[str, str], int] = field(default_factory=dict)
    """By table and column, the values that tell rows apart."""
    repeats: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    """By table and column, each value that stands in a record of its row, with that record's column."""

    def look(self, table: str, row: Mapping[str, Any], records: Iterable[Mapping[str, Any]]) -> None:
        """Take one row, and what the readers make of its records."""
        number = self.row_numbers[table] = self.row_numbers.get(table, -1) + 1
        if number % max(1, self.sizes[table] // ROWS_TRIED):
            return
        source_columns = _source_columns()
        column_by_value = {
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
            if value in column_by_value:
                self.repeats.setdefault((table, column), []).append(f"{value!r:.60} ({column_by_value[value]})")

    def problems(self) -> list[str]:
        """Return the columns that repeat what records say more often than chance would have it."""
        return [
            f"{table}.{column} is declared to hold `ours`, and {len(values):,} of {self.values[table, column]:,} "
            f"values are what the record behind their row says, as {values[0]}; declare `source`"
            for (table, column), values in sorted(self.repeats.items())
            if len(set(values)) >= FEWEST and len(values) > MOST * self.values[table, column]
        ]


def said_elsewhere(release: OpenedRelease, family: Family) -> list[str]:
    """Return the columns of text that are declared ours, and repeat what columns of a source's own hold in the release.

    Rows that point to no record are held against nothing else. An id is ours, whatever it is made of.
    """
    files = {file.path.removesuffix(".parquet") for file in release.manifest.files}
    tables = [table for table in (*family.world_tables, *family.context) if table.table_name() in files]

    def texts(holds: str) -> Iterator[tuple[str, set[str]]]:
        for table in tables:
            for column in table.columns():
                is_text = column.type is str and column.item is None and not column.name.endswith(OURS)
                if is_text and column.constraint.holds == holds:
                    values = release.rows(table.table_name(), (column.name,))[column.name].unique().to_pylist()
                    column_name = f"{table.table_name()}.{column.name}"
                    yield column_name, {value for value in values if value is not None and len(value) >= SHORTEST}

    own_texts = {name: values for name, values in texts("ours") if len(values) >= FEWEST}
    source_column_by_text = {value: name for name, values in texts("source") for value in values} if own_texts else {}
    problems = []
    for name, values in own_texts.items():
        repeated = sorted(values & source_column_by_text.keys())
        if len(repeated) >= FEWEST and len(repeated) > MOST * len(values):
            problems.append(
                f"{name} is declared to hold `ours`, and {len(repeated):,} of its {len(values):,} texts are a source's "
                f"own, as {repeated[0]!r:.60} ({source_column_by_text[repeated[0]]}); declare `source`"
            )
    return problems


@cache
def _source_columns() -> frozenset[str]:
    """Return the columns that hold a source's own value in every table of the shared stages that has them."""
    holds: dict[str, set[str]] = {}
    for step in steps():
        for column in step.output.columns():
            holds.setdefault(column.name, set()).add(column.holds)
    return frozenset(name for name, ways in holds.items() if ways == {"source"})
