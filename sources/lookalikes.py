"""Files that people take for one of a source, and that are none: what each is, and what to get or do instead.

What is here is known by its own columns or first bytes; a file that has most columns of a role is told by those.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from schemas.counts import listed
from sources.formats.unpacking import WORKBOOK, packing
from sources.looks import Look
from sources.registry import SOURCES
from sources.roles import ROLES


@dataclass(frozen=True)
class Lookalike:
    """What a file is, what to do instead, and what a file of the kind has: columns, or a beginning."""

    what: str
    remedy: str
    columns: tuple[tuple[str, ...], ...] = ()
    """Sets of columns or keys, of which it has one."""
    begins: re.Pattern[bytes] | None = None
    begins_so: Callable[[Look], bool] = lambda _: True

    def fits(self, look: Look) -> bool:
        """Return whether a file that looks so is one of the kind."""
        has_columns = not self.columns or any(look.has(*columns) for columns in self.columns)
        has_beginning = (
            self.begins is None or self.begins.match(look.unpacked.removeprefix(b"\xef\xbb\xbf")) is not None
        )
        return has_columns and has_beginning and self.begins_so(look)


def _begins(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern, re.DOTALL)


def _is_shapefile(look: Look) -> bool:
    return look.shape.kind == "zip" and any(name.endswith(".shp") for name in look.shape.names)


def _is_workbook(look: Look) -> bool:
    packed_in = packing(look.head)
    is_office = look.shape.kind == "zip" and "workbook.xml" in look.shape.names
    return is_office or (packed_in is not None and packed_in[0] == WORKBOOK)


def _is_parquet(look: Look) -> bool:
    return look.shape.kind == "parquet"


ON_TIME = "Take `Reporting Carrier On-Time Performance`, which has a row for each flight"
LISTINGS = "Take listings.csv or listings.csv.gz of the same city"
PLACES = "Get the city's map (.osm.pbf), or Overture's places with `overturemaps download -f geoparquet --type=place`"
EVENTS = "Events are read from Ticketmaster's Discovery API and from Apify's exports of Ticketmaster"
CONVERT = "Convert it: osmium cat FILE -o map.osm.pbf"

LOOKALIKES = (
    Lookalike(
        "a spreadsheet's workbook",
        "Save the sheet as CSV in UTF-8, with commas between columns, and give that",
        begins_so=_is_workbook,
    ),
    Lookalike(
        "an answer by which a server refused what it was asked",
        "Ask again as its provider says, with a key that is valid, and save that answer",
        (("fault",), ("errors",), ("error",)),
        begins_so=lambda look: look.shape.kind == "json" and len(look.columns) <= 3,
    ),
    Lookalike(
        "flights counted by the month (BTS's T-100), of which none has a date or a time",
        ON_TIME,
        (("DEPARTURES_PERFORMED", "ORIGIN"), ("PASSENGERS", "ORIGIN", "CLASS"), ("DepPerformed", "Origin")),
    ),
    Lookalike(
        "a sample of tickets (BTS's DB1B), of which none has a day or a time",
        ON_TIME,
        (("ItinID",), ("ITIN_ID",)),
    ),
    Lookalike(
        "a look-up table of codes (BTS)",
        "On-time files need none; airports come from OpenFlights' airports.dat",
        (("Code", "Description"),),
    ),
    Lookalike(
        "OurAirports' list of airports",
        "Get OpenFlights' airports.dat, which has no header",
        (("latitude_deg", "longitude_deg", "iata_code"),),
    ),
    Lookalike("Inside Airbnb's reviews", LISTINGS, (("listing_id", "date", "reviewer_id"),)),
    Lookalike("Inside Airbnb's calendar", LISTINGS, (("listing_id", "date", "available"),)),
    Lookalike("the dates of Inside Airbnb's reviews", LISTINGS, (("listing_id", "date"),)),
    Lookalike(
        "Inside Airbnb's list of neighbourhoods",
        LISTINGS,
        (("neighbourhood_group", "neighbourhood"),),
        begins_so=lambda look: "id" not in look.columns,
    ),
    Lookalike(
        "Yelp's check-ins, tips, users or photos",
        "Of Yelp's files the businesses and the reviews are read",
        (("yelping_since",), ("compliment_count", "business_id"), ("photo_id", "business_id")),
    ),
    Lookalike(
        "Yelp's check-ins",
        "Of Yelp's files the businesses and the reviews are read",
        (("business_id", "date"),),
        begins_so=lambda look: not look.has("text"),
    ),
    Lookalike("Foursquare's places", PLACES, (("fsq_place_id",), ("fsq_id",))),
    Lookalike(
        "Overture's data of another type than places",
        "Download the places: `overturemaps download --bbox=… -f geoparquet --type=place`",
        (("id", "geometry", "sources"), ("id", "geometry", "bbox", "version")),
        begins_so=_is_parquet,
    ),
    Lookalike("GeoParquet of other columns than Overture's places", PLACES, (("geometry",),), begins_so=_is_parquet),
    Lookalike(
        "GeoJSON",
        PLACES,
        begins=_begins(
            rb'\s*\{.{0,400}?"type"\s*:\s*"(FeatureCollection|Feature)"|\x1e?\s*\{\s*"type"\s*:\s*"Feature"'
        ),
    ),
    Lookalike(
        "Overpass's answer as JSON",
        "Ask for XML, with the nodes of all ways: `[out:xml]; …; out body; >; out skel qt;`",
        (("elements", "osm3s"), ("elements", "generator")),
    ),
    Lookalike(
        "changes of OpenStreetMap (.osc), which say what became otherwise and not what is there",
        "Get the extract, and apply them with `osmium apply-changes`",
        begins=_begins(rb"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<osmChange[\s>]"),
    ),
    Lookalike("OpenStreetMap's data in the format o5m", CONVERT, begins=_begins(rb"\xff\xe0.{0,2}o5[mc]2")),
    Lookalike(
        "OpenStreetMap's data in the format OPL",
        CONVERT,
        begins=_begins(rb"[nwr][0-9]+ (v[0-9]+|d[VD]|T|x-?[0-9])"),
    ),
    Lookalike(
        "a GTFS feed without stops.txt",
        "Ask the publisher for a complete feed",
        (("agency.txt", "routes.txt"), ("trips.txt", "stop_times.txt")),
        begins_so=lambda look: look.shape.kind == "zip",
    ),
    Lookalike("a shapefile", PLACES, begins_so=_is_shapefile),
    Lookalike("a database (SQLite), such as a GeoPackage or map tiles", PLACES, begins=_begins(rb"SQLite format 3\0")),
    Lookalike("Eventbrite's events", EVENTS, (("events", "pagination"),)),
    Lookalike("PredictHQ's events", EVENTS, (("results", "count", "overflow"),)),
    Lookalike(
        "events of Ticketmaster's Discovery Feed", EVENTS, (("eventId", "eventName"), ("event_id", "event_name"))
    ),
    Lookalike("a calendar (iCalendar)", EVENTS, begins=_begins(rb"\s*BEGIN:VCALENDAR")),
    Lookalike("a PDF document", "Get the data that it was made of", begins=_begins(rb"%PDF-")),
)
"""In this order, the first that fits."""

ORDINARY = {"id", "name", "type", "text", "city", "country", "region", "day", "price", "latitude", "longitude", "index"}
"""Columns, as `_plain` writes them, that any table may have: they say of none whose it is."""

LEAST_SHARE = 0.5
"""Of a role's columns, for a file to be told as nearly one of its files."""


def lookalike_of(look: Look) -> Lookalike | None:
    """Return what a file is known to be that no source reads; None if it is not known."""
    return next((kind for kind in LOOKALIKES if kind.fits(look)), None)


def nearly(look: Look) -> str:
    """Return in words which role's files have most of the file's columns, and which it lacks; empty if none has.

    Columns that are only spelled otherwise, as in small letters, are told as such.
    """
    names = {_plain(name): name for name in look.columns}
    owners = {(_plain(column), role.source, role.role) for role in ROLES for column in role.columns}
    roles_with = Counter(column for column, _, _ in owners)
    best, most = None, 0.0
    for role in ROLES:
        shared = [column for column in role.columns if _plain(column) in names]
        own = [column for column in shared if _plain(column) not in ORDINARY and roles_with[_plain(column)] == 1]
        share = len(shared) / max(1, len(role.columns))
        if len(own) >= 2 and share >= LEAST_SHARE and share > most:
            best, most = role, share
    if best is None:
        return ""
    lacking = [column for column in best.columns if _plain(column) not in names]
    respelled = [c for c in best.columns if _plain(c) in names and c not in look.columns]
    differences = [f"lacks {listed(lacking, 'and')}"] if lacking else []
    differences += [f"has {names[_plain(c)]!r:.60} where that has {c}" for c in respelled[:3]]
    differences = differences or [f"lacks one of {', '.join(best.one_of)}"]
    return f"It is nearly a file of {SOURCES[best.source].title} (`{best.role}`), but {listed(differences, 'and')}"


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
