"""Conflicts in a group: what one member wants and another does not (3.D)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from assets.grouptravel.wishes.preferences import Table, items_of


def conflicts(tables: Mapping[Any, Table]) -> dict[str, int]:
    """Return the number of conflicts by source: transport, hotel_preference, attractions, food.

    An item in a wanting tier of one member and a refusing tier of another, in the same city, counts once for each
    such pair of members, the one who wants first (directed pairs, as the paper counts).
    """
    liked_items, unwanted = [], []
    for table in tables.values():
        items = {(i.city, i.field.path[0], i.value, i.field.sign) for i in items_of(table) if i.field.is_list}
        liked_items.append({key[:3] for key in items if key[3] > 0})
        unwanted.append({key[:3] for key in items if key[3] < 0})
    counts = Counter(
        item[1]
        for i, likes in enumerate(liked_items)
        for j, dislikes in enumerate(unwanted)
        if i != j
        for item in likes & dislikes
    )
    return {source: counts[source] for source in ("transport", "hotel_preference", "attractions", "food")}
