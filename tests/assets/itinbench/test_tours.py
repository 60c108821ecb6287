"""Exact optima: golden cases, and the obvious slow way, every assignment and every order."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.core.shortest import MAX_VISITS
from assets.itinbench.checks.tours import Day, best_trip, planar, trip_length
from assets.itinbench.witness.assignment import best_days

points = st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda p: (40 + p[0] / 1000, -75 + p[1] / 1000))


def as_point(pair):
    return (pair[0], pair[1])


def split(visits, sizes):
    cuts = np.cumsum([0, *sizes])
    return [tuple(visits[a:b]) for a, b in pairwise(cuts)]


def slow_best(days):
    """The least length over every order of all visits, cut into the days' sizes."""
    visits = [v for day in days for v in day.visits]
    sizes = [len(day.visits) for day in days]
    return min(
        trip_length([Day(d.start, d.end, part) for d, part in zip(days, split(order, sizes), strict=True)])
        for order in permutations(visits)
    )


def test_golden_day(golden_case):
    case = golden_case("IB-DG-1")
    stay, *visits = map(as_point, case["input"]["points_lat_lon_hotel_first"])
    day = Day(stay, stay, tuple(visits))
    planned, optimal = trip_length([day]), best_trip([day], tie=0)[0]
    assert planned == pytest.approx(case["expected"]["planned"], abs=5e-7)
    assert optimal == pytest.approx(case["expected"]["optimal"], abs=5e-7)
    assert 100 * (planned - optimal) / planned == pytest.approx(case["expected"]["gap_ratio_percent"], abs=5e-5)


def test_golden_trip_order_as_released(golden_case):
    case = golden_case("IB-TDG-1")
    days = []
    for stay, *visits in case["input"]["days_hotel_first"]:
        days.append(Day(as_point(stay), as_point(stay), tuple(map(as_point, visits))))
    optimal, order = best_trip(days, tie=0)
    assert trip_length(days) == pytest.approx(case["expected"]["planned"], abs=5e-7)
    assert optimal == pytest.approx(case["expected"]["optimal"], abs=5e-7)
    assert order == case["expected"]["optimal_order_local_ids"]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 3), min_size=1, max_size=3).filter(lambda s: sum(s) <= 6), st.data())
def test_no_trip_is_shorter_whatever_the_stays_and_sizes(sizes, data):
    days = [
        Day(data.draw(points), data.draw(points), tuple(data.draw(st.lists(points, min_size=n, max_size=n))))
        for n in sizes
    ]
    optimal, order = best_trip(days)
    assert optimal == pytest.approx(slow_best(days), abs=1e-9)
    visits = [v for day in days for v in day.visits]
    assert sorted(order) == list(range(len(visits)))
    walked = split([visits[i] for i in order], sizes)
    redone = [Day(d.start, d.end, part) for d, part in zip(days, walked, strict=True)]
    assert trip_length(redone) == pytest.approx(optimal, abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(st.lists(points, min_size=1, max_size=6), points)
def test_an_optimal_trip_is_its_own_optimum(visits, stay):
    half = len(visits) // 2
    days = [Day(stay, stay, tuple(part)) for part in (visits[:half], visits[half:]) if part]
    _, order = best_trip(days)
    sizes = [len(d.visits) for d in days]
    best = [Day(stay, stay, part) for part in split([visits[i] for i in order], sizes)]
    assert best_trip(best)[1] == list(range(len(visits)))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 3).flatmap(lambda d: st.lists(points, min_size=4 * d, max_size=4 * d)), points)
def test_the_solvers_optimiser_agrees_with_the_scorers(visits, stay):
    from_stay = np.array([planar(stay, v) for v in visits])
    between = np.array([[planar(a, b) for b in visits] for a in visits])
    length, days = best_days(from_stay, between, 1e-9)
    closed = [Day(stay, stay, tuple(visits[i] for i in day)) for day in days]
    assert sorted(i for day in days for i in day) == list(range(len(visits)))
    assert trip_length(closed) == pytest.approx(length, abs=1e-9)
    assert best_trip(closed)[0] == pytest.approx(length, abs=1e-9)


def test_four_days_of_four_agree_too():
    rng = np.random.default_rng(7)
    stay, *visits = [(40 + float(x), -75 + float(y)) for x, y in rng.random((17, 2))]
    from_stay = np.array([planar(stay, v) for v in visits])
    between = np.array([[planar(a, b) for b in visits] for a in visits])
    days = [Day(stay, stay, part) for part in split(visits, [4, 4, 4, 4])]
    assert best_days(from_stay, between, 1e-9)[0] == pytest.approx(best_trip(days)[0], abs=1e-9)


@pytest.mark.parametrize("sizes", [[], [0], [2, 0, 1], [MAX_VISITS + 1]])
def test_what_cannot_be_solved_exactly_is_an_error(sizes):
    here = (40.0, -75.0)
    with pytest.raises(ValueError, match="exact optimum"):
        best_trip([Day(here, here, (here,) * n) for n in sizes])


@pytest.mark.parametrize("visits", [0, 3, 6])
def test_the_solvers_optimiser_asks_for_days_of_four(visits):
    with pytest.raises(ValueError, match="days of 4"):
        best_days(np.zeros(visits), np.zeros((visits, visits)), 0)
