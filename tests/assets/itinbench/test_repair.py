"""Repairs: exactly the satisfiable records that no smaller change of the draft would reach, by the obvious slow way."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize
from threadpoolctl import threadpool_info

from assets.itinbench.repairs.repair import EXTRA_EDITS, gumbel, options
from assets.itinbench.repairs.space import FIELDS, SHAPE, VALUES, Cell, cell_at
from assets.itinbench.repairs.weights import fit
from assets.itinbench.section import ItinbenchSection


def edits(a: Cell, b: Cell) -> int:
    total = 0
    for field, x, y in zip(FIELDS, a, b, strict=True):
        if field in ("restaurant", "hotel"):
            left, right = set(VALUES[field][x]), set(VALUES[field][y])
            total += max(len(left - right), len(right - left))
        else:
            total += x != y
    return total


def slow_options(cell: Cell, satisfiable: np.ndarray) -> dict[Cell, int]:
    if satisfiable[cell]:
        return {cell: 0}
    reach = {cell_at(int(flat)): edits(cell, cell_at(int(flat))) for flat in np.flatnonzero(satisfiable)}
    fewest = min(reach.values(), default=0)
    return {
        found: n
        for found, n in reach.items()
        if n <= fewest + EXTRA_EDITS
        and not any(edits(cell, other) == n - 1 and edits(other, found) == 1 for other in reach)
    }


@pytest.mark.parametrize("seed", range(30))
def test_options_are_the_changes_that_cannot_be_smaller(seed: int):
    rng = np.random.default_rng(seed)
    draft = cell_at(int(rng.integers(np.prod(SHAPE))))
    satisfiable = np.zeros(SHAPE, dtype=bool)
    for _ in range(150):  # most of them near the draft, so that some lie between it and others
        near = [int(rng.integers(size)) if rng.random() < 0.35 else at for at, size in zip(draft, SHAPE, strict=True)]
        satisfiable[tuple(near)] = True
    satisfiable[draft] &= seed % 10 == 0
    flat, counts = options(draft, satisfiable)
    assert {cell_at(int(f)): int(n) for f, n in zip(flat, counts, strict=True)} == slow_options(draft, satisfiable)


def test_nothing_satisfiable_leaves_no_option():
    flat, counts = options((0, 0, 0, 0, 0, 0), np.zeros(SHAPE, dtype=bool))
    assert len(flat) == len(counts) == 0


def test_noise_of_an_item_does_not_depend_on_the_others():
    assert gumbel(7, np.array([3, 5, 9]))[1] == gumbel(7, np.array([5]))[0] != gumbel(8, np.array([5]))[0]


def test_the_largest_weight_plus_noise_is_a_draw_by_weight():
    weights = np.log([0.5, 0.3, 0.2])
    wins = np.bincount([int(np.argmax(weights + gumbel(key * 7919, np.arange(3)))) for key in range(20_000)])
    assert wins / 20_000 == pytest.approx([0.5, 0.3, 0.2], abs=0.015)


def test_weights_are_fitted_by_one_thread(monkeypatch):
    """Threads for so few weights wait for each other, which takes three times as long where others are at work."""
    threads, minimize = set(), scipy.optimize.minimize

    def noted(*given, **named):
        threads.update(pool["num_threads"] for pool in threadpool_info())
        return minimize(*given, **named)

    monkeypatch.setattr(scipy.optimize, "minimize", noted)
    fit(ItinbenchSection(tasks_per_city=1), np.ones(SHAPE, dtype=bool))
    assert threads == {1}
