"""Which date of a source is which date of the trips: a map made of the recipe alone, so that no row moves another."""

from __future__ import annotations

import datetime as dt

from assets.clean.shift_dates import shift_dates

Window = tuple[dt.date, dt.date]


def date_map(source_window: Window | None, trips: Window) -> dict[dt.date, dt.date]:
    """Return the trips' date of each date of the source that has one; each is its own where no window is given.

    `source_window` is its window in the recipe. All its dates move by the fewest whole weeks that bring its first date
    into the trips' window, and so keep their weekday; those that then lie behind its last date are left out.
    """
    first, last = source_window or trips
    days = [first + dt.timedelta(days=number) for number in range((last - first).days + 1)]
    return shift_dates(days, trips)


def moved_weeks(dates: dict[dt.date, dt.date]) -> int:
    """Return by how many whole weeks the dates moved."""
    return next(((to - date).days // 7 for date, to in dates.items()), 0)
