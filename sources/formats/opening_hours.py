"""OpenStreetMap's opening_hours text as windows of a day, read by the `opening-hours-py` library.

What cannot be read is None, and is never guessed.
"""

from __future__ import annotations

import datetime as dt
import re

MAX_CHARS = 255
"""Longest value that OpenStreetMap allows a tag."""

_DAY = "(?:Mo|Tu|We|Th|Fr|Sa|Su|PH|SH)"
_LISTED_DAYS = re.compile(rf"(\b{_DAY}),\s+(?={_DAY}\b)")


_BY_THE_SUN = re.compile(r"\b(sunrise|sunset|dawn|dusk)\b", re.IGNORECASE)


def is_by_the_sun(text: str) -> bool:
    """Return whether the hours are other ones wherever and whenever the sun rises or sets otherwise."""
    return bool(_BY_THE_SUN.search(text))


def is_readable(text: str) -> bool:
    """Return whether the text is a valid opening_hours expression (OpenStreetMap wiki, opening_hours/specification)."""
    from opening_hours import validate

    return len(text) <= MAX_CHARS and validate(_listed(text))


def opening_windows(
    text: str,
    day: dt.date,
    *,
    country: str | None = None,
    coordinates: tuple[float, float] | None = None,
) -> list[tuple[int, int]] | None:
    """Return when it is open on a calendar day, in minutes from its local midnight, ascending; [] closed, None unknown.

    One that is open over midnight has a window that ends at 1,440, and another on the next day that begins at 0.
    Unknown: the text cannot be read, or says on that day that it is unknown or open under a remark such as "by
    appointment". `country` (ISO 3166-1) brings its public holidays, where the library knows them; `coordinates`
    (lat, lon) bring sunrise and sunset, which without them are taken as 7:00 and 19:00.
    """
    if not is_readable(text):
        return None
    import opening_hours
    from opening_hours import OpeningHours, State

    # The library's type stub leaves its exceptions out.
    unknown_country: type[Exception] = vars(opening_hours)["UnknownCountryError"]
    try:
        hours = OpeningHours(_listed(text), country=country, coords=coordinates, auto_country=False)
    except unknown_country:
        hours = OpeningHours(_listed(text), coords=coordinates, auto_country=False)
    midnight = dt.datetime.combine(day, dt.time())
    windows = []
    for start, end, state, remark in hours.intervals(midnight, midnight + dt.timedelta(days=1)):
        if state == State.UNKNOWN or (state == State.OPEN and remark):
            return None
        if state == State.OPEN:
            windows.append((_minutes(start, midnight), _minutes(end, midnight)))
    return windows


def _listed(text: str) -> str:
    """Return the text with its days as lists.

    To the grammar a comma with a space after it ends a rule, and "Tu, Fr 10:00-18:00" is open all Tuesday long; who
    writes so means both days.
    """
    return _LISTED_DAYS.sub(r"\1,", text)


def _minutes(moment: dt.datetime, midnight: dt.datetime) -> int:
    return int((moment.replace(tzinfo=None) - midnight).total_seconds()) // 60
