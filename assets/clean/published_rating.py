"""Ratings taken from a published benchmark's tables instead of read out of reviews."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assets.step import Outcome, RawFile
from schemas.reviews import PublishedRating
from sources.published.itinbench import read_places

if TYPE_CHECKING:
    import pandas as pd


def published_ratings(
    place: pd.DataFrame, restaurants: list[RawFile], hotels: list[RawFile], attractions: list[RawFile]
) -> Outcome:
    """Return the published rating of each attribute of a city's places, from the table of the kind that the place has.

    A business in two tables has ratings of both kinds there; the other kind's are not used (defect I4). Rows that
    cannot be read were already rejected where the places were read.
    """
    import pyarrow as pa

    owner = {
        pointer: (row["city_id"], row["place_id"], row["kind"])
        for row in place[["city_id", "place_id", "kind", "source_rows"]].to_dict("records")
        for pointer in row["source_rows"]
    }
    rows: dict[tuple[str, str, str], dict[str, Any]] = {}
    for file in (*restaurants, *hotels, *attractions):
        for listing in read_places(file, []):
            city_id, place_id, kind = owner.get(listing.source_row, ("", "", None))
            if kind != listing.kind:
                continue
            for attribute, rating in listing.ratings:
                rows[city_id, place_id, attribute] = {
                    "city_id": city_id,
                    "place_id": place_id,
                    "attribute": attribute,
                    "rating": rating,
                    "score": float(rating),
                    "confidence": 1.0,
                    "mentions": 0,
                    "engine": "published",
                    "evidence": [],
                    "source_rows": [listing.source_row],
                    "generation_ids": [],
                }
    return Outcome(pa.Table.from_pylist(list(rows.values()), schema=PublishedRating.arrow_schema()))
