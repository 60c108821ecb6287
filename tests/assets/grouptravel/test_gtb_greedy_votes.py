"""What the greedy planner likes: places by all members' points, however quickly these are found."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.grouptravel.baseline import _liked, sight_points
from assets.grouptravel.checks.utility import food_points
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Trip
from assets.grouptravel.vocabulary import VOCABULARIES

WORDS = ("museum", "Museum", "park", "sushi", "a.b", "aXb", "(", "")
NAMES = ("Old museum", "Museum", "Sushi park", "aXb", "a.b", "Bar (new)", "Tower")
KINDS = ("museum", "park", "sushi", "bar")

wishes = st.lists(st.sampled_from(WORDS), max_size=2, unique=True)
SIGHTS = st.fixed_dictionaries(
    {
        "must_visit": wishes,
        "reject_visit": wishes,
        "category_pref": st.fixed_dictionaries({"positive": wishes, "negative": wishes}),
    }
)
MEALS = st.fixed_dictionaries(dict.fromkeys(("must_eat", "reject_eat", "prefer_eat", "avoid_eat"), wishes))


def town(kind: str) -> Pois:
    places = [
        Poi(f"{kind} {n}", f"{name} {of}", kind, of, None, float(n % 3), 1.0, 1.0, None)
        for n, (name, of) in enumerate((name, of) for name in NAMES for of in KINDS)
    ]
    return Pois({"Aston": places})


@pytest.mark.parametrize(
    ("kind", "points", "tables"), [("attractions", sight_points, SIGHTS), ("food", food_points, MEALS)]
)
@given(data=st.data())
def test_places_are_liked_by_the_points_of_all_members(kind, points, tables, data):
    members = data.draw(st.lists(tables, min_size=1, max_size=3))
    asked = {f"m{n}": {"city_specific_preferences": {"Aston": {kind: table}}} for n, table in enumerate(members)}
    trip, pois = Trip(("Here", "Aston", "Here"), (0, 2), dt.date(2026, 5, 1), asked, ()), town(kind)
    votes = {poi: sum(points(poi.name, poi.category, table) for table in members) for poi in pois.in_city("Aston")}
    wanted = [poi for poi in votes if kind == "food" or votes[poi] > 0]
    expected = sorted(wanted, key=lambda poi: (-votes[poi], poi.cost, poi.place_id))
    assert _liked(trip, "Aston", kind, pois, VOCABULARIES["en"]) == expected
