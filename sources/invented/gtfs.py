"""Writes an invented world as GTFS feeds of each city: buses by timetable and, in two of three, trams by frequencies.

What the lines are is in `lines.py`; what is wrong on purpose in `gtfs_dirt.py`. The zips are not compressed, so that
their bytes do not depend on a library's packing.
"""

from __future__ import annotations

import datetime as dt
import zipfile
from collections.abc import Iterator
from pathlib import Path

from sources.invented.cities import CitySpec
from sources.invented.city_files import city_file
from sources.invented.dirt import Dirt, write_dirt
from sources.invented.grid import grid_of
from sources.invented.gtfs_dirt import spoil_feed
from sources.invented.gtfs_members import Feed, csv_bytes
from sources.invented.lines import Line, Platform, bus_lines, tram_lines
from sources.invented.world import World

WINDOW = (dt.date(2024, 9, 1), dt.date(2026, 12, 31))
"""Days that the calendars cover at least: TripCraft's November 2024, GroupTravelBench's 2025-09 to 2026-05."""
MARGIN_DAYS = 60
"""They also cover this much before and after the world's own dates."""

BUS_SERVICES = {"weekday": ("1111100", 30), "saturday": ("0000010", 45), "sunday": ("0000001", 60)}
"""Days from Monday, and minutes from one bus to the next."""
FIRST_MINUTE, LAST_MINUTE = 5 * 60 + 30, 25 * 60 + 10
"""Of departures from the first stop, on the service day: the last are past midnight."""
SECONDS_BETWEEN_STOPS = {"bus": 80, "tram": 65}
DWELL_S = 10
TRAM_FREQUENCIES = (("05:30:00", "07:00:00", 900), ("07:00:00", "19:00:00", 480), ("19:00:00", "24:40:00", 900))
STOPS_PER_STATION = 4
"""Of this many tram stops one is a station with an entrance."""
HOLIDAYS = ((1, 1), (7, 4), (12, 25))
ZIP_DATE = (2024, 9, 1, 0, 0, 0)


def write(world: World, folder: Path, dirt: bool = True) -> dict[str, list[Path]]:
    """Return the zips written to the folder, under the role `feed`; `dirt.csv` lists what is planted in them.

    In that list `line` is the number of the row after the header, and `native_id` member and row as `stops.txt:12`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths, planted = [], []
    for city in world.cities:
        for name, feed in _feeds(world, city):
            path = city_file(folder, city, f"{name}.zip")
            spoilt = spoil_feed(city, feed, world.hostile_names) if dirt and name == "bus" else []
            _write_zip(path, feed, f"{city.city_id}-tram/" if name == "tram" else "", has_marks=bool(spoilt))
            paths.append(path)
            file = path.relative_to(folder).as_posix()
            planted += [Dirt(kind, file, row, f"{member}:{row}") for kind, member, row in spoilt]
    write_dirt(folder, planted)
    return {"feed": paths}


def service_window(world: World) -> tuple[dt.date, dt.date]:
    """Return the first and last day on which anything runs."""
    margin = dt.timedelta(days=MARGIN_DAYS)
    return min(WINDOW[0], world.dates[0] - margin), max(WINDOW[1], world.dates[1] + margin)


def _feeds(world: World, city: CitySpec) -> Iterator[tuple[str, Feed]]:
    grid = grid_of(city, world.seed)
    yield "bus", _bus_feed(world, city, bus_lines(grid))
    trams = tram_lines(grid, world.seed)
    if trams:
        yield "tram", _tram_feed(world, city, trams)


def _bus_feed(world: World, city: CitySpec, lines: list[Line]) -> Feed:
    feed = Feed()
    feed.begin("agency.txt", "agency_id,agency_name,agency_url,agency_timezone,agency_lang")
    feed.add("agency.txt", "cb", f"{city.name} City Buses, Inc.", "https://buses.example", city.time_zone, "en")
    feed.begin("stops.txt", "stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station")
    feed.begin("routes.txt", "route_id,agency_id,route_short_name,route_long_name,route_type")
    feed.begin("trips.txt", "route_id,service_id,trip_id,trip_headsign,direction_id")
    feed.begin("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence")
    for number, line in enumerate(lines):
        feed.add("routes.txt", line.line_id, "cb", line.line_id[1:], f"{line.name}, there and back", "3")
        for direction, platforms in enumerate((line.there, line.back)):
            for p in platforms:
                feed.add("stops.txt", p.stop_id, p.stop_id[1:], p.name, p.lat, p.lon, "0" if direction else "", "")
            for service, (_, headway) in BUS_SERVICES.items():
                starts = range(FIRST_MINUTE + (7 * number + 11 * direction) % headway, LAST_MINUTE + 1, headway)
                for turn, minute in enumerate(starts):
                    trip_id = f"{line.line_id}{'tb'[direction]}{service[:2]}{turn}"
                    feed.add("trips.txt", line.line_id, service, trip_id, platforms[-1].name, str(direction))
                    _add_stop_times(feed, trip_id, platforms, 60 * minute, SECONDS_BETWEEN_STOPS["bus"])
    _add_calendars(world, feed)
    return feed


def _tram_feed(world: World, city: CitySpec, lines: list[Line]) -> Feed:
    """Return a feed without agency_id and calendar.txt, whose stops have stations, entrances and the like."""
    feed = Feed()
    feed.begin("agency.txt", "agency_name,agency_url,agency_timezone")
    feed.add("agency.txt", f"{city.name} Tramways", "https://trams.example", city.time_zone)
    feed.begin("stops.txt", "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding")
    feed.begin("routes.txt", "route_id,route_short_name,route_long_name,route_type,route_color")
    feed.begin("trips.txt", "route_id,service_id,trip_id,direction_id")
    feed.begin("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence,timepoint")
    feed.begin("frequencies.txt", "trip_id,start_time,end_time,headway_secs,exact_times")
    for line in lines:
        feed.add("routes.txt", line.line_id, line.line_id, line.name, "0", "AA3300")
        stations = {p.stop_id[:-1] for p in line.there[::STOPS_PER_STATION]}
        for p in line.there[::STOPS_PER_STATION]:
            _add_station(feed, p)
        for direction, platforms in enumerate((line.there, line.back)):
            for p in platforms:
                parent = p.stop_id[:-1] if p.stop_id[:-1] in stations else ""
                feed.add("stops.txt", p.stop_id, p.name, p.lat, p.lon, "0", parent, "1")
            for service in ("working", "resting"):
                trip_id = f"{line.line_id}{'tb'[direction]}-{service}"
                feed.add("trips.txt", line.line_id, service, trip_id, str(direction))
                _add_stop_times(feed, trip_id, platforms, 60 * FIRST_MINUTE, SECONDS_BETWEEN_STOPS["tram"], "0")
                for start, end, headway_s in TRAM_FREQUENCIES:
                    longer = headway_s if service == "working" else 2 * headway_s
                    feed.add("frequencies.txt", trip_id, start, end, str(longer), "0")
    feed.begin("calendar_dates.txt", "service_id,date,exception_type")
    for day in _days(world):
        service = "resting" if day.weekday() > 4 or _is_holiday(day) else "working"
        feed.add("calendar_dates.txt", service, f"{day:%Y%m%d}", "1")
    return feed


def _add_station(feed: Feed, platform: Platform) -> None:
    """Add the station of a tram stop with its entrance, a node without coordinates, and a boarding area."""
    station, lat, lon = platform.stop_id[:-1], platform.lat, platform.lon
    feed.add("stops.txt", station, f"{platform.name}, station", lat, lon, "1", "", "1")
    feed.add("stops.txt", f"{station}e", "Entrance", round(lat + 1e-4, 7), lon, "2", station, "2")
    feed.add("stops.txt", f"{station}n", "", "", "", "3", station, "")
    feed.add("stops.txt", f"{station}z", "", "", "", "4", platform.stop_id, "")


def _add_stop_times(
    feed: Feed, trip_id: str, platforms: tuple[Platform, ...], start_s: int, between_s: int, *more: str
) -> None:
    for sequence, platform in enumerate(platforms, start=1):
        arrival_s = start_s + (sequence - 1) * (between_s + DWELL_S)
        leaves_s = arrival_s + (DWELL_S if 1 < sequence < len(platforms) else 0)
        feed.add("stop_times.txt", trip_id, _clock(arrival_s), _clock(leaves_s), platform.stop_id, str(sequence), *more)


def _add_calendars(world: World, feed: Feed) -> None:
    first, last = service_window(world)
    feed.begin(
        "calendar.txt", "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date"
    )
    for service, (days, _) in BUS_SERVICES.items():
        feed.add("calendar.txt", service, *days, f"{first:%Y%m%d}", f"{last:%Y%m%d}")
    feed.begin("calendar_dates.txt", "service_id,date,exception_type")
    for day in _days(world):
        if _is_holiday(day) and day.weekday() != 6:
            feed.add("calendar_dates.txt", "saturday" if day.weekday() == 5 else "weekday", f"{day:%Y%m%d}", "2")
            feed.add("calendar_dates.txt", "sunday", f"{day:%Y%m%d}", "1")


def _days(world: World) -> list[dt.date]:
    first, last = service_window(world)
    return [first + dt.timedelta(days=n) for n in range((last - first).days + 1)]


def _is_holiday(day: dt.date) -> bool:
    """Return whether it is one of the fixed holidays, or the fourth Thursday of November."""
    return (day.month, day.day) in HOLIDAYS or (day.month == 11 and day.weekday() == 3 and 22 <= day.day <= 28)


def _clock(second: int) -> str:
    return f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}"


def _write_zip(path: Path, feed: Feed, prefix: str, *, has_marks: bool) -> None:
    """Write the members; with marks, one begins with a byte order mark and one has carriage returns."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for member, rows in feed.members.items():
            content = csv_bytes(rows, "\r\n" if has_marks and member == "routes.txt" else "\n")
            if has_marks and member == "stops.txt":
                content = b"\xef\xbb\xbf" + content
            info = zipfile.ZipInfo(prefix + member, ZIP_DATE)
            info.create_system = 3  # as on Unix, wherever it is written
            info.external_attr = 0o644 << 16
            archive.writestr(info, content)
