"""Ratings of a guide's listings by the tags of the map's place that each is about, in a table of the map's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from assets.reviews.tag_rules import findings_of
from assets.step import Outcome
from schemas.osm import OsmPlace
from schemas.places import Place
from schemas.reviews import TAGS, TagRating
from schemas.wikivoyage import KIND_OF, WikivoyageMatch

if TYPE_CHECKING:
    import pandas as pd


def tag_ratings(
    wikivoyage_listing: pd.DataFrame, wikivoyage_match: pd.DataFrame, place: pd.DataFrame, osm_place: pd.DataFrame
) -> Outcome:
    """Return what the map's tags say of the listings that are about a mapped place of their kind, each with its tag.

    A place that several elements map has of each attribute the highest rating, of these the first element's. A row
    holds the map's values and the listing's key, and points to the map alone: nothing of the guide stands in it.
    """
    import pyarrow as pa

    matches = WikivoyageMatch.arrow(wikivoyage_match).to_pylist()
    if not matches:
        return Outcome(TagRating.arrow_schema().empty_table(), facts={"rated_listings": 0})
    kinds = dict(zip(wikivoyage_listing["listing_id"], wikivoyage_listing["kind"].map(KIND_OF), strict=True))
    mapped = {row["source_rows"][0]: row for row in OsmPlace.arrow(osm_place).to_pylist()}
    pointers = {row["place_id"]: row["source_rows"] for row in Place.arrow(place).to_pylist()}
    rows: list[dict[str, Any]] = []
    for match in matches:
        elements = [mapped[p] for p in pointers[match["place_id"]] if p in mapped]
        best: dict[str, dict[str, Any]] = {}
        for element in (e for e in elements if e["kind"] == kinds[match["listing_id"]]):
            for finding in findings_of(element).values():
                best_row = best.get(finding.attribute)
                if best_row is None or best_row["rating"] < finding.rating:
                    best[finding.attribute] = {
                        **{name: match[name] for name in ("city_id", "listing_id", "matched_by")},
                        **{name: element[name] for name in ("name", "lat", "lon", "source_rows")},
                        "attribute": finding.attribute,
                        "rating": finding.rating,
                        "tag": finding.tag,
                        "engine": TAGS,
                    }
        rows += best.values()
    return Outcome(
        pa.Table.from_pylist(rows, schema=TagRating.arrow_schema()),
        facts={"rated_listings": len({row["listing_id"] for row in rows})},
    )


def tag_rating(row: Mapping[str, Any], records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return, by column, what a row may have by its records: what the rules find in their tags for its attribute."""
    findings = [finding for record in records if (finding := findings_of(record).get(row["attribute"]))]
    return {"tag": [finding.tag for finding in findings], "rating": [finding.rating for finding in findings]}
