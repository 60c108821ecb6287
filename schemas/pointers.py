"""JSON pointers (RFC 6901) into plain data: every leaf with its own, and the value at one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeVar

Mark = TypeVar("Mark")

_POSITION = re.compile("0|[1-9][0-9]{0,8}")


def values(value: Any, pointer: str) -> list[tuple[str, Any]]:
    """Return every leaf of plain data with its JSON pointer below `pointer`; an empty list or dictionary is a leaf."""
    return [(pointer, leaf) for pointer, leaf, _ in marked_values(value, pointer, {})[0]]


def marked_values(
    value: Any, pointer: str, marks: Mapping[str, Mark]
) -> tuple[list[tuple[str, Any, Mark | None]], dict[str, Any]]:
    """Return every leaf with its pointer and its mark, and by pointer what is marked: leaves and what holds some.

    A leaf's mark is its own or that of the nearest that holds it; None if there is none.
    """
    leaves: list[tuple[str, Any, Mark | None]] = []
    marked: dict[str, Any] = {}

    def walk(value: Any, pointer: str, mark: Mark | None) -> None:
        if (own_mark := marks.get(pointer)) is not None:
            mark, marked[pointer] = own_mark, value
        if isinstance(value, dict) and value:
            for key, inner in value.items():
                walk(inner, f"{pointer}/{escaped(key)}", mark)
        elif isinstance(value, list) and value:
            for number, inner in enumerate(value):
                walk(inner, f"{pointer}/{number}", mark)
        else:
            leaves.append((pointer, value, mark))

    walk(value, pointer, None)
    return leaves, marked


def escaped(key: str) -> str:
    """Return a key as a JSON pointer spells it (RFC 6901, section 3)."""
    key = str(key)
    return key.replace("~", "~0").replace("/", "~1") if "~" in key or "/" in key else key


def value_at(document: Mapping[str, Any], pointer: str) -> Any:
    """Return the value at a pointer. Raises KeyError if there is none, or the pointer is not spelled as `values` does.

    A second spelling of a pointer would let a value be said to come from itself.
    """
    value: Any = document
    for part in pointer.split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list) and _POSITION.fullmatch(part) and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, Mapping) and key in value and escaped(key) == part:
            value = value[key]
        else:
            raise KeyError(pointer)
    return value
