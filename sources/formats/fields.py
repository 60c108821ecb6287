"""Values of a provider's JSON row, checked one by one: ids, text, lists, coordinates, stars. A fault is a RowError."""

from __future__ import annotations

import html
import re
from typing import Any

from schemas.rejection import Reason
from sources.formats.jsonl import RowError

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")


def required_id(row: dict[str, Any], key: str) -> str:
    """Return an id as text, also where it looks like a number. Raises RowError."""
    value = row.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    return required_text({key: value}, key)


def required_text(row: dict[str, Any], key: str) -> str:
    """Return text that is not blank. Raises RowError(missing_value) or RowError(bad_value)."""
    text = optional_text(row, key)
    if not text.strip():
        raise RowError(Reason.MISSING_VALUE, f"{key}: found {row.get(key)!r}, expected text")
    return text


def optional_text(row: dict[str, Any], key: str) -> str:
    """Return text, empty where it is absent or null. Raises RowError(bad_value) for another type or broken Unicode."""
    value = row.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise RowError(Reason.BAD_VALUE, f"{key}: found {value!r}, expected text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise RowError(Reason.BAD_VALUE, f"{key}: found half of a surrogate pair in {value!r}") from None
    return decoded(value)


def optional_object(row: dict[str, Any], key: str) -> dict[str, Any]:
    """Return an object, empty where it is absent or null. Raises RowError(bad_value) for another type."""
    value = row.get(key)
    if value is not None and not isinstance(value, dict):
        raise RowError(Reason.BAD_VALUE, f"{key}: found a {type(value).__name__}, expected an object or null")
    return value or {}


def optional_list(row: dict[str, Any], key: str) -> list[Any]:
    """Return a list, empty where it is absent or null. Raises RowError(bad_value) for another type."""
    value = row.get(key)
    if value is not None and not isinstance(value, list):
        raise RowError(Reason.BAD_VALUE, f"{key}: found a {type(value).__name__}, expected a list or null")
    return value or []


def decoded(text: str) -> str:
    """Return the text with HTML's entities as the characters that they stand for, once: `&amp;` is `&`.

    Only those that end in a semicolon are entities, so that `AT&T` and `Fish &chips` stay. One that stands for a
    control character stays as it is.
    """
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    character = html.unescape(entity[0])
    return character if character and character.isprintable() else entity[0]


def coordinates(lat: Any, lon: Any) -> tuple[float, float]:
    """Return latitude and longitude in degrees. Raises RowError(bad_coordinates) for none, off the globe, or 0, 0."""
    for value in (lat, lon):
        if isinstance(value, bool) or not isinstance(value, int | float) or not -1e4 < value < 1e4:
            raise RowError(Reason.BAD_COORDINATES, f"found latitude {lat!r} and longitude {lon!r}, expected numbers")
    if abs(lat) > 90 or abs(lon) > 180:
        raise RowError(Reason.BAD_COORDINATES, f"found latitude {lat} and longitude {lon}, which is off the globe")
    if lat == 0 and lon == 0:
        raise RowError(Reason.BAD_COORDINATES, "found 0, 0, which stands for no coordinates")
    return float(lat), float(lon)


def stars(value: Any) -> float | None:
    """Return a mean rating of 1 to 5 stars; None where there is none. Raises RowError(bad_value)."""
    return _one_to_five("stars", value)


def rating(value: Any) -> float | None:
    """Return a mean rating of 1 to 5; None for null and 0, which stand for no rating. Raises RowError(bad_value)."""
    return _one_to_five("rating", None if value == 0 else value)


def _one_to_five(name: str, value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 1 <= value <= 5:
        raise RowError(Reason.BAD_VALUE, f"{name}: found {value!r}, expected 1 to 5")
    return float(value)
