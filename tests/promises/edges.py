"""Single changes of a release's lineage, drawn at random, and whether each is a lie; nothing here asks the gate.

A change is a lie if, after it,

- an edge names a row that the true lineage of its task names nowhere: the task does not use it; or
- the value that its derivation makes of its cells is another than the one that stands in the task: of another type, not
  equal, or none at all because the derivation raises, is not declared, or a cell is not there.

Cells are read from the release's Parquet files and values from the task's own columns; `equal` takes the one cell as it
is, and any other derivation is the family's function, called here. What is no lie by this (another row that the task
does use and that gives the same value) is drawn again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assets.core.worlds import task_views
from assets.family import Family, TaskView
from assets.named import load
from assets.release.exporting import release_tables
from assets.release.reading import OpenedRelease

NOTHING = object()
"""What a derivation that fails gives: equal to no value."""

Cell = dict[str, str]
Edge = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """One edge as it was and as it is after a change, and what was changed."""

    kind: str
    before: Edge
    after: Edge


class Lineage:
    """A release's edges with what they are about: the tasks' values and the rows of the world."""

    def __init__(self, release: OpenedRelease, family: Family) -> None:
        self.family = family
        tables = release_tables(release)
        certificates = tables.certificates
        self.tasks = {view.task_id: view for view in task_views(tables.tasks, certificates)}
        self.checks = dict(zip(certificates["task_id"], certificates["checks"], strict=True))
        self.edges: list[Edge] = release.rows("lineage").to_pylist()
        self.derivations = {name: load(function) for name, function in family.derivations.items()}
        self.rows: dict[str, dict[str, dict[str, Any]]] = {}
        for table in (*family.world_tables, *family.context):
            rows = release.rows(table.table_name()).to_pylist()
            self.rows[table.table_name()] = {"/".join(str(row[k]) for k in table.key()): row for row in rows}

    @cached_property
    def used(self) -> dict[str, set[tuple[str, str]]]:
        """Return, by task, the rows that its true lineage names."""
        used: dict[str, set[tuple[str, str]]] = {}
        for edge in self.edges:
            mine = used.setdefault(edge["task_id"], set())
            mine |= {(cell["table"], cell["row"]) for cell in edge["cells"] if cell["table"] != "task"}
        return used

    def is_lie(self, edge: Edge) -> bool:
        """Return whether an edge says what is not so; see above."""
        mine = self.used[edge["task_id"]]
        if any(cell["table"] != "task" and (cell["table"], cell["row"]) not in mine for cell in edge["cells"]):
            return True
        return edge["kind"] == "cells" and self._made(edge) is NOTHING

    def _made(self, edge: Edge) -> Any:
        """Return the value that an edge's derivation makes of its cells, NOTHING if it is not the task's."""
        task = self.tasks[edge["task_id"]]
        stated = self.value(task, edge["field"])
        cells = [self._cell(task, cell) for cell in edge["cells"]]
        if NOTHING in cells or stated is NOTHING:
            return NOTHING
        if edge["by"] == "equal":
            made = cells[0] if len(cells) == 1 else NOTHING
        else:
            try:
                made = self.derivations[edge["by"]](cells)
            except Exception:  # a derivation may fail in any way on cells that it is not meant for
                made = NOTHING
        return made if type(made) is type(stated) and made == stated else NOTHING

    def _cell(self, task: TaskView, cell: Cell) -> Any:
        if cell["table"] == "task":
            return self.value(task, cell["column"])
        return self.rows.get(cell["table"], {}).get(cell["row"], {}).get(cell["column"], NOTHING)

    def value(self, task: TaskView, pointer: str) -> Any:
        """Return the task's value at a pointer, NOTHING where there is none."""
        part, *path = (key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/"))
        value = self.checks[task.task_id] if part == "checks" else getattr(task, part, NOTHING)
        for key in path:
            if isinstance(value, list) and key.isdigit() and int(key) < len(value):
                value = value[int(key)]
            elif isinstance(value, dict):
                value = value.get(key, NOTHING)
            else:
                return NOTHING
        return value


def lies(lineage: Lineage, count: int, seed: int) -> Iterator[Change]:
    """Yield so many changes that are lies, of every kind in turn: a row, a column, a derivation, a cell left out."""
    draw = random.Random(seed)
    named = [edge for edge in lineage.edges if edge["cells"]]
    derived = [edge for edge in named if edge["kind"] == "cells"]
    kinds = ("row", "row_of_this_task", "column", "derivation", "cell")
    made = 0
    while made < count:
        kind = kinds[made % len(kinds)]
        edge = draw.choice(named if kind.startswith("row") else derived)
        after = _changed(lineage, edge, kind, draw)
        if after != edge and lineage.is_lie(after):
            made += 1
            yield Change(kind, edge, after)


def _changed(lineage: Lineage, edge: Edge, kind: str, draw: random.Random) -> Edge:
    """Return an edge with one thing changed; the edge itself where there is nothing else to choose."""
    if kind == "derivation":
        return {**edge, "by": draw.choice(["equal", "none_of_that_name", *lineage.derivations])}
    cells = [dict(cell) for cell in edge["cells"]]
    cell = draw.choice(cells)
    if kind == "cell":
        cells.remove(cell)
    elif kind == "column":
        if cell["table"] == "task":
            fields = _pointers_like(lineage, edge, cell["column"])
            cell["column"] = draw.choice(fields) if fields else cell["column"]
        else:
            cell["column"] = draw.choice(list(lineage.rows[cell["table"]][cell["row"]]))
    elif cell["table"] != "task":
        options = list(lineage.rows[cell["table"]])
        if kind == "row_of_this_task":
            options = sorted(key for table, key in lineage.used[edge["task_id"]] if table == cell["table"])
        cell["row"] = draw.choice(options)
    return {**edge, "cells": cells}


def _pointers_like(lineage: Lineage, edge: Edge, column: str) -> list[str]:
    """Return the other values of the task that its edges name."""
    mine = (other for other in lineage.edges if other["task_id"] == edge["task_id"])
    named = {cell["column"] for other in mine for cell in other["cells"] if cell["table"] == "task"}
    return sorted(named - {column})
