"""The values of a release's tasks, and the edges of its lineage that say where each comes from."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from assets.family import TaskView
from schemas.pointers import marked_values
from schemas.source import RowPointer

if TYPE_CHECKING:
    import pyarrow as pa

PARTS = ("query", "messages", "record", "repairs", "drawn", "plan", "proof", "checks")
"""What of a task and its certificate holds values; the other columns say which task it is."""

PLANNED = "plan/"
"""With what the pointers of a plan's values begin."""

EQUAL = "equal"
"""The derivation of a value that is a cell's."""

KINDS = {
    "equal": "equal to a source's",
    "derived": "derived and computed again",
    "chosen": "chosen by a declared rule",
    "chosen_by_model": "chosen by a recorded model call",
    "worded_by_rules": "worded by rules",
    "worded_by_model": "worded by a recorded model call",
}
"""What a value of a task can be, in words."""


def in_words(counts: Mapping[str, int]) -> str:
    """Return how many values are what, by the kinds of `KINDS`."""
    return ", ".join(f"{counts[kind]:,} {text}" for kind, text in KINDS.items() if kind in counts)


class Edge(NamedTuple):
    """One row of a release's lineage."""

    task_id: str
    field: str
    kind: str
    by: str
    cells: tuple[tuple[str, str, str], ...]
    generation_ids: tuple[str, ...]

    @property
    def refs(self) -> list[tuple[str, str]]:
        """Return what the value leads to as (kind, name): rows, other values of the task, a rule, model calls."""
        rows = [
            ("row", f"{table}/{key}") if table != "task" else ("value", column) for table, key, column in self.cells
        ]
        rules = [] if self.kind == "cells" else [("rule", self.by)]
        return [*dict.fromkeys(rows), *rules, *(("generation", call) for call in self.generation_ids)]


Said = tuple[str, Any, Edge | None]
"""A leaf's pointer, its value, and the edge that says where it comes from."""


def edges_by_task(lineage: pa.Table) -> dict[str, dict[str, Edge]]:
    """Return the edges by task and field."""
    task_edges: dict[str, dict[str, Edge]] = {}
    columns = [_texts(lineage[name].combine_chunks()) for name in ("task_id", "field", "kind", "by")]
    cells = lineage["cells"].combine_chunks()
    parts = [_texts(cells.values.field(name)) for name in ("table", "row", "column")]
    call_ids = lineage["generation_ids"].combine_chunks()
    listed = (_tuples(cells, [*zip(*parts, strict=True)]), _tuples(call_ids, _texts(call_ids.values)))
    for task_id, name, kind, by, task_cells, calls_behind in zip(*columns, *listed, strict=True):
        task_edges.setdefault(task_id, {})[name] = Edge(task_id, name, kind, by, task_cells, calls_behind)
    return task_edges


def _texts(array: pa.Array) -> list[Any]:
    """Return an array of texts, equal ones as one object."""
    encoded = array.dictionary_encode()
    texts = [*encoded.dictionary.to_pylist(), None]
    return [texts[number] for number in encoded.indices.fill_null(-1).to_pylist()]


def _tuples(array: pa.ListArray, items: list[Any]) -> list[tuple[Any, ...]]:
    """Return a list array as tuples, given its items."""
    return [tuple(items[begin:end]) for begin, end in pairwise(array.offsets.to_pylist())]


def said_twice(lineage: pa.Table) -> list[str]:
    """Return every value of which the lineage says twice where it comes from: only one of the two would be judged."""
    fields = lineage.select(["task_id", "field"]).to_pandas()
    return [f"{task_id}: {name} has two edges" for task_id, name in fields[fields.duplicated()].itertuples(index=False)]


def whole_task(task: TaskView, checks: Any) -> dict[str, Any]:
    """Return a task and its certificate as one value, by the names of the parts."""
    return {**{part: getattr(task, part) for part in PARTS if part != "checks"}, "checks": checks}


def said_of(task_values: Mapping[str, Any], edges: Mapping[str, Edge]) -> tuple[list[Said], dict[str, Any]]:
    """Return what is said of every leaf of a whole task, and by field the values that edges are of.

    A leaf's edge is its own, or that of the nearest part of the task that holds it; None if there is none.
    """
    leaves: list[Said] = []
    values_by_field: dict[str, Any] = {}
    for part in PARTS:
        of_part, marked = marked_values(task_values[part], part, edges)
        leaves += of_part
        values_by_field |= marked
    return leaves, values_by_field


def parsed_pointer(text: str) -> RowPointer | None:
    """Return the pointer, or None if the text is not one."""
    try:
        return RowPointer.parse(text)
    except ValueError:
        return None
