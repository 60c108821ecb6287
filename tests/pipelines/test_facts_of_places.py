"""What the page tells of a place says which of it is modelled, and cuisines are called as in the queries."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assets.grouptravel.page import _facts, _opens
from assets.grouptravel.tables import GroupPoi
from assets.release.exporting import release_tables
from assets.release.page.data import family_page
from assets.release.reading import open_release
from assets.tripcraft.page import page as tripcraft_page


@pytest.mark.parametrize(
    ("hours", "told"),
    [
        ({"always_open": True}, "always open"),
        ({"always_open": True, "basis": "modelled"}, "always open, modelled"),
        (None, None),
    ],
)
def test_hours_of_a_model_say_so(hours, told):
    facts = dict(_facts("food", "pub", None, is_modelled=False, rank=None, opens=_opens(hours), currency="EUR"))
    assert facts == {"Category": "pub"} | ({"Hours": told} if told else {})


def test_each_place_has_its_own_hours(small_world):
    release = open_release(small_world.releases["grouptravel"])
    rows = release_tables(release)[GroupPoi]
    known = {(row["city_id"], row["place_id"]): row["opening_hours"] for row in rows.to_dict("records")}
    told = {
        (place.city_id, place.place_id): dict(place.facts).get("Hours", "") for place in family_page(release).places
    }
    assert len({*told.values()}) > 2
    assert told == {key: _opens(known[key]) for key in told}


def test_meals_and_visits_are_modelled_where_the_release_is_ours_and_published_where_it_was_opened(small_world):
    release = open_release(small_world.releases["tripcraft"])
    figures = ("A meal", "A visit")
    ours = [text for place in family_page(release).places for label, text in place.facts if label in figures]
    opened = tripcraft_page(replace(release_tables(release), published={}), {})
    theirs = [text for place in opened.places for label, text in place.facts if label in figures]
    assert len(ours) == len(theirs) > 10
    assert ours == [f"{text}, modelled" for text in theirs]


def test_a_cuisine_is_called_as_the_queries_call_it(small_world):
    shown = family_page(open_release(small_world.releases["itinbench"]))
    labels = [bar.label for chart in shown.distributions if chart.title == "Cuisine" for bar in chart.bars]
    told = [text for task in shown.tasks for label, text in (*task.asks, *task.repairs) if label == "Cuisine"]
    assert "American" in labels
    assert told
    assert not any("US" in text.split() for text in (*labels, *told))
