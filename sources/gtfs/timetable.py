"""The runs of a feed of long-distance trains and coaches: who calls where and when, on which days, and where to change.

Only runs that call at a wanted stop are read. Which journeys can be made of them belongs with the family that offers
them.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from schemas.rejection import Reason
from schemas.source import SourceError
from schemas.time_zones import is_time_zone
from sources.formats.unpacking import RawInput
from sources.gtfs.archive import FeedZip, plain_text
from sources.gtfs.departures import codes_of, numbers_of, seconds
from sources.gtfs.feed import Feed
from sources.gtfs.service import active_bounds, runs_on

GroundMode = Literal["train", "coach"]

MODE_OF_TYPE: dict[int, GroundMode] = {
    2: "train", **dict.fromkeys(range(100, 118), "train"),
    3: "coach", **dict.fromkeys(range(200, 210), "coach"), **dict.fromkeys(range(700, 717), "coach"),
}  # fmt: skip
"""GTFS route types, basic and extended, of trains and of coaches; the buses of a long-distance feed are coaches."""

CHANGE_S = 15 * 60
"""Least time between two runs at one station where the feed says nothing: a declared choice of ours."""

TIMED, TIME_NEEDED, IMPOSSIBLE = "1", "2", "3"
"""GTFS transfer types: the second run waits; a least time is given; nobody can change there."""

_CALL_COLUMNS = (
    ("trip_id", "stop_id", "stop_sequence"), ("departure_time", "arrival_time", "pickup_type", "drop_off_type"),
)  # fmt: skip
_TRIP_COLUMNS = ("trip_id", "route_id", "service_id")
_CALENDAR = ("service_id", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_EXCEPTIONS = ("service_id", "date", "exception_type")
_TRANSFERS = (("from_stop_id", "to_stop_id", "transfer_type"), ("min_transfer_time",))
_UNKNOWN = -1


@dataclass(frozen=True, slots=True)
class LongStop:
    """A stop where one can board; `station` is its parent station's id, or its own."""

    stop_id: str
    name: str
    lat: float
    lon: float
    station: str
    pointer: str


@dataclass(frozen=True, slots=True)
class Call:
    """A run's call at a stop: seconds from the start of its service day, and who may get on and off."""

    stop: str
    arr_s: int
    dep_s: int
    boards: bool
    alights: bool
    pointer: str


@dataclass(frozen=True, slots=True)
class Run:
    """One trip of the feed and its calls in order; `pointers` lead to its rows of trips.txt and routes.txt."""

    trip_id: str
    mode: GroundMode
    service_id: str
    calls: tuple[Call, ...]
    pointers: tuple[str, ...]


class Timetable:
    """A feed's long-distance runs, their calendars and the changes that it allows."""

    def __init__(self, file: RawInput, is_wanted: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> None:
        """Open the feed; `is_wanted` tells of latitudes and longitudes which stops a run has to call at to be read."""
        self._feed = Feed(file, city_id="", feed="")
        self._zip = self._feed.zip
        self._is_wanted = is_wanted

    @cached_property
    def stops(self) -> dict[str, LongStop]:
        """Return the boardable stops by id."""
        return {
            stop_id: LongStop(stop_id, s["name"], s["lat"], s["lon"], s["parent_station"] or stop_id, s["pointer"])
            for stop_id, s in self._feed.candidates.items()
        }

    @cached_property
    def time_zone(self) -> str | None:
        """Return the IANA zone of all the feed's times; None if it does not say.

        Raises SourceError for a zone that is none, and for several: GTFS allows one, and nothing tells whose times a
        trip's are.
        """
        zones = sorted({zone for zone in self._feed.agencies.texts("agency_timezone") if zone})
        if len(zones) > 1 or not all(map(is_time_zone, zones)):
            raise SourceError(
                f"{self._zip.snapshot.location}: agency.txt names the time zones {', '.join(map(repr, zones[:5]))}. "
                "Expected one of the IANA database for all times of the feed. To do: ask the publisher, or split it."
            )
        return zones[0] if zones else None

    @property
    def agency_pointer(self) -> str:
        """Return the pointer to the row of agency.txt that names the zone."""
        zones = self._feed.agencies.texts("agency_timezone")
        return self._zip.pointer(self._feed.agencies, next((i for i, zone in enumerate(zones) if zone), 0))

    def rejected(self) -> list[dict[str, str]]:
        """Return every row that was dropped so far, once, with its reason."""
        rows = [row for member in self._zip.rejections.values() for row in member]
        return list({row["row"]: row for row in reversed(rows)}.values())

    def running(self, day: dt.date) -> frozenset[str]:
        """Return the services that run on the day."""
        patterns = self._feed.services.items()
        return frozenset(
            service_id
            for service_id, p in patterns
            if runs_on(day, p["weekdays"], p["start_date"], p["end_date"], p["added_dates"], p["removed_dates"])
        )

    def calendar_pointers(self, service_id: str, day: dt.date) -> tuple[str, ...]:
        """Return the rows that say that the service runs on the day: its pattern, and the day's exception if any."""
        pointers = (self._patterns.get(service_id), self._exceptions.get((service_id, day.strftime("%Y%m%d"))))
        return tuple(pointer for pointer in pointers if pointer)

    @cached_property
    def _patterns(self) -> dict[str, str]:
        return self._first_rows("calendar.txt", (*_CALENDAR, "start_date", "end_date"), 1)

    @cached_property
    def _exceptions(self) -> dict[Any, str]:
        return self._first_rows("calendar_dates.txt", _EXCEPTIONS, 2)

    def _first_rows(self, name: str, columns: tuple[str, ...], keys: int) -> dict[Any, str]:
        """Return the pointer to the first row of each value of the member's first `keys` columns."""
        if not self._zip.has(name):
            return {}
        table = self._zip.read(name, columns)
        pointers: dict[Any, str] = {}
        for i, row in enumerate(table.records()):
            pointers.setdefault(row[0] if keys == 1 else row[:keys], self._zip.pointer(table, i))
        return pointers

    @cached_property
    def changes(self) -> dict[tuple[str, str], int | None]:
        """Return the seconds that transfers.txt asks for between two stops or stations; None where it forbids one."""
        if not self._zip.has("transfers.txt"):
            return {}
        table = self._zip.read("transfers.txt", *_TRANSFERS)
        change_times_s: dict[tuple[str, str], int | None] = {}
        for i, (start, end, kind, least) in enumerate(table.records()):
            if not start or not end:
                continue  # a rule for two trips or routes, or one to stay aboard: not for changes at a station
            if kind == TIME_NEEDED and not least.isdecimal():
                self._zip.reject(table, i, Reason.BAD_VALUE, f"min_transfer_time {least!r}, expected whole seconds")
                continue
            needed = {TIMED: 0, TIME_NEEDED: int(least or 0)}.get(kind, CHANGE_S)
            change_times_s.setdefault((start, end), None if kind == IMPOSSIBLE else needed)
        return change_times_s

    def change_s(self, start: LongStop, end: LongStop) -> int | None:
        """Return the least seconds from one stop to another, as the feed says or `CHANGE_S`; None where none leads.

        A rule about the two stops counts before one about their stations.
        """
        for pair in ((start.stop_id, end.stop_id), (start.station, end.station)):
            if pair in self.changes:
                return self.changes[pair]
        return CHANGE_S if start.station == end.station else None

    def stations_from(self, stop: LongStop) -> list[str]:
        """Return the stations where one may change after getting off: its own, and those that transfers.txt names."""
        return sorted({stop.station, *self._linked[stop.stop_id], *self._linked[stop.station]})

    @cached_property
    def _linked(self) -> dict[str, set[str]]:
        links: dict[str, set[str]] = defaultdict(set)
        for start, end in self.changes:
            links[start].add(self.stops[end].station if end in self.stops else end)
        return links

    @cached_property
    def runs(self) -> list[Run]:
        """Return the runs that call at a wanted stop, by trip_id.

        A call without any time is left out: nobody can count on it. A run whose times go backwards, and a run of
        frequencies.txt, which has no times of its own, are rejected whole.
        """
        feed, trips = self._zip, self._feed.trips
        table = feed.read("stop_times.txt", *_CALL_COLUMNS)
        stop_ids = sorted(self.stops)
        trip = codes_of(feed, table, "trip_id", trips.index, "trips.txt")
        stop = codes_of(feed, table, "stop_id", {s: i for i, s in enumerate(stop_ids)}, "stops.txt, as boardable")
        sequence = numbers_of(table, "stop_sequence", lambda text: int(text) if text.isdecimal() else -2)
        arr, dep = numbers_of(table, "arrival_time", seconds), numbers_of(table, "departure_time", seconds)
        bad = (arr < _UNKNOWN) | (dep < _UNKNOWN) | (sequence < 0)
        for i in np.flatnonzero(bad & (trip != _UNKNOWN)).tolist():
            feed.reject(table, i, Reason.BAD_VALUE, "a time is not H:MM:SS, or stop_sequence is not a whole number")
        arr, dep = np.where(arr == _UNKNOWN, dep, arr), np.where(dep == _UNKNOWN, arr, dep)
        modes = [MODE_OF_TYPE.get(self._feed.routes[route_id]["route_type"]) for route_id in trips.route_ids]
        rides = np.array([mode is not None for mode in modes] or [False])
        usable = (trip != _UNKNOWN) & (stop != _UNKNOWN) & ~bad & (dep >= 0)
        usable[usable] &= rides[trips.route[trip[usable]]]
        lat, lon = (np.array([getattr(self.stops[s], axis) for s in stop_ids], dtype=float) for axis in ("lat", "lon"))
        stop_mask = np.asarray(self._is_wanted(lat, lon), dtype=bool)
        touching = np.zeros(len(usable), dtype=bool)
        touching[usable] = stop_mask[stop[usable]]
        calling = np.unique(trip[touching])
        timed = np.setdiff1d(calling, self._by_headway(trips.index, calling))
        rows = np.flatnonzero(usable & np.isin(trip, timed))
        rows = rows[np.lexsort((rows, sequence[rows], trip[rows]))]
        closed = {
            column: numbers_of(table, column, lambda text: int(text == "1")) == 1
            for column in ("pickup_type", "drop_off_type")
        }
        calls: dict[int, list[Call]] = defaultdict(list)
        broken: set[int] = set()
        for i in rows.tolist():
            trip_calls = calls[int(trip[i])]
            if not (trip_calls[-1].dep_s if trip_calls else 0) <= arr[i] <= dep[i]:
                broken.add(int(trip[i]))
                feed.reject(table, i, Reason.BAD_VALUE, "it arrives or departs before an earlier call of its trip")
            trip_calls.append(
                Call(
                    stop_ids[stop[i]], int(arr[i]), int(dep[i]), not closed["pickup_type"][i],
                    not closed["drop_off_type"][i], feed.pointer(table, i),
                )
            )  # fmt: skip
        ids = {number: trip_id for trip_id, number in trips.index.items() if number in calls}
        valid_runs = []
        for number, trip_calls in calls.items():
            route = trips.route_ids[trips.route[number]]
            mode = modes[trips.route[number]]
            if number not in broken and mode is not None and len(trip_calls) > 1:
                pointers = (self._trip_pointers[ids[number]], *self._feed.routes[route]["source_rows"])
                service = trips.service_ids[trips.service[number]]
                valid_runs.append(Run(ids[number], mode, service, tuple(trip_calls), pointers))
        return sorted(valid_runs, key=lambda run: run.trip_id)

    def _by_headway(self, index: Mapping[str, int], calling: np.ndarray) -> np.ndarray:
        """Return the trips of frequencies.txt; each row there of a trip that calls at a wanted stop is rejected."""
        if not self._zip.has("frequencies.txt"):
            return np.zeros(0, dtype=np.int64)
        table = self._zip.read("frequencies.txt", ("trip_id",))
        trips = np.array([index.get(trip_id, _UNKNOWN) for trip_id in table.texts("trip_id")], dtype=np.int64)
        for i in np.flatnonzero(np.isin(trips, calling)).tolist():
            self._zip.reject(table, i, Reason.MISSING_VALUE, "it leaves by headway; expected times of its own")
        return trips

    @cached_property
    def dates(self) -> tuple[dt.date, dt.date] | None:
        """Return the first and the last day on which any of the runs leaves, None where none does."""
        services = (self._feed.services[service_id] for service_id in {run.service_id for run in self.runs})
        patterns = [{key: value for key, value in service.items() if key != "source_rows"} for service in services]
        days = [day for pattern in patterns for day in active_bounds(**pattern) or ()]
        return (min(days), max(days)) if days else None

    @cached_property
    def _trip_pointers(self) -> dict[str, str]:
        return self._first_rows("trips.txt", _TRIP_COLUMNS, 1)


def parse_rows(feed: FeedZip, rows: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, Any]]:
    """Return what each row of a feed, by its locator (`member:number`), says of a journey, under our own names.

    Rows of stop_times.txt, trips.txt, routes.txt, stops.txt, agency.txt and of both calendars; others are left out.
    """
    names = _names(feed) if any(at.endswith("stops.txt") for at in _members(rows)) else {}
    values_by_locator: dict[str, dict[str, Any]] = {}
    for at, row in rows.items():
        member = at.rpartition(":")[0].rpartition("/")[2].lower()
        fields = {column: plain_text(column, value or "") for column, value in row.items()}
        if member == "stop_times.txt":
            arr, dep = seconds(fields.get("arrival_time", "")), seconds(fields.get("departure_time", ""))
            times_s = [time for time in (arr, dep) if time >= 0]
            if times_s:
                values_by_locator[at] = {
                    "call_of": fields["trip_id"], "call_at": fields["stop_id"],
                    "arr_s": times_s[0], "dep_s": times_s[-1],
                }  # fmt: skip
        elif member == "trips.txt":
            values_by_locator[at] = {
                "trip_id": fields["trip_id"],
                "trip_route": fields["route_id"],
                "runs": fields["service_id"],
            }
        elif member == "routes.txt" and fields.get("route_type", "").isdecimal():
            values_by_locator[at] = {"route": fields["route_id"], "mode": MODE_OF_TYPE.get(int(fields["route_type"]))}
        elif member == "stops.txt":
            name = fields.get("stop_name") or names.get(fields.get("parent_station", ""), "")
            values_by_locator[at] = {"stop": fields["stop_id"], "name": name}
        elif member == "agency.txt":
            values_by_locator[at] = {"time_zone": fields.get("agency_timezone") or None}
        elif member in ("calendar.txt", "calendar_dates.txt"):
            values_by_locator[at] = {"service": fields["service_id"], **_days(fields)}
    return values_by_locator


def _members(rows: Iterable[str]) -> list[str]:
    return [at.rpartition(":")[0] for at in rows]


def _names(feed: FeedZip) -> dict[str, str]:
    table = feed.read("stops.txt", ("stop_id",), ("stop_name",))
    return dict(zip(table.texts("stop_id"), table.texts("stop_name"), strict=True))


def _days(row: Mapping[str, str]) -> dict[str, Any]:
    """Return what a row of either calendar says: a weekly pattern, or one date and whether it runs then."""
    if "exception_type" in row:
        return {"date": row["date"], "is_added": row["exception_type"] == "1"}
    flags = "".join(row[name] for name in _CALENDAR[1:])
    return {"weekdays": flags, "first_date": row["start_date"], "last_date": row["end_date"]}


def is_running(day: dt.date, calendars: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether the parsed calendar rows of one service say that it runs on the day."""
    compact = day.strftime("%Y%m%d")
    rows = list(calendars)
    exceptions = [row["is_added"] for row in rows if row.get("date") == compact]
    if exceptions:
        return exceptions[0]
    return any(
        "weekdays" in row and row["first_date"] <= compact <= row["last_date"] and row["weekdays"][day.weekday()] == "1"
        for row in rows
    )
