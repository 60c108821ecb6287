"""Values that are said to be chosen or worded, and that a source says of a row which the task uses: they come from it.

A family may say of a value that a rule chose it, and then nothing of it is computed again. So what it says that of is
held against the rows behind the task's other values: names and numbers with a fraction, and in a plan every text. A
record may well draw the kind of place that its plan then takes, and whole numbers are equal by chance, so that some
share of a field is let pass. None is where the field's other values come from the same column: a value that equals that
column of a row, or a text that holds it, comes from there too, unless tasks without such a row choose it as well.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from assets.promises.cells import TASK, CellIndex
from assets.promises.holding import Holding
from assets.promises.values import EQUAL, PLANNED, Edge, Said

NAME = "name"
"""The column by which plans and records name a row."""

SHORTEST = 6
"""Characters of a name that is looked for inside a longer text: shorter ones are parts of other words by chance."""

MOST, MOST_TELLING, FEWEST = 0.5, 0.1, 3
"""The share of a field's values, that of names and fractions among them, and the number of different ones, up to which
it is taken for chance that rows say them: somebody may wish for a kind of place after which a café is named, and visits
begin as trains arrive. Of the fields of honest releases rows say one value in two hundred at most (`perf/README.md`),
but one task alone may have one in ten."""


LEAST = 3
"""Characters of a cell's text that is looked for in a text of a field that comes from it."""


@dataclass(frozen=True)
class Columns:
    """The columns (table, column) that a field's values equal, and all that they come from."""

    equal: set[tuple[str, str]] = field(default_factory=set)
    origins: set[tuple[str, str]] = field(default_factory=set)


def columns_of(edges: Iterable[Edge], holding: Holding) -> dict[str, Columns]:
    """Return, by field, the columns of tables that its values come from."""
    columns_by_field: dict[str, Columns] = {}
    for edge in edges:
        if edge.kind == "cells":
            columns = columns_by_field.setdefault(holding.field_of(edge.field), Columns())
            origins = [(table, column) for table, _, column in edge.cells if table != TASK]
            columns.origins.update(origins)
            if edge.by == EQUAL:
                columns.equal.update(origins)
    return columns_by_field


@dataclass
class SaidChosen:
    """By field of the tasks, what is said to be chosen, and what of it rows of its task say."""

    index: CellIndex
    holding: Holding
    columns: Mapping[str, Columns]
    """By field, the columns that its values come from."""
    choices: Counter[str] = field(default_factory=Counter)
    of_rows: Counter[str] = field(default_factory=Counter)
    telling: Counter[str] = field(default_factory=Counter)
    """Of these the names and the numbers, which are hardly equal by chance; a kind or a time may be."""
    values: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    """By field, each value that a row says, with where it is said first."""
    alike: dict[tuple[str, Any], str] = field(default_factory=dict)
    """By field and value, where it is said first by a row in a column that others of the field come from."""
    free: set[tuple[str, Any]] = field(default_factory=set)
    """Fields and values that a task chooses of which no row says them."""

    @cached_property
    def _source_columns(self) -> dict[str, list[str]]:
        """Return the columns, by table, that hold what a source says."""
        return {
            name: [column.name for column in table.columns() if column.holds == "source"]
            for name, table in self.index.tables.items()
        }

    def look(self, edges: Mapping[str, Edge], leaves: Iterable[Said]) -> None:
        """Take one task: its edges, and what they say of its leaves."""
        rows = {cell[:2] for edge in edges.values() for cell in edge.cells if cell[0] != TASK}
        cell_by_value, by_column = self._cell_by_value(rows), self._by_column(rows)
        telling_cells = {
            value: cell
            for value, cell in cell_by_value.items()
            if not isinstance(value, str) or cell.endswith(f".{NAME}")
        }
        names = [text for text in telling_cells if isinstance(text, str) and len(text) >= SHORTEST]
        memo: dict[Any, str | None] = {}
        for pointer, value, edge in leaves:
            if edge is None or edge.kind == "cells":
                continue
            name = self.holding.field_of(pointer)
            if value and (columns := self.columns.get(name)) is not None:
                self._look_alike(name, pointer, value, columns, by_column)
            if not tells_rows_apart(value):
                continue
            is_planned = pointer.startswith(PLANNED)
            key = (value, is_planned, edge.kind)
            if key not in memo:
                cell = (cell_by_value if is_planned else telling_cells).get(value)
                # Words may name a place and say more of it; a plan is not worded.
                if cell is None and isinstance(value, str) and (is_planned or edge.kind != "words"):
                    cell = next((telling_cells[text] for text in names if text in value), None)
                memo[key] = cell
            self.choices[name] += 1
            if (cell := memo[key]) is not None:
                self.of_rows[name] += 1
                self.telling[name] += not isinstance(value, str) or cell.endswith(f".{NAME}")
                self.values[name].setdefault(str(value), f"{pointer} = {value!r:.60} ({cell})")

    def problems(self) -> list[str]:
        """Return the fields of which rows say more than chance would have it."""
        relabelled = [
            f"{name}: {where}, which others of the field come from; expected an edge to that cell"
            for (name, value), where in sorted(self.alike.items(), key=lambda item: item[1])
            if (name, value) not in self.free
        ]
        return relabelled + [
            f"{name}: {self.of_rows[name]:,} of {self.choices[name]:,} values that are said to be chosen or worded are "
            f"what a source says of rows that their tasks use, as {next(iter(values.values()))}; "
            "expected an edge to the cell that each comes from"
            for name, values in sorted(self.values.items())
            if len(values) >= FEWEST
            and (
                self.of_rows[name] > MOST * self.choices[name] or self.telling[name] > MOST_TELLING * self.choices[name]
            )
        ]

    def _look_alike(
        self,
        name: str,
        pointer: str,
        value: Any,
        columns: Columns,
        by_column: Mapping[tuple[str, str], Mapping[Any, str]],
    ) -> None:
        """Take a value that is said to be chosen or worded, of a field whose others come from columns."""
        if isinstance(value, bool):
            return
        cell = next((key for column in sorted(columns.equal) if (key := by_column.get(column, {}).get(value))), None)
        if cell is None and isinstance(value, str):
            texts = (
                (text, key) for column in sorted(columns.origins) for text, key in by_column.get(column, {}).items()
            )
            cell = next((key for text, key in texts if isinstance(text, str) and text in value), None)
        if cell is None:
            self.free.add((name, value))
        else:
            self.alike.setdefault((name, value), f"{pointer} = {value!r:.60} is said to be chosen, and {cell} says it")

    def _by_column(self, rows: Iterable[tuple[str, str]]) -> dict[tuple[str, str], dict[Any, str]]:
        """Return what these rows say in the columns that values of the tasks come from, each with its cell."""
        cells_by_column: dict[tuple[str, str], dict[Any, str]] = {}
        for table, key in sorted(rows):
            row = self.index.row(table, key) or {}
            for column in self._telling.get(table, ()):
                value = row.get(column)
                is_number = isinstance(value, int | float) and not isinstance(value, bool)
                if is_number or (isinstance(value, str) and len(value) >= LEAST):
                    cells_by_column.setdefault((table, column), {}).setdefault(value, f"{table}/{key}.{column}")
        return cells_by_column

    @cached_property
    def _telling(self) -> dict[str, set[str]]:
        """Return, by table, the columns that values come from."""
        columns_by_table: dict[str, set[str]] = {}
        for columns in self.columns.values():
            for table, column in columns.origins:
                columns_by_table.setdefault(table, set()).add(column)
        return columns_by_table

    def _cell_by_value(self, rows: Iterable[tuple[str, str]]) -> dict[Any, str]:
        """Return the texts and fractions that sources say of these rows, each with a cell, a name's if one says it."""
        cell_by_value: dict[Any, str] = {}
        for table, key in sorted(rows):
            row = self.index.row(table, key) or {}
            for column in self._source_columns.get(table, ()):
                value = row.get(column)
                if tells_rows_apart(value) and (column == NAME or value not in cell_by_value):
                    cell_by_value[value] = f"{table}/{key}.{column}"
        return cell_by_value


def tells_rows_apart(value: Any) -> bool:
    """Return whether a value is a text, or a number with a fraction."""
    return bool(value) if isinstance(value, str) else isinstance(value, float) and not value.is_integer()
