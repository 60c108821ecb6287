"""An integer program whose search is cut short: what is said of it is a bound, or is not said."""

from __future__ import annotations

import random
from typing import Any

from ortools.sat.python import cp_model

from assets.grouptravel.witness.solving import bound_of, solved


def knapsack() -> Any:
    """Return a program with gains and losses, and an objective that begins below 0."""
    model, draws = cp_model.CpModel(), random.Random(1)
    counts = [model.new_int_var(0, 3, "") for _ in range(40)]
    for _ in range(5):
        model.add(sum(draws.randint(1, 9) * count for count in counts) <= 60)
    model.maximize(sum(draws.randint(-2, 9) * count for count in counts) - 7)
    return model


def test_a_search_without_time_has_no_bound_below_the_best():
    best, is_best = solved(knapsack(), 2.0, is_presolved=True)
    assert is_best == "OPTIMAL"
    model = knapsack()
    cut, status = solved(model, 1e-9, is_presolved=True)
    assert (status, cut.best_objective_bound) == ("UNKNOWN", 0), "the solver's own 0 is below the best"
    assert bound_of(model, cut, status) >= best.objective_value > 0
    assert bound_of(model, cut, "FEASIBLE") >= best.objective_value, "a plan found says nothing of a bound"


def test_a_finished_search_has_its_value_as_bound():
    model = knapsack()
    solver, status = solved(model, 2.0, is_presolved=False)
    assert bound_of(model, solver, status) == round(solver.objective_value)
