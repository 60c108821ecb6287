"""Lengths and exact optima of tours in the scorer's metric. Belongs to the scorer: the solver has its own optimiser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

Point = tuple[float, float]

MAX_VISITS = 20
"""Visits of one trip that the exact dynamic programme takes; its table has 2^n × n entries (168 MB at 20)."""

TIE = 1e-9
"""Tours whose lengths differ by less are equal; lengths are thousandths of a degree, so this is 0.1 micrometre."""

TIES = (TIE, 0.0)
"""Ours, and the released code's."""

_CHUNK = 1 << 16


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
def _best_trips(days: tuple[Day, ...]) -> list[tuple[float, tuple[int, ...]]]:
    """Return the best trip by each of the TIES: what takes long does not depend on them."""
    points = [visit for day in days for visit in day.visits]
    sizes = [len(day.visits) for day in days]
    n = len(points)
    if not 1 <= n <= MAX_VISITS or 0 in sizes:
        raise ValueError(f"days of {sizes} visits: the exact optimum needs 1 to {MAX_VISITS} visits and no empty day")
    between = np.array([[planar(a, b) for b in points] for a in points])
    start = np.array([[planar(day.start, p) for p in points] for day in days])
    end = np.array([[planar(p, day.end) for p in points] for day in days])
    ends_after = {int(v): d for d, v in enumerate(np.cumsum(sizes))}
    rest = _cost_to_go(between, start, end, ends_after)
    trips = []
    for tie in TIES:
        order: list[int] = []
        left, pos, total = (1 << n) - 1, -1, 0.0
        while left:
            visited = n - left.bit_count()
            opens = 0 if visited == 0 else ends_after.get(visited, -1) + 1
            step = start[opens] if visited == 0 or opens else between[pos]
            options = [(float(step[j] + rest[left ^ (1 << j), j]), j) for j in range(n) if left >> j & 1]
            least = min(options)[0]
            total = total if visited else least
            pos = next(j for length, j in options if length <= least + tie)
            order.append(pos)
            left ^= 1 << pos
        trips.append((total, tuple(order)))
    return trips


def _cost_to_go(between: np.ndarray, start: np.ndarray, end: np.ndarray, ends_after: dict[int, int]) -> np.ndarray:
    """Return rest[left, i]: the least length from visit i to the end of the trip when the visits in `left` remain.

    Entries with i in `left` mean nothing.
    """
    n = len(between)
    rest = np.zeros((1 << n, n))
    rest[0] = end[-1]
    for remaining in range(1, n):
        day = ends_after.get(n - remaining)
        masks, members = _layer(n, remaining)
        for low in range(0, len(masks), _CHUNK):
            mask, member = masks[low : low + _CHUNK], members[low : low + _CHUNK]
            best = np.full((len(mask), n if day is None else 1), np.inf)
            for column in range(remaining):
                j = member[:, column].astype(np.int32)
                onward = rest[mask ^ (1 << j), j][:, None]
                step = between[j] if day is None else start[day + 1][j][:, None]
                np.minimum(best, step + onward, out=best)
            rest[mask] = best if day is None else best + end[day]
    return rest


@lru_cache(maxsize=64)
def _layer(n: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return all subsets of n items that have `size` members: as bit masks, and as rows of ascending members."""
    masks = np.arange(1 << n, dtype=np.int32)
    chosen = masks[np.bitwise_count(masks) == size]
    members = np.nonzero((chosen[:, None] >> np.arange(n, dtype=np.int32)) & 1)[1].reshape(len(chosen), size)
    return chosen, members.astype(np.int8)
