"""A place that its tags say is gone, not there yet or not for visitors is none; a ruin that people come to see is."""

from __future__ import annotations

import pytest

from sources.osm.lifecycle import GONE, PREFIXES, why_gone
from sources.osm.tags import classify

HOTEL = {"tourism": "hotel", "name": "Bellevue"}
PARK = {"leisure": "park", "name": "Green"}
CASTLE = {"historic": "castle", "name": "Rock"}
IS_GONE = [
    *({**HOTEL, key: "yes"} for key in GONE),
    *({**HOTEL, f"{prefix}:tourism": "hotel"} for prefix in PREFIXES),
    {**HOTEL, "end_date": "2019-05"},
    {**HOTEL, "demolished:building": "yes"},
    {**HOTEL, "building": "construction"},
    {**HOTEL, "ruins": "yes"},
    {**HOTEL, "operational_status": "closed"},
    *(
        {**HOTEL, "opening_hours": hours}
        for hours in ("off", "Closed", 'closed "for good"', "24/7 off", 'Mo-Su off "renovation"')
    ),
    *(
        {**HOTEL, "name": name}
        for name in ("Bellevue (demolished)", "Bellevue [im Bau]", "Bellevue - CLOSED", "CLOSED: Bellevue")
    ),
    {**PARK, "access": "private"},
    {"amenity": "restaurant", "name": "Canteen", "access": "private"},
    {"amenity": "bar", "name": "Club", "access": "private"},
    {"natural": "cave_entrance", "name": "Hollow", "access": "no"},
]
IS_THERE = [
    HOTEL,
    {**CASTLE, "ruins": "yes", "end_date": "2009", "access": "private"},
    {**PARK, "demolished:building": "yes"},
    {**PARK, "access": "customers"},
    {**HOTEL, "access": "private"},
    {**HOTEL, "end_date": "1909"},
    {**HOTEL, "disused:amenity": "pub"},
    {**HOTEL, "was:tourism": "hotel", "was:name": "Ritz"},
    {**HOTEL, "building": "yes", "demolished:building": "yes"},
    *({**HOTEL, "opening_hours": hours} for hours in ("PH off", "Mo off", "Mo-Fr 08:00-20:00; Sa,Su off")),
    *({**HOTEL, "name": name} for name in ("Demolished Brewery", "Bellevue (closed Mondays)", "Closed Door")),
]


@pytest.mark.parametrize("tags", IS_GONE, ids=str)
def test_what_is_gone_says_so(tags):
    assert why_gone(tags, classify(tags))


@pytest.mark.parametrize("tags", IS_THERE, ids=str)
def test_what_only_sounds_like_it_is_there(tags):
    assert why_gone(tags, classify(tags)) == ""


def test_a_stop_is_gone_by_the_same_words():
    assert why_gone({"highway": "bus_stop", "disused:highway": "bus_stop", "name": "Old Square"})
    assert why_gone({"highway": "bus_stop", "demolished:building": "yes", "name": "Old Square"}) == ""
