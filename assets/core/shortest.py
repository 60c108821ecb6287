"""The shortest order of visits over days, exactly, from their lengths alone.

It is the core's, and takes numbers: so what was found before, under the hash of the same numbers, can be found again
where somebody keeps it, and no family decides what an answer rests on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

import numpy as np

MAX_VISITS = 20
"""Visits of one trip that the exact dynamic programme takes; its table has 2^n × n entries (168 MB at 20)."""

_CHUNK = 1 << 11
"""Subsets whose lengths are found at a time: what they need stays in a core's cache."""

Order = tuple[float, tuple[int, ...]]
"""A trip's length, and its visits day after day."""

Orders = dict[str, list[Order]]
"""Trips by the hash of the numbers that they were sought from; for each tie one."""


_RECALLED: ContextVar[tuple[Orders, Orders] | None] = ContextVar("recalled", default=None)
"""What is known, and what is sought beside it."""


@contextmanager
def recall(cached_orders: Orders) -> Iterator[Orders]:
    """Have trips that are known not be sought again inside the `with`; yields those that are sought."""
    sought: Orders = {}
    token = _RECALLED.set((cached_orders, sought))
    try:
        yield sought
    finally:
        _RECALLED.reset(token)


def shortest_orders(
    between: np.ndarray, start: np.ndarray, end: np.ndarray, sizes: tuple[int, ...], ties: tuple[float, ...]
) -> list[Order]:
    """Return the shortest trip by each of the ties: its length, and its visits day after day.

    `between` has the lengths from visit to visit, (n, n); `start` and `end` those from each day's first stay to a visit
    and from it to the day's last, (days, n); `sizes` the number of visits of each day. Exact over all assignments of
    visits to days and all orders: dynamic programming over (visits left, last visit), sums added from the trip's end.
    Among trips whose lengths differ by no more than the tie at a step the lowest number goes first.

    Raises ValueError for no visit, for more than MAX_VISITS, or for a day without visits.
    """
    n = len(between)
    if not 1 <= n <= MAX_VISITS or 0 in sizes:
        raise ValueError(f"days of {sizes} visits: the exact optimum needs 1 to {MAX_VISITS} visits and no empty day")
    recall = _RECALLED.get()
    if recall is None:
        return _sought(between, start, end, sizes, ties)
    digest = hashlib.sha256(repr((sizes, ties)).encode())
    for lengths in (between, start, end):
        digest.update(np.ascontiguousarray(lengths, dtype=np.float64).tobytes())
    name, (cached_orders, sought) = digest.hexdigest(), recall
    if name not in cached_orders and name not in sought:
        sought[name] = _sought(between, start, end, sizes, ties)
    return cached_orders[name] if name in cached_orders else sought[name]


def _sought(
    between: np.ndarray, start: np.ndarray, end: np.ndarray, sizes: tuple[int, ...], ties: tuple[float, ...]
) -> list[Order]:
    n = len(between)
    ends_after = {int(v): d for d, v in enumerate(np.cumsum(sizes))}
    length_to_go = _cost_to_go(between, start, end, ends_after)
    trips = []
    for tie in ties:
        order: list[int] = []
        unvisited, pos, total = (1 << n) - 1, -1, 0.0
        while unvisited:
            visited = n - unvisited.bit_count()
            opens = 0 if visited == 0 else ends_after.get(visited, -1) + 1
            step = start[opens] if visited == 0 or opens else between[pos]
            options = [
                (float(step[j] + length_to_go[unvisited ^ (1 << j), j]), j) for j in range(n) if unvisited >> j & 1
            ]
            least = min(options)[0]
            total = total if visited else least
            pos = next(j for length, j in options if length <= least + tie)
            order.append(pos)
            unvisited ^= 1 << pos
        trips.append((total, tuple(order)))
    return trips


def _cost_to_go(between: np.ndarray, start: np.ndarray, end: np.ndarray, ends_after: dict[int, int]) -> np.ndarray:
    """Return length_to_go[unvisited, i]: the least length from visit i to the trip's end when the `unvisited` remain.

    Entries with i in `unvisited` mean nothing.
    """
    n = len(between)
    length_to_go = np.zeros((1 << n, n))
    length_to_go[0] = end[-1]
    lengths = length_to_go.reshape(-1)
    for remaining in range(1, n):
        day = ends_after.get(n - remaining)
        steps = between if day is None else start[day + 1][:, None]
        masks, members, onward = _layer(n, remaining)
        for low in range(0, len(masks), _CHUNK):
            part = slice(low, low + _CHUNK)
            best = np.full((len(masks[part]), steps.shape[1]), np.inf)
            for j, after in zip(members[:, part], onward[:, part], strict=True):
                np.minimum(best, steps.take(j, axis=0) + lengths.take(after)[:, None], out=best)
            length_to_go[masks[part]] = best if day is None else best + end[day]
    return length_to_go


@lru_cache(maxsize=64)
def _layer(n: int, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return all subsets of n items that have `size` members, as bit masks, (subsets,).

    With them, (size, subsets) each: their members, ascending; and where `length_to_go`, laid flat, has the length
    from each member on, when the others remain.
    """
    masks = np.arange(1 << n, dtype=np.int32)
    subsets = masks[np.bitwise_count(masks) == size]
    members = np.nonzero((subsets[:, None] >> np.arange(n, dtype=np.int32)) & 1)[1].reshape(len(subsets), size).T
    onward = (subsets ^ (1 << members)) * n + members
    return subsets, np.ascontiguousarray(members, dtype=np.int8), np.ascontiguousarray(onward, dtype=np.int32)
