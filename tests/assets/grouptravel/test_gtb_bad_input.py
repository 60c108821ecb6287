"""Bad input that is shown nowhere else: a cluster without service, fares of zero, a city that offers too little."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assets.grouptravel.facts.fares import Fares
from assets.grouptravel.facts.pois import Poi, Pois
from assets.grouptravel.facts.profiles import assigned
from assets.grouptravel.facts.trips import Trip
from assets.grouptravel.solver import NoPlanError, legs_of
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.wishes.candidates import city_candidates, leg_dates
from assets.grouptravel.wishes.preference_tables import make_tables
from tests.assets.grouptravel import province as world


def without_price(pair: tuple[str, str]) -> Fares:
    """Return the province's fares, those of one pair of cities with a price of zero."""
    return Fares(
        {
            other: [replace(s, price=0.0) if other == pair else s for s in world.FARES.services(*other)]
            for other in world.PAIRS
        }
    )


def without_service(pair: tuple[str, str]) -> Fares:
    """Return the province's fares without those of one pair of cities."""
    return Fares({other: world.FARES.services(*other) for other in world.PAIRS if other != pair})


@pytest.mark.parametrize("spoilt", [without_price, without_service])
def test_a_cluster_of_which_two_cities_have_no_fare_between_them_gives_no_task_and_says_why(spoilt):
    of = world.skeleton("2-1", ("a", "b"), 4)
    fares = spoilt(("a", "b"))
    assert not any(("a", "b") in by_pair for by_pair in fares.fastest.values())
    assert fares.cheapest(of.route, leg_dates(of)) is None
    members, _ = assigned(of.archetype, world.PROFILES, of.task_id, 1)
    made = make_tables(of, world.setting(of, fares), members, seed=1, budget_step=50)
    assert "budget_covers" in {problem.rule for problem in made.failures}
    trip = Trip(of.route, tuple((d - of.first_date).days for d in leg_dates(of)), of.first_date, {})
    with pytest.raises(NoPlanError, match="nothing runs from a to b"):
        legs_of(trip, fares)


def test_fewer_dishes_than_preferences_need_are_named():
    dishes = [Poi(f"f{n}", f"dish {n}", "food", "noodles") for n in range(9)]
    assert "X has 1 food categories, needs 4" in city_candidates("X", Pois({"X": dishes}), EN).problems()


def test_a_category_without_a_name_becomes_the_fallback():
    assert EN.category("", "attractions") == EN.fallbacks["attractions"]
    assert EN.category("", "food") == EN.fallbacks["food"]
    assert EN.category("", "hotels") == EN.fallbacks["hotels"]
