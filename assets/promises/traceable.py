"""Traceable: every value of a task is computed again from the cells that its lineage names, or says whose choice it is.

A family says where values come from; here nothing of that is believed. A cell's row must be one that the task uses, by
the family's checking side, each row of a source that it uses must be named, and a derivation must give the value again,
from the cells alone. What is said to be chosen is held against those rows (`said_chosen.py`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assets.family import Family, TaskView
from assets.named import Named, load
from assets.promises.cells import TASK, CellIndex, rows_of
from assets.promises.holding import Holding
from assets.promises.said_chosen import SaidChosen, columns_of
from assets.promises.said_derived import SaidDerived
from assets.promises.values import EQUAL, Edge, said_of, whole_task
from schemas.counts import counted
from schemas.pointers import value_at
from schemas.stable import stable_hash

TRIED_EDGES = 5
"""Edges of each derivation with which it is tried whether it looks at its cells."""

OTHERS_TRIED = 20
"""Values of other rows that are tried for each cell."""

Uses = Mapping[str, set[tuple[str, str]]]
"""By task, the rows that its plan and record name."""

Call = tuple[Named, list[Any]]
"""A derivation's function, and the cells that it is given."""


DerivationResult = tuple[bool, str]
"""Whether a derivation gave a value, and that as JSON; or why not."""


def run_derivations(calls: Sequence[Call]) -> list[DerivationResult]:
    """Return what derivations give of their cells.

    The gate has it called in a process that holds no release: who could see the value that is expected would know it.
    """
    values: list[DerivationResult] = []
    for function, cells in calls:
        try:
            values.append((True, json.dumps(load(function)(cells))))
        except Exception as error:  # whatever a derivation does with cells, it is the family's and is shown
            values.append((False, f"{type(error).__name__}: {error}"))
    return values


Derive = Callable[[Sequence[Call]], list[DerivationResult]]
"""What calls `run_derivations`."""


@dataclass
class TraceReport:
    """How many values are what, the rows behind them, and every problem."""

    counts: Counter[str] = field(default_factory=Counter)
    """Of each kind, the values whose edges hold."""
    fields: dict[str, Counter[str]] = field(default_factory=dict)
    """The same by field, whatever its place in lists and its keys in maps: who relabels one shows it here."""
    values: int = 0
    """All values, whatever is said of them."""
    pointers_that_hold: set[str] = field(default_factory=set)
    """The pointers `task_id:field` of the edges that hold."""
    rows: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """By (table, key), the pointers `task_id:field` of the values that come from it."""
    problems: list[str] = field(default_factory=list)


def trace(
    family: Family,
    tasks: list[tuple[TaskView, Any]],
    edges: Mapping[str, Mapping[str, Edge]],
    index: CellIndex,
    uses: Uses,
    rules: Mapping[str, str],
    derive: Derive,
) -> TraceReport:
    """Return what holds of the values of tasks, each given with its certificate's checks."""
    report = TraceReport()
    holding = Holding(family, index.tables)
    columns = columns_of((edge for task_edges in edges.values() for edge in task_edges.values()), holding)
    said_chosen, said_derived = SaidChosen(index, holding, columns), SaidDerived(holding)
    edges_tried: Counter[str] = Counter()
    for task, checks in tasks:
        task_values, rows_used = whole_task(task, checks), uses.get(task.task_id, set())
        task_edges = edges.get(task.task_id, {})
        leaves, values_by_field = said_of(task_values, task_edges)
        judge = _Judge(
            task,
            task_values,
            values_by_field,
            index,
            rows_used,
            family.derivations,
            rules,
            derive,
            holding,
            said_derived,
            report,
        )
        judge.compute(task_edges.values())
        fields_that_hold = {name for name, edge in task_edges.items() if judge.edge(edge)}
        report.pointers_that_hold.update([f"{task.task_id}:{name}" for name in fields_that_hold])
        report.values += len(leaves)
        said_chosen.look(task_edges, leaves)
        report.problems += [
            f"{task.task_id}: {pointer} = {str(value)[:60]!r} has no lineage: {family.trace} gives no origin of it"
            for pointer, value, edge in leaves
            if edge is None
        ]
        for name, count in Counter(edge.field for _, _, edge in leaves if edge is not None).items():
            if name in fields_that_hold:
                kind = _what(task_edges[name])
                report.counts[kind] += count
                report.fields.setdefault(holding.field_of(name), Counter())[kind] += count
        by_derivations = [
            e
            for e in task_edges.values()
            if e.kind == "cells" and e.by != EQUAL and edges_tried[e.by] < TRIED_EDGES and e.field in fields_that_hold
        ]
        for edge in sorted(by_derivations, key=lambda e: stable_hash(e.task_id, e.field)):
            if edges_tried[edge.by] < TRIED_EDGES:
                edges_tried[edge.by] += 1
                judge.looks_at_its_cells(edge)
    task_ids = {task.task_id for task, _ in tasks}
    report.problems += [
        f"{task_id}: has lineage, and is no certified task" for task_id in sorted(set(edges) - task_ids)
    ]
    report.problems += [*said_chosen.problems(), *said_derived.problems()]
    report.problems += _not_named({task_id: uses.get(task_id, set()) for task_id in task_ids}, edges, index)
    return report


def _not_named(uses: Uses, edges: Mapping[str, Mapping[str, Edge]], index: CellIndex) -> list[str]:
    """Return the rows of sources that tasks use, and that their lineage does not name: nobody would see the licence.

    Of rows of one name, which a plan that says it cannot tell apart, one is named, and so of what other tables say of
    their keys.
    """
    of_sources = {
        name
        for name, table in index.tables.items()
        if any(column.holds == "source" for column in table.columns() if column.name not in table.key())
    }
    refs_named = {
        task_id: {cell[:2] for edge in edges.get(task_id, {}).values() for cell in edge.cells} for task_id in uses
    }
    lacking = [
        (t, ref) for t, used in sorted(uses.items()) for ref in sorted(used - refs_named[t]) if ref[0] in of_sources
    ]
    keys_lacking: dict[str, set[str]] = {}
    for _, (table, key) in lacking:
        keys_lacking.setdefault(table, set()).add(key)
    rows = {table: rows_of(index.release, index.tables[table], keys) for table, keys in keys_lacking.items()}
    twins = set()
    for task_id, (table, key) in lacking:
        name = rows[table].get(key, {}).get("name")
        alike = (index.row(*ref) for ref in refs_named[task_id] & uses[task_id] if ref[0] == table)
        if name is not None and any(row is not None and row.get("name") == name for row in alike):
            twins.add((task_id, key))
    return [
        f"{task_id}: uses {table}/{key}, which its lineage does not name"
        for task_id, (table, key) in lacking
        if (task_id, key) not in twins
    ]


def _what(edge: Edge) -> str:
    if edge.kind == "cells":
        return "equal" if edge.by == EQUAL else "derived"
    if edge.kind == "words":
        return "worded_by_model" if edge.generation_ids else "worded_by_rules"
    return "chosen_by_model" if edge.generation_ids else "chosen"


@dataclass
class _Judge:
    """Judges the edges of one task."""

    task: TaskView
    whole: dict[str, Any]
    values_by_field: dict[str, Any]
    """The values that edges are of, by field."""
    index: CellIndex
    uses: set[tuple[str, str]]
    derivations: Mapping[str, Named]
    rules: Mapping[str, str]
    derive: Derive
    holding: Holding
    said_derived: SaidDerived
    report: TraceReport
    derived_values: dict[str, Any] = field(default_factory=dict)
    """By field, what its derivation gives of its cells."""

    def compute(self, edges: Iterable[Edge]) -> None:
        """Have the values of these edges computed that are, all at once."""
        computed_edges = [edge for edge in edges if edge.kind == "cells" and edge.by in self.derivations]
        values = self._derivation_results(
            (edge.by, [self._value(edge, *cell) for cell in edge.cells]) for edge in computed_edges
        )
        self.derived_values.update(zip((edge.field for edge in computed_edges), values, strict=True))

    def edge(self, edge: Edge) -> bool:
        """Return whether an edge holds; say what does not."""
        before = len(self.report.problems)
        try:
            value = (
                self.values_by_field[edge.field]
                if edge.field in self.values_by_field
                else value_at(self.whole, edge.field)
            )
        except KeyError:
            self._tell(edge, "the task has no such value")
            return False
        for call in edge.generation_ids:
            if call not in self.index.generations:
                self._tell(edge, f"generation {call} is not in the release, or is not what its id says")
        cells = [self._cell(edge, *cell) for cell in edge.cells]
        if edge.kind == "cells":
            self._check_derivation(edge, value, cells)
            if edge.by != EQUAL:
                self.said_derived.look(edge, value, cells)
            if too_free := self.holding.too_free(edge.field, edge.cells, edge.by == EQUAL):
                self._tell(edge, too_free)
        elif edge.by not in self.rules:
            self._tell(edge, f"rule {edge.by} is not declared in the manifest, only {', '.join(sorted(self.rules))}")
        return len(self.report.problems) == before

    def looks_at_its_cells(self, edge: Edge) -> None:
        """Say so if a derivation gives the same whatever its rows' cells are: then it knows the value from elsewhere.

        Other rows' values are tried, and where all give the same, as of what is rounded, values that are made up. That
        it fails on one says nothing, unless no row has another value.
        """
        cells = [self._cell(edge, *cell) for cell in edge.cells]
        rows = [(number, cell) for number, cell in enumerate(edge.cells) if cell[0] != TASK]
        values_of_rows = [(number, value) for number, cell in rows for value in self.index.others(*cell, OTHERS_TRIED)]
        invented_values = [(number, value) for number, _ in rows for value in _invented_values(cells[number])]
        others = (
            [*cells[:number], value, *cells[number + 1 :]] for number, value in (*values_of_rows, *invented_values)
        )
        value_of_own_cells, *values = self._derivation_results(
            (edge.by, cells_given) for cells_given in (cells, *others)
        )
        if all(
            other_value == value_of_own_cells or (values_of_rows and isinstance(other_value, _Failure))
            for other_value in values
        ):
            self._tell(edge, f"derivation {edge.by} gives the same of other cells: it does not look at them")

    def _value(self, edge: Edge, table: str, key: str, column: str) -> Any:
        """Return a cell's value; None where `_cell` says what is wrong with it."""
        if table != TASK:
            return (self.index.row(table, key) or {}).get(column)
        try:
            return None if _is_of(edge, column) else value_at(self.whole, column)
        except KeyError:
            return None

    def _cell(self, edge: Edge, table: str, key: str, column: str) -> Any:
        if table == TASK:
            if _is_of(edge, column):
                self._tell(edge, "comes from itself")
                return None
            try:
                return value_at(self.whole, column)
            except KeyError:
                self._tell(edge, f"comes from {column}, which the task does not have")
                return None
        row = self.index.row(table, key)
        if row is None or column not in row:
            lacking = "no such row" if row is None else f"no column {column}, only {', '.join(row)}"
            has = (
                lacking if table in self.index.rows else f"no table {table}, only {', '.join(sorted(self.index.rows))}"
            )
            self._tell(edge, f"comes from {table}/{key}.{column}, which is not in the release: it has {has}")
            return None
        if (table, key) not in self.uses:
            self._tell(edge, f"comes from {table}/{key}, which neither the plan nor the record uses")
        self.report.rows.setdefault((table, key), set()).add(f"{self.task.task_id}:{edge.field}")
        return row[column]

    def _check_derivation(self, edge: Edge, value: Any, cells: list[Any]) -> None:
        if all(table == TASK for table, _, _ in edge.cells):
            self._tell(edge, "is computed from no cell of a table")
        elif edge.by == EQUAL and len(cells) != 1:
            self._tell(edge, f"equals {counted(len(cells), 'cell')}, expected one")
        elif edge.by != EQUAL and edge.by not in self.derivations:
            self._tell(
                edge, f"derivation {edge.by} is not declared, only {', '.join([EQUAL, *sorted(self.derivations)])}"
            )
        else:
            derived_value = cells[0] if edge.by == EQUAL else self.derived_values[edge.field]
            if derived_value != value or type(derived_value) is not type(value):
                self._tell(edge, f"is {value!r:.80}; {edge.by} of its cells gives {derived_value!r:.80}")

    def _derivation_results(self, calls: Iterable[tuple[str, list[Any]]]) -> list[Any]:
        """Return what derivations give of cells; a `_Failure` where one gives nothing."""
        derivations_and_cells = [(self.derivations[by], cells) for by, cells in calls]
        answers = self.derive(derivations_and_cells) if derivations_and_cells else []
        return [json.loads(text) if is_computed else _Failure(text) for is_computed, text in answers]

    def _tell(self, edge: Edge, text: str) -> None:
        self.report.problems.append(f"{edge.task_id}: {edge.field} {text}")


class _Failure(str):
    """What a derivation failed with."""


def _is_of(edge: Edge, field: str) -> bool:
    """Return whether a field is the edge's own, is in it, or holds it."""
    return field == edge.field or field.startswith(f"{edge.field}/") or edge.field.startswith(f"{field}/")


def _invented_values(value: Any) -> list[Any]:
    """Return other values than one of a row: a number one greater, 1 and 0, a longer text."""
    if isinstance(value, bool) or value is None:
        return [not value]
    if isinstance(value, (int, float)):
        return [other for other in (value + 1, 1, 0) if other != value]
    return [f"{value}x"]
