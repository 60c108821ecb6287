"""Dates and times of events as providers write them; a date without a year is resolved by a declared rule."""

from __future__ import annotations

import datetime as dt
import re

from schemas.counts import counted
from schemas.rejection import Reason
from sources.formats.jsonl import RowError

MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
          "december")  # fmt: skip
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
UNDECIDED = ("tba", "tbd", "tbc")

_ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_DAY_FIRST = re.compile(r"([0-9]{2})-([0-9]{2})-([0-9]{4})")
_BY_MONTH = re.compile(r"([A-Za-z]{3,9})\.? ([0-9]{1,2})(?:, ([0-9]{4}))?")
_CLOCK = re.compile(r"\b([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})? ?([AaPp])?[Mm]?")
_WEEKDAY = re.compile(r"^([A-Za-z]{3})")

Window = tuple[dt.date, dt.date]


def event_date(text: str, window: Window, weekday: str = "") -> dt.date:
    """Return the date that the text names: ISO, DD-MM-YYYY, or a month and day such as "Oct 25" or "Oct 25, 2025".

    Without a year it is the one date in the window (first and last day) with that month and day, and that weekday
    where the provider gives one. Raises RowError: outside_dates where no year brings it into the window, bad_value
    where several do, missing_value where the text is blank or says that it is undecided.
    """
    text = text.strip()
    if not text or text.lower() in UNDECIDED:
        raise RowError(Reason.MISSING_VALUE, f"date: found {text!r}, expected a date")
    if match := _ISO.fullmatch(text):
        return _valid(text, int(match[1]), int(match[2]), int(match[3]))
    if match := _DAY_FIRST.fullmatch(text):
        return _valid(text, int(match[3]), int(match[2]), int(match[1]))
    match = _BY_MONTH.fullmatch(text)
    month = _month(match[1]) if match else None
    if match and month and match[3]:
        return _valid(text, int(match[3]), month, int(match[2]))
    if match is None or month is None:
        raise RowError(Reason.BAD_VALUE, f"date: found {text!r}, expected YYYY-MM-DD, DD-MM-YYYY or such as Oct 25")
    return _within(text, month, int(match[2]), window, weekday)


def _month(word: str) -> int | None:
    """Return the month that an English name or its beginning means: a word of another language may begin like one."""
    return next((n for n, name in enumerate(MONTHS, 1) if name.startswith(word.lower())), None)


def event_time(text: str) -> str | None:
    """Return the time of day in the text as HH:MM, such as 19:30 in "Fri • 7:30 PM"; None if there is none."""
    match = _CLOCK.search(text)
    if match is None:
        return None
    hour, minute = int(match[1]), int(match[2])
    if match[3]:
        hour = hour % 12 + (12 if match[3].lower() == "p" else 0) if 1 <= hour <= 12 else 99
    return f"{hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else None


def weekday_in(text: str) -> str:
    """Return the weekday that the text begins with, as three lower-case letters; empty if it does not."""
    match = _WEEKDAY.match(text.strip())
    return match[1].lower() if match and match[1].lower() in WEEKDAYS else ""


def _valid(text: str, year: int, month: int, day: int) -> dt.date:
    try:
        return dt.date(year, month, day)
    except ValueError as error:
        raise RowError(Reason.BAD_VALUE, f"date: found {text!r}, which is no date ({error})") from None


def _within(text: str, month: int, day: int, window: Window, weekday: str) -> dt.date:
    first, last = window
    _valid(text, 2000, month, day)  # a leap year, in which every month and day that there is exists
    years = [y for y in range(first.year, last.year + 1) if not (month == 2 and day == 29 and not _is_leap(y))]
    dates = [dt.date(year, month, day) for year in years]
    inside = [date for date in dates if first <= date <= last]
    fitting = [date for date in inside if weekday in ("", WEEKDAYS[date.weekday()])]
    if not inside:
        raise RowError(Reason.OUTSIDE_DATES, f"date: found {text!r}, which no year brings into {first} to {last}")
    if len(fitting) != 1:
        dates_text = f"{counted(len(fitting), 'date')} in {first} to {last} on a {weekday or 'day'}"
        raise RowError(Reason.BAD_VALUE, f"date: found {text!r}, which is {dates_text}; expected exactly one")
    return fitting[0]


def _is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
