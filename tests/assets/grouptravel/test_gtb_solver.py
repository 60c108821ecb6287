"""The together optimum: judged by the scorer, which knows nothing of it, and against trying everything."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product

import pytest

from assets.grouptravel.checks.utility import group_utility
from assets.grouptravel.checks.validity import validity
from assets.grouptravel.checks.validity_facts import Facts
from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.facts.pois import Poi, Pois
from assets.grouptravel.facts.profiles import assigned
from assets.grouptravel.facts.trips import Best, Choice, Trip
from assets.grouptravel.plan import read_plan
from assets.grouptravel.solver import NoPlanError, solve
from assets.grouptravel.variants import OURS
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.wishes.candidates import leg_dates
from assets.grouptravel.wishes.preference_tables import make_tables
from assets.grouptravel.witness.as_plan import native_plan
from tests.assets.grouptravel import province as world
from tests.assets.grouptravel.weekend import daily

NAMED = Fares({(world.NAMES[one], world.NAMES[other]): world.FARES.services(one, other) for one, other in world.PAIRS})


def trip_of(group_id: str, cities: tuple[str, ...], days: int, seed: int) -> Trip:
    of = world.skeleton(group_id, cities, days)
    members, _ = assigned(of.archetype, world.PROFILES, of.task_id, seed)
    tables = make_tables(of, world.setting(of), members, seed=seed, budget_step=50).tables
    offsets = tuple((date - of.first_date).days for date in leg_dates(of))
    route = tuple(world.NAMES[city] for city in of.route)
    return Trip(route, offsets, of.first_date, {f"User{n}": table for n, table in sorted(tables.items())})


def judged(trip: Trip, best: Best, pois: Pois, fares: Fares):
    users = tuple(trip.tables)
    plan = read_plan(native_plan(trip, best, EN))
    facts = Facts(users, pois, EN, trip.route[0], trip.first_date, fares)
    assert plan.notes == ()
    return validity(plan, facts, OURS).issues, group_utility(plan, trip.tables, users, pois, OURS)


@pytest.mark.parametrize(
    ("group_id", "cities", "days"),
    [
        ("2-1", ("a",), 2),
        ("3-5", ("a", "b"), 3),
        ("4-6", ("b", "c"), 3),
        ("5-3", ("a", "b", "c"), 5),
        ("6-1", ("c",), 7),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_witness_is_valid_and_worth_what_the_solver_says(group_id, cities, days, seed):
    trip = trip_of(group_id, cities, days, seed)
    best = solve(trip, world.POIS, NAMED, EN)
    issues, utility = judged(trip, best, world.POIS, NAMED)
    assert issues == ()
    assert (utility.total, utility.penalty) == (best.total, 0)
    assert solve(trip, world.POIS, NAMED, EN) == best


SMALL = Pois(
    {
        "Aston": [
            *(Poi(f"s{n}", f"Aston {kind} {n}", "attractions", kind, hours) for n, (kind, hours) in enumerate(
                [("museum", daily("09:00", "10:45")), ("temple", None), ("zoo", None)])),
            *(Poi(f"f{n}", f"Aston {kind} {n}", "food", kind, hours, cost) for n, (kind, cost, hours) in enumerate(
                [("noodles", 10.0, None), ("pizza", 30.0, None), ("hotpot", 20.0, daily("11:00", "22:00")),
                 ("bakery", 5.0, daily("07:00", "12:00"))])),
            Poi("h0", "Aston comfort 0", "hotels", "comfort", None, 80.0),
            Poi("h1", "Aston economy 1", "hotels", "economy", None, 40.0),
        ]
    }
)  # fmt: skip
SMALL_FARES = Fares(
    {
        ("Home", "Aston"): [
            Service("train", 40.0, 840, 960, world.WEEK),
            Service("flight", 90.0, 900, 950, world.WEEK),
        ],
        ("Aston", "Home"): [
            Service("train", 40.0, 870, 990, world.WEEK),
            Service("high_speed", 60.0, 700, 760, world.WEEK),
        ],
    }
)


def everything(trip: Trip):
    """Yield every plan of the declared set: dinner, then breakfast, sights and lunch as the way home lets."""
    sights, food = SMALL.in_city("Aston", "attractions"), SMALL.in_city("Aston", "food")
    ways = (SMALL_FARES.services(*pair) for pair in (("Home", "Aston"), ("Aston", "Home")))
    for there, back in product(*ways):
        meals = [(0, 6), (1, 0), *([(1, 3)] if back.departs >= 870 else [])]
        visits = [(1, 1), *([(1, 2)] if back.departs >= 780 else [])]
        for hotel, dishes, seen in product(
            SMALL.in_city("Aston", "hotels"),
            permutations(food, len(meals)),
            dict.fromkeys(permutations([0, 1, 2, None, None], len(visits))),
        ):
            filled = [
                *zip(meals, dishes, strict=True),
                *((slot, sights[n]) for slot, n in zip(visits, seen, strict=True) if n is not None),
            ]
            choices = sorted(
                (Choice(day, slot, "Aston", poi) for (day, slot), poi in filled), key=lambda c: (c.day, c.slot)
            )
            yield Best((there, back), {"Aston": hotel}, tuple(choices), 0)


@pytest.mark.parametrize("seed", [0, 3])
def test_no_plan_of_the_declared_set_is_better(seed):
    whole = trip_of("2-3" if seed % 2 else "4-1", ("a",), 2, seed)
    tables = dict(whole.tables)
    for n, table in enumerate(tables.values()):
        table["global_constraints"].update(avg_budget=180 + 25 * (n // 2 + seed))
        table["global_constraints"]["intensity"].update(max_poi_per_day=1 + n % 2, max_active_hours=2 + n % 3)
        city = table["city_specific_preferences"]["Aston"]
        city["attractions"]["must_visit"] = [f"Aston {('museum', 'temple', 'zoo')[(n + seed) % 3]} {(n + seed) % 3}"]
    trip = replace(whole, tables=tables)
    best = solve(trip, SMALL, SMALL_FARES, EN)
    issues, utility = judged(trip, best, SMALL, SMALL_FARES)
    assert (issues, utility.total) == ((), best.total)
    totals = []
    for plan in everything(trip):
        issues, utility = judged(trip, plan, SMALL, SMALL_FARES)
        if not issues:
            totals.append(utility.total)
    assert len(totals) > 100
    assert best.total == max(totals)


def test_a_trip_without_service_or_hotel_has_no_plan():
    trip = trip_of("2-1", ("a",), 2, 1)
    with pytest.raises(NoPlanError, match="nothing runs from Home to Aston on 2025-10-06"):
        solve(trip, SMALL, Fares({}), EN)
    with pytest.raises(NoPlanError, match="Aston has no hotel"):
        solve(trip, Pois({"Aston": SMALL.in_city("Aston", "food")}), SMALL_FARES, EN)
    with pytest.raises(NoPlanError, match="no meals are open"):
        solve(trip, Pois({"Aston": SMALL.in_city("Aston", "hotels")}), SMALL_FARES, EN)
