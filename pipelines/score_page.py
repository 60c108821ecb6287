"""A family's scores for the terminal: each figure with what it says and which way is good."""

from __future__ import annotations

from typing import Any

from assets.family import families
from pipelines.console import OUT, grid, in_unit, show_measures

BEHIND = ("details", "variant")
"""What stands behind the figures, for `--json` alone."""


def show_scores(family_name: str, what: str, aggregate: dict[str, Any]) -> None:
    """Print the figures of an aggregate that the family declares as a table, and after it its counts."""
    family = families()[family_name]
    rows = [
        (name, in_unit(value, family.metrics[name].unit), family.metrics[name].better, family.metrics[name].says)
        for name, value in aggregate.items()
        if name in family.metrics
    ]
    if rows:
        OUT.print(grid(f"{family.title}, {what}", ("score", "value", "good is", "what it says"), rows))
    for name, value in aggregate.items():
        if name not in family.metrics and name not in BEHIND:
            show_measures(name.replace("_", " "), value)
    OUT.print("The counts behind each figure, and every plan's own scores: --json")
