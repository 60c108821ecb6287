"""Values that are declared to be no more than derived, and that say again what a source says: they hold it.

A licence may let be shared what is computed from rows, and not the rows. Whoever computes a name from a name, by a
derivation that gives it back, would share it as computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from assets.promises.cells import TASK
from assets.promises.holding import Holding
from assets.promises.values import Edge

LEAST = 3
"""Letters and digits of a source's text that is looked for in another: fewer stand in any by chance."""

FEWEST = 3
"""So many different numbers that are all their one cell's are no chance: something may be rounded that is round."""


@dataclass
class SaidDerived:
    """What values that are computed from cells, and declared to be less than a source's own, repeat of these."""

    holding: Holding
    texts: dict[str, list[str]] = field(default_factory=dict)
    """By field, the values that say a source's text."""
    numbers: dict[str, dict[Any, str]] = field(default_factory=dict)
    """By field, the numbers that are the one cell's which they come from."""
    others: set[str] = field(default_factory=set)
    """Fields of which a number is not."""

    def look(self, edge: Edge, value: Any, cells: Sequence[Any]) -> None:
        """Take one edge, its value, and what its cells hold."""
        if self.holding.is_source(TASK, edge.field):
            return
        name = self.holding.field_of(edge.field)
        of_sources = [
            (cell, f"{table}/{key}.{column}")
            for cell, (table, key, column) in zip(cells, edge.cells, strict=True)
            if self.holding.is_source(table, column)
        ]
        where = f"{edge.task_id}: {edge.field} = {value!r:.60}"
        if isinstance(value, str):
            folded = _folded(value)
            source_cell = next(
                (text for cell, text in of_sources if isinstance(cell, str) and _is_in(cell, folded)), None
            )
            if source_cell is not None:
                self.texts.setdefault(name, []).append(f"{where} ({source_cell})")
        elif isinstance(value, int | float) and not isinstance(value, bool) and of_sources:
            cell, text = of_sources[0]
            if len(edge.cells) > 1 or cell != value:
                self.others.add(name)
            else:
                self.numbers.setdefault(name, {}).setdefault(value, f"{where} ({text})")

    def problems(self) -> list[str]:
        """Return the fields that hold what sources say."""
        example_by_field = {name: repeats[0] for name, repeats in self.texts.items()}
        example_by_field |= {
            name: next(iter(repeats.values()))
            for name, repeats in self.numbers.items()
            if len(repeats) >= FEWEST and name not in self.others
        }
        return [
            f"{name} is declared to hold less than a source's own values, and says them again, as {where}; "
            "declare `source`"
            for name, where in sorted(example_by_field.items())
        ]


def _is_in(cell: str, folded: str) -> bool:
    text = _folded(cell)
    return len(text) >= LEAST and text in folded


def _folded(text: str) -> str:
    """Return a text's letters and digits, so that what is set otherwise, or has signs between, is known again."""
    return "".join(filter(str.isalnum, text.casefold()))
