"""Apify exports as CSV: records whose columns spell paths (`addressObj/city`, `cuisines/0`), made into items."""

from __future__ import annotations

from typing import Any

from schemas.rejection import Reason
from sources.formats.jsonl import RowError
from sources.formats.numbers import decimal

MAX_DEPTH = 12
_WORDS = {"true": True, "false": False}


def nested(record: dict[str, str], numbers: tuple[str, ...]) -> dict[str, Any]:
    """Return the record as the item that its JSON export holds: blanks left out, true and false as such.

    `numbers` names the last parts of paths whose values are numbers. Raises RowError where two paths contradict each
    other.
    """
    item: dict[str, Any] = {}
    for path, text in record.items():
        if text == "":
            continue
        parts = path.split("/")
        number = decimal(text) if parts[-1] in numbers else None
        _set_value(item, parts, number if number is not None else _WORDS.get(text.lower(), text), path)
    return {key: _listed(value) for key, value in item.items()}


def _set_value(item: dict[str, Any], parts: list[str], value: Any, path: str) -> None:
    for part in parts[:-1]:
        item = item.setdefault(part, {})
        if not isinstance(item, dict) or len(parts) > MAX_DEPTH:
            raise RowError(Reason.BAD_VALUE, f"column {path}: found a value and values below it, expected one of them")
    if isinstance(item.get(parts[-1]), dict):
        raise RowError(Reason.BAD_VALUE, f"column {path}: found a value and values below it, expected one of them")
    item[parts[-1]] = value


def _listed(value: Any) -> Any:
    """Return the value with every object whose keys are positions made a list, gaps left as None."""
    if not isinstance(value, dict):
        return value
    if not all(key.isascii() and key.isdecimal() and len(key) < 5 for key in value):
        return {key: _listed(inner) for key, inner in value.items()}
    elements = {int(key): _listed(inner) for key, inner in value.items()}
    return [elements.get(position) for position in range(max(elements) + 1)]
