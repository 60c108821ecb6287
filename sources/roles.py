"""By what each role of each source knows its own files: columns or keys that all of them have, or how they begin.

Files that are taken for one of them, and are none, are `lookalikes.py`.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import dataclass

from schemas.reviews import ATTRIBUTES
from sources.group.climate import CLIMATE_COLUMNS
from sources.group.lists import FARE_COLUMNS, PROFILE_KEYS
from sources.looks import Look
from sources.numbeo.prices import INDEX_COLUMNS, MEAL_COLUMNS
from sources.published.itinbench import TABLE_KINDS, rating_key
from sources.published.travelplanner import HEADINGS


@dataclass(frozen=True)
class Role:
    """A source's role, and what a file of it has: all of the `columns`, one of `one_of`, and what `begins_so` asks.

    A file that is bound `by_hand` is one of a kind that no recipe is first written of.
    """

    source: str
    role: str
    columns: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()
    begins_so: Callable[[Look], bool] = lambda _: True
    by_hand: bool = False

    def fits(self, look: Look) -> bool:
        """Return whether a file that looks so is one of the role's."""
        return (
            look.has(*self.columns)
            and (not self.one_of or bool(look.columns & {*self.one_of}))
            and self.begins_so(look)
        )


def _is_osm(look: Look) -> bool:
    return look.shape.kind == "osm.pbf" or re.search(rb"<osm[\s>]", look.unpacked[:2000]) is not None


def _is_wikivoyage(look: Look) -> bool:
    head = look.unpacked
    if re.match(rb'\s*(\{|\[\s*\{)\s*"', head):
        return False  # JSON, which may hold a page's wikitext as it may hold anything
    is_dump = b"<mediawiki" in head[:4000]
    return is_dump or re.search(rb"\{\{\s*(see|do|buy|eat|drink|sleep|pagebanner|listing)\s*\|", head, re.I) is not None


def _is_feed(look: Look) -> bool:
    return look.shape.kind == "zip" and any(name.endswith("stops.txt") for name in look.shape.names)


def _is_parquet(look: Look) -> bool:
    return look.shape.kind == "parquet"


def _is_airports(look: Look) -> bool:
    try:
        row = next(csv.reader([look.head.decode("utf-8", "replace").partition("\n")[0]]), [])
    except csv.Error:
        return False
    return len(row) == 14 and re.fullmatch(r"[A-Z]{3}|\\N", row[4]) is not None


def _is_labelled(look: Look) -> bool:
    return "<sentences" in look.text[:400] and "<aspectCategor" in look.text


def _is_reference_sets(look: Look) -> bool:
    headings = "|".join(map(re.escape, HEADINGS))
    return re.match(rf'\{{\s*"({headings})', look.text) is not None


def _is_pois(look: Look) -> bool:
    return re.match(r'\{\s*"[^"\\]+"\s*:\s*\[\s*\{', look.text) is not None and '"poi_type"' in look.text


ROLES = (
    Role("wikivoyage", "pages", begins_so=_is_wikivoyage),
    Role("osm", "extract", begins_so=_is_osm),
    Role("gtfs", "feed", begins_so=_is_feed),
    Role("overture", "places", ("id", "geometry", "names"), ("categories", "taxonomy"), _is_parquet),
    Role("airbnb", "listings", ("id", "room_type", "latitude", "longitude"), ("host_id", "minimum_nights")),
    *(
        Role("published", role, ("business_id", *(rating_key(kind, a) for a in ATTRIBUTES[kind])), by_hand=True)
        for role, kind in TABLE_KINDS.items()
    ),
    Role("published", "evals", ("eval_info",), by_hand=True),
    Role("published", "queries", ("index", "query"), by_hand=True),
    Role("published_queries", "queries", ("query",), by_hand=True),
    Role("yelp", "review", ("review_id", "business_id", "text")),
    Role("yelp", "business", ("business_id", "categories", "latitude", "longitude", "is_open")),
    Role("yelp", "fusion", ("alias", "coordinates", "review_count"), by_hand=True),
    Role("yelp", "fusion", ("businesses", "total"), by_hand=True),
    Role("tripadvisor", "places", ("id", "type", "name", "locationString")),
    Role("airbnb", "apify", ("roomType",), ("coordinates", "pricing")),
    Role("events", "apify", ("name", "segmentName", "dateTitle")),
    Role("events", "discovery", ("page",), ("_embedded", "_links")),
    Role("events", "discovery", ("dates", "classifications", "name")),
    Role("bts", "on_time", ("FL_DATE", "ORIGIN", "DEST")),
    Role("bts", "on_time", ("FL_DATE",), ("ORIGIN_AIRPORT_ID", "DEST_AIRPORT_ID")),  # its reader says what is missing
    Role("bts", "on_time", ("FlightDate", "Origin", "Dest")),
    Role("travelplanner", "flights", ("Flight Number", "Price", "OriginCityName", "DestCityName")),
    Role("travelplanner", "ref_info", begins_so=_is_reference_sets, by_hand=True),
    Role("world_bank", "price_levels", ("Country Name", "Country Code", "Indicator Code")),
    Role("big_mac", "prices", ("iso_a3", "currency_code", "local_price", "dollar_ex")),
    Role("numbeo", "prices", ("city", "country"), (*INDEX_COLUMNS, *MEAL_COLUMNS, "items")),
    Role("group", "fares", FARE_COLUMNS, by_hand=True),
    Role("group", "climate", CLIMATE_COLUMNS, by_hand=True),
    Role("group", "profiles", PROFILE_KEYS, by_hand=True),
    Role("group", "poi", begins_so=_is_pois, by_hand=True),
    Role("labelled", "train", begins_so=_is_labelled, by_hand=True),
    Role("openflights", "airports", begins_so=_is_airports),
)
"""In this order, the first that fits: a file that could be of two is of the one with the narrower rule."""

SAME_FILES = {
    ("gtfs", "long_distance"): ("gtfs", "feed"),
    ("labelled", "val"): ("labelled", "train"),
    ("published_queries", "queries"): ("published", "queries"),
}
"""Roles whose files look like another's: which of the two is meant, only whoever binds the file knows."""

NOT_TOLD = {
    ("corrections", "overrides"): "tripwright writes it, and its place is beside the recipe",
    ("invented", "truth"): "tripwright writes it, and nobody binds it",
}
"""Roles that no file is recognised for, and why."""


def role_of(look: Look) -> Role | None:
    """Return the first role that a file that looks so fits; None if it fits none."""
    return next((role for role in ROLES if role.fits(look)), None)


def alike(role: Role) -> list[str]:
    """Return the names of the roles of its source that a file of a role may be meant for."""
    one = (role.source, role.role)
    return [
        role.role,
        *(name for (source, name), other in SAME_FILES.items() if other == one and source == role.source),
    ]


def is_alike(role: Role, source: str, name: str) -> bool:
    """Return whether a file of a role may as well be bound to this one of that source."""
    one, other = (role.source, role.role), (source, name)
    return SAME_FILES.get(one, one) == SAME_FILES.get(other, other)
