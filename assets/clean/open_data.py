"""Places, stops, timetables and stays of one city, from the files that only this city reads: OSM, GTFS, Airbnb."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assets.clean.stay_union import merged_stays
from assets.step import Outcome, RawFile
from schemas.osm import OsmPlace
from schemas.overture import OverturePlace
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.stays import Stay
from schemas.table import Table
from schemas.transit import Stop, StopService, TransitFeed, TransitRoute, TransitService
from sources.airbnb import listings as airbnb
from sources.gtfs import reader as gtfs
from sources.gtfs.feed import Feed
from sources.osm import extract as osm
from sources.osm.city_extract import MARGIN_M, city_extract, widened
from sources.overture import places as overture

if TYPE_CHECKING:
    import pyarrow as pa


def osm_places(extracts: list[RawFile], *, city: City) -> Outcome:
    """Return the extracts' named stays, restaurants and attractions inside the city."""
    rows, rejected = [], []
    counts = {"opening_hours": 0, "opening_hours_unreadable": 0}
    for file in extracts:
        places, hours = osm.read_places(city_extract(file, city.bounds), [city], rejected)
        rows += places
        counts = {name: counts[name] + hours[name] for name in counts}
    rows_in = len(rows) + len(rejected)
    rows = _first_of_each(rows, rejected)
    return Outcome(_arrow(OsmPlace, rows), rejected, rows_in=rows_in, facts=counts)


def overture_places(files: list[RawFile], *, city: City) -> Outcome:
    """Return Overture's stays, restaurants and attractions inside the city."""
    rows, rejected = [], []
    for file in files:
        rows += overture.read_places(file, city, rejected)
    rows_in = len(rows) + len(rejected)
    rows = _first_of_each(rows, rejected)
    return Outcome(_arrow(OverturePlace, rows), rejected, rows_in=rows_in)


def stays(listings: list[RawFile], apify: list[RawFile], *, city: City) -> Outcome:
    """Return the listings for the night inside the city, each once; what none of their files says stays unknown.

    A listing in several files is one stay (`stay_union.py`), which points to its row in each of them.
    """
    rows, rejected = [], []
    for file in (*listings, *apify):
        rows += airbnb.read_stays(file, [city], rejected)
    stay_rows, merged, contradictions = merged_stays(rows)
    rows_in = len(rows) + len(rejected)
    return Outcome(_arrow(Stay, stay_rows), rejected, merged, rows_in, facts={"contradictions": contradictions})


def stops(feeds: list[RawFile], extracts: list[RawFile], *, city: City) -> Outcome:
    """Return the city's boardable stops: of all its feeds, or of the map where it has none."""
    if feeds:
        return _of_records(_of_feeds(Stop, gtfs.read_stops, feeds, city, "stops.txt"))
    rows, rejected = [], []
    for file in extracts:
        part = city_extract(file, city.bounds)
        rows += osm.read_stops(part, city.city_id, rejected, widened(city.bounds, MARGIN_M))
    return Outcome(_arrow(Stop, rows), rejected, rows_in=len(rows) + len(rejected))


def routes(feeds: list[RawFile], *, city: City) -> Outcome:
    """Return the routes of the city's feeds."""
    return _of_records(_of_feeds(TransitRoute, gtfs.read_routes, feeds, city, "routes.txt"))


def services(feeds: list[RawFile], *, city: City) -> Outcome:
    """Return the days on which each service of the city's feeds runs."""
    return _of_feeds(TransitService, gtfs.read_services, feeds, city, "calendar.txt", "calendar_dates.txt")


def departures(feeds: list[RawFile], *, city: City) -> Outcome:
    """Return every departure of a service's day at each stop of the city's feeds."""
    return _of_feeds(
        StopService, gtfs.read_stop_services, feeds, city, "trips.txt", "stop_times.txt", "frequencies.txt"
    )


def feeds(feeds: list[RawFile], *, city: City) -> Outcome:
    """Return what each of the city's feeds is: publisher, zone, first and last day, counts."""
    return _of_feeds(TransitFeed, gtfs.read_feed, feeds, city)


def _of_feeds(
    table: type[Table], read_table: Callable[[Feed], pa.Table], files: list[RawFile], city: City, *members: str
) -> Outcome:
    import pyarrow as pa

    tables, rejected = [], []
    for file, key in zip(files, gtfs.feed_keys([f.snapshot for f in files]), strict=True):
        feed = Feed(file, city_id=city.city_id, feed=key)
        tables.append(read_table(feed))
        rejected += feed.rejected(*members)
    if not tables:
        tables = [table.arrow_schema().empty_table()]
    return Outcome(pa.concat_tables(tables), _distinct(rejected))


def _of_records(outcome: Outcome) -> Outcome:
    """Return the outcome with how many records it was made of: each gave a row or was rejected."""
    return replace(outcome, rows_in=len(outcome.rows) + len(outcome.rejections))  # pyright: ignore[reportArgumentType]


def _first_of_each(rows: list[dict[str, Any]], rejected: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the rows with each place once: of several files' rows of one id the first stays."""
    row_by_place: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row["place_id"] in row_by_place:
            detail = f"{row['place_id']} was already taken from {row_by_place[row['place_id']]['source_rows'][0]}"
            rejected.append({"row": row["source_rows"][0], "reason": Reason.DUPLICATE.value, "detail": detail})
        else:
            row_by_place[row["place_id"]] = row
    return list(row_by_place.values())


def _distinct(rejected: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return one rejection a row: a row that is wrong in two ways is dropped once."""
    return list({row["row"]: row for row in reversed(rejected)}.values())


def _arrow(table: type[Table], rows: list[dict[str, Any]]) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist(rows, schema=table.arrow_schema())
