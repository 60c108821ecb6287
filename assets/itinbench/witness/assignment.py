"""The solver's own exact optimiser: visits to days, one stay, days of one size. The scorer has another (`tours.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations

import numpy as np

VISITS_PER_DAY = 4


@dataclass(frozen=True)
class _Level:
    """The states that have the same number of visits left: for each its next sets, and the states they lead to."""

    option: np.ndarray
    after: np.ndarray


def best_days(from_stay: np.ndarray, between: np.ndarray, tie: float) -> tuple[float, list[tuple[int, ...]]]:
    """Return the least total length of closed tours of VISITS_PER_DAY visits each, and those days' visits in order.

    `from_stay[i]` is the length between the stay and visit i, `between[i, j]` between visits, both symmetric, in one
    unit. Exact: every set of four gets its best order of twelve; then sets are chosen that part all visits, the
    lowest unused visit always being in the next set. Of choices whose lengths differ by no more than `tie` the first
    in lexicographic order is taken. Raises ValueError when the visits do not fill days of four.
    """
    n = len(from_stay)
    if n == 0 or n % VISITS_PER_DAY:
        raise ValueError(f"{n} visits do not fill days of {VISITS_PER_DAY}")
    sets, levels = _partitions(n)
    lengths, orders = _tours_of_four(from_stay, between, sets, tie)
    length_to_go, best_options = np.zeros(1), []
    for level in reversed(levels):
        totals = lengths[level.option] + length_to_go[level.after]
        length_to_go = totals.min(axis=1)
        best_options.append(np.argmax(totals <= length_to_go[:, None] + tie, axis=1))
    days, state = [], 0
    for level, choice in zip(levels, reversed(best_options), strict=True):
        pick = choice[state]
        days.append(tuple(int(v) for v in orders[level.option[state, pick]]))
        state = level.after[state, pick]
    return float(length_to_go[0]), days


def _tours_of_four(
    from_stay: np.ndarray, between: np.ndarray, sets: np.ndarray, tie: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the least closed tour through each set of four, and its order: the lexicographically first of equals."""
    one_way = np.array([p for p in permutations(range(VISITS_PER_DAY)) if p[0] < p[-1]])
    walks = sets[:, one_way]
    lengths = from_stay[walks[:, :, 0]] + from_stay[walks[:, :, -1]]
    for step in range(VISITS_PER_DAY - 1):
        lengths = lengths + between[walks[:, :, step], walks[:, :, step + 1]]
    first = np.argmax(lengths <= lengths.min(axis=1, keepdims=True) + tie, axis=1)
    rows = np.arange(len(sets))
    return lengths[rows, first], walks[rows, first]


@lru_cache(maxsize=8)
def _partitions(n: int) -> tuple[np.ndarray, list[_Level]]:
    """Return all sets of four of n visits, and level by level how the sets can part all n."""
    sets = list(combinations(range(n), VISITS_PER_DAY))
    number = {sum(1 << v for v in members): i for i, members in enumerate(sets)}
    states, levels = [(1 << n) - 1], []
    while states[0]:
        option, onward = [], []
        for state in states:
            lowest, *others = [v for v in range(n) if state >> v & 1]
            masks = [
                sum(1 << v for v in (lowest, *companions)) for companions in combinations(others, VISITS_PER_DAY - 1)
            ]
            option.append([number[mask] for mask in masks])
            onward.append([state ^ mask for mask in masks])
        states = sorted({state for row in onward for state in row})
        place = {state: i for i, state in enumerate(states)}
        levels.append(_Level(np.array(option), np.array([[place[state] for state in row] for row in onward])))
    return np.array(sets), levels
