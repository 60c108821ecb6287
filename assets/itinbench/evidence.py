"""What is known of the pool's places, whoever tells it: the guide's prose or reviews first, then the map's tags.

The two stand in tables of their own, under licences of their own; they are joined here, in memory, by key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from assets.itinbench.tables import PREFIX, ItinbenchPlace
from assets.rows import ReleaseTables
from schemas.reviews import ATTRIBUTES, TagRating

TagRow = Mapping[str, Any]


def known_places(tables: ReleaseTables) -> pd.DataFrame:
    """Return the pool, each rating that its own row lacks as the map's tags give it (`told_by_tags`)."""
    return with_tags(tables[ItinbenchPlace], tables[TagRating])


def with_tags(places: pd.DataFrame, tags: pd.DataFrame) -> pd.DataFrame:
    """Return the places with what tags say of them where nothing else speaks."""
    rows_by_place = told_by_tags(places, tags)
    if not rows_by_place:
        return places
    places = places.copy()
    at = {key: number for number, key in enumerate(zip(places["city_id"], places["place_id"], strict=True))}
    columns = {name: number for number, name in enumerate(places.columns)}
    for key, rows in rows_by_place.items():
        for row in rows:
            places.iat[at[key], columns[row["attribute"]]] = row["rating"]
    return places


def told_by_tags(places: pd.DataFrame, tags: pd.DataFrame) -> dict[tuple[str, str], list[TagRow]]:
    """Return the rows of tags that count, by city_id and place_id: of the pool's places, where nothing else speaks."""
    if not len(tags):
        return {}
    listed = places[places["place_id"].str.startswith(PREFIX)]
    by_key = {(row["city_id"], row["place_id"]): row for row in listed.to_dict("records")}
    rows_by_place: dict[tuple[str, str], list[TagRow]] = {}
    for row in tags.sort_values(["city_id", "listing_id", "attribute"]).to_dict("records"):
        key = row["city_id"], PREFIX + row["listing_id"]
        place, attribute = by_key.get(key), row["attribute"]
        if place is not None and attribute in ATTRIBUTES[place["kind"]] and pd.isna(place[attribute]):
            rows_by_place.setdefault(key, []).append({str(name): cell for name, cell in row.items()})
    return rows_by_place
