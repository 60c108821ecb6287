"""Opening windows of a day are those of OpenStreetMap's grammar, and what cannot be read is never guessed."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sources.formats.opening_hours import is_readable, opening_windows

THURSDAY = dt.date(2025, 12, 4)
SATURDAY = dt.date(2025, 12, 6)


@pytest.mark.parametrize(
    ("text", "day", "windows"),
    [
        ("Mo-Fr 10:00-18:00", THURSDAY, [(600, 1080)]),
        ("Mo-Fr 10:00-18:00", SATURDAY, []),
        ("Mo-Su 11:00-14:00,17:30-22:00", THURSDAY, [(660, 840), (1050, 1320)]),
        ("24/7", THURSDAY, [(0, 1440)]),
        ("Mo-Sa 22:00-02:00", THURSDAY, [(0, 120), (1320, 1440)]),
        ("Fr 22:00-02:00", SATURDAY, [(0, 120)]),
        ("Fr 22:00-26:00", SATURDAY, [(0, 120)]),
        ("Mo-Su 10:00-18:00; Dec off", THURSDAY, []),
        ("off", THURSDAY, []),
        ("Th, Fr 10:00-18:00; Sa, Su, PH 10:00-17:00", THURSDAY, [(600, 1080)]),
        ("Mo-Th, Su 10:00-18:00", THURSDAY, [(600, 1080)]),
        ("Th 10:00-11:00, Th 14:00-15:00", THURSDAY, [(600, 660), (840, 900)]),
        ("sunrise-sunset", THURSDAY, [(420, 1140)]),
        ("10:00-18:00 unknown", THURSDAY, None),
        ('10:00-18:00 "by appointment"', THURSDAY, None),
        ('"by appointment"', THURSDAY, None),
        ("Mo-Fr 9-17", THURSDAY, None),
        ("Th, PH, Sa 10:00-18:00", THURSDAY, None),
        ("ask inside", THURSDAY, None),
        ("", THURSDAY, None),
        ("24/7" + ";24/7" * 60, THURSDAY, None),
    ],
)
def test_windows_of_a_day(text, day, windows):
    assert opening_windows(text, day) == windows


@pytest.mark.parametrize("text", ["Mo-Fr 10:00-18:00; PH off", "24/7", '"by appointment"', "sunrise-sunset", "off"])
def test_readable(text):
    assert is_readable(text)


@pytest.mark.parametrize("text", ["", "Mo-Fr 9-17", "ask inside", "24/7" + ";24/7" * 60], ids=len)
def test_not_readable(text):
    assert not is_readable(text)


def test_public_holidays_are_the_country_s_and_an_unknown_country_has_none():
    text, independence_day = "Mo-Su 10:00-18:00; PH off", SATURDAY
    assert opening_windows(text, independence_day, country="FI") == []
    assert opening_windows(text, independence_day, country="PT") == [(600, 1080)]
    assert opening_windows(text, independence_day, country="XX") == [(600, 1080)]
    assert opening_windows(text, independence_day) == [(600, 1080)]


def test_sunrise_is_that_of_the_place():
    ((opens, closes),) = opening_windows("sunrise-sunset", THURSDAY, coordinates=(60.17, 24.94)) or []
    assert 530 < opens < 550 and 910 < closes < 925


@settings(deadline=None)
@given(
    st.text(max_size=40)
    | st.from_regex(r"(Mo|PH|Jan|week 3|[0-2][0-9]:[0-5][0-9]|[-,;+ ]|off|24/7){1,8}", fullmatch=True)
)
def test_any_text_is_read_or_refused_and_windows_are_ordered_within_the_day(text):
    windows = opening_windows(text, THURSDAY)
    assert windows is None or is_readable(text)
    edges = [edge for window in windows or [] for edge in window]
    assert edges == sorted(edges)
    assert all(0 <= edge <= 1440 for edge in edges)
