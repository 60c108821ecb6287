"""How the published evaluator cuts a plan's texts: at commas, semicolons and the words "from" and "to".

These are its readings, not ours (`plan.py`): a name may lose what stands behind its first comma, and what cannot be cut
is an exception there, which the checks count as a plan that does not pass.
"""

from __future__ import annotations

import re

NOTHING = (None, "", "-")
"""What a field says that says nothing."""

_FROM_TO = re.compile(r"from\s+(.+?)\s+to\s+([^,]+)(?=[,\s]|$)")
_BRACKET = re.compile(r"^(.*?)\([^)]*\)")
_ITEM = re.compile(r"\s*(?P<name>.*?),\s*(?:stay|visit) from ", re.DOTALL)


def from_to(text: str) -> tuple[str | None, str | None]:
    """Return A and B of the first `from A to B`, B up to a comma; (None, None) without one."""
    cut = _FROM_TO.search(text)
    return (cut[1], cut[2]) if cut else (None, None)


def before_bracket(text: str) -> str:
    """Return the text before its first pair of brackets."""
    cut = _BRACKET.match(text)
    return cut[1] if cut else text


def name_and_city(text: str) -> tuple[str, str]:
    """Return what stands before and behind the last comma; two hyphens, which no row has, if nothing does."""
    name, comma, city = text.rpartition(",")
    return (name.strip(), before_bracket(city.strip()).strip()) if comma and city else ("-", "-")


def name_before_comma(text: str) -> str:
    """Return what stands before the last comma, or the whole text."""
    return text.rsplit(",", 1)[0].strip()


def entries(text: str) -> list[str]:
    """Return the entries of a semicolon list as they stand, empty ones and blanks included."""
    return text.split(";")


def item_name(entry: str) -> str:
    """Return the place that a PoI-list entry names: all before `, stay from` or `, visit from`."""
    cut = _ITEM.match(entry)
    return cut["name"].strip() if cut else entry.strip()


def stop_and_distance(entry: str) -> tuple[str, str] | None:
    """Return the stop and the distance that an entry states, both as text, the distance before its `m`.

    None if the entry names no transit. Raises ValueError where nothing but the stop is named.
    """
    _, label, transit = entry.partition("nearest transit:")
    if not label:
        return None
    stop, comma, distance = transit.strip().rpartition(",")
    if not comma:
        raise ValueError("the entry names a stop and no distance")
    return stop.strip(), distance.strip().split("m")[0].strip()


def times(entry: str) -> tuple[float, float]:
    """Return the hours from and to which an entry lasts. Raises ValueError or IndexError if it does not say so."""
    for cut in (entry.split("from"), entry.rsplit("from", 1)):
        parts = cut[1].split("to") if len(cut) > 1 else []
        if len(parts) > 1:
            return _hours(parts[0]), _hours(parts[1].split(",")[0])
    raise ValueError("the entry has no `from HH:MM to HH:MM`")


def _hours(text: str) -> float:
    hours, minutes = text.strip().split(":")[:2]
    return int(hours) + int(minutes) / 60
