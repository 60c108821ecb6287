"""Names written from the right keep their direction to themselves; others stay as they are."""

from __future__ import annotations

import pytest

from assets.direction import isolated
from assets.grouptravel.page import _day


@pytest.mark.parametrize("name", ["Vaduz", "Москва", "東京", "Zürich 2", "", "(1)"])
def test_a_name_written_from_the_left_stays_as_it_is(name):
    assert isolated(name) == name


@pytest.mark.parametrize("name", ["مدينة", "ירושלים", "Rabat الرباط"])
def test_one_written_from_the_right_stands_between_isolates(name):
    assert isolated(name) == f"\u2068{name}\u2069"


def test_the_hours_of_a_groups_journey_stand_apart_from_an_arabic_name():
    leg = {"type": "intercity_transport", "transport_mode": "Train", "from_city": "Vaduz", "to_city": "مدينة",
           "start_time": "08:00", "end_time": "09:00", "avg_cost": 12.0}  # fmt: skip
    day = _day({"day": 1, "date": "2025-01-01", "city_segments": [leg]}, {}, {}, "EUR")
    assert day.note == "2025-01-01 · Train, Vaduz → \u2068مدينة\u2069, 08:00–09:00, 12 EUR each"
