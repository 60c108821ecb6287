"""Nobody beats the bound: an attacker that finds the flaws planted in three scorers finds none in ours."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assets.grouptravel.checks.day_conditions import MEALS, MOVES, STAYS
from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Trip
from assets.grouptravel.facts.ways import SPEEDS_KMH, Ways
from assets.grouptravel.solver import solve
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.wishes.preferences import Table
from assets.grouptravel.witness.as_plan import native_plan
from assets.grouptravel.witness.teams import Splits
from tests.assets.grouptravel import province as world
from tests.assets.grouptravel.attacked import Ground, draft_of, scorer
from tests.assets.grouptravel.attacker import attack
from tests.assets.grouptravel.test_gtb_solver import NAMED, trip_of
from tests.assets.grouptravel.weekend import table

TRIES = 300


def place(number: int, poi_type: str, category: str, cost: float | None = None) -> Poi:
    """Return a place in a row; what ways between them take is measured (HALF_AN_HOUR)."""
    name = f"{category} {chr(65 + number)}"
    return Poi(f"{poi_type}-{number:02d}", name, poi_type, category, None, cost, 60 + number / 1000, 24.0)


_PLACES = [
    *(place(n, "attractions", "theatre") for n in range(10)),
    *(place(n, "food", "noodles", 10.0) for n in range(10, 20)),
    place(20, "hotels", "comfort", 50.0),
]


def measured(minutes: Callable[[Poi], float]) -> Ways:
    """Return ways by road that all take so many minutes, by where they lead."""
    to = np.tile([60.0 * minutes(poi) for poi in _PLACES], (len(_PLACES), 1))
    return Ways([(mode, [poi.place_id for poi in _PLACES], to) for mode in SPEEDS_KMH if mode != "transit"])


HALF_AN_HOUR = measured(lambda _: 30)
WIDE = Pois({"Oulu": _PLACES}, HALF_AN_HOUR)
WIDE_FARES = Fares(
    {
        ("Home", "Oulu"): [Service("train", 20.0, 480, 600, world.WEEK)],
        ("Oulu", "Home"): [Service("train", 20.0, 1200, 1320, world.WEEK)],
    }
)


def wide_trip() -> Trip:
    """Return two days in a town where every way is long, of two who like every place."""
    wanted: Table = table(positive=["theatre"], prefer_eat=["noodles"])
    wanted["global_constraints"]["intensity"] = {"max_poi_per_day": 0, "max_active_hours": 0}
    return Trip(("Home", "Oulu", "Home"), (0, 1), world.skeleton("2-1", ("a",), 2).first_date,
                {"User1": wanted, "User2": wanted})  # fmt: skip


def bounds(trip: Trip, pois: Pois, fares: Fares):
    """Return the best plan together, and what no plan exceeds, splits and all."""
    best = solve(trip, pois, fares, EN)
    return best, Splits(trip, best, pois, fares, EN, with_compromise=False).bound(best.total)


def within(trip: Trip, budget: float) -> Trip:
    """Return the trip with everybody's budget at that."""
    tables = {user: copy.deepcopy(wanted) for user, wanted in trip.tables.items()}
    for wanted in tables.values():
        wanted["global_constraints"]["avg_budget"] = budget
    return replace(trip, tables=tables)


def paid_in(plan: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the legs, meals and nights of a plan: what says its price."""
    segments = [segment for day in plan["days"] for segment in day["city_segments"]]
    entries = [entry for segment in segments for entry in (segment, *(segment.get("activities") or []))]
    return [entry for entry in entries if entry.get("type") in ("intercity_transport", "food", "hotel")]


@pytest.mark.parametrize("short", [0.001, 0.004, 0.0049, 0.005])
def test_prices_stated_a_part_of_a_hundredth_short_widen_no_budget(short):
    best = solve(wide_trip(), WIDE, WIDE_FARES, EN)
    plan = native_plan(wide_trip(), best, EN)
    paid = sum(entry["avg_cost"] for entry in paid_in(plan))
    trip = within(wide_trip(), paid - 0.02)
    for entry in paid_in(plan):
        entry["avg_cost"] -= short
    bound = bounds(trip, WIDE, WIDE_FARES)[1]
    assert best.total > bound, "too dear by two hundredths"
    worth = scorer(trip, WIDE, WIDE_FARES)(plan)
    assert (worth is None) == (short == 0.005)
    assert worth is None or worth <= bound


def test_who_spends_the_budget_to_the_hundredth_does_not_exceed_it():
    uneven = Pois({"Oulu": [replace(poi, cost=poi.cost and poi.cost + 0.21) for poi in _PLACES]}, HALF_AN_HOUR)
    best = solve(wide_trip(), uneven, WIDE_FARES, EN)
    plan = native_plan(wide_trip(), best, EN)
    costs = [entry["avg_cost"] for entry in paid_in(plan)]
    exact = round(sum(costs), 2)
    assert sum(costs) > exact, "doubles miss by a little"
    assert scorer(within(wide_trip(), exact), uneven, WIDE_FARES)(plan) == best.total
    over = scorer(within(wide_trip(), exact - 0.01), uneven, WIDE_FARES)(plan)
    assert over is not None and over < best.total


def test_prices_with_halves_of_hundredths_are_rounded_alike_by_who_judges_and_who_bounds():
    odd = Pois({"Oulu": [replace(poi, cost=poi.cost and poi.cost + 0.055) for poi in _PLACES]}, HALF_AN_HOUR)
    plan = native_plan(wide_trip(), solve(wide_trip(), odd, WIDE_FARES, EN), EN)
    costs = [entry["avg_cost"] for entry in paid_in(plan)]
    assert any(round(100 * cost) > round(100 * round(cost, 2)) for cost in costs), "halves that are rounded two ways"
    trip = within(wide_trip(), round(sum(round(cost, 2) for cost in costs), 2))
    worth = scorer(trip, odd, WIDE_FARES)(plan)
    assert worth is not None and worth <= bounds(trip, odd, WIDE_FARES)[1]


def test_a_bed_that_nobody_reaches_by_midnight_leaves_the_last_visit_out():
    far = measured(lambda poi: 150 if poi.poi_type == "hotels" else 30)
    trip, town = wide_trip(), Pois({"Oulu": _PLACES}, far)
    best = solve(trip, town, WIDE_FARES, EN)
    assert scorer(trip, town, WIDE_FARES)(native_plan(trip, best, EN)) == best.total < best.bound


@pytest.mark.parametrize(("flaw", "way_min"), [(MEALS, 30), (STAYS, 30), (MOVES, 90)])
def test_the_attacker_finds_each_planted_flaw(flaw, way_min):
    trip, town = wide_trip(), Pois({"Oulu": _PLACES}, measured(lambda _: way_min))
    best, bound = bounds(trip, town, WIDE_FARES)
    ground = Ground(trip, town, WIDE_FARES, EN, tuple(trip.tables))
    start, score = draft_of(native_plan(trip, best, EN), ground), scorer(trip, town, WIDE_FARES, flaw)
    tried = ((seed, begin) for seed in (1, 2, 3) for begin in (start, None))
    assert any((attack(ground, score, tries=1500, seed=seed, start=begin)[0] or 0) > bound for seed, begin in tried)


@pytest.mark.parametrize("seed", [1])
def test_where_every_way_is_long_nothing_accepted_is_above_the_bound(seed):
    trip = wide_trip()
    best, bound = bounds(trip, WIDE, WIDE_FARES)
    ground, score = Ground(trip, WIDE, WIDE_FARES, EN, tuple(trip.tables)), scorer(trip, WIDE, WIDE_FARES)
    plan = native_plan(trip, best, EN)
    assert score(plan) == best.total
    for start in (None, draft_of(plan, ground)):
        found, _, accepted = attack(ground, score, tries=TRIES, seed=seed, start=start)
        assert accepted > 10
        assert found is not None and found <= bound


@pytest.mark.parametrize(
    ("group_id", "cities", "days", "child"),
    [
        ("2-3", ("a",), 3, False),
        ("5-3", ("a", "b"), 4, False),
        ("4-6", ("a",), 2, True),
        ("3-5", ("a", "b", "c"), 5, False),
    ],
)
def test_no_accepted_plan_of_the_province_is_above_the_bound(group_id, cities, days, child):
    trip = trip_of(group_id, cities, days, 1)
    if child:
        trip = replace(trip, children=("User9",))
    best, bound = bounds(trip, world.POIS, NAMED)
    assert best.total <= best.bound <= bound
    ground = Ground(trip, world.POIS, NAMED, EN, (*trip.tables, *trip.children))
    score = scorer(trip, world.POIS, NAMED)
    start = draft_of(native_plan(trip, best, EN), ground)
    for begin in (None, start):
        found, _, accepted = attack(ground, score, tries=TRIES, seed=3, start=begin)
        assert accepted
        assert found is None or found <= bound
