"""TripAdvisor's opening hours as OpenStreetMap's opening_hours text: what cannot be read is None, and never guessed."""

from __future__ import annotations

from typing import Any

from schemas.clock import MINUTES_A_DAY, clock

DAYS = ("Su", "Mo", "Tu", "We", "Th", "Fr", "Sa")
"""The days that `weekRanges` lists, from Sunday."""

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
    spans = [span for time_range in ranges if (span := _span(time_range)) is not None]
    return ",".join(spans) if len(spans) == len(ranges) else None


def _span(time_range: Any) -> str | None:
    opening, closing = (_minute(time_range, key) for key in ("open", "close"))
    if opening is None or closing is None or not opening < closing <= LATEST_END or opening >= MINUTES_A_DAY:
        return None
    return f"{clock(opening)}-{clock(closing)}"


def _minute(time_range: Any, key: str) -> int | None:
    value = time_range.get(key) if isinstance(time_range, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1 or value < 0:
        return None
    return int(value)
