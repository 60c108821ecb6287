"""How far the best plans of a release's tasks lie below the bounds on them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

GAPS = {
    "together": ("together_utility", "together_bound"),
    "with splits": ("split_utility", "split_bound"),
    "with compromises": ("compromise_utility", "compromise_bound"),
    "with both": ("compromise_split_utility", "compromise_split_bound"),
}
"""What plans may do, the best plan's worth, and what none exceeds."""


def gap(utility: float, bound: float) -> float:
    """Return the share of the bound that a plan lacks; of a bound below 1, the points that it lacks."""
    return (bound - utility) / max(1.0, abs(bound))


def gaps(reachable: Sequence[Mapping[str, float]]) -> list[dict[str, Any]]:
    """Return, over the tasks, the median gap, what nine of ten keep to, the worst, and how often there is none."""
    rows = []
    for plans, (utility, bound) in GAPS.items():
        task_gaps = sorted(gap(of[utility], of[bound]) for of in reachable)
        if task_gaps:
            rows.append(
                {
                    "plans": plans,
                    "median": round(statistics.median(task_gaps), 3),
                    "nine_of_ten": round(task_gaps[math.ceil(0.9 * len(task_gaps)) - 1], 3),
                    "worst": round(task_gaps[-1], 3),
                    "share_that_meets_the_bound": round(sum(one == 0 for one in task_gaps) / len(task_gaps), 3),
                }
            )
    return rows
