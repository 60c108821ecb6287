"""Dates moved into a recipe's window by a declared rule that keeps the weekday, and the map that says how."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

DAYS_A_WEEK = 7


def shift_dates(dates: Iterable[dt.date], window: tuple[dt.date, dt.date]) -> dict[dt.date, dt.date]:
    """Return each distinct date's date in the window, which is on the same weekday.

    All dates move by the same number of whole weeks: the fewest that bring the earliest to the window's first day or
    later. One that would then lie behind the window's last day is left out. Dates already inside do not move.
    Raises ValueError if the window ends before it begins.
    """
    first, last = window
    if last < first:
        raise ValueError(f"the window ends on {last}, before it begins on {first}; expected the first day first")
    distinct = sorted(set(dates))
    if not distinct or (first <= distinct[0] and distinct[-1] <= last):
        return {date: date for date in distinct}
    weeks = -((distinct[0] - first).days // DAYS_A_WEEK)
    moved = {date: date + dt.timedelta(days=DAYS_A_WEEK * weeks) for date in distinct}
    return {date: to for date, to in moved.items() if first <= to <= last}
