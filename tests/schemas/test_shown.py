"""Numbers and names as people read them."""

from __future__ import annotations

import pytest

from schemas.shown import figure, one_line


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (3.677e-14, "0"),
        (-2e-15, "0"),
        (0.0, "0"),
        (-1e-8, "-1e-08"),
        (0.13372, "0.1337"),
        (22.009, "22.01"),
        (123456.0, "123,456"),
        (-13951.27, "-13,951"),
        (9999.7, "10,000"),
        (1e20, "1e+20"),
        (float("inf"), "inf"),
        (7, "7"),
        ("1.23456", "1.23456"),
        (None, "None"),
        (True, "True"),
    ],
)
def test_what_is_left_of_rounding_is_nothing(value, read):
    assert figure(value) == read


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\ufeffPar\u00adis\u200b", "Paris"),
        ("\u200dKöln \u200c", "Köln"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
    ],
)
def test_marks_that_show_nothing_are_no_part_of_a_name_and_joiners_only_within_it(text, line):
    """A planner that writes `Paris` means the city, whatever its mapper's keyboard put behind it."""
    assert one_line(text) == line
