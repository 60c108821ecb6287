"""What values hold of their sources: what comes from a source's own value is none of ours, whatever a family declares.

A licence decides by this what may be shared (`assets.release.licences`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assets.family import Family
from schemas.table import Table

RANKS = ("ours", "derived", "source")
"""What a value may hold, the freest first."""

Cells = Iterable[tuple[str, str, str]]


class Holding:
    """What a family declares of its tasks' values, and what the tables declare of the cells that these come from."""

    def __init__(self, family: Family, tables: Mapping[str, type[Table]]) -> None:
        columns = (*family.tables.task.columns(), *family.tables.certificate.columns())
        self._leaves = [(leaf.path, RANKS.index(c.leaf_holds(leaf))) for c in columns for leaf in c.leaves]
        self._columns = {
            (name, column.name): RANKS.index(column.holds)
            for name, table in tables.items()
            for column in table.columns()
        }
        self._tables = set(tables)
        self._known: dict[tuple[str, ...], int] = {}

    def too_free(self, field: str, cells: Cells, is_equal: bool) -> str:
        """Return, in words, why a value is declared too freely for the cells that it comes from; empty if it is not.

        What equals a source's own value holds it; what is computed from one is derived at least.
        """
        ranks = {(t, c): self._columns.get((t, c), 0) if t in self._tables else self.declared(c) for t, _, c in cells}
        most = max(ranks, key=lambda name: ranks[name], default=None)
        needed = ranks[most] if most else 0
        needed = needed if is_equal else min(needed, RANKS.index("derived"))
        declared = self.declared(field)
        if most is None or declared >= needed:
            return ""
        return (
            f"is declared to hold `{RANKS[declared]}` of its sources, and comes from {'.'.join(most)}, which holds "
            f"`{RANKS[ranks[most]]}`; declare `{RANKS[needed]}`"
        )

    def declared(self, field: str) -> int:
        """Return the freest that any leaf at or below a field is declared to hold."""
        parts = tuple("[]" if part.isdigit() else part for part in field.split("/"))
        if parts not in self._known:
            ranks = [
                rank for path, rank in self._leaves
                if all(own in (part, "[]") for part, own in zip(parts, path, strict=False))
            ]  # fmt: skip
            self._known[parts] = min(ranks, default=len(RANKS) - 1)
        return self._known[parts]
