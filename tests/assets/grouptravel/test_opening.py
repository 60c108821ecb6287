"""Opening hours: seasons over the year's end, weekdays, windows, midnight, and what cannot be read."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.grouptravel.facts.opening import is_open, read_opening, windows_on
from assets.grouptravel.variants import OURS, PAPER, RELEASED, VARIANTS

MONDAY = dt.date(2025, 10, 6)


def rule(
    opens: str, closes: str, weekdays: list[int] | None = None, span: tuple[str, str] | None = None
) -> dict[str, Any]:
    dates = None if span is None else {"start": span[0], "end": span[1]}
    return {
        "date_range": dates,
        "weekdays": weekdays or [1, 2, 3, 4, 5, 6, 7],
        "time_windows": [{"open": opens, "close": closes}],
    }


def hours(*rules: dict[str, Any]) -> dict[str, Any]:
    return {"always_open": False, "rules": list(rules)}


@pytest.mark.parametrize(
    "nothing", [None, {"always_open": True, "rules": [rule("09:00", "10:00")]}, hours(), {}, "x", []]
)
def test_nothing_known_or_always_open_is_not_looked_at(nothing):
    assert windows_on(nothing, MONDAY) is None
    assert is_open(nothing, MONDAY, 0, 60) is None


def test_a_season_may_run_over_the_end_of_the_year():
    winter = hours(rule("10:00", "15:00", span=("11-01", "03-31")))
    assert windows_on(winter, dt.date(2026, 1, 1)) == [(600, 900)]
    assert windows_on(winter, dt.date(2025, 11, 1)) == windows_on(winter, dt.date(2026, 3, 31)) == [(600, 900)]
    assert windows_on(winter, dt.date(2025, 7, 1)) is None


@pytest.mark.parametrize("variant", [OURS, PAPER], ids=["ours", "paper"])
def test_a_later_rule_may_open_a_weekday_but_in_the_released_reading(variant):
    week = hours(rule("09:00", "17:00", [1, 2, 3, 4, 5]), rule("10:00", "14:00", [6]))
    saturday, sunday = MONDAY + dt.timedelta(days=5), MONDAY + dt.timedelta(days=6)
    assert windows_on(week, saturday, variant) == [(600, 840)]
    assert windows_on(week, saturday, RELEASED) == []
    assert windows_on(week, sunday, variant) == windows_on(week, sunday, RELEASED) == []


def test_a_bar_open_over_midnight_serves_the_small_hours():
    bar = hours(rule("18:00", "02:00", [1]))
    tuesday = MONDAY + dt.timedelta(days=1)
    assert is_open(bar, MONDAY, 22 * 60, 24 * 60) is True
    assert is_open(bar, tuesday, 30, 90) is True
    assert is_open(bar, tuesday, 90, 150) is False
    assert is_open(bar, MONDAY, 30, 90) is False
    assert is_open(bar, MONDAY, 22 * 60, 23 * 60, RELEASED) is False


def test_windows_that_touch_are_one_visit_in_ours():
    kiosk = hours({"time_windows": [{"open": "08:00", "close": "12:00"}, {"open": "12:00", "close": "24:00"}]})
    assert is_open(kiosk, MONDAY, 11 * 60, 13 * 60) is True
    assert is_open(kiosk, MONDAY, 11 * 60, 13 * 60, RELEASED) is False


@pytest.mark.parametrize(
    "bad",
    ["24/7", [], {"rules": "daily"}, {"always_open": "yes"}, hours({"weekdays": [0]}), hours({"weekdays": "Mo-Fr"}),
     hours({"time_windows": [{"open": "9am", "close": "5pm"}]}), hours({"date_range": {"start": "2025-01-01"}}),
     {"rules": [None]}],
)  # fmt: skip
def test_what_is_not_as_declared_is_unknown_with_a_problem(bad):
    read, problems = read_opening(bad)
    assert read is None and problems


def test_what_is_as_declared_is_kept():
    good = hours(rule("18:00", "02:00"), {"date_range": None, "time_windows": []})
    assert read_opening(good) == (good, [])
    assert read_opening(None) == (None, [])


minutes_of_day = st.integers(0, 1439)


@given(minutes_of_day, minutes_of_day, minutes_of_day, st.integers(1, 300))
def test_a_visit_fits_if_each_of_its_minutes_does(opens, closes, start, length):
    """The slow way: minute by minute, over two days of the same hours."""
    text = [f"{minute // 60:02d}:{minute % 60:02d}" for minute in (opens, closes)]
    end = min(start + length, 1440)
    if opens == closes:
        open_minutes = set(range(1440))
    elif opens < closes:
        open_minutes = set(range(opens, closes))
    else:
        open_minutes = {*range(opens, 1440), *range(closes)}
    expected = set(range(start, end)) <= open_minutes
    assert is_open(hours(rule(text[0], text[1])), MONDAY, start, end) is expected


keys = st.sampled_from(["rules", "date_range", "weekdays", "time_windows", "open", "start"])
values = st.none() | st.integers() | st.text(max_size=5)
structures = st.recursive(values, lambda x: st.lists(x, max_size=3) | st.dictionaries(keys, x), max_leaves=9)


@given(structures)
def test_no_hours_are_an_error(raw):
    read_opening(raw)
    for variant in VARIANTS.values():
        is_open(raw, MONDAY, 0, 60, variant)
