"""What a record was changed in from what a slot drew, or a published set asked, as its task tells it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def repairs(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the fields of `before` whose values are others in `after`, in order, with both as text."""
    return [
        {"field": name, "before": _text(value), "after": _text(after[name])}
        for name, value in before.items()
        if value != after[name]
    ]


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
