"""A day without a sight takes some of the other days', else one that nobody minds: nobody spends it on meals alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Best, Trip
from assets.grouptravel.facts.ways import SPEEDS_KMH, Ways
from assets.grouptravel.solver import solve
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.wishes.preferences import CITIES, GLOBAL, empty_table
from tests.assets.grouptravel.province import WEEK
from tests.assets.grouptravel.test_attacker import WIDE_FARES, wide_trip
from tests.assets.grouptravel.test_gtb_solver import judged
from tests.assets.grouptravel.test_local_moves import RIDES
from tests.assets.grouptravel.weekend import daily

DAYS = 5


def town(weekdays: tuple[int, ...] = (), **sights: int) -> Pois:
    """Return a town of so many sights of each kind, four tables and a hotel, half an hour apart by taxi.

    Sights have no hours, or are open on these days of the week.
    """
    hours = daily("08:00", "22:00", weekdays) if weekdays else None
    listed = [(kind, "attractions", None) for kind, n in sights.items() for _ in range(n)]
    listed += [("noodles", "food", 10.0)] * 4 + [("comfort", "hotels", 50.0)]
    places = [
        Poi(
            f"{of}-{n:02d}", f"{kind} {chr(65 + n)}", of, kind, hours if cost is None else None, cost, 60 + n / 1000, 24
        )
        for n, (kind, of, cost) in enumerate(listed)
    ]
    ids, ways = [poi.place_id for poi in places], np.ones((len(places), len(places)))
    grids = [(mode, ids, ways * (1800 if mode == "taxi" else 5400)) for mode in SPEEDS_KMH if mode != "transit"]
    return Pois({"Oulu": places}, Ways(grids, None, RIDES))


def planned(pois: Pois, *, cap: int = 0, refused: str = "", budget: int = 0) -> tuple[Trip, Best]:
    """Return five days of two who like theatres, and the best plan, which is valid."""
    trip = replace(wide_trip(), leg_days=(0, DAYS - 1))
    for wanted in trip.tables.values():
        wanted[GLOBAL]["intensity"]["max_poi_per_day"], wanted[GLOBAL]["avg_budget"] = cap, budget
        wanted[CITIES]["Oulu"]["attractions"]["category_pref"]["negative"] = [refused] * bool(refused)
    best = solve(trip, pois, WIDE_FARES, EN)
    issues, utility = judged(trip, best, pois, WIDE_FARES)
    assert (issues, utility.total) == ((), best.total)
    return trip, best


def sights(best: Best) -> list[list[str]]:
    return [
        [c.poi.category for c in best.choices if c.day == day and c.poi.poi_type == "attractions"]
        for day in range(DAYS)
    ]


@pytest.mark.parametrize("theatres", [5, 6, 9])
def test_what_the_group_likes_is_spread_over_the_days(theatres):
    _, best = planned(town(theatre=theatres), cap=4)
    assert best.total == best.bound
    assert sum(map(len, sights(best))) == theatres
    assert min(map(len, sights(best)[1:-1])) >= 1


def test_sights_that_are_shut_on_a_day_stay_where_they_are():
    for weekdays in combinations(range(1, 6), 3):  # the trip begins on a Monday
        _, best = planned(town(weekdays, theatre=8), cap=4)
        assert best.total == best.bound
        assert sum(map(len, sights(best))) == 8


def test_what_nobody_minds_fills_a_day_and_what_somebody_refuses_or_nobody_goes_to_for_itself_does_not():
    _, best = planned(town(theatre=2, casino=3, nightclub=3, castle=6, zoo=3), refused="zoo")
    kinds = Counter(kind for day in sights(best) for kind in day)
    assert {*kinds} == {"theatre", "castle"}
    assert min(map(len, sights(best)[1:-1])) == 1


@pytest.mark.parametrize("kinds", [{"theatre": 2, "castle": 6}, {"theatre": 7}])
def test_the_ways_of_a_day_that_is_filled_break_no_budget(kinds, monkeypatch):
    pois = town(**kinds)
    trip, rich = planned(pois, cap=4)
    paid = judged(trip, rich, pois, WIDE_FARES)[1].users["User1"].cost
    budgets = range(int(paid) - 60, int(paid) + 2, 3)
    filled = [planned(pois, cap=4, budget=budget)[1].total for budget in budgets]
    monkeypatch.setattr("assets.grouptravel.witness.realisation.share_sights", lambda *_: None)
    assert filled == [planned(pois, cap=4, budget=budget)[1].total for budget in budgets]


@pytest.mark.parametrize("cap", [2, 3, 4])
def test_the_way_to_bed_in_a_city_where_nothing_is_visited_counts_as_active_too(cap):
    """The group has the day in Oulu and comes to Kemi at night: that way is in the scorer's hours, whoever plans it."""
    inn = Poi("inn", "Inn", "hotels", "comfort", None, 50.0, 65.0, 24.0)
    pois = Pois({"Oulu": town(theatre=4).in_city("Oulu"), "Kemi": [inn]}, town(theatre=4).ways)
    fares = Fares(
        {
            ("Home", "Oulu"): [Service("train", 20.0, 420, 480, WEEK)],
            ("Oulu", "Kemi"): [Service("train", 20.0, 1200, 1290, WEEK)],
            ("Kemi", "Home"): [Service("train", 20.0, 480, 600, WEEK)],
        }
    )
    trip = replace(wide_trip(), route=("Home", "Oulu", "Kemi", "Home"), leg_days=(0, 0, 1))
    for wanted in trip.tables.values():
        wanted[GLOBAL]["intensity"]["max_active_hours"] = cap
        wanted[CITIES]["Kemi"] = empty_table(("Kemi",))[CITIES]["Kemi"]
    best = solve(trip, pois, fares, EN)
    issues, utility = judged(trip, best, pois, fares)
    assert (issues, utility.total) == ((), best.total)
