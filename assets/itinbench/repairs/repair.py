"""Repairs: the satisfiable records that an unsatisfiable draft may become, and the choice of one of them."""

from __future__ import annotations

from functools import cache

import numpy as np

from assets.itinbench.repairs.space import EDITS, SHAPE, Cell, edits_from

EXTRA_EDITS = 1
"""How many edits more than the fewest possible a repair may have, if the set's variety asks for it."""

UNREACHABLE = np.int8(64)
"""Edits more than any record is from another."""

EDIT_COST = 3.0
"""What an edit costs in the choice, as a log weight: other things equal, one more edit is e^3 = 20 times rarer."""


def options(cell: Cell, satisfiable: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the repairs of a draft, as flat positions in the array of all records, and the edits each makes.

    A repair is a satisfiable record none of whose edits could be undone: putting back a field, or one preference, of
    the draft makes it unsatisfiable again. It has the fewest edits possible or `EXTRA_EDITS` more. A draft that is
    satisfiable has itself as its only repair, with 0 edits. Both are empty if nothing is satisfiable.
    """
    if satisfiable[cell]:
        return np.array([np.ravel_multi_index(cell, SHAPE)]), np.zeros(1, dtype=np.int64)
    edits = (edits_from(cell) + ~satisfiable * UNREACHABLE).ravel()
    fewest = int(edits.min())
    if fewest >= UNREACHABLE:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    flat = np.flatnonzero(edits <= fewest + EXTRA_EDITS)
    flat = flat[~_undoable(cell, flat, satisfiable)]
    return flat, edits[flat].astype(np.int64)


def _undoable(cell: Cell, flat: np.ndarray, satisfiable: np.ndarray) -> np.ndarray:
    """Return which of the records could have one of their edits undone and stay satisfiable."""
    is_undoable = np.zeros(len(flat), dtype=bool)
    at = list(np.unravel_index(flat, SHAPE))
    for axis in range(len(SHAPE)):
        for nearer in _nearer(axis)[:, cell[axis], :]:
            back = nearer[at[axis]]
            has_nearer = back >= 0
            undone = [np.where(has_nearer, back, at[a]) if a == axis else at[a] for a in range(len(SHAPE))]
            is_undoable |= has_nearer & satisfiable[tuple(undone)]
    return is_undoable


@cache
def _nearer(axis: int) -> np.ndarray:
    """Return, by draft's value and repaired value, the values one edit nearer to the draft's; -1 fills up.

    The shape is (as many as any pair has, values, values).
    """
    edits = EDITS[axis].astype(int)
    values_by_pair = {
        (x, y): [z for z in range(len(edits)) if edits[y, z] == 1 and edits[x, z] == edits[x, y] - 1]
        for x in range(len(edits))
        for y in range(len(edits))
        if x != y
    }
    table = np.full((max(map(len, values_by_pair.values())), *edits.shape), -1)
    for (x, y), nearer in values_by_pair.items():
        table[: len(nearer), x, y] = nearer
    return table


def gumbel(key: int, items: np.ndarray) -> np.ndarray:
    """Return standard Gumbel noise for each item: a function of key and item alone, so that other items change nothing.

    The item with the largest log weight plus noise is a draw by weight (Gumbel 1954). Bits are mixed as in SplitMix64
    (Steele, Lea and Flood 2014).
    """
    with np.errstate(over="ignore"):
        bits = (items.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(key)
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        bits = bits ^ (bits >> np.uint64(31))
    uniform = ((bits >> np.uint64(11)).astype(float) + 0.5) / 2.0**53
    return -np.log(-np.log(uniform))
