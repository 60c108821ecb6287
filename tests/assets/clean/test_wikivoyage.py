"""A listing is joined to the place that it is about: by Wikidata, by name and distance, never by guess."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pytest

from assets.clean.wikivoyage import wikivoyage_matches
from schemas.osm import OsmPlace
from schemas.places import Place
from schemas.wikivoyage import WikivoyageListing, WikivoyageMatch


def frame(table, rows):
    filled = [dict.fromkeys(column.name for column in table.columns()) | row for row in rows]
    return table.frame(pa.Table.from_pylist(filled, schema=table.arrow_schema()))


def place(number, name, kind="attraction", lat=42.0):
    lists = {"categories": [], "cuisines": [], "meals": [], "source_rows": [f"osm.extract@{'a' * 64}#node/{number}"]}
    return {"city_id": "c", "place_id": f"osm:node/{number}", "name": name, "address": "", "lat": lat, "lon": -71.0,
            "kind": kind, **lists}  # fmt: skip


def listing(number, name, kind="see", lat: float | None = 42.0, alt="", wikidata=None):
    at = {"lat": lat, "lon": None if lat is None else -71.0}
    return {"city_id": "c", "listing_id": f"B~{number}", "page": "B", "name": name, "kind": kind, "alt": alt,
            "wikidata": wikidata, **at}  # fmt: skip


def mapped(number, wikidata):
    return {"city_id": "c", "place_id": f"osm:node/{number}", "wikidata": wikidata,
            "source_rows": [f"osm.extract@{'a' * 64}#node/{number}"]}  # fmt: skip


def matches(listings, places, osm=()) -> set[tuple[str, str, str]]:
    outcome = wikivoyage_matches(
        frame(WikivoyageListing, listings), frame(Place, places), frame(OsmPlace, list(osm)) if osm else empty(OsmPlace)
    )
    rows = outcome.rows
    assert isinstance(rows, pa.Table)
    WikivoyageMatch.validate(rows)
    found: list[dict[str, str]] = pa.Table.to_pylist(rows)
    return {(row["listing_id"], row["place_id"].rpartition("/")[2], row["matched_by"]) for row in found}


def empty(table) -> pd.DataFrame:
    return table.frame(table.arrow_schema().empty_table())


def test_wikidata_joins_whatever_the_names_and_kinds():
    told = matches(
        [listing(1, "MFA", wikidata="Q49133")],
        [place(1, "Museum of Fine Arts"), place(2, "MFA")],
        [mapped(1, "Q49133")],
    )
    assert told == {("B~1", "1", "wikidata")}


@pytest.mark.parametrize(
    ("given", "is_joined"),
    [
        (listing(1, "Old  State-House"), True),
        (listing(1, "Other", alt="old state house"), True),
        (listing(1, "Old State House", lat=42.01), False),
        (listing(1, "Old State House", kind="eat"), False),
        (listing(1, "Old State House Museum Shop"), False),
        (listing(1, "Old State House", lat=None), True),
        (listing(1, "Old State Hous", lat=None), False),
    ],
)
def test_names_join_what_is_near_and_of_the_kind(given, is_joined):
    assert bool(matches([given], [place(1, "Old State House")])) is is_joined


def test_each_place_and_each_listing_is_joined_once_the_nearest_first():
    listings = [listing(1, "Park", lat=42.0001), listing(2, "Park", lat=42.0)]
    assert matches(listings, [place(1, "Park"), place(2, "Park", lat=42.0009)]) == {
        ("B~2", "1", "name"),
        ("B~1", "2", "name"),
    }


def test_nothing_is_joined_to_nothing():
    assert matches([], []) == set()
    assert matches([listing(1, "Park")], []) == set()
