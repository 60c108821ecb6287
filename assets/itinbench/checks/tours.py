"""Lengths and exact optima of tours in the scorer's metric. Belongs to the scorer: the solver has its own optimiser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from assets.core.shortest import Order, shortest_orders

Point = tuple[float, float]

TIE = 1e-9
"""Tours whose lengths differ by less are equal; lengths are thousandths of a degree, so this is 0.1 micrometre."""

TIES = (TIE, 0.0)
"""Ours, and the released code's."""


def planar(a: Point, b: Point) -> float:
    """Return the published distance: planar, in degrees of latitude and longitude alike, times 1000 (facts 2.B)."""
    return ((a[0] * 1000 - b[0] * 1000) ** 2 + (a[1] * 1000 - b[1] * 1000) ** 2) ** 0.5


@dataclass(frozen=True)
class Day:
    """One day on the map: the stays it starts from and ends at, and its visits in the planned order."""

    start: Point
    end: Point
    visits: tuple[Point, ...]


def trip_length(days: Sequence[Day]) -> float:
    """Return the length of the days walked as they are: start, visits in order, end."""
    total = 0.0
    for day in days:
        path = (day.start, *day.visits, day.end)
        total += sum(planar(a, b) for a, b in pairwise(path))
    return total


def best_trip(days: Sequence[Day], *, tie: float = TIE) -> tuple[float, list[int]]:
    """Return the least length over all assignments of all visits to the days and all orders, and that trip's visits.

    Each day keeps its number of visits and its two stays. Visits are numbered through the days as planned; the
    returned order lists these numbers day after day. Exact: dynamic programming over (visits left, last visit). Among
    trips whose lengths differ by no more than `tie` (one of TIES) at a step the lowest number goes first, so that a
    plan that is itself optimal is returned as its own optimum; with `tie=0` ties fall as rounding decides, as in the
    released code, whose sums are added in this very order.

    Raises ValueError for no visit, for more than MAX_VISITS, or for a day without visits.
    """
    total, order = _best_trips(tuple(days))[TIES.index(tie)]
    return total, list(order)


@lru_cache(maxsize=4096)  # one plan is judged against many records, and by both variants
def _best_trips(days: tuple[Day, ...]) -> list[Order]:
    """Return the best trip by each of the TIES: what takes long does not depend on them."""
    points = [visit for day in days for visit in day.visits]
    sizes = tuple(len(day.visits) for day in days)
    between = np.array([[planar(a, b) for b in points] for a in points])
    start = np.array([[planar(day.start, p) for p in points] for day in days])
    end = np.array([[planar(p, day.end) for p in points] for day in days])
    return shortest_orders(between, start, end, sizes, TIES)
