"""The invented feeds: lines that run through each city on the trips' dates, with every defect where the list says."""

from __future__ import annotations

import csv
import datetime as dt
import io
import itertools
import zipfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from geopy.distance import geodesic

from schemas.transit import Stop, StopService, TransitFeed
from sources.gtfs.feed import Feed
from sources.gtfs.reader import feed_dates, read_feed, read_routes, read_services, read_stop_services, read_stops
from sources.gtfs.service import active_bounds
from sources.invented import World, city_of, gtfs, make_world
from sources.invented.dirt import HOSTILE_NAMES, Dirt

SEED = 7
FATE = {
    "stop_without_coordinates": "bad_coordinates",
    "stop_at_zero": "bad_coordinates",
    "stop_with_text_coordinates": "bad_coordinates",
    "stop_out_of_reach": "out_of_reach",
    "station": "not_boardable",
    "unknown_location_type": "not_boardable",
    "stop_never_served": "not_boardable",
    "stop_without_id": "missing_value",
    "stop_without_name": "missing_value",
    "duplicate_stop_id": "duplicate",
    "route_of_no_type": "bad_value",
    "service_ends_before_it_begins": "bad_value",
    "exception_of_no_date": "bad_value",
    "trip_of_unknown_route": "unknown_reference",
    "trip_of_unknown_service": "unknown_reference",
    "stop_time_of_unknown_trip": "unknown_reference",
    "stop_time_at_unknown_stop": "unknown_reference",
    "stop_time_not_a_time": "bad_value",
    "stop_time_backwards": "bad_value",
}
"""What becomes of each planted row; the others are kept, or depend on where the city lies."""
MEMBERS = ("calendar.txt", "calendar_dates.txt", "routes.txt", "trips.txt", "stops.txt", "stop_times.txt")


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(3, 0.5, SEED)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, world: World) -> Path:
    folder = tmp_path_factory.mktemp("gtfs")
    gtfs.write(world, folder)
    return folder


@pytest.fixture
def opened(given_path: Any) -> Callable[[Path], Feed]:
    """Return a function from a zip to the feed with everything read."""

    def of(path: Path) -> Feed:
        feed = Feed(given_path(path, "gtfs", "feed"), city_id="xx-city", feed="feed")
        for read in (read_stops, read_routes, read_services, read_stop_services, read_feed):
            read(feed)
        return feed

    return of


def zips(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.zip"))


def listed_dirt(folder: Path) -> list[Dirt]:
    with (folder / "dirt.csv").open(encoding="utf-8", newline="") as file:
        return [Dirt(r["kind"], r["file"], int(r["line"]), r["native_id"]) for r in csv.DictReader(file)]


def plain_rows(path: Path, member: str) -> list[dict[str, str]]:
    with zipfile.ZipFile(path) as archive:
        [name] = [name for name in archive.namelist() if name.rpartition("/")[2] == member]
        return list(csv.DictReader(io.StringIO(archive.read(name).decode("utf-8-sig"), newline="")))


def test_every_city_has_buses_and_two_of_three_have_trams(tmp_path: Path) -> None:
    world = make_world(24, 0.1, SEED)
    paths = gtfs.write(world, tmp_path)["feed"]
    names = defaultdict(list)
    for path in paths:
        names[city_of(path)].append(path.name.rsplit(".", 2)[1])
    assert list(names) == [city.city_id for city in world.cities]
    assert {tuple(found) for found in names.values()} == {("bus",), ("bus", "tram")}
    assert 8 < sum("tram" in found for found in names.values()) < 22


def test_nothing_in_a_zip_tells_when_or_where_it_was_written(folder: Path) -> None:
    for path in zips(folder):
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                assert (info.date_time, info.create_system, info.compress_type) == ((2024, 9, 1, 0, 0, 0), 3, 0)


def test_stops_follow_each_other_along_a_line_every_360_metres(folder: Path, opened: Callable[[Path], Feed]) -> None:
    for path in zips(folder):
        spots = {s["stop_id"]: (s["stop_lat"], s["stop_lon"]) for s in plain_rows(path, "stops.txt")[::-1]}
        trips: dict[str, list[str]] = defaultdict(list)
        for row in plain_rows(path, "stop_times.txt"):
            trips[row["trip_id"]].append(row["stop_id"])
        gaps = [
            geodesic(spots[one], spots[other]).m
            for trip_id, stop_ids in list(trips.items())[::20]
            if not trip_id.startswith("X")
            for one, other in itertools.pairwise(stop_ids)
        ]
        assert 350 < min(gaps) <= max(gaps) < 370
        assert len(opened(path).boardable) > 60


def test_places_have_a_stop_within_reach(world: World, folder: Path, opened: Callable[[Path], Feed]) -> None:
    for city in world.cities:
        feed = opened(folder / city.city_id / f"{city.city_id}.bus.zip")
        lat, lon = (np.array([stop[key] for stop in feed.boardable.values()]) for key in ("lat", "lon"))
        nearest = []
        for index in range(world.count("restaurant")):
            place = world.place(city, "restaurant", index)
            north, east = (lat - place.lat) * 111_195, (lon - place.lon) * 111_195 * np.cos(np.radians(place.lat))
            nearest.append(np.min(np.hypot(north, east)))
        assert np.mean(np.array(nearest) < 500) > 0.5
        assert max(nearest) < 5_000


def test_the_reader_takes_it_and_it_runs_on_the_trips_dates(
    world: World, folder: Path, opened: Callable[[Path], Feed]
) -> None:
    for path in zips(folder):
        feed = opened(path)
        first, last = feed_dates(feed) or (dt.date.max, dt.date.min)
        assert first <= world.dates[0]
        assert last >= max(world.dates[1], dt.date(2026, 5, 1))
        for table, read in ((Stop, read_stops), (StopService, read_stop_services), (TransitFeed, read_feed)):
            table.validate(read(feed))
        departures = [s for row in read_stop_services(feed).to_pylist() for s in row["departures_s"]]
        assert min(departures) < 6 * 3600
        assert max(departures) > 24 * 3600
        for service in feed.services.values():
            pattern = {key: value for key, value in service.items() if key != "source_rows"}
            assert active_bounds(**pattern) is not None


def test_the_calendar_reaches_beyond_the_worlds_own_dates(tmp_path: Path, opened: Callable[[Path], Feed]) -> None:
    world = make_world(1, 0.1, SEED, (dt.date(2021, 2, 1), dt.date(2021, 3, 31)))
    [path, *_] = gtfs.write(world, tmp_path)["feed"]
    first, last = feed_dates(opened(path)) or (dt.date.max, dt.date.min)
    assert first <= dt.date(2021, 1, 1)
    assert last == dt.date(2026, 12, 31)


def test_holidays_run_as_sundays(folder: Path) -> None:
    path = next(path for path in zips(folder) if "bus" in path.name)
    exceptions = {(r["date"], r["service_id"]): r["exception_type"] for r in plain_rows(path, "calendar_dates.txt")}
    assert exceptions["20241128", "weekday"] == "2"
    assert exceptions["20241128", "sunday"] == "1"
    assert ("20241129", "sunday") not in exceptions
    assert ("20240704", "sunday") not in exceptions
    tram = next(path for path in zips(folder) if "tram" in path.name)
    runs = {r["date"]: r["service_id"] for r in plain_rows(tram, "calendar_dates.txt")}
    assert [runs[day] for day in ("20241127", "20241128", "20241129", "20241130")] == [
        "working", "resting", "working", "resting"
    ]  # fmt: skip


def test_trams_run_by_frequency_from_a_folder_with_stations_and_no_calendar(
    folder: Path, opened: Callable[[Path], Feed]
) -> None:
    trams = [path for path in zips(folder) if "tram" in path.name]
    assert trams
    for path in trams:
        with zipfile.ZipFile(path) as archive:
            members = {name.rpartition("/")[2] for name in archive.namelist()}
            assert all(name.count("/") == 1 for name in archive.namelist())
        assert {"frequencies.txt", "calendar_dates.txt"} <= members
        assert "calendar.txt" not in members
        stops = plain_rows(path, "stops.txt")
        assert {row["location_type"] for row in stops} == {"0", "1", "2", "3", "4"}
        assert all(not row["stop_lat"] for row in stops if row["location_type"] in ("3", "4"))
        feed = opened(path)
        assert {r["reason"] for r in feed.rejected(*MEMBERS)} == {"not_boardable"}
        assert len(feed.departures.stop) > 100 * len(feed.boardable)


def test_each_planted_row_meets_its_fate_and_no_other_is_dropped(
    world: World, folder: Path, opened: Callable[[Path], Feed]
) -> None:
    dirt = listed_dirt(folder)
    for city in world.cities:
        path = folder / city.city_id / f"{city.city_id}.bus.zip"
        planted = {d.native_id: d.kind for d in dirt if d.file == f"{city.city_id}/{path.name}"}
        assert set(FATE) < set(planted.values())
        assert {kind for kind, _ in HOSTILE_NAMES} < set(planted.values())
        feed = opened(path)
        dropped = {r["row"].partition("#")[2]: (r["reason"], r["detail"]) for r in feed.rejected(*MEMBERS)}
        for locator, kind in planted.items():
            if kind in FATE:
                assert dropped.pop(locator)[0] == FATE[kind], kind
            elif kind == "stop_with_swapped_coordinates":
                off_the_globe = abs(city.lon) > 90
                assert dropped.pop(locator)[0] == ("bad_coordinates" if off_the_globe else "swapped_coordinates")
            else:
                assert locator not in dropped, kind
        if abs(city.lon) > 90:
            [at_it] = [row for row, (_, detail) in dropped.items() if detail.startswith("stop_id 'X4' is not in stops")]
            del dropped[at_it]
        assert {detail for _, detail in dropped.values()} == {"no trip can be boarded there"}
        last_stops = len(feed.routes) * 2
        assert len(dropped) == last_stops
        far = feed.boardable["X5"]
        assert geodesic((far["lat"], far["lon"]), (city.lat, city.lon)).km > 200


def test_a_spoilt_feed_has_a_mark_returns_and_quotes(folder: Path) -> None:
    with zipfile.ZipFile(zips(folder)[0]) as archive:
        assert archive.read("stops.txt").startswith(b"\xef\xbb\xbfstop_id")
        assert b"\r\n" in archive.read("routes.txt")
        assert b'", there and back"' not in archive.read("routes.txt")
        assert b', there and back"' in archive.read("routes.txt")


def test_without_dirt_only_last_stops_are_dropped(world: World, tmp_path: Path, opened: Callable[[Path], Feed]) -> None:
    [path, *_] = gtfs.write(world, tmp_path, dirt=False)["feed"]
    assert listed_dirt(tmp_path) == []
    assert {r["detail"] for r in opened(path).rejected(*MEMBERS)} == {"no trip can be boarded there"}
    with zipfile.ZipFile(path) as archive:
        assert archive.read("stops.txt").startswith(b"stop_id")
        assert all(b"\r" not in archive.read(name) for name in archive.namelist())
