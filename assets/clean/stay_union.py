"""One stay of every file that tells of one listing: Inside Airbnb's summary and detailed files, Apify's two exports.

What a file does not say another may. Where two files contradict each other, the one that comes first is believed:
Inside Airbnb's before Apify's, and of one role the one that the recipe names first. Values that say one thing together
(an amount and its currency, a rule and its wording) come from one file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

TOGETHER = (
    ("address",),
    ("price_per_night", "currency"),
    ("max_occupancy",),
    ("min_nights",),
    ("rating",),
    ("review_count",),
    ("house_rules", "unknown_rules", "house_rule_texts"),
)
"""The values that a file may leave out; each group comes from the first file that knows the first of it."""

ALWAYS_TOLD = ("name", "room_type", "lat", "lon")


def merged_stays(rows: Iterable[dict[str, Any]]) -> tuple[list[dict[str, Any]], int, dict[str, int]]:
    """Return the rows of `Stay` with each listing once, how many became part of another, and contradictions by column.

    The rows come in the order in which they are believed; a merged one points to every row it was made of.
    """
    row_by_place: dict[str, dict[str, Any]] = {}
    merged = 0
    contradictions: Counter[str] = Counter()
    for row in rows:
        first = row_by_place.get(row["place_id"])
        if first is None:
            row_by_place[row["place_id"]] = row
            continue
        merged += 1
        contradictions.update(_contradictions(first, row))
        row_by_place[row["place_id"]] = _filled(first, row)
    return list(row_by_place.values()), merged, dict(sorted(contradictions.items()))


def _filled(first: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return `first` with what it does not know taken from `other`."""
    filled = {**first, "source_rows": [*first["source_rows"], *other["source_rows"]]}
    for group in TOGETHER:
        if not _is_known(first, group[0]):
            filled |= {name: other[name] for name in group}
    return filled


def _contradictions(first: dict[str, Any], other: dict[str, Any]) -> list[str]:
    groups = [group for group in TOGETHER if _is_known(first, group[0]) and _is_known(other, group[0])]
    compared = [name for group in groups for name in group] + list(ALWAYS_TOLD)
    return [name for name in compared if first[name] != other[name]]


def _is_known(row: dict[str, Any], name: str) -> bool:
    return row[name] is not None and row[name] != ""
