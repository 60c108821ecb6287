"""Values of flight files: texts read as whole numbers. Which rows are used is decided where they are known."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schemas.clock import MINUTES_A_DAY

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

MISSING = -1
BAD = -2
"""What stands for a blank text, and for one that does not read."""

EPOCH = dt.date(1970, 1, 1)
FIRST_YEAR, LAST_YEAR = 1970, 2099
_CODE_CHARS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BASE = len(_CODE_CHARS) + 1
_MAX_CODE_CHARS = 8
_CLOCK = re.compile(r"([0-9]{1,2}):?([0-9]{2})")
_NUMBER_CLOCK = re.compile(r"([0-9]{1,4})(\.0+)?")
_ELAPSED = re.compile(r"(?:([0-9]{1,2}) hours?)? ?(?:([0-9]{1,2}) minutes?)?")
_PUBLISHED = re.compile(r"F[0-9]{7}")
_MIDNIGHT = re.compile(r"[ T](12:00(:00)? ?AM|0?0:00(:00(\.0+)?)?)Z?", re.IGNORECASE)
_AMERICAN = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DECIMAL = re.compile(r"[0-9]+(\.[0-9]*)?")


@dataclass(frozen=True)
class Reading:
    """How a column's texts are read as whole numbers, and in words what they should be."""

    read: Callable[[str], int]
    expected: str
    read_all: Callable[[pa.BinaryArray], np.ndarray | None] = lambda _: None
    """Reads texts at once as `read` does each; None for texts that are not all of one form."""


def _date(text: str) -> int:
    midnight = _MIDNIGHT.search(text)
    text = text[: midnight.start()] if midnight and midnight.end() == len(text) else text
    american = _AMERICAN.fullmatch(text)
    try:
        if american:
            date = dt.date(int(american[3]), int(american[1]), int(american[2]))
        elif _ISO.fullmatch(text):
            date = dt.date.fromisoformat(text)
        else:
            return BAD
    except ValueError:
        return BAD
    return (date - EPOCH).days if FIRST_YEAR <= date.year <= LAST_YEAR else BAD


def order_of_date(text: str) -> str:
    """Return which of the first two numbers of a date with strokes can only be the day: first, second or neither."""
    parts = _AMERICAN.match(text)
    first, second = (int(parts[1]), int(parts[2])) if parts else (0, 0)
    return "first" if 12 < first <= 31 and second <= 12 else "second" if 12 < second <= 31 and first <= 12 else ""


def _clock(text: str) -> int:
    as_number = _NUMBER_CLOCK.fullmatch(text)
    text = as_number[1].zfill(4) if as_number else text
    match = _CLOCK.fullmatch(text)
    if match is None or int(match[2]) > 59:
        return BAD
    minutes = int(match[1]) * 60 + int(match[2])
    return minutes if minutes <= MINUTES_A_DAY else BAD


def _code(text: str) -> int:
    if len(text) > _MAX_CODE_CHARS or not set(text.upper()) <= set(_CODE_CHARS):
        return BAD
    number = 0
    for char in text.upper():
        number = number * _BASE + _CODE_CHARS.index(char) + 1
    return number


def code_text(number: int) -> str:
    """Return the letters and digits that CODE read as the number; empty for MISSING."""
    chars = []
    while number > 0:
        number, char = divmod(number, _BASE)
        chars.append(_CODE_CHARS[char - 1])
    return "".join(reversed(chars))


def _published_numbers(texts: pa.BinaryArray) -> np.ndarray | None:
    import pyarrow as pa
    import pyarrow.compute as pc

    are_numbers = pc.call_function("match_substring_regex", [texts], pc.MatchSubstringOptions("^F[0-9]{7}$"))
    if not pc.call_function("all", [are_numbers]).as_py():
        return None
    digits = pc.call_function("utf8_slice_codeunits", [texts.cast(pa.string())], pc.SliceOptions(1))
    return digits.cast(pa.int64()).to_numpy()


def _elapsed(text: str) -> int:
    match = _ELAPSED.fullmatch(text)
    if match is None or text == "":
        return BAD
    return _whole(str(int(match[1] or 0) * 60 + int(match[2] or 0)), 1, MINUTES_A_DAY)


def _whole(text: str, least: int, most: int) -> int:
    if not _DECIMAL.fullmatch(text):
        return BAD
    value = float(text)
    return int(value) if least <= value <= most and value == int(value) else BAD


DATE = Reading(_date, "a date such as 2021-02-01 or 2/1/2021 12:00:00 AM")
"""Days from 1970-01-01."""

CLOCK = Reading(_clock, "a local time such as 0603, 06:03 or 2400")
"""Minutes from midnight; 2400, the end of the day, is 1440."""

DURATION = Reading(lambda text: _whole(text, 1, MINUTES_A_DAY), "whole minutes, 1 to 1440")
ELAPSED = Reading(_elapsed, "a duration such as 2 hours 5 minutes, up to a day")
"""Minutes."""

DISTANCE = Reading(lambda text: _whole(text, 1, 12_500), "whole miles, 1 to 12500 (half way around the Earth)")
NUMBER = Reading(lambda text: _whole(text, 0, 10**9), "a whole number")
FLAG = Reading(lambda text: _whole(text, 0, 1), "0 or 1")
CODE = Reading(_code, "a code of up to eight letters and digits")
PUBLISHED_NUMBER = Reading(
    lambda text: int(text[1:]) if _PUBLISHED.fullmatch(text) else BAD,
    "F and seven digits (TravelPlanner)",
    _published_numbers,  # each row has one of its own
)
