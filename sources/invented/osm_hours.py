"""How a map says when an invented place is open: the opening_hours grammar in its many forms, and text that is none."""

from __future__ import annotations

from random import Random

from schemas.clock import clock
from sources.invented.draws import one_of
from sources.invented.world import Place

DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
UNREADABLE_SHARE = 0.05
UNREADABLE = ("10am till late", "Call us first!", "open Mon thru Fri 9 to 5", "10:00 - ??", "24/24", "lunes a viernes")
"""What people write; no reader of the grammar takes it."""

EXTRA_RULES = ("", "", "", "; PH off", "; Dec 25 off", '; Jan 01-Jan 15 off "holidays"')
PARK_RULES = ("sunrise-sunset", "Apr-Oct 07:00-21:00; Nov-Mar 08:00-17:00", "24/7")


def osm_hours(rng: Random, place: Place) -> tuple[str, bool]:
    """Return the text of the tag, and whether it follows the grammar.

    Save of parks and days off it means what the place's hours are; it must have any.
    """
    if rng.random() < UNREADABLE_SHARE:
        return one_of(rng, UNREADABLE), False
    if place.kind == "stay":
        return one_of(rng, ("24/7", "Mo-Su 00:00-24:00")), True
    if place.trade == "park" and rng.random() < 0.5:
        return one_of(rng, PARK_RULES), True
    extra = one_of(rng, EXTRA_RULES)
    is_wrapped = rng.random() < 0.7
    spans = [(span, _times(*hours, is_wrapped)) for span, hours in _spans(place.hours)]
    if len(spans) == 1:
        return ("" if rng.random() < 0.5 else "Mo-Su ") + spans[0][1] + extra, True
    if rng.random() < 0.3:
        usual = spans[0][1]  # one rule for every day, then the days that differ
        return "; ".join([usual, *(f"{span} {times}" for span, times in spans if times != usual)]) + extra, True
    return "; ".join(f"{span} {times}" for span, times in spans) + extra, True


def _spans(hours: tuple[tuple[int, int], ...]) -> list[tuple[str, tuple[int, int]]]:
    """Return runs of days of equal hours, such as ("Mo-Th", (600, 1260))."""
    spans: list[tuple[str, tuple[int, int]]] = []
    start = 0
    for day in range(1, len(hours) + 1):
        if day == len(hours) or hours[day] != hours[start]:
            name = DAYS[start] if day == start + 1 else f"{DAYS[start]}-{DAYS[day - 1]}"
            spans.append((name, hours[start]))
            start = day
    return spans


def _times(opening: int, closing: int, is_wrapped: bool) -> str:
    """Return the hours as text; past midnight either as 01:00 or as 25:00, which the grammar reads alike."""
    if is_wrapped and closing > 24 * 60:
        closing -= 24 * 60
    return f"{clock(opening)}-{clock(closing)}"
