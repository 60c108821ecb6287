"""TripAdvisor's opening hours as OpenStreetMap's opening_hours text: what cannot be read is None, and never guessed."""

from __future__ import annotations

from typing import Any

DAYS = ("Su", "Mo", "Tu", "We", "Th", "Fr", "Sa")
"""The days that `weekRanges` lists, from Sunday."""

MINUTES_A_DAY = 1440
LATEST_END = 2 * MINUTES_A_DAY


def opening_hours(hours: Any) -> str | None:
    """Return the week as text, such as "Su off; Mo 09:00-17:00; …"; None for null and what is no whole week.

    Times are minutes from the day's midnight; one that ends on the next day goes beyond 1,440 (02:00 is 26:00).
    """
    week = hours.get("weekRanges") if isinstance(hours, dict) else None
    if not isinstance(week, list) or len(week) != len(DAYS) or not any(week):
        return None
    days = [_day(ranges) for ranges in week]
    if None in days:
        return None
    return "; ".join(f"{day} {text}" for day, text in zip(DAYS, days, strict=True))


def _day(ranges: Any) -> str | None:
    if not ranges:
        return "off"
    if not isinstance(ranges, list):
        return None
    spans = [_span(found) for found in ranges]
    return None if None in spans else ",".join(filter(None, spans))


def _span(found: Any) -> str | None:
    opening, closing = (found.get("open"), found.get("close")) if isinstance(found, dict) else (None, None)
    for minute in (opening, closing):
        if isinstance(minute, bool) or not isinstance(minute, int | float) or minute != minute // 1:
            return None
    if not 0 <= opening < MINUTES_A_DAY or not opening < closing <= LATEST_END:
        return None
    return f"{_clock(int(opening))}-{_clock(int(closing))}"


def _clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"
