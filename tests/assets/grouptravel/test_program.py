"""Integer programs against trying every solution: what is found is best, and what is said of a bound is one."""

from __future__ import annotations

import math
import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ortools.linear_solver.python import model_builder_helper
from ortools.linear_solver.python.model_builder_helper import SolveStatus

from assets.grouptravel.witness import program as program_module
from assets.grouptravel.witness.program import AGAIN, FIRST, Program, Solution

Rows = list[tuple[list[int], int, bool]]

FACTORS = st.integers(-3, 5)
SMALL = st.lists(st.tuples(st.integers(1, 2), st.integers(-3, 6)), min_size=1, max_size=5).flatmap(
    lambda counts: st.tuples(
        st.just(counts),
        st.lists(st.tuples(st.lists(FACTORS, min_size=len(counts), max_size=len(counts)), st.integers(0, 6)),
                 min_size=1, max_size=3),
        st.integers(1, 3) | st.none(),
        st.integers(-4, 4),
    )
)  # fmt: skip
"""Counts as (most, points), rows as (factors, most), what all counts sum to if anything, points of every solution."""


def program_of(drawn: Any) -> Program:
    counts, rows, total, constant = drawn
    program = Program()
    variables = [program.count(most, points) for most, points in counts]
    for factors, most in rows:
        program.at_most(variables, factors, most)
    if total is not None:
        program.exactly(variables, total)
    program.add(constant)
    return program


def values_of(drawn: Any) -> dict[tuple[int, ...], int]:
    """Return every solution with its points, by trying all."""
    counts, rows, total, constant = drawn
    return {
        chosen: constant + sum(n * points for n, (_, points) in zip(chosen, counts, strict=True))
        for chosen in product(*(range(most + 1) for most, _ in counts))
        if all(sum(f * n for f, n in zip(factors, chosen, strict=True)) <= most for factors, most in rows)
        and total in (None, sum(chosen))
    }


def require_best(found: Solution | None, values: dict[tuple[int, ...], int], above: int | None) -> None:
    """Hold what was found against the values of all solutions: the best of them, none where none is above."""
    best = max(values.values(), default=None)
    if best is None or (above is not None and best <= above):
        assert found is None
        return
    assert found is not None
    assert (found.points, found.bound) == (best, best)
    assert values[found.counts] == best


@given(SMALL, st.integers(-10, 40) | st.none())
def test_the_best_solution_is_found_and_none_where_none_is_above(drawn, above):
    values = values_of(drawn)
    require_best(program_of(drawn).solve(2.0, above), values, above)


@pytest.mark.parametrize("seed", range(60))
def test_whatever_the_duals_are_no_solution_exceeds_the_top_and_the_best_is_found(seed, monkeypatch):
    draws = np.random.default_rng(seed)

    def wrong(points: Any, _most: Any, _matrix: Any, sums: Any, _is_exact: Any) -> Any:
        return draws.integers(-2, 4, len(sums)).astype(float), draws.integers(0, 2, len(points)).astype(float)

    monkeypatch.setattr(program_module, "linear_optimum", wrong)
    few = random.Random(seed)
    counts = [(few.randint(1, 2), few.randint(-3, 6)) for _ in range(5)]
    drawn = (
        counts,
        [([few.randint(-1, 5) for _ in counts], few.randint(2, 30)) for _ in range(3)],
        few.choice([2, None]),
        -1,
    )
    values = values_of(drawn)
    found, best = program_of(drawn).solve(2.0), max(values.values(), default=None)
    assert program_of(drawn).top >= (best if best is not None else -99)
    assert (found.points if found is not None else None) == best


def test_a_gap_below_the_linear_relaxation_is_closed():
    program = Program()
    counts = [program.count(1, 2) for _ in range(3)]
    for n in range(3):
        program.at_most((counts[n], counts[n - 1]), None, 1)
    assert program.top == 3
    found = program.solve(2.0, 1)
    assert found is not None and (found.points, found.bound) == (2, 2)
    assert program.solve(2.0, 2) is None


def test_what_loses_just_little_enough_to_be_better_is_looked_at(monkeypatch):
    program = Program()
    first, better = program.count(1, 3), program.count(1, 4)
    program.at_most((first, better), None, 1)
    program.at_most((better,), None, 1)
    told = np.array([3.0, 2.0]), np.array([1.0, 0.0])
    monkeypatch.setattr(program_module, "linear_optimum", lambda *_: told)
    assert program.top == 5, "the first loses nothing of it, the better 1"
    found = program.solve(2.0)
    assert found is not None and (found.counts, found.bound) == ((0, 1), 4)


def knapsack() -> Program:
    """Return a program with gains and losses, and points that begin below 0."""
    program, draws = Program(), random.Random(1)
    counts = [program.count(3, draws.randint(-2, 9)) for _ in range(40)]
    for _ in range(5):
        program.at_most(counts, [draws.randint(1, 9) for _ in counts], 60)
    program.add(-7)
    return program


def test_what_a_search_took_is_known():
    program = knapsack()
    program.find(2.0)
    took = program._spent
    program.find(took / 4)
    assert 0 < program._spent < took


def test_a_search_without_time_has_no_bound_below_the_best():
    best, cut = knapsack().solve(2.0), knapsack().solve(1e-9)
    assert best is not None and cut is not None
    assert best.counts and not cut.counts
    assert cut.bound >= best.points == best.bound > 0
    hurried = knapsack().find(1e-9)
    assert hurried is not None and hurried.bound >= best.points, "the solver's own 0 is below the best"


def test_the_search_begins_with_what_was_made_with_what_the_linear_solution_takes(monkeypatch):
    program = Program()
    taken, other = program.counts([1, 1], 2), program.counts([1, 1], 2)
    program.at_most(taken, None, 1)
    program.at_most(other, None, 0)
    program.at_most((*taken, *other), (1, 1, 3, 3), 3)
    search, asked = Program._search, []

    def noted(self, able, limit, above, **how):
        asked.append((able.tolist(), above))
        return search(self, able, limit, above, **how)

    monkeypatch.setattr(Program, "_search", noted)
    found = program.solve(2.0)
    assert found is not None and (found.points, found.bound) == (2, 2)
    assert asked == [([*taken], None)], "one that makes as much as the linear relaxation says ends it"


def test_without_an_answer_of_the_linear_relaxation_all_is_looked_through(monkeypatch):
    class Lost(model_builder_helper.ModelSolverHelper):
        def status(self) -> SolveStatus:
            return SolveStatus.ABNORMAL

        def dual_values(self) -> Any:
            return np.full(5, 1e6)

    monkeypatch.setattr(model_builder_helper, "ModelSolverHelper", Lost)
    program = knapsack()
    assert program.top == sum(3 * points for points in program._points if points > 0) - 7
    found, best = program.solve(2.0), program.find(2.0)
    assert found is not None and best is not None
    assert (found.points, found.bound) == (best.points, best.points)


@pytest.mark.parametrize("lies_far", [True, False])
def test_a_proof_has_the_time_that_is_left_and_far_below_the_linear_relaxation_more(lies_far, monkeypatch):
    best = knapsack().find(2.0)
    assert best is not None
    known = knapsack().top - (9 if lies_far else 1)
    asked: list[Any] = []

    def staged(self, able, limit, above, *, top=None, is_proof=False):
        asked.append((limit, above))
        self._spent = 0.1
        if len(asked) == 1:  # the best of what the linear solution takes
            return Solution(best.counts, known, known)
        return Solution((), best.points, best.points)  # the time is over: nothing found, and a bound that is high

    monkeypatch.setattr(Program, "_search", staged)
    found = knapsack().solve(0.4)
    assert found is not None
    assert asked == [(0.4 * FIRST, None), (pytest.approx(0.4 * AGAIN if lies_far else 0.3), known)]
    assert (found.points, found.bound) == (known, max(known, best.points))


IN_TURN = st.lists(st.integers(1, 9), min_size=1, max_size=3).map(sorted)
"""What those in turn each allow to exceed, the least first."""


def with_turns(drawn: Any, thresholds: list[int]) -> Program:
    """Return the program, with 3 points less for each threshold that the sum of twice the counts exceeds."""
    program, counts = program_of(drawn), range(len(drawn[0]))
    over = [program.count(1, -3) for _ in thresholds]
    most = 2 * sum(most for most, _ in drawn[0])
    for threshold, exceeds in zip(thresholds, over, strict=True):
        program.at_most((*counts, exceeds), (*(2 for _ in counts), -most), threshold)
    program.in_turn(over)
    return program


def values_in_turn(drawn: Any, thresholds: list[int]) -> dict[tuple[int, ...], int]:
    """Return every solution of the program with its points, by trying all."""
    found = {}
    for chosen, points in values_of(drawn).items():
        least = sum(2 * sum(chosen) > threshold for threshold in thresholds)
        for n in range(least, len(thresholds) + 1):
            found[*chosen, *(1,) * n, *(0,) * (len(thresholds) - n)] = points - 3 * n
    return found


def holds(program: Program, values: dict[tuple[int, ...], int]) -> bool:
    """Return whether no solution exceeds the top, nor one that takes any of a variable the top less what that loses."""
    exact, loss, _ = program._dual
    return all(
        points <= exact - max((loss[n] for n, count in enumerate(chosen) if count), default=0) + 1e-4
        for chosen, points in values.items()
    )


@given(SMALL, IN_TURN, st.integers(-10, 40) | st.none())
def test_the_best_solution_is_found_where_some_variables_are_1_in_turn(drawn, thresholds, above):
    values = values_in_turn(drawn, thresholds)
    program = with_turns(drawn, thresholds)
    assert holds(program, values)
    assert program.top <= math.floor(program._relaxed([], [])[0] + 1e-4)
    require_best(program.solve(2.0, above), values, above)


@pytest.mark.parametrize("seed", range(40))
def test_whatever_the_duals_are_no_solution_exceeds_the_top_of_the_cases_in_turn(seed, monkeypatch):
    draws, few = np.random.default_rng(seed), random.Random(seed)

    def wrong(points: Any, _most: Any, _matrix: Any, sums: Any, _is_exact: Any) -> Any:
        return draws.integers(-2, 4, len(sums)).astype(float), draws.integers(0, 2, len(points)) / 2

    monkeypatch.setattr(program_module, "linear_optimum", wrong)
    counts = [(few.randint(1, 2), few.randint(-3, 6)) for _ in range(4)]
    drawn = (counts, [([few.randint(-1, 5) for _ in counts], few.randint(2, 30)) for _ in range(2)], None, -1)
    thresholds = sorted(few.randint(1, 9) for _ in range(2))
    values = values_in_turn(drawn, thresholds)
    assert holds(with_turns(drawn, thresholds), values)
    found = with_turns(drawn, thresholds).solve(2.0)
    assert found is not None and found.points == max(values.values())


def test_what_loses_much_of_a_part_and_nothing_of_its_own_case_is_looked_at():
    program = Program()
    dear, cheap = program.count(2, 8), program.count(1, 5)
    over = program.count(1, -8)
    program.at_most((dear, cheap), None, 1)
    program.at_most((dear, cheap, over), (3, 1, -30), 1)
    program.in_turn([over])
    assert program._relaxed([], [])[0] > 7, "the dear one for a fifteenth of the price"
    assert holds(program, {(0, 0, 0): 0, (0, 1, 0): 5, (1, 0, 1): 0, (0, 1, 1): -3, (0, 0, 1): -8})
    found = program.solve(2.0, 4)
    assert found is not None and (found.counts, found.bound) == ((0, 1, 0), 5)


def test_none_in_turn_is_1_unless_all_before_it_are():
    program = Program()
    first, second = program.count(1, -1), program.count(1, 5)
    program.at_most((first,), None, 0)
    program.in_turn([first, second])
    found = program.solve(2.0)
    assert found is not None and (found.counts, found.points) == ((0, 0), 0)


@pytest.mark.parametrize(("in_turn", "top"), [(False, 11), (True, 8)])
def test_a_part_of_what_costs_a_whole_is_not_taken_for_it(in_turn, top):
    program = Program()
    counts = [program.count(1, 4) for _ in range(3)]
    over = program.count(1, -4)
    program.at_most((*counts, over), (1, 1, 1, -30), 2)  # relaxed, a thirtieth of `over` pays for the third
    if in_turn:
        program.in_turn([over])
    assert program.top == top


def test_the_same_program_has_the_same_solution():
    assert knapsack().solve(2.0) == knapsack().solve(2.0)
