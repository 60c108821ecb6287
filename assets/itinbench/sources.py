"""What a place of the pool must be, by the source records that its row points to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assets.clean.cuisines import cuisines


def place(row: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return, by column, the values that a row may have of its records: cuisines in their order of use, else none."""
    said = [list(record.get("cuisines") or cuisines(record.get("categories") or ())) for record in records]
    labels = [[*found, "", ""] for found in said if found] if row["kind"] == "restaurant" else []
    places = [record for record in records if "meals" in record]
    return {
        "cuisine_1": [found[0] for found in labels] or [""],
        "cuisine_2": [found[1] for found in labels] or [""],
        "price_level": [record["price_level"] for record in records if "price_level" in record],
        "meals": [list(record["meals"]) for record in places],
    }
