"""Ways within a city that lies on both sides of the antimeridian are as short as elsewhere."""

from __future__ import annotations

import pytest

from assets.grouptravel.tools.facts import CityPlaces, Point
from assets.itinbench.careful import _km, _Place


def test_a_way_that_a_planner_compares_is_the_shorter_one_round_the_earth():
    over = _km(_Place("a", "", -16.8, 179.99), _Place("b", "", -16.8, -179.99))
    assert over == pytest.approx(_km(_Place("a", "", -16.8, 10.0), _Place("b", "", -16.8, 10.02)))


def test_a_place_beside_a_way_is_near_it_on_either_side():
    rows = [{"name": "x", "category": "", "lat": -16.801, "lon": lon} for lon in (179.995, -179.995)]
    places = CityPlaces({"city_id": "c", "name": "C", "lat": -16.8, "lon": 180.0}, rows)
    ends = (Point(-16.8, 179.99, "a"), Point(-16.8, -179.99, "b"))
    assert places.metres_from_line(*ends) == pytest.approx([111.2, 111.2], abs=0.5)
