"""Opening hours from OpenStreetMap's grammar in the published structure (3.A), as far as that can hold them.

A season is a range of dates; holidays are not known to the structure, and are as any day of the week. Where hours go
by the sun, a month is a season: one is open when it is on all of its days.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import cache
from typing import Any

from schemas.clock import clock
from sources.formats.opening_hours import is_by_the_sun, opening_windows

A_MONDAY = dt.date(2024, 1, 1)
"""Of a year with all 366 dates."""

DAYS_A_YEAR = 366
MOST_RANGES = 12
"""A year cut into more ranges of dates than this is no season; its hours count as unknown [I]."""

ALWAYS = [(0, 1440)]

_OF_THE_YEAR = re.compile(
    r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|week|easter|sh|20[0-9]{2})\b", re.IGNORECASE
)

Day = tuple[tuple[int, int], ...]


def published_hours(text: str, lat: float, lon: float) -> dict[str, Any] | None:
    """Return a place's hours in the published structure; None where they cannot be read or held by it.

    A window over midnight is two, one until 24:00 and one on the next day from 00:00. The coordinates (degrees) say
    when the sun rises and sets.
    """
    return _published(text, (lat, lon) if is_by_the_sun(text) else None)


@cache
def _published(text: str, coordinates: tuple[float, float] | None) -> dict[str, Any] | None:
    n = DAYS_A_YEAR if coordinates is not None or _OF_THE_YEAR.search(text) else 7
    dates = [A_MONDAY + dt.timedelta(days=k) for k in range(n)]
    windows = [opening_windows(text, date, coordinates=coordinates) for date in dates]
    if any(day_windows is None for day_windows in windows):
        return None
    days: list[Day] = [tuple(day_windows or ()) for day_windows in windows]
    if coordinates is not None:
        days = _all_month(dates, days)
    if all(list(day) == ALWAYS for day in days):
        return {"always_open": True, "rules": []}
    ranges = _ranges(days)
    if len(ranges) > MOST_RANGES:
        return None
    rules: list[dict[str, Any]] = []
    for first, last, week in ranges:
        span = None if len(ranges) == 1 else {"start": f"{dates[first]:%m-%d}", "end": f"{dates[last]:%m-%d}"}
        rules += _rules(week, span)
    return {"always_open": False, "rules": rules}


def _all_month(dates: list[dt.date], days: list[Day]) -> list[Day]:
    """Return, for each day, when it is open on all days of its month and weekday."""
    common: dict[tuple[int, int], Day] = {}
    for date, day in zip(dates, days, strict=True):
        key = (date.month, date.isoweekday())
        common[key] = _both(common.get(key, day), day)
    return [common[date.month, date.isoweekday()] for date in dates]


def _both(one: Day, other: Day) -> Day:
    """Return when both are open."""
    spans = ((max(a, c), min(b, d)) for a, b in one for c, d in other)
    return tuple((opens, closes) for opens, closes in spans if opens < closes)


def _ranges(days: list[Day]) -> list[tuple[int, int, dict[int, Day]]]:
    """Return first and last day, and the week, of the longest runs of days in which each weekday is always alike."""
    ranges: list[tuple[int, int, dict[int, Day]]] = []
    first, week = 0, {}
    for number, day in enumerate(days):
        weekday = number % 7 + 1
        if week.get(weekday, day) != day:
            ranges.append((first, number - 1, week))
            first, week = number, {}
        week[weekday] = day
    return [*ranges, (first, len(days) - 1, week)]


def _rules(week: dict[int, Day], span: dict[str, str] | None) -> list[dict[str, Any]]:
    """Return a rule for each set of windows; a week with no hours at all is closed by a rule of no weekday."""
    by_windows: dict[Day, list[int]] = {}
    for weekday in sorted(week):
        if week[weekday]:
            by_windows.setdefault(week[weekday], []).append(weekday)
    return [
        {
            "date_range": span,
            "weekdays": weekdays,
            "time_windows": [{"open": clock(opens), "close": clock(closes)} for opens, closes in windows],
        }
        for windows, weekdays in (by_windows or {((0, 1440),): []}).items()
    ]
