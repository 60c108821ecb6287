"""Bad input that is shown nowhere else: no service in a cluster, fares of zero, too few places, twins, no members."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from assets.core.slots import slots_of
from assets.family import Refused
from assets.grouptravel.draft import DraftError, Draws
from assets.grouptravel.drafting import draft, prepare, slots
from assets.grouptravel.facts.fares import Fares
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.profiles import assigned
from assets.grouptravel.facts.trips import Trip
from assets.grouptravel.facts.world import World, group_cities
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.solver import NoPlanError, legs_of
from assets.grouptravel.tables import GroupCalendar, GroupCity, GroupCluster, GroupFare, GroupPoi, GroupProfile
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.wishes.candidates import city_candidates, leg_dates
from assets.grouptravel.wishes.postvalidation import MAX_TRIES
from assets.grouptravel.wishes.preference_tables import make_tables
from assets.grouptravel.witness.worth import options_of
from schemas.recipe import City
from schemas.recipe_values import Box
from tests.assets.grouptravel import province as world
from tests.assets.grouptravel import sandbox_town
from tests.assets.grouptravel.test_gtb_solver import trip_of

NO_CLUSTERS = pd.DataFrame(columns=[column.name for column in GroupCluster.columns()])
SECTION = GroupTravelSection(currency="EUR", tasks={"easy": 1})


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


def test_too_few_places_to_eat_are_named_and_few_tastes_are_no_lack():
    dishes = [Poi(f"f{n}", f"dish {n}", "food", "noodles") for n in range(5)]
    assert "X has 5 places to eat, needs 6" in city_candidates("X", Pois({"X": dishes}), EN).problems()
    enough = [*dishes, Poi("f5", "dish 5", "food", "soup")]
    assert not [p for p in city_candidates("X", Pois({"X": enough}), EN).problems() if "eat" in p or "food" in p]


def test_a_city_that_offers_too_little_is_set_out_from_and_never_gone_to():
    box = Box(south=59.9, west=23.9, north=60.6, east=24.1)
    cities = [City(city_id=key, name=name, country="XX", box=box) for key, name, *_ in sandbox_town.CITIES]
    found = group_cities(sandbox_town.tables()[GroupPoi], cities=cities, section=SECTION)
    assert list(zip(found["city_id"], found["tier"], found["is_departure"], strict=True)) == [
        ("a", 0, True),
        ("b", 0, True),
    ]
    with pytest.raises(DraftError, match="no city has enough to go to"):
        Draws(found, NO_CLUSTERS, section=SECTION)


def test_a_role_that_no_profile_fits_gives_no_task_and_says_so_for_every_try():
    facts = sandbox_town.tables()
    nobody = pd.DataFrame(columns=[column.name for column in GroupProfile.columns()])
    cities = facts[GroupCity].assign(tier=1, is_departure=True)
    tables = (cities, facts[GroupPoi], facts[GroupFare], facts[GroupCalendar])
    names = dict(zip(cities["city_id"], cities["name"], strict=True))
    pois, fares = Pois.of_frame(facts[GroupPoi], names), Fares.of_frame(*tables[2:], names)
    world = World(*tables, EN, pois=pois, fares=fares, cluster=NO_CLUSTERS, profile=nobody)
    drafting = prepare(world, SECTION, [])
    (slot,) = slots_of("grouptravel", "xx", slots(SECTION), 1, ())
    for attempt in range(1 + MAX_TRIES):
        refused = draft(slot, attempt, drafting)
        assert isinstance(refused, Refused)
        assert "no profile left that fits User1" in str(refused)


def test_of_two_places_of_one_name_a_plan_can_mean_one_alone():
    """The one that the scorer finds by that name is the one that an optimum is made of, at its price."""
    twins = [
        Poi(f"f{n}", "Twin", "food", kind, None, cost) for n, kind, cost in ((1, "pizza", 9.0), (2, "sushi", 30.0))
    ]
    namesake = Poi("s1", "Twin", "attractions", "museum")
    pois = Pois({"X": [*twins, namesake]})
    assert pois.distinct("X", "food") == (pois.meant("Twin", "X"),) == (twins[0],)
    assert pois.distinct("X", "attractions") == ()


def test_a_wish_for_a_name_inside_another_counts_for_that_name_alone():
    trip = trip_of("2-1", ("a",), 2, 1)
    for table in trip.tables.values():
        table["city_specific_preferences"]["Aston"]["attractions"].update(
            must_visit=["Fort"], reject_visit=[], category_pref={"positive": [], "negative": []}
        )
    forts = [Poi(f"x{n}", name, "attractions", "castle") for n, name in enumerate(("Fort", "Fort Aston", "Old Fort"))]
    pois = Pois({"Aston": [*world.POIS.in_city("Aston"), *forts]})
    found = [o for o in options_of(trip, pois, EN, with_compromise=False) if o.kind == "attractions"]
    assert [(o.points, o.members) for o in found] == [(2 * len(trip.tables), (forts[0],))]


def test_a_category_without_a_name_becomes_the_fallback():
    assert EN.category("", "attractions") == EN.fallbacks["attractions"]
    assert EN.category("", "food") == EN.fallbacks["food"]
    assert EN.category("", "hotels") == EN.fallbacks["hotels"]
