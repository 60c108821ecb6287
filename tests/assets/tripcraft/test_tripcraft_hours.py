"""The natural hours of meals and visits: best times, gaps between them, and how far neighbours may be."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.tripcraft.checks.metrics import meal_score, visit_score
from assets.tripcraft.checks.parameters import TABLE_10
from assets.tripcraft.entities import Attraction, Restaurant
from assets.tripcraft.facts.hours import known_windows, windows_on
from assets.tripcraft.vocabulary import CATEGORY_DURATION_H
from assets.tripcraft.witness.hours import (
    GAP_WINDOW,
    MEAL_WINDOW,
    least_visit_min,
    length_score,
    meal_time,
    reach_min,
    wanted_visit_min,
)
from tests.assets.tripcraft.witnesses import witness


@given(st.sampled_from([3, 5, 7]), st.sampled_from(list(MEAL_WINDOW)), st.integers(0, 1300), st.integers(10, 600))
def test_a_meal_s_time_is_the_best_of_all_that_fit(days, meal, opens, length):
    first, last = MEAL_WINDOW[meal]
    closes = min(1440, opens + length)
    fits = [
        (a, b)
        for a in range(first, last + 1, 5)
        for b in range(a + 30, last + 1, 5)
        if opens <= a and b <= closes
    ]  # fmt: skip
    found = meal_time(days, meal, ((opens, closes),))
    if not fits:
        assert found is None
        return
    mean = TABLE_10[days].meal(meal)
    assert found is not None and (found[1], found[2]) in fits
    assert found[0] == max(meal_score(mean, a / 60, b / 60) for a, b in fits)


def test_a_holiday_is_that_of_the_place_s_country():
    independence_day = "2024-12-06"
    assert known_windows("Mo-Su 10:00-18:00; PH off", independence_day, "FI") == ()
    for elsewhere in ("SE", "XX", None):
        assert known_windows("Mo-Su 10:00-18:00; PH off", independence_day, elsewhere) == ((600, 1080),)


@pytest.mark.parametrize(
    ("lat_lon", "windows"),
    [((60.17, 24.94), ((564, 912),)), ((39.95, -75.16), ((439, 998),)), ((78.22, 15.65), ())],
)
def test_a_place_that_opens_by_the_sun_does_so_by_its_own(lat_lon, windows):
    lat, lon = lat_lon
    park = Attraction("p", "c", "Park", ("Nature & Parks",), 2.5, None, lat, lon, "sunrise-sunset", "FI")
    assert windows_on(park, "2024-12-21") == windows


@pytest.mark.parametrize(
    ("categories", "hours", "windows"),
    [
        (("Nightlife",), None, ((1080, 1440),)),
        (("Nightlife", "Casinos & Gambling"), "Mo-Su 12:00-22:00", ((1080, 1320),)),
        (("Nightlife",), "Mo-Su 09:00-12:00,17:00-24:00", ((1080, 1440),)),
        (("Nightlife",), "Mo-Su 08:00-15:00", ((480, 900),)),
        (("Nightlife",), "nobody knows", ((1080, 1440),)),
        (("Nightlife",), "Mo-Su off", ()),
        (("Nightlife", "Concerts & Shows"), None, None),
        (("Museums",), None, None),
        ((), None, None),
    ],
)
def test_nobody_goes_out_before_the_evening(categories, hours, windows):
    bar = Attraction("b", "c", "Bar", categories, 2.5, None, 60.0, 24.0, hours, "FI")
    assert windows_on(bar, "2024-12-03") == windows
    eating = Restaurant("r", "c", "Bar", 9, (), None, 60.0, 24.0, hours, "FI")
    assert windows_on(eating, "2024-12-03") == (None if hours is None else known_windows(hours, "2024-12-03", "FI"))


def test_meal_windows_keep_four_hours_whatever_is_chosen():
    for first, second in pairwise(MEAL_WINDOW.values()):
        assert second[0] - first[1] >= 240


@given(
    st.sampled_from(list(GAP_WINDOW)),
    st.integers(6, 40).map(lambda n: 5 * n),
    st.integers(0, 1300),
    st.integers(1, 700),
)
def test_a_visit_fits_between_any_two_places_within_its_reach(gap, least, opens, length):
    windows = ((opens, min(1440, opens + length)),)
    reach = reach_min(gap, least, windows)
    begins, ends = GAP_WINDOW[gap]
    if reach < 0:
        return
    start = -(-max(begins + reach, opens) // 5) * 5
    end = min(ends - reach, windows[0][1]) // 5 * 5
    assert end - start >= least


def test_a_whole_gap_gives_half_of_what_is_left_less_the_grid():
    assert reach_min("morning", 100, ((0, 1440),)) == (240 - 100) // 2 - 5
    assert reach_min("morning", 250, ((0, 1440),)) < 0


@given(
    st.sampled_from([3, 5, 7]), st.sampled_from(sorted(CATEGORY_DURATION_H.values())), st.integers(1, 3), st.booleans()
)
def test_the_wanted_visit_scores_best(days, mean_h, n, keen):
    parameters = TABLE_10[days]
    wanted = wanted_visit_min(days, mean_h, n, is_adventurous=keen) / 60
    best = visit_score(parameters, wanted, mean_h, n, is_adventurous=keen)
    for other in (wanted - 0.2, wanted + 0.2):
        assert visit_score(parameters, other, mean_h, n, is_adventurous=keen) < best
    assert least_visit_min(mean_h) >= max(30, mean_h * 30)


def test_visits_last_as_long_as_the_metric_expects_where_there_is_room(world, record):
    asked = record(3)
    found = witness(asked, world)
    for items in found.values["days"]:
        seen = [item for item in items if item["slot"] in GAP_WINDOW]
        for item in seen:
            place = next(a for a in world.attractions_in("amble") if a.place_id == item["place_id"])
            wanted = wanted_visit_min(3, place.visit_duration_h, len(seen), is_adventurous=True)
            length = item["end_min"] - item["start_min"]
            assert length == 5 * round(wanted / 5) or (length < wanted and length >= 220)


def test_the_length_of_a_visit_scores_by_what_hours_and_meals_leave_it():
    always, short, shut = ((0, 1440),), ((600, 700),), ()
    # Between the mean lunch and dinner of three-day trips lie 4.95 h less two ways: room for 1.5 + 4 x 0.18 h.
    assert length_score(3, "afternoon", 1.5, always, 1, is_adventurous=False) == 1.0
    # 9.945 h to 14.145 h less two ways leave 3.7 h in the morning; wanted are 5 + 4 x 0.18 h.
    off = 5 + 4 * 0.18 - 3.7
    assert math.isclose(
        length_score(3, "morning", 5.0, always, 1, is_adventurous=False), math.exp(-(off**2) / (2 * 1.09**2))
    )
    scores = [length_score(3, "morning", 3.0, hours, 1, is_adventurous=True) for hours in (always, short, shut)]
    assert scores == sorted(scores, reverse=True) and len(set(scores)) == 3
