"""Every reader by provider and role: a raw file in, the pointers of its rows and of what it rejected."""

from __future__ import annotations

import datetime as dt
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

from schemas.recipe import City
from sources.airbnb.listings import read_stays
from sources.corrections.overrides import read_corrections
from sources.events.listings import read_events
from sources.flights import bts
from sources.formats.unpacking import RawInput
from sources.group.climate import read_climate
from sources.group.lists import read_fares, read_pois, read_profiles
from sources.gtfs.feed import Feed
from sources.gtfs.reader import parse_journeys, read_feed, read_routes, read_services, read_stop_services, read_stops
from sources.gtfs.timetable import Timetable
from sources.invented.world import TRIP_DATES
from sources.numbeo.prices import read_prices
from sources.openflights.airports import read_airports
from sources.osm import extract as osm
from sources.published import itinbench, queries, travelplanner
from sources.tripadvisor.places import read_places
from sources.yelp.businesses import read_businesses, read_fusion
from sources.yelp.reviews import read_reviews
from tests.rails import FINLAND, long_distance, write_feed

DAYS = [dt.date(2026, 3, 1) + dt.timedelta(days=n) for n in range(7)]
"""A week in which the feed of long distances runs."""

Rejected = list[dict[str, str]]
Reader = Callable[[RawInput, list[City], Rejected], list[str]]


def _pointers(rows: Any) -> list[str]:
    found = []
    for row in rows:
        given = (
            row if isinstance(row, dict) else {"source_row": getattr(row, "source_row", getattr(row, "pointer", ""))}
        )
        found += given["source_rows"][:1] if "source_rows" in given else [given.get("source_row") or given["pointer"]]
    return found


def _reviews(file: RawInput, cities: list[City], rejected: Rejected) -> list[str]:
    business = pa.table({"native_id": ["b"], "city_id": ["c"], "place_id": ["p"]})
    kept: list[str] = []
    for block in read_reviews(file, business):
        kept += block.reviews["source_row"].to_pylist()
        rejected += block.rejections.to_pylist()
        assert block.rows == block.reviews.num_rows + block.rejections.num_rows
    return kept


def _columns(read: Callable[[RawInput], tuple[Any, Any]]) -> Reader:
    def reader(file: RawInput, cities: list[City], rejected: Rejected) -> list[str]:
        source, batches = read(file)
        kept = [source.pointer(number) for batch in batches for number in batch["record"].tolist()]
        rejected += source.rejected
        assert source.rows_read == len(kept) + len(source.rejected)
        return kept

    return reader


def _planner(file: RawInput) -> tuple[Any, Any]:
    source, _, batches = travelplanner.flights(file)
    return source, batches


def _feed(file: RawInput, cities: list[City], rejected: Rejected) -> list[str]:
    feed = Feed(file, city_id="c", feed="f")
    rows = read_stops(feed).to_pylist()
    for read in (read_routes, read_services, read_stop_services, read_feed):
        read(feed)
    rejected += feed.rejected("stops.txt")
    return _pointers(rows)


def _long_distance(file: RawInput, cities: list[City], rejected: Rejected) -> list[str]:
    """Read a feed's runs, calendars and changes, and each row that they rest on again by its pointer."""
    timetable = Timetable(file, lambda lat, lon: lat == lat)
    calls = [call for run in timetable.runs for call in run.calls]
    days = [day for run in timetable.runs for day in DAYS if run.service_id in timetable.running(day)]
    used = [pointer for run in timetable.runs for pointer in run.pointers]
    used += [
        pointer
        for run in timetable.runs
        for day in days[:1]
        for pointer in timetable.calendar_pointers(run.service_id, day)
    ]
    used += [timetable.agency_pointer] if timetable.time_zone else []
    stops = [timetable.stops[call.stop] for call in calls[:20]]
    for stop in stops:
        assert timetable.stations_from(stop)
        assert all((timetable.change_s(stop, other) or 0) >= 0 for other in stops)
    dropped = timetable.rejected()
    assert not {call.pointer for call in calls} & {row["row"] for row in dropped}
    again = parse_journeys(file, [pointer.partition("#")[2] for pointer in {*used, *(call.pointer for call in calls)}])
    assert all(call.pointer.partition("#")[2] in again for call in calls)
    kept = [stop.pointer for stop in timetable.stops.values()]
    rejected += [
        row for row in dropped if row["row"].rpartition(":")[0].endswith("stops.txt") and row["row"] not in kept
    ]
    return kept


def _map(file: RawInput, cities: list[City], rejected: Rejected) -> list[str]:
    osm.read_stops(file, "c", [])
    osm.read_boundaries(file, "c", [])
    return _pointers(osm.read_places(file, cities, rejected)[0])


READERS: dict[tuple[str, str], Reader] = {
    ("yelp", "business"): lambda f, _, r: _pointers(read_businesses(f, r)),
    ("yelp", "fusion"): lambda f, _, r: _pointers(read_fusion(f, r)),
    ("yelp", "review"): _reviews,
    ("published", "restaurants"): lambda f, _, r: _pointers(itinbench.read_places(f, r)),
    ("published", "queries"): lambda f, _, r: _pointers(itinbench.read_records(f, r)),
    ("published_queries", "queries"): lambda f, _, r: _pointers(queries.read_queries(f, r)),
    ("osm", "extract"): _map,
    ("gtfs", "feed"): _feed,
    ("gtfs", "long_distance"): _long_distance,
    ("airbnb", "listings"): lambda f, c, r: _pointers(read_stays(f, c, r)),
    ("airbnb", "apify"): lambda f, c, r: _pointers(read_stays(f, c, r)),
    ("tripadvisor", "places"): lambda f, c, r: _pointers(read_places(f, c, r)),
    ("events", "discovery"): lambda f, c, r: _pointers(read_events(f, c, TRIP_DATES, r)),
    ("events", "apify"): lambda f, c, r: _pointers(read_events(f, c, TRIP_DATES, r)),
    ("bts", "on_time"): _columns(bts.on_time),
    ("travelplanner", "flights"): _columns(_planner),
    ("travelplanner", "ref_info"): lambda f, _, r: _pointers(travelplanner.read_reference_sets(f, r)),
    ("openflights", "airports"): lambda f, _, r: _pointers(read_airports(f, r)),
    ("numbeo", "prices"): lambda f, c, r: _pointers(read_prices(f, c, r)),
    ("group", "poi"): lambda f, c, r: _pointers(read_pois(f, c, r)),
    ("group", "fares"): lambda f, c, r: _pointers(read_fares(f, c, r)),
    ("group", "profiles"): lambda f, _, r: _pointers(read_profiles(f, r)),
    ("group", "climate"): lambda f, c, r: _pointers(read_climate(f, c, r)),
    ("corrections", "overrides"): lambda f, _, r: _pointers(read_corrections(f)),
}


def hand_written() -> dict[tuple[str, str], bytes]:
    """Return small files of the roles that the invented world does not write."""
    place = {
        "business_id": "b1",
        "name": "Inn &amp; Bar",
        "latitude": 39.9,
        "longitude": -75.1,
        "price": "$$",
        "address": "",
    }
    place |= {key: f"good {key}" for key in ("flavor", "freshness", "service", "environment", "value")}
    lines = [json.dumps(place | {"business_id": f"b{n}"}) for n in range(30)]
    queries_ = [json.dumps({"index": n, "query": f"Plan {n} days"}) for n in range(30)]
    rows = {"Restaurants in X": [{"Name": "A"}], "Attractions in X": "none"}
    entry = '[[correction]]\nrow = "a/{n}"\nfield = "price"\nvalue = 1\nwho = "R"\nmade_on = 2026-11-21\nwhy = "w"\n'
    with tempfile.TemporaryDirectory() as folder:
        rails = write_feed(Path(folder) / "long.zip", long_distance(FINLAND)).read_bytes()
    return {
        ("gtfs", "long_distance"): rails,
        ("published", "restaurants"): "\n".join(lines).encode(),
        ("published", "queries"): "\n".join(queries_).encode(),
        ("published_queries", "queries"): "\n".join(queries_).encode(),
        ("travelplanner", "ref_info"): "\n".join([json.dumps(rows)] * 20).encode(),
        ("corrections", "overrides"): "".join(entry.replace("{n}", str(n)) for n in range(20)).encode(),
    }
