"""Queries read back: every form says the trip's facts, and none is taken for a trip that differs by one of them."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from assets.grouptravel.vocabulary import VOCABULARIES
from assets.grouptravel.wishes.queries import Trip, query
from assets.grouptravel.wishes.query_reading import unsaid

FORMS = 200

TRIPS = {
    "en": Trip(("Omaha", "Lincoln"), "Helsinki", dt.date(2026, 2, 12), 4, "3-5", 3, ("small child (0-7)",)),
    "zh": Trip(("杭州", "苏州"), "上海", dt.date(2026, 2, 12), 4, "3-5", 3, ("小孩（0-7岁）",)),
}

OTHERS = [
    ({"cities": ("Tampere",)}, "Tampere"),
    ({"home": "Turku"}, "Turku"),
    ({"first_date": dt.date(2026, 2, 2)}, "the first day, 2026-02-02"),
    ({"days": 3}, "3 days"),
    ({"children": ("teenager (13-17)",)}, "teenager (13-17)"),
]


@pytest.mark.parametrize("language", TRIPS)
def test_every_form_of_a_query_says_every_fact(language):
    words, trip = VOCABULARIES[language], TRIPS[language]
    for number in range(FORMS):
        assert unsaid(query(words, trip, number), words, trip) == []


@pytest.mark.parametrize("language", TRIPS)
@pytest.mark.parametrize(("change", "fact"), OTHERS, ids=[next(iter(change)) for change, _ in OTHERS])
def test_no_form_says_a_trip_that_differs_by_one_fact(language, change, fact):
    words, trip = VOCABULARIES[language], TRIPS[language]
    other = replace(trip, **change)
    for number in range(FORMS):
        assert unsaid(query(words, trip, number), words, other) == [f"the query does not say {fact}"]


@pytest.mark.parametrize("language", TRIPS)
def test_nobody_sets_out_from_a_city_that_the_trip_leads_to(language):
    """The query names it as where the trip leads; that it says nothing else of it would be read as both."""
    words, trip = VOCABULARIES[language], TRIPS[language]
    there = replace(trip, home=trip.cities[0])
    assert unsaid(query(words, trip, 1), words, there) == [f"no trip that begins in {trip.cities[0]} leads there"]
