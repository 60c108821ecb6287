"""The lint of wordings finds what nobody would write, and nothing in what somebody would."""

from __future__ import annotations

import pytest

from tests.lint import lint


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        ("We travel to three cities in NE.", "a region's letters"),
        ("A trip for one person. We want a room.", "one and many"),
        ('We want to attend an event of the kind "Music".', "is in marks"),
        ("A trip for 1 people.", "unit"),
        ("We want a entire room.", "article"),
        ("It may cost at most 500 USD.", "the code USD"),
        ("We we want a room.", "twice"),
        ("We want a room", "no end"),
        ("From {origin to Rome.", "a brace"),
    ],
)
def test_what_nobody_would_write_is_found(message, problem):
    found = lint(message, kinds=["Music"], codes=["USD"])
    assert len(found) == 1
    assert problem in found[0]


@pytest.mark.parametrize(
    "message",
    ["We travel to three cities in Nebraska for $1,100.", 'I want to see "Lake Park".', "A US trip in an Irish pub?"],
)
def test_what_somebody_would_write_is_not(message):
    assert lint(message, kinds=["Music"], codes=["USD"]) == []
