"""What a travel guide lists of a city, and which of the city's places its listings are about, joined by key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assets.clean.same_place import MATCH_NAME_SCORE, MATCH_WITHIN_M, plain_name
from assets.step import Outcome, RawFile
from schemas.osm import OsmPlace
from schemas.places import Place
from schemas.recipe import City
from schemas.wikivoyage import WikivoyageListing, WikivoyageMatch
from sources.wikivoyage.listings import read_listings

if TYPE_CHECKING:
    import pandas as pd

KINDS = {"sleep": ("stay",), "eat": ("restaurant",), "drink": ("restaurant", "attraction"), "see": ("attraction",),
         "do": ("attraction",), "buy": ("attraction",), "other": ("attraction",)}  # fmt: skip
"""Kinds of place that a listing of a kind can be about."""


def wikivoyage_listings(pages: list[RawFile], *, city: City) -> Outcome:
    """Return the listings of the guide's pages about the city, each page once."""
    import pyarrow as pa

    rows: dict[str, dict[str, Any]] = {}
    rejected: list[dict[str, str]] = []
    row_count = 0
    for file in pages:
        for row in read_listings(file, city, rejected):
            rows.setdefault(row["listing_id"], row)
            row_count += 1
    table = pa.Table.from_pylist(list(rows.values()), schema=WikivoyageListing.arrow_schema())
    return Outcome(table, rejected, merged=row_count - len(rows), rows_in=row_count + len(rejected))


def wikivoyage_matches(listing: pd.DataFrame, place: pd.DataFrame, osm_place: pd.DataFrame) -> Outcome:
    """Return which place each listing is about: by Wikidata's id, else by name and distance, each place once.

    A listing that says no position is about the one place of its name in the city. One that is about no place of ours
    has no row.
    """
    import pyarrow as pa

    listings = WikivoyageListing.arrow(listing).to_pylist()
    places = Place.arrow(place).to_pylist()
    mapped = {
        row["source_rows"][0]: row["wikidata"] for row in OsmPlace.arrow(osm_place).to_pylist() if row["wikidata"]
    }
    wikidata_ids = {row["place_id"]: {mapped[p] for p in row["source_rows"] if p in mapped} for row in places}
    pairs = [
        pair for one in listings for other in places if (pair := _pair(one, other, wikidata_ids[other["place_id"]]))
    ]
    rows, matched_ids = [], set()
    for _, distance_m, listing_id, place_id, by in sorted(pairs, key=lambda pair: (pair[0], pair[1] or 0.0, *pair[2:])):
        if listing_id not in matched_ids and place_id not in matched_ids:
            matched_ids |= {listing_id, place_id}
            city_id = places[0]["city_id"]
            rows.append((city_id, listing_id, place_id, by, distance_m))
    columns = [column.name for column in WikivoyageMatch.columns()]
    matches = [dict(zip(columns, row, strict=True)) for row in rows]
    return Outcome(
        pa.Table.from_pylist(matches, schema=WikivoyageMatch.arrow_schema()), facts={"matched": len(matches)}
    )


def _pair(
    listing: dict[str, Any], place: dict[str, Any], wikidata: set[str]
) -> tuple[float, float | None, str, str, str] | None:
    """Return how well the two fit (the least fits best), or None if they are not one place."""
    from rapidfuzz import fuzz

    away = None if listing["lat"] is None else _distance_m(listing, place)
    ids = listing["listing_id"], place["place_id"]
    if listing["wikidata"] and listing["wikidata"] in wikidata:
        return -200.0, away, *ids, "wikidata"
    if place["kind"] not in KINDS[listing["kind"]] or (away is not None and away > MATCH_WITHIN_M):
        return None
    names = [plain_name(text) for text in (listing["name"], listing["alt"]) if text]
    score = max(fuzz.token_sort_ratio(name, plain_name(place["name"])) for name in names)
    least = MATCH_NAME_SCORE if away is not None else 100.0
    return (-score, away, *ids, "name") if score >= least else None


def _distance_m(a: dict[str, Any], b: dict[str, Any]) -> float:
    from pyproj import Geod

    return round(Geod(ellps="WGS84").inv(a["lon"], a["lat"], b["lon"], b["lat"])[2], 1)
