"""What a place of the pool must be, by the source records that its row points to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assets.clean.cuisines import cuisines
from assets.itinbench.guide import PREFIX, cuisines_of, is_free, said_level
from assets.step import NOBODYS


def place(row: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return, by column, the values that a row may have of its records: cuisines in their order of use, else none."""
    cuisines_by_record = [
        cuisines_of(record)
        if "listing_id" in record
        else list(record.get("cuisines") or cuisines(record.get("categories") or ()))
        for record in records
    ]
    labels = (
        [[*row_cuisines, "", ""] for row_cuisines in cuisines_by_record if row_cuisines]
        if row["kind"] == "restaurant"
        else []
    )
    places = [record for record in records if "meals" in record]
    listings = [record for record in records if "listing_id" in record]
    return {
        "cuisine_1": [row_cuisines[0] for row_cuisines in labels] or [""],
        "cuisine_2": [row_cuisines[1] for row_cuisines in labels] or [""],
        "price_level": [record["price_level"] for record in records if "price_level" in record]
        + [_level(record) for record in listings],
        "meals": [list(record["meals"]) for record in places] + [[] for _ in listings],
        **(_ids(listings) if listings else {}),
    }


def _ids(listings: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    native_ids = [listing["listing_id"] for listing in listings]
    return {"native_id": native_ids, "place_id": [f"{PREFIX}{native_id}" for native_id in native_ids]}


def _level(listing: Mapping[str, Any]) -> Any:
    """Return the level that a guide's words give; nobody's where it is modelled from an amount."""
    has_amount = any(c.isdigit() for c in listing["price"]) and not is_free(listing["price"])
    return NOBODYS if has_amount else said_level(listing)
