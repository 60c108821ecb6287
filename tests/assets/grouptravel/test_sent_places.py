"""Places sent to another process: they are what they were, nothing found out of them is sent, and none twice."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from assets.grouptravel.facts import pois as facts
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.rides import Rides, Tariff
from assets.grouptravel.facts.ways import Served, Ways
from tests.assets.grouptravel.province import POIS

NAMES = ("Aston", "Barrow", "Colby")
IDS = {city: [poi.place_id for poi in POIS.in_city(city)] for city in NAMES}
RIDES = Rides({("Aston", "taxi", 2): Tariff(4.0, 1.0, 0.5, "row")})


@pytest.fixture
def province() -> Pois:
    """Return three cities with a matrix each, and a stop at each place of the first two."""
    facts._unpacked.cache_clear()
    grids = [
        (mode, ids, np.arange(len(ids) ** 2, dtype=float).reshape(len(ids), -1) * factor)
        for factor, ids in enumerate(IDS.values(), 1)
        for mode in ("walk", "car")
    ]
    served = {place: Served(f"stop {n}", 50.0, 300) for n, place in enumerate(IDS["Aston"] + IDS["Barrow"])}
    return Pois({city: POIS.in_city(city) for city in NAMES}, Ways(grids, served, RIDES))


def sent(pois: Pois) -> Pois:
    return pickle.loads(pickle.dumps(pois))


def found(pois: Pois, city: str) -> list[object]:
    """Return all that is asked of a city's places and the ways between them."""
    here = pois.in_city(city)
    one, other = here[0], here[5]
    modes = ("walk", "transit", "car", "bicycle")
    return [
        here,
        pois.distinct(city, "food"),
        pois.meant(one.name, city),
        pois.find(other.name[:-1], city),
        [(pois.ways.minutes(mode, one, other), pois.ways.basis(mode, one, other)) for mode in modes],
        pois.ways.price("taxi", city, one, other, 2),
        pois.ways.known_of(here),
        pois.ways.least_in(here),
    ]


@pytest.mark.parametrize("route", [("Aston",), ("Colby", "Aston"), NAMES])
def test_sent_places_and_ways_are_what_they_were(province, route):
    there = sent(province.of_cities(route))
    for city in route:
        assert found(there, city) == found(province, city)
    for city in set(NAMES) - set(route):
        assert there.in_city(city) == [] and there.lasting(city) == {}


def test_what_was_found_out_of_any_city_is_not_sent(province):
    unasked = Pois({city: POIS.in_city(city) for city in NAMES}, province.ways)
    of_two = province.of_cities(NAMES[:2])
    for city in NAMES:
        province.lasting(city)["words"] = "z" * 100_000
        province.distinct(city, "food")
    of_two.found_out["hours"] = "z" * 100_000
    assert len(pickle.dumps(of_two)) == len(pickle.dumps(unasked.of_cities(NAMES[:2])))
    assert sent(of_two).lasting("Aston") == {} == sent(of_two).found_out


def test_a_city_that_comes_again_is_the_one_that_is_there(province):
    once = sent(province.of_cities(("Aston", "Barrow")))
    once.lasting("Aston")["known"] = 1
    again = sent(province.of_cities(("Colby", "Aston")))
    assert again.lasting("Aston") == {"known": 1}
    assert again.in_city("Aston")[0] is once.in_city("Aston")[0]
    other = Pois({"Aston": POIS.in_city("Aston")}, Ways())  # the same places, other ways
    assert sent(other).lasting("Aston") == {}
    assert sent(other).ways.basis("walk", *POIS.in_city("Aston")[:2]) == "modelled"
