"""A day without a sight takes some of the other days', else one that nobody minds: nobody spends it on meals alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Best, Trip
from assets.grouptravel.solver import solve
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.wishes.preferences import CITIES, GLOBAL
from tests.assets.grouptravel.test_attacker import HALF_AN_HOUR, WIDE_FARES, wide_trip
from tests.assets.grouptravel.test_gtb_solver import judged

DAYS = 5


def town(**sights: int) -> Pois:
    """Return a town of so many sights of each kind, four tables and a hotel, half an hour apart."""
    listed = [(kind, "attractions", None) for kind, n in sights.items() for _ in range(n)]
    listed += [("noodles", "food", 10.0)] * 4 + [("comfort", "hotels", 50.0)]
    places = [
        Poi(f"{of}-{n:02d}", f"{kind} {chr(65 + n)}", of, kind, None, cost, 60 + n / 1000, 24.0)
        for n, (kind, of, cost) in enumerate(listed)
    ]
    return Pois({"Oulu": places}, HALF_AN_HOUR)


def planned(pois: Pois, *, cap: int = 0, refused: str = "", budget: int = 0) -> tuple[Trip, Best]:
    """Return five days of two who like theatres, and the best plan, which is valid."""
    trip = replace(wide_trip(), leg_days=(0, DAYS - 1))
    for wanted in trip.tables.values():
        wanted[GLOBAL]["intensity"]["max_poi_per_day"], wanted[GLOBAL]["avg_budget"] = cap, budget
        wanted[CITIES]["Oulu"]["attractions"]["category_pref"]["negative"] = [refused] * bool(refused)
    best = solve(trip, pois, WIDE_FARES, EN)
    assert judged(trip, best, pois, WIDE_FARES)[0] == ()
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


def test_what_nobody_minds_fills_a_day_and_what_somebody_refuses_or_nobody_goes_to_for_itself_does_not():
    _, best = planned(town(theatre=2, casino=3, nightclub=3, castle=6, zoo=3), refused="zoo")
    kinds = Counter(kind for day in sights(best) for kind in day)
    assert {*kinds} == {"theatre", "castle"}
    assert min(map(len, sights(best)[1:-1])) == 1


def test_the_way_to_a_sight_that_is_worth_nothing_breaks_no_budget():
    pois = town(theatre=2, castle=6)
    trip, rich = planned(pois)
    paid = judged(trip, rich, pois, WIDE_FARES)[1].users["User1"].cost
    for budget in range(int(paid) - 60, int(paid) + 2, 4):
        trip, best = planned(pois, budget=budget)
        assert judged(trip, best, pois, WIDE_FARES)[1].total == best.total
