"""What values hold of their sources: what comes from a source's own value is none of ours, whatever a family declares.

A licence decides by this what may be shared (`assets.release.licences`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from assets.family import Family
from schemas.table import Table

RANKS = ("ours", "derived", "source")
"""What a value may hold, the freest first."""

ITEM = "[]"
"""Of a leaf's path, any item of a list or a map."""

_NUMBER = re.compile(r"/\d+(?=/|$)")

Value = TypeVar("Value")
Cells = Iterable[tuple[str, str, str]]


class Holding:
    """What a family declares of its tasks' values, and what the tables declare of the cells that these come from."""

    def __init__(self, family: Family, tables: Mapping[str, type[Table]]) -> None:
        columns = (*family.tables.task.columns(), *family.tables.certificate.columns())
        self._leaves = [(leaf, RANKS.index(c.leaf_holds(leaf))) for c in columns for leaf in c.leaves]
        self._fields: dict[str, str] = {}
        self._columns = {
            (name, column.name): RANKS.index(column.holds)
            for name, table in tables.items()
            for column in table.columns()
        }
        self._tables = set(tables)
        self._ranks: dict[str, int] = {}

    def is_source(self, table: str, column: str) -> bool:
        """Return whether a cell, or a value of the task, is declared to hold a source's own."""
        rank = self._columns.get((table, column), 0) if table in self._tables else self.declared(column)
        return RANKS[rank] == "source"

    def too_free(self, field: str, cells: Cells, is_equal: bool) -> str:
        """Return, in words, why a value is declared too freely for the cells that it comes from; empty if it is not.

        What equals a source's own value holds it; what is computed from one is derived at least.
        """
        declared = self.declared(field)
        if declared == len(RANKS) - 1:
            return ""
        ranks = {(t, c): self._columns.get((t, c), 0) if t in self._tables else self.declared(c) for t, _, c in cells}
        most = max(ranks, key=lambda name: ranks[name], default=None)
        needed = ranks[most] if most else 0
        needed = needed if is_equal else min(needed, RANKS.index("derived"))
        if most is None or declared >= needed:
            return ""
        return (
            f"is declared to hold `{RANKS[declared]}` of its sources, and comes from {'.'.join(most)}, which holds "
            f"`{RANKS[ranks[most]]}`; declare `{RANKS[needed]}`"
        )

    def declared(self, field: str) -> int:
        """Return the freest that any leaf at or below a field is declared to hold."""
        if field not in self._ranks:
            _keep(self._ranks, field, self._rank)
        return self._ranks[field]

    def field_of(self, pointer: str) -> str:
        """Return the name of the declared leaf that a value is of, or of what holds some, whatever its place and keys.

        Its place in lists and its keys in maps are told as `[]`.
        """
        if pointer not in self._fields:
            _keep(self._fields, pointer, self._field)
        return self._fields[pointer]

    def _rank(self, pattern: str) -> int:
        parts = pattern.split("/")
        return min((rank for leaf, rank in self._leaves if _meet(leaf.path, parts)), default=len(RANKS) - 1)

    def _field(self, pattern: str) -> str:
        parts = pattern.split("/")
        lengths = {len(parts), len(parts) - (parts[-1] == ITEM)}  # a list of plain values is one leaf
        meeting = [leaf for leaf, _ in self._leaves if _meet(leaf.path, parts)]
        leaf_name = next((leaf.name for leaf in meeting if len(leaf.path) in lengths), None)
        inner_leaves = (
            replace(leaf, path=leaf.path[: len(parts)]).name for leaf in meeting if len(leaf.path) > len(parts)
        )
        return leaf_name or next(inner_leaves, pattern)


def _meet(path: Iterable[str], parts: list[str]) -> bool:
    """Return whether a leaf's path and a value's are the same as far as both go."""
    return all(step in (part, ITEM) for part, step in zip(parts, path, strict=False))


def _keep(memo: dict[str, Value], pointer: str, find: Callable[[str], Value]) -> None:
    """Keep what is found of a pointer, sought once of all that differ in numbers alone."""
    pattern = _NUMBER.sub(f"/{ITEM}", pointer)
    if pattern not in memo:
        memo[pattern] = find(pattern)
    memo[pointer] = memo[pattern]
