"""Restaurants, attractions and hotels of one city out of every source: each place once, with all its pointers.

TripAdvisor's values come first, as the published tables are made of them; what it lacks the same place's rows of other
sources fill. What is one place is `assets/clean/same_place.py`'s to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from assets.clean.same_place import Entry, merge_sources
from assets.tripcraft.vocabulary import CATEGORY_DURATION_H
from schemas.places import Listing

FIRST_SOURCES = ("tripadvisor", "yelp", "published")
"""Whose id and values a place has where sources agree on it; then the other sources, by name."""

KNOWN_BY = ("address", "rating", "price_signs", "cuisines", "categories", "website", "opening_hours")
"""What one source may know of a place and another not; each comes from the first source that does."""


@dataclass(frozen=True)
class TripPlaces:
    """One city's places of a kind by place_id, how many rows they were made of, how many became part of another."""

    rows: list[dict[str, Any]]
    rows_in: int
    merged: int


def trip_places(tripadvisor: pd.DataFrame, place: pd.DataFrame, kind: str) -> TripPlaces:
    """Return the city's places of the kind: rows of `TripadvisorPlace` and `Place`, each place once."""
    listed = tripadvisor[tripadvisor["kind"] == kind].to_dict("records")
    others = place[place["kind"] == kind].to_dict("records")
    rows = [_tripadvisor_row(row) for row in listed] + [_place_row(row) for row in others]
    by_pointer = {pointer: row for row in rows for pointer in row["source_rows"]}
    settled = merge_sources([_entry(row, kind) for row in rows], FIRST_SOURCES)
    place_rows = [_united([by_pointer[pointer] for pointer in entry.source_rows]) for entry in settled.entries]
    return TripPlaces(sorted(place_rows, key=lambda row: row["place_id"]), len(rows), settled.merged)


def cuisine_label(text: str) -> str:
    """Return a cuisine as queries write it: OpenStreetMap's `middle_eastern` is `Middle Eastern`, labels stay."""
    return text if text != text.lower() else text.replace("_", " ").title()


def _united(rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return one row of a place's rows, the first source's first."""
    distinct = list({row["place_id"]: row for row in rows}.values())
    united = dict(distinct[0])
    for name in KNOWN_BY:
        united[name] = next((row[name] for row in distinct if row[name]), united[name])
    united["source_rows"] = [pointer for row in distinct for pointer in row["source_rows"]]
    return united


def _tripadvisor_row(row: Mapping[Any, Any]) -> dict[str, Any]:
    return _common(row) | {
        "rating": _none_for_null(row["rating"]),
        "price_signs": _none_for_null(row["price_signs"]),
        "categories": list(row["categories"]),
        "labels": list(row["labels"]),
        "website": _none_for_null(row["website"]) or "",
    }


def _place_row(row: Mapping[Any, Any]) -> dict[str, Any]:
    return _common(row) | {
        "rating": _none_for_null(row["stars"]),
        "price_signs": _none_for_null(row["price_level"]),
        "categories": [category for category in row["categories"] if category in CATEGORY_DURATION_H],
        "labels": list(row["categories"]),
        "website": "",
    }


def _common(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {
        **{name: row[name] for name in ("city_id", "place_id", "name", "address", "lat", "lon")},
        "cuisines": list(dict.fromkeys(cuisine_label(text) for text in row["cuisines"])),
        "opening_hours": _none_for_null(row["opening_hours"]),
        "source_rows": list(row["source_rows"]),
    }


def _entry(row: dict[str, Any], kind: str) -> Entry:
    source, _, native_id = row["place_id"].partition(":")
    listing = Listing(
        source=source, native_id=native_id, name=row["name"], address=row["address"], lat=row["lat"], lon=row["lon"],
        stars=None, review_count=None, price_level=None, categories=(), cuisines=(), meals=(), kind=kind, ratings=(),
        source_row=row["source_rows"][0],
    )  # fmt: skip
    return Entry(row["city_id"], listing, (kind,), tuple(row["source_rows"]))


def _none_for_null(value: Any) -> Any:
    """Return the value, None for any null."""
    return None if value is None or value is pd.NA or value != value else value
