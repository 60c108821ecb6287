"""Opening hours as the published checker reads them: it takes the first rule whose dates fit, and no other.

So hours that are several rules by weekday ("Mo-Fr 9-17; Sa 10-14") are written as one rule for the commonest day, and
before it a rule of its own date for every other day. Only dates that a task is on are held.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from assets.grouptravel.facts.opening import EVERY_DAY, Window, has_dates, open_spans
from assets.grouptravel.plan import MINUTES_PER_DAY
from schemas.clock import clock

Day = tuple[Window, ...] | None
"""When it is open, () never; None: nothing is known."""

DAY_BEFORE = dt.timedelta(days=1)


def dated_hours(hours: Any, dates: Sequence[dt.date]) -> Any:
    """Return the hours with rules of which the first that fits a date is right for it, on the ascending dates.

    Hours that are unknown, always, or one rule for all days and dates are returned as they are. Raises ValueError for
    dates more than a year apart, since a rule's dates have no year.
    """
    rules = hours.get("rules") if isinstance(hours, dict) and hours.get("always_open") is not True else None
    if not rules or not dates or _is_plain(rules):
        return hours
    if (dates[-1] - dates[0]).days >= 365:
        raise ValueError(
            f"found trips from {dates[0]} to {dates[-1]}; the published rules of opening hours hold one year: "
            "export a release of which first_date and last_date are less than a year apart"
        )
    days = _days(hours, dates)
    usual, weekdays = _usual(days)
    apart = {date: day for date, day in days.items() if not _is_said(date, day, usual, weekdays)}
    dated = [_rule(first, last, day) for first, last, day in _runs(apart) if day is not None]
    return {"always_open": False, "rules": [*dated, *([_weekly(usual, weekdays)] if weekdays else [])]}


def _is_plain(rules: list[Any]) -> bool:
    """Return whether the one rule is every reader's: no dates, no window over midnight or touching another."""
    rule = rules[0]
    windows = sorted((window["open"], window["close"]) for window in rule.get("time_windows", ()))
    is_simple = all(opens < closes for opens, closes in windows)
    return (
        len(rules) == 1 and not rule.get("date_range") and is_simple and all(a[1] < b[0] for a, b in pairwise(windows))
    )


def _days(hours: Any, dates: Sequence[dt.date]) -> dict[dt.date, Day]:
    """Return when it is open on each date; where all weeks are alike, a day of the week is looked at once."""
    by_date, memo = has_dates(hours), dict[dt.date | int, Day]()
    days: dict[dt.date, Day] = {}
    for date in dates:
        day = date if by_date else date.isoweekday()
        if day not in memo:
            memo[day] = _day(hours, date)
        days[date] = memo[day]
    return days


def _day(hours: Any, date: dt.date) -> Day:
    spans = open_spans(hours, date)
    return None if spans is None else tuple((opens, min(closes, MINUTES_PER_DAY)) for opens, closes in spans)


def _usual(days: dict[dt.date, Day]) -> tuple[tuple[Window, ...], tuple[int, ...]]:
    """Return the commonest hours of a day and the weekdays that mostly have them; none where a date is unknown."""
    counts = Counter(day for day in days.values() if day)
    if not counts or None in days.values():
        return (), ()
    usual = min(counts, key=lambda day: (-counts[day], day))
    by_weekday = {weekday: Counter(day == usual for date, day in days.items() if date.isoweekday() == weekday)
                  for weekday in EVERY_DAY}  # fmt: skip
    return usual, tuple(weekday for weekday, of in by_weekday.items() if of[True] > of[False])


def _is_said(date: dt.date, day: Day, usual: tuple[Window, ...], weekdays: tuple[int, ...]) -> bool:
    """Return whether the weekly rule alone says when it is open on the date; without one, nothing is known."""
    if not weekdays:
        return day is None
    return day == (usual if date.isoweekday() in weekdays else ())


def _runs(days: dict[dt.date, Day]) -> list[tuple[dt.date, dt.date, Day]]:
    """Return first and last date, and the hours, of days in a row that are alike; closed days each by itself."""
    runs: list[tuple[dt.date, dt.date, Day]] = []
    for date, day in days.items():
        if runs and day and runs[-1][2] == day and runs[-1][1] == date - DAY_BEFORE:
            runs[-1] = (runs[-1][0], date, day)
        else:
            runs.append((date, date, day))
    return runs


def _rule(first: dt.date, last: dt.date, day: tuple[Window, ...]) -> dict[str, Any]:
    span = {"start": f"{first:%m-%d}", "end": f"{last:%m-%d}"}
    if day:
        return {"date_range": span, "weekdays": list(EVERY_DAY), "time_windows": _windows(day)}
    # Closed: a rule of any other weekday than the date's, which closes those it does not list.
    return {
        "date_range": span,
        "weekdays": [first.isoweekday() % 7 + 1],
        "time_windows": _windows(((0, MINUTES_PER_DAY),)),
    }


def _weekly(usual: tuple[Window, ...], weekdays: tuple[int, ...]) -> dict[str, Any]:
    return {"date_range": None, "weekdays": list(weekdays), "time_windows": _windows(usual)}


def _windows(day: tuple[Window, ...]) -> list[dict[str, str]]:
    return [{"open": clock(opens), "close": clock(closes)} for opens, closes in day]
