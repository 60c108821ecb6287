"""The best plan together: judged by the scorer, which knows nothing of it, and against plans of all sorts."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from assets.grouptravel.checks.validity import verdict_and_utility as verdict_on
from assets.grouptravel.checks.validity_facts import Facts
from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.profiles import assigned
from assets.grouptravel.facts.trips import Best, Choice, Trip
from assets.grouptravel.plan import read_plan
from assets.grouptravel.solver import NoPlanError, bound_of, ensure_a_plan, solve
from assets.grouptravel.variants import OURS
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.wishes.candidates import leg_dates
from assets.grouptravel.wishes.preference_tables import make_tables
from assets.grouptravel.wishes.preferences import GLOBAL, STRONG
from assets.grouptravel.witness.as_plan import native_plan
from assets.grouptravel.witness.relaxed import Relaxation, Relaxed
from assets.grouptravel.witness.worth import Option
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
    facts = Facts(users, pois, EN, trip.route[0], trip.first_date, fares, days=trip.days, cities=trip.route[1:-1])
    assert plan.notes == ()
    verdict, utility = verdict_on(plan, trip.tables, facts, OURS)
    return verdict.issues, utility


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


@pytest.mark.parametrize(("group_id", "cities", "days"), [("4-6", ("b", "c"), 3), ("6-1", ("c",), 7)])
def test_a_budget_that_nobody_can_keep_costs_what_it_costs_and_forbids_nothing(group_id, cities, days):
    trip = trip_of(group_id, cities, days, 1)

    def bound(budget: int) -> int:
        given = {**trip.tables}
        for user, table in trip.tables.items():
            given[user] = {**table, GLOBAL: {**table[GLOBAL], "avg_budget": budget}}
        return bound_of(replace(trip, tables=given), world.POIS, NAMED, EN)

    assert bound(1) == bound(0) - STRONG * len(trip.tables)


def test_a_trip_on_which_nothing_is_worth_a_visit_is_its_legs_and_nights():
    trip = trip_of("3-5", ("a", "b"), 3, 1)
    found = Relaxation(trip, world.POIS, NAMED, EN, []).solve(1.0)
    assert found is not None
    assert (found.visits, len(found.legs), [len(beds) for beds in found.nights]) == ((), 3, [1, 1])
    assert found.points == found.bound


def test_a_part_of_a_service_brings_no_more_than_its_part_of_the_sights_of_a_day():
    trip = trip_of("2-1", ("a",), 2, 1)
    for table in trip.tables.values():
        table[GLOBAL]["intensity"].update(max_poi_per_day=2, max_active_hours=12)
        table[GLOBAL]["transport"].update(must=[EN.modes["flight"]], prefer=[], avoid=[], reject=[EN.modes["train"]])
    sights = [Poi(f"s{n}", f"Aston temple {n}", "attractions", "temple", None) for n in range(12)]
    pois = Pois({"Aston": [*sights, Poi("h0", "Aston economy 0", "hotels", "economy", None, 40.0)]})
    hours = [(((600 + n, 1140 + n),),) * 2 for n in range(12)]  # none as good as another
    options = [
        Option("Aston", "attractions", 2, (), 0.0, 30, 5, spans, (sight,))
        for spans, sight in zip(hours, sights, strict=True)
    ]
    early, late = Service("train", 40.0, 480, 540, world.WEEK), Service("flight", 90.0, 1170, 1230, world.WEEK)
    back = [Service("flight", 90.0, 560, 620, world.WEEK)]

    def top(*there: Service) -> int:
        fares = Fares({("Home", "Aston"): list(there), ("Aston", "Home"): back})
        return Relaxation(trip, pois, fares, EN, options).top

    assert top(early, late) == max(top(early), top(late))


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


def some_plans(trip: Trip, n: int):
    """Yield plans of all sorts, at times of their own: most of them valid, some of them good."""
    draws = random.Random(7)
    sights, food = SMALL.in_city("Aston", "attractions"), SMALL.in_city("Aston", "food")
    ways = [SMALL_FARES.services(*pair) for pair in (("Home", "Aston"), ("Aston", "Home"))]
    for _ in range(n):
        there, back = (draws.choice(services) for services in ways)
        bed, free = draws.choice(SMALL.in_city("Aston", "hotels")), draws.sample([*sights, *food], 7)
        choices = []
        for day, at, until in ((0, there.arrives + 30, 1320), (1, 480, back.departs - 30)):
            for poi in [free.pop() for _ in range(draws.randint(0, 3)) if free]:
                stay = 45 if poi.poi_type == "food" else 60 if poi.category == "museum" else 90
                start = max(at, 1020) if day == 0 and poi.poi_type == "food" else at
                if start + stay <= until:
                    choices.append(Choice(day, start, start + stay, "Aston", poi, ("taxi", 5)))
                    at = start + stay + 5
        last = max((c.end for c in choices if c.day == 0), default=there.arrives)
        choices.append(Choice(0, max(1200, last + 5), max(1200, last + 5), "Aston", bed, ("taxi", 5)))
        ordered = sorted(choices, key=lambda c: (c.day, c.start))
        yield Best((there, back), (0, 1), (bed,), tuple(ordered), 0)


@pytest.mark.parametrize("seed", [0, 3])
def test_no_plan_that_ours_accepts_is_better(seed):
    whole = trip_of("2-3" if seed % 2 else "4-1", ("a",), 2, seed)
    tables = dict(whole.tables)
    for n, table in enumerate(tables.values()):
        table["global_constraints"].update(avg_budget=180 + 25 * (n // 2 + seed))
        table["global_constraints"]["intensity"].update(max_poi_per_day=1 + n % 2, max_active_hours=3 + n % 3)
        city = table["city_specific_preferences"]["Aston"]
        city["attractions"]["must_visit"] = [f"Aston {('museum', 'temple', 'zoo')[(n + seed) % 3]} {(n + seed) % 3}"]
    trip = replace(whole, tables=tables)
    best = solve(trip, SMALL, SMALL_FARES, EN)
    issues, utility = judged(trip, best, SMALL, SMALL_FARES)
    assert (issues, utility.total) == ((), best.total)
    assert best.is_optimal
    totals = []
    for plan in some_plans(trip, 1500):
        issues, utility = judged(trip, plan, SMALL, SMALL_FARES)
        if not issues:
            totals.append(utility.total)
    assert len(totals) > 100
    assert best.total >= max(totals)
    assert max(totals) >= 0.5 * best.total, "the plans tried are good enough to tell"


def test_a_trip_without_service_or_hotel_has_no_plan():
    trip = trip_of("2-1", ("a",), 2, 1)
    with pytest.raises(NoPlanError, match="nothing runs from Home to Aston on 2025-10-06"):
        solve(trip, SMALL, Fares({}), EN)
    with pytest.raises(NoPlanError, match="Aston has no hotel"):
        solve(trip, Pois({"Aston": SMALL.in_city("Aston", "food")}), SMALL_FARES, EN)
    with pytest.raises(NoPlanError, match="no meals are open in Aston"):
        ensure_a_plan(trip, Pois({"Aston": SMALL.in_city("Aston", "hotels")}), SMALL_FARES, EN)


def test_what_the_relaxation_chose_is_kept_and_gives_the_same_plan(monkeypatch):
    trip, chosen = trip_of("2-1", ("a",), 2, 1), {}
    first = solve(trip, world.POIS, NAMED, EN, relaxed_plans=chosen)
    assert chosen
    monkeypatch.setattr("assets.grouptravel.solver.Relaxation.solve", None)  # is not asked again
    assert solve(trip, world.POIS, NAMED, EN, relaxed_plans=chosen) == first


@pytest.mark.parametrize("limit", [1e-9, 1e-4, 1e-3])
def test_a_search_cut_short_says_nothing_that_a_plan_exceeds(limit):
    trip = trip_of("5-3", ("a", "b"), 4, 1)
    best = solve(trip, world.POIS, NAMED, EN)
    assert bound_of(trip, world.POIS, NAMED, EN, limit=limit) >= best.total > 0


def test_a_way_to_spread_the_nights_of_which_no_plan_was_found_counts_for_the_bound(monkeypatch):
    trip, solved, bound = trip_of("5-3", ("a", "b"), 4, 1), Relaxation.solve, 10_000

    def cut_short(self, limit, above=None):
        is_own = self._trip.leg_days == trip.leg_days and self._factor == 1.0
        return solved(self, limit, above) if is_own else Relaxed((), (), (), (), bound, bound)

    monkeypatch.setattr(Relaxation, "solve", cut_short)
    assert solve(trip, world.POIS, NAMED, EN).bound == bound


@pytest.mark.parametrize(("group_id", "cities", "days"), [("3-5", ("a", "b"), 3), ("5-3", ("a", "b", "c"), 5)])
def test_what_is_known_of_plans_with_compromise_changes_no_bound_and_ends_the_search(
    group_id, cities, days, monkeypatch
):
    trip = trip_of(group_id, cities, days, 1)
    alone, giving = solve(trip, world.POIS, NAMED, EN), solve(trip, world.POIS, NAMED, EN, with_compromise=True)
    assert alone.is_optimal and giving.total == giving.bound == alone.bound, "nobody of this trip compromises"
    made = []
    monkeypatch.setattr(Relaxation, "solve", noted(Relaxation.solve, made))
    helped = solve(trip, world.POIS, NAMED, EN, giving=giving)
    assert (helped.total, helped.bound) == (alone.total, alone.bound)
    assert len(made) == 1, "the plan of the first way to spread the nights is worth what none exceeds"
    hindered = solve(trip, world.POIS, NAMED, EN, giving=replace(giving, bound=giving.bound + 1))
    assert (hindered.total, hindered.bound) == (alone.total, alone.bound)


def noted(method, calls):
    def call(*given, **named):
        calls.append(given)
        return method(*given, **named)

    return call
