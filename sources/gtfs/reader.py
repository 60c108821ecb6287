"""GTFS Schedule feeds: stops where one can board, routes, service calendars, and departures a stop and service.

A feed is opened as a `Feed` (`gtfs_feed.py`); the zip itself is `gtfs_zip.py`, the expansion of timetables and
frequencies `gtfs_departures.py`, and what runs on a date `gtfs_service.py`. Which stop is nearest to a place is
derived, and belongs with the spatial tables.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from schemas.source import Snapshot, Source, SourceFile
from schemas.stable import canonical_json
from schemas.table import Table
from schemas.time_zones import is_time_zone
from schemas.transit import OSM_FEED, Stop, StopService, TransitFeed, TransitRoute, TransitService
from sources.formats.jsonl import RowError
from sources.formats.unpacking import RawInput, base_name
from sources.gtfs.archive import FeedZip
from sources.gtfs.departures import Departures
from sources.gtfs.feed import Feed, parse_stop, read_stop_rows, stop_columns, stop_names
from sources.gtfs.service import active_bounds
from sources.gtfs.timetable import parse_rows

if TYPE_CHECKING:
    import pyarrow as pa

SOURCE = Source(
    name="gtfs",
    title="GTFS Schedule feed",
    homepage="https://gtfs.org/documentation/schedule/reference/",
    licence_id="LicenseRef-unverified",
    attribution="The transit agencies named in the feed",
    files=(
        SourceFile("feed", "GTFS Schedule zip; several a city are merged", required=False),
        SourceFile("long_distance", "GTFS Schedule zip: trains and coaches between the cities", required=False),
    ),
    how_to_get="Download a city's feeds from its transit agencies (the Mobility Database lists them) and declare each "
    "feed's licence in the recipe; it differs from agency to agency.",
    tables=("TransitFeed", "Stop", "TransitRoute", "TransitService", "StopService"),
)


def feed_keys(snapshots: list[Snapshot]) -> list[str]:
    """Return each feed's key within its city, in order: the slug of its file's name.

    The name stays while the bytes are refreshed, so stop ids do too. Feeds whose names give the same slug, and a feed
    whose name is that of the OpenStreetMap stops, get four digits of the hash of their whole location after it.
    """
    slugs = []
    for snapshot in snapshots:
        name = PurePosixPath(urlsplit(snapshot.location.replace("\\", "/")).path).name
        slugs.append(re.sub(r"[^a-z0-9]+", "-", re.sub(r"\.zip$", "", name.lower())).strip("-") or "feed")
    repeated = {slug for slug, count in Counter(slugs).items() if count > 1} | {OSM_FEED}
    return [
        f"{slug}-{hashlib.sha256(snapshot.location.encode()).hexdigest()[:4]}" if slug in repeated else slug
        for slug, snapshot in zip(slugs, snapshots, strict=True)
    ]


def read_stops(feed: Feed) -> pa.Table:
    """Return every boardable stop of the feed, as rows of `Stop`.

    Boardable: location_type 0 or empty, at coordinates that can be true (`gtfs_misplaced.py`), with at least one
    departure that can be boarded (so not a stop where trips only end, or that no trip serves). GTFS reference,
    stops.txt and stop_times.txt.
    """
    columns = ("name", "lat", "lon", "parent_station")
    rows = [
        {**_ids(feed, "stop_id", key), **{c: stop[c] for c in columns}, "source_rows": [stop["pointer"]]}
        for key, stop in feed.boardable.items()
    ]
    return _table(rows, Stop)


def read_routes(feed: Feed) -> pa.Table:
    """Return every route of the feed, as rows of `TransitRoute`."""
    return _table([{**_ids(feed, "route_id", key), **route} for key, route in feed.routes.items()], TransitRoute)


def read_services(feed: Feed) -> pa.Table:
    """Return every service of the feed with the days it runs on, as rows of `TransitService`."""
    rows = [{**_ids(feed, "service_id", key), **service} for key, service in feed.services.items()]
    return _table(rows, TransitService)


def read_stop_services(feed: Feed) -> pa.Table:
    """Return all departures of each stop and service, ascending, as rows of `StopService`."""
    import pyarrow as pa

    departures = feed.departures
    order = np.lexsort((departures.frequency, departures.row, departures.time_s, departures.service, departures.stop))
    stop, service, route = departures.stop[order], departures.service[order], departures.route[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (stop[1:] != stop[:-1]) | (service[1:] != service[:-1])
    starts = np.flatnonzero(new)
    ends = np.append(starts[1:], len(order)) if len(starts) else starts
    group = np.cumsum(new) - 1
    routes: list[list[str]] = [[] for _ in range(len(starts))]
    for pair in np.unique(group * len(departures.route_ids) + route).tolist():
        at, code = divmod(pair, len(departures.route_ids))
        routes[at].append(feed.our_id(departures.route_ids[code]))
    pointers = []
    for a, b in zip(starts.tolist(), ends.tolist(), strict=True):
        pointers.append(_pointers(feed, departures, [int(order[a]), int(order[b - 1])]))
    offsets = pa.array(np.append(starts, len(order)), pa.int32())
    columns = {
        "city_id": [feed.city_id] * len(starts),
        "stop_id": [feed.our_id(departures.stop_ids[code]) for code in stop[starts].tolist()],
        "service_id": [feed.our_id(departures.service_ids[code]) for code in service[starts].tolist()],
        "departures_s": pa.ListArray.from_arrays(offsets, pa.array(departures.time_s[order], pa.int64())),
        "route_ids": routes,
        "source_rows": pointers,
    }
    return pa.table(columns, schema=StopService.arrow_schema())


def read_feed(feed: Feed) -> pa.Table:
    """Return the feed's row of `TransitFeed`; its time zone is the first that agency.txt names (GTFS allows one)."""
    agencies = feed.agencies
    departures = feed.departures
    first_date, last_date = feed_dates(feed) or (None, None)
    row = {
        "city_id": feed.city_id,
        "feed": feed.key,
        "sha256": feed.zip.snapshot.sha256,
        "agencies": agencies.texts("agency_name"),
        "time_zone": next(filter(is_time_zone, agencies.texts("agency_timezone")), None),
        "first_date": first_date,
        "last_date": last_date,
        "stop_count": len(np.unique(departures.stop)),
        "route_count": len(feed.routes),
        "trip_count": len(feed.trips.index),
        "departure_count": len(departures.stop),
        "source_rows": [feed.zip.pointer(agencies, i) for i in range(len(agencies))],
    }
    return _table([row], TransitFeed)


def feed_dates(feed: Feed) -> tuple[dt.date, dt.date] | None:
    """Return the first and the last day on which anything departs, or None if nothing ever does."""
    used = [feed.services[feed.departures.service_ids[code]] for code in np.unique(feed.departures.service).tolist()]
    patterns = [{key: value for key, value in service.items() if key != "source_rows"} for service in used]
    days = [day for pattern in patterns for day in active_bounds(**pattern) or ()]
    return (min(days), max(days)) if days else None


def raw_records(file: RawInput, locators: Iterable[str]) -> dict[str, str]:
    """Return the row at each locator (`member:number`) as JSON; a locator that leads nowhere is left out."""
    return {locator: canonical_json(row) for locator, row in _rows_at(FeedZip(file), locators).items()}


def _rows_at(feed: FeedZip, locators: Iterable[str]) -> dict[str, dict[str, str]]:
    locators_by_member: dict[str, dict[int, str]] = {}
    for locator in locators:
        match = re.fullmatch(r"(.+):([1-9][0-9]*)", locator, re.DOTALL)
        if match:
            locators_by_member.setdefault(_member(locator), {})[int(match[2])] = locator
    return {
        numbers[number]: row
        for name, numbers in locators_by_member.items()
        if feed.has(name)
        for number, row in feed.rows_numbered(name, set(numbers)).items()
    }


def _member(locator: str) -> str:
    return base_name(locator.rpartition(":")[0])


def parse_stops(file: RawInput, locators: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return what the rows of stops.txt at some locators say of their stops; one nobody can board at is left out.

    Each has `native_id`, `name`, `lat`, `lon`, `parent_station` and `source_rows`: the feed's key and our ids, which
    rest on the other feeds of the city, are not the row's. A stop without a name has that of its station, another row.
    """
    feed = FeedZip(file)
    rows = {at: stop_columns(row) for at, row in _rows_at(feed, locators).items() if _member(at) == "stops.txt"}
    is_nameless = any(not row["stop_name"] for row in rows.values())
    names = stop_names(read_stop_rows(feed)) if is_nameless else {}
    stops = {}
    for locator, row in rows.items():
        with suppress(RowError):
            pointer = file.snapshot.pointer(locator)
            stops[locator] = {"native_id": row["stop_id"], **parse_stop(row, names), "source_rows": [pointer]}
    return stops


def parse_journeys(file: RawInput, locators: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return what the rows at some locators of a long-distance feed say of a journey (`timetable.parse_rows`)."""
    feed = FeedZip(file)
    return parse_rows(feed, _rows_at(feed, locators))


def _ids(feed: Feed, column: str, native_id: str) -> dict[str, str]:
    return {"city_id": feed.city_id, column: feed.our_id(native_id), "feed": feed.key, "native_id": native_id}


def _pointers(feed: Feed, departures: Departures, indices: list[int]) -> list[str]:
    pointers = []
    for i in indices:
        pointers.append(feed.zip.pointer(departures.stop_times, int(departures.row[i])))
        if departures.frequencies is not None and departures.frequency[i] >= 0:
            pointers.append(feed.zip.pointer(departures.frequencies, int(departures.frequency[i])))
    return list(dict.fromkeys(pointers))


def _table(rows: list[dict[str, Any]], table: type[Table]) -> pa.Table:
    import pyarrow as pa

    return pa.Table.from_pylist(rows, schema=table.arrow_schema())
