"""One opened GTFS feed of a city: its stops, routes, calendars, trips and departures, each read at most once.

What tables are made of them belongs in `gtfs.py`.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from schemas.rejection import Reason
from schemas.source import SourceError
from sources.formats.jsonl import RowError
from sources.formats.unpacking import RawInput
from sources.formats.unreadable import reasons_of, require_readable
from sources.gtfs.archive import FeedZip, Member, plain_text
from sources.gtfs.departures import Departures, Trips, read_departures

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_STOP_COLUMNS = (("stop_id", "stop_lat", "stop_lon"), ("stop_name", "location_type", "parent_station"))
_STOP_KINDS = {"1": "a station", "2": "an entrance", "3": "a generic node", "4": "a boarding area"}


class Feed:
    """One opened feed of a city. Each member is read at most once; the rows it drops are `rejected`."""

    def __init__(self, file: RawInput, *, city_id: str, feed: str) -> None:
        self.zip = FeedZip(file)
        self.city_id = city_id
        self.key = feed
        absent = [name for name in ("calendar.txt", "calendar_dates.txt") if not self.zip.has(name)]
        if len(absent) == 2:
            raise SourceError(
                f"{file.snapshot.location}: there is neither calendar.txt nor calendar_dates.txt, or nothing in them. "
                "Expected at least one of them. To do: ask the publisher for a complete feed; without days nothing "
                "runs."
            )

    def rejected(self, *members: str) -> list[dict[str, str]]:
        """Return the rows of the named members that were dropped so far, with their reasons."""
        return [row for name in members for row in self.zip.rejections.get(name, [])]

    def our_id(self, native_id: str) -> str:
        """Return the id that is unique over all feeds of the city."""
        return f"{self.key}:{native_id}"

    @cached_property
    def candidates(self) -> dict[str, dict[str, Any]]:
        """Return the rows of stops.txt that may be boarded (location_type 0 or empty), by stop_id."""
        table = self.zip.read("stops.txt", *_STOP_COLUMNS)
        rows = read_stop_rows(self.zip)
        names = stop_names(rows)
        stops_by_id: dict[str, dict[str, Any]] = {}
        earlier_ids: set[str] = set()
        for i, row in enumerate(rows):
            stop_id = row["stop_id"]
            try:
                if stop_id in earlier_ids and stop_id:
                    raise RowError(Reason.DUPLICATE, f"stop_id {stop_id!r} was already taken")
                stops_by_id[stop_id] = {**parse_stop(row, names), "index": i, "pointer": self.zip.pointer(table, i)}
            except RowError as bad:
                self.zip.reject(table, i, bad.reason, bad.detail)
            earlier_ids.add(stop_id)
        require_readable(self.zip.file, len(rows), *reasons_of(self.zip.rejections.get("stops.txt", [])))
        return stops_by_id

    @cached_property
    def agencies(self) -> Member:
        """Return agency.txt."""
        return self.zip.read("agency.txt", ("agency_name",), ("agency_id", "agency_timezone"))

    @cached_property
    def routes(self) -> dict[str, dict[str, Any]]:
        """Return the rows of routes.txt by route_id, with the name of the agency."""
        agencies = self.agencies
        names = dict(zip(agencies.texts("agency_id"), agencies.texts("agency_name"), strict=True))
        only = agencies.texts("agency_name")[0] if len(agencies) == 1 else ""
        table = self.zip.read(
            "routes.txt", ("route_id", "route_type"), ("agency_id", "route_short_name", "route_long_name")
        )
        routes_by_id: dict[str, dict[str, Any]] = {}
        rows = table.records()
        for i, (route_id, kind, agency_id, short, long) in enumerate(rows):
            if not route_id or not kind.isdecimal():
                self.zip.reject(table, i, Reason.BAD_VALUE, f"route_id {route_id!r}, route_type {kind!r}")
            elif route_id in routes_by_id:
                self.zip.reject(table, i, Reason.DUPLICATE, f"route_id {route_id!r} was already taken")
            else:
                routes_by_id[route_id] = {
                    "short_name": short,
                    "long_name": long,
                    "route_type": int(kind),
                    "agency": names.get(agency_id, "") or only,
                    "source_rows": [self.zip.pointer(table, i)],
                }
        return routes_by_id

    @cached_property
    def services(self) -> dict[str, dict[str, Any]]:
        """Return every service of calendar.txt and calendar_dates.txt by service_id."""
        services_by_id: dict[str, dict[str, Any]] = {}
        if self.zip.has("calendar.txt"):
            table = self.zip.read("calendar.txt", ("service_id", *_WEEKDAYS, "start_date", "end_date"))
            rows = table.records()
            for i, (service_id, *flags, start_text, end_text) in enumerate(rows):
                start, end = _date(start_text), _date(end_text)
                if not service_id or not set(flags) <= {"0", "1"} or start is None or end is None or end < start:
                    detail = f"service {service_id!r}, days {''.join(flags)!r}, from {start_text!r} to {end_text!r}"
                    self.zip.reject(table, i, Reason.BAD_VALUE, detail)
                elif service_id in services_by_id:
                    self.zip.reject(table, i, Reason.DUPLICATE, f"service_id {service_id!r} was already taken")
                else:
                    services_by_id[service_id] = _service("".join(flags), start, end, self.zip.pointer(table, i))
        if self.zip.has("calendar_dates.txt"):
            self._add_exceptions(services_by_id)
        return services_by_id

    def _add_exceptions(self, services_by_id: dict[str, dict[str, Any]]) -> None:
        table = self.zip.read("calendar_dates.txt", ("service_id", "date", "exception_type"))
        earlier_keys: set[tuple[str, str]] = set()
        rows = table.records()
        for i, (service_id, date_text, kind) in enumerate(rows):
            day = _date(date_text)
            if not service_id or day is None or kind not in ("1", "2"):
                detail = f"service {service_id!r}, date {date_text!r}, exception_type {kind!r}"
                self.zip.reject(table, i, Reason.BAD_VALUE, detail)
            elif (service_id, date_text) in earlier_keys:
                self.zip.reject(table, i, Reason.DUPLICATE, f"{service_id!r} already has an exception on {day}")
            else:
                earlier_keys.add((service_id, date_text))
                service = services_by_id.setdefault(service_id, _service("0000000", None, None))
                service["added_dates" if kind == "1" else "removed_dates"].append(day.isoformat())
                service["source_rows"].append(self.zip.pointer(table, i))
        for service in services_by_id.values():
            service["added_dates"].sort()
            service["removed_dates"].sort()

    @cached_property
    def trips(self) -> Trips:
        """Return the trips whose route and service the feed declares."""
        table = self.zip.read("trips.txt", ("trip_id", "route_id", "service_id"))
        services = {service_id: i for i, service_id in enumerate(sorted(self.services))}
        routes = {route_id: i for i, route_id in enumerate(sorted(self.routes))}
        index: dict[str, int] = {}
        pairs: list[tuple[int, int]] = []
        rows = table.records()
        for i, (trip_id, route_id, service_id) in enumerate(rows):
            service, route = services.get(service_id), routes.get(route_id)
            if not trip_id or trip_id in index:
                reason = Reason.DUPLICATE if trip_id else Reason.MISSING_VALUE
                self.zip.reject(table, i, reason, f"trip_id {trip_id!r} is empty or was already taken")
            elif service is None or route is None:
                detail = f"route {route_id!r} or service {service_id!r} is in no table of routes or calendars"
                self.zip.reject(table, i, Reason.UNKNOWN_REFERENCE, detail)
            else:
                index[trip_id] = len(pairs)
                pairs.append((service, route))
        codes = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        return Trips(index, codes[:, 0], codes[:, 1], list(services), list(routes))

    @cached_property
    def departures(self) -> Departures:
        """Return every departure that passengers can board."""
        stop_ids = sorted(self.candidates)
        places = [(self.candidates[stop_id]["lat"], self.candidates[stop_id]["lon"]) for stop_id in stop_ids]
        return read_departures(self.zip, self.trips, stop_ids, np.array(places, dtype=float).reshape(-1, 2))

    @cached_property
    def boardable(self) -> dict[str, dict[str, Any]]:
        """Return the candidates, where they can be, at which at least one departure can be boarded."""
        served = {self.departures.stop_ids[code] for code in np.unique(self.departures.stop).tolist()}
        table = self.zip.read("stops.txt", *_STOP_COLUMNS)
        for stop_id, stop in self.candidates.items():
            if stop_id in self.departures.misplaced:
                self.zip.reject(table, stop["index"], *self.departures.misplaced[stop_id])
            elif stop_id not in served:
                self.zip.reject(table, stop["index"], Reason.NOT_BOARDABLE, "no trip can be boarded there")
        return {stop_id: stop for stop_id, stop in self.candidates.items() if stop_id in served}


def read_stop_rows(feed: FeedZip) -> list[dict[str, str]]:
    """Return the rows of stops.txt as far as their columns say something of a stop."""
    table = feed.read("stops.txt", *_STOP_COLUMNS)
    return [dict(zip(table.columns, values, strict=True)) for values in table.records()]


def stop_columns(row: dict[str, str]) -> dict[str, str]:
    """Return a whole row of stops.txt as `read_stop_rows` has it."""
    return {column: plain_text(column, row.get(column, "")) for columns in _STOP_COLUMNS for column in columns}


def stop_names(rows: Iterable[dict[str, str]]) -> dict[str, str]:
    """Return the name of each row of stops.txt that has an id: what a stop without a name takes from its station."""
    return {row["stop_id"]: row["stop_name"] for row in rows if row["stop_id"]}


def parse_stop(row: dict[str, str], names: dict[str, str]) -> dict[str, Any]:
    """Return what one row of stops.txt says of a stop: name, lat, lon in degrees, parent_station.

    `names` are those of the feed's stops and stations. Raises RowError where nobody can board there. Whether a trip
    stops there, and whether one could, is for the feed to say.
    """
    lat, lon = _degrees(row["stop_lat"], 90), _degrees(row["stop_lon"], 180)
    name = row["stop_name"] or names.get(row["parent_station"], "")
    if not row["stop_id"]:
        raise RowError(Reason.MISSING_VALUE, "stop_id is empty")
    if row["location_type"] not in ("", "0"):
        kind = _STOP_KINDS.get(row["location_type"], "of an unknown location_type")
        raise RowError(Reason.NOT_BOARDABLE, f"it is {kind}")
    if lat is None or lon is None or (lat == 0 and lon == 0):
        raise RowError(Reason.BAD_COORDINATES, f"stop_lat {row['stop_lat']!r}, stop_lon {row['stop_lon']!r}")
    if not name:
        raise RowError(Reason.MISSING_VALUE, "neither the stop nor its station has a name")
    return {"name": name, "lat": lat, "lon": lon, "parent_station": row["parent_station"] or None}


def _service(weekdays: str, start: dt.date | None, end: dt.date | None, *pointers: str) -> dict[str, Any]:
    return {
        "weekdays": weekdays,
        "start_date": start,
        "end_date": end,
        "added_dates": [],
        "removed_dates": [],
        "source_rows": list(pointers),
    }


def _degrees(text: str, limit: int) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if -limit <= value <= limit else None


def _date(text: str) -> dt.date | None:
    if not re.fullmatch(r"[0-9]{8}", text):
        return None
    try:
        return dt.date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        return None
