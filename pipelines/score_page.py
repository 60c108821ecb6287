"""A family's scores for the terminal: each figure with what it says and which way is good."""

from __future__ import annotations

from typing import Any

from assets.families import families
from pipelines.console import OUT, grid, in_unit, show_measures

BEHIND = ("details", "variant", "n")
"""What stands behind the figures, for `--json` alone; `n` are the tasks once more."""


def show_scores(family_name: str, what: str, aggregate: dict[str, Any], *, has_conversations: bool = True) -> None:
    """Print the figures of an aggregate that the family declares as a table, and after it its counts.

    Of plans without conversations, what is read from a conversation is no figure.
    """
    family = families()[family_name]
    metrics = {n: m for n, m in family.metrics.items() if has_conversations or m.of != "conversation"}
    rows = [
        (name, in_unit(value, metrics[name].unit), metrics[name].better, metrics[name].says)
        for name, value in aggregate.items()
        if name in metrics
    ]
    if rows:
        OUT.print(grid(f"{family.title}, {what}", ("score", "value", "good is", "what it says"), rows))
    for name, value in aggregate.items():
        if name not in family.metrics and name not in BEHIND:
            show_measures(name.replace("_", " "), value)
    left_out = [name for name in aggregate if name in family.metrics and name not in metrics]
    if left_out:
        OUT.print(f"No figure, since these plans come without a conversation: {', '.join(left_out)}")
    OUT.print("The counts behind each figure, and every plan's own scores: --json")
