"""The journeys by train and coach that trips may take: of long-distance feeds, on the trips' dates, priced by a model.

A stop serves a city if it lies in its area or near its middle, whatever it is called (defect T13). Which journeys a day
has is for `connections.py`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
from pyproj import Geod

from assets.clean.city_airport import centre
from assets.clean.flight_number import flight_numbers
from assets.clean.modelled_price import NoRateError, PriceModel
from assets.step import Outcome, RawFile
from assets.tripcraft.facts.connections import Connection, connections
from assets.tripcraft.facts.trip_dates import date_map, moved_weeks
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.tables import TripcraftJourney
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.stable import stable_hash
from schemas.travel import MAX_STATION_M
from sources.gtfs.stop_positions import MAX_KMH, ROUNDED_S
from sources.gtfs.timetable import Timetable

DAYS_BEFORE = 2
"""A run that leaves a city on a date may be of a service day so many days before (GTFS: 25:10 is after midnight)."""

LETTER = {"train": "T", "coach": "C"}

_GEOD = Geod(ellps="WGS84")


def trip_journeys(
    long_distance: list[RawFile],
    price_level: pd.DataFrame,
    big_mac: pd.DataFrame,
    terms: pd.DataFrame,
    *,
    cities: list[City],
    section: TripcraftSection,
) -> Outcome:
    """Return the journeys between two of the cities on the trips' dates, and every row of the feeds that was dropped.

    A seat costs what the model of `assets.clean.modelled_price` says for the geodesic along the stops called at, at
    the price level of the country that the journey leaves, in the terms' currency. Raises SourceError for a file that
    is no feed.
    """
    dates = date_map(section.journey_dates_from, (section.first_date, section.last_date))
    prices = _Prices(PriceModel(price_level, big_mac), terms["currency"].iloc[0])
    by_id = {city.city_id: city for city in cities}
    rows: list[dict[str, Any]] = []
    rejected: list[dict[str, str]] = []
    facts: dict[str, Any] = {"stops_of": dict.fromkeys(sorted(by_id), 0), "feed_dates": []}
    for file in {file.snapshot.sha256: file for file in long_distance}.values():
        timetable = Timetable(file, _near_any(cities))
        serves = _serves(timetable, cities)
        for served in serves.values():
            for city_id in served:
                facts["stops_of"][city_id] += 1
        rows += _of_feed(timetable, serves, by_id, dates, prices, rejected)
        rejected += timetable.rejected()
        facts["feed_dates"].append([day.isoformat() for day in timetable.dates or ()])
    numbered = _numbered(rows)
    facts |= {
        "weeks_moved": moved_weeks(dates),
        "journeys": {mode: sum(row["mode"] == mode for row in numbered) for mode in LETTER},
        "price_bases": sorted({row["price_basis"] for row in numbered}),
    }
    frame = pd.DataFrame(numbered, columns=[column.name for column in TripcraftJourney.columns()])
    return Outcome(frame, list({row["row"]: row for row in reversed(rejected)}.values()), facts=facts)


def _near_any(cities: Sequence[City]) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    def near(lat: np.ndarray, lon: np.ndarray) -> np.ndarray:
        return np.any([_near(city, lat, lon) for city in cities], axis=0) if len(lat) else np.zeros(0, dtype=bool)

    return near


def _near(city: City, lat: np.ndarray, lon: np.ndarray) -> np.ndarray:
    """Return which points lie in the city's area, or at most `MAX_STATION_M` from the middle of its box."""
    middle_lat, middle_lon = centre(city)
    away = np.asarray(_GEOD.inv(np.full(len(lon), middle_lon), np.full(len(lat), middle_lat), lon, lat)[2])
    return city.contains(lat, lon) | (away <= MAX_STATION_M)


def _serves(timetable: Timetable, cities: Sequence[City]) -> dict[str, tuple[str, ...]]:
    """Return the ids of the cities that each stop serves; stops that serve none are left out."""
    stops = list(timetable.stops.values())
    lat, lon = (np.array([getattr(stop, axis) for stop in stops], dtype=float) for axis in ("lat", "lon"))
    if not stops:
        return {}
    near = {city.city_id: _near(city, lat, lon) for city in cities}
    cities_by_stop = {
        stop.stop_id: tuple(city_id for city_id in sorted(near) if near[city_id][n]) for n, stop in enumerate(stops)
    }
    return {stop_id: served for stop_id, served in cities_by_stop.items() if served}


class _Prices:
    """What a seat costs, in one currency."""

    def __init__(self, model: PriceModel, currency: str) -> None:
        self._model, self._currency = model, currency

    def seat(self, country: str, mode: str, km: float) -> int:
        """Return a seat's price in whole units, at least 1. Raises NoRateError."""
        return max(1, round(self._model.journey(country, self._currency, mode, km).value))

    def basis(self, country: str) -> str:
        """Return what the country's price level rests on."""
        return self._model.level(country, self._currency).basis


def _of_feed(
    timetable: Timetable,
    serves: Mapping[str, tuple[str, ...]],
    cities: Mapping[str, City],
    dates: Mapping[dt.date, dt.date],
    prices: _Prices,
    rejected: list[dict[str, str]],
) -> Iterator[dict[str, Any]]:
    """Yield the feed's journeys on the dates, without their numbers."""
    if not dates:
        return
    first, last = min(dates), max(dates)
    connections_by_services: dict[Any, list[tuple[Connection, float]]] = {}
    for number in range(-DAYS_BEFORE, (last - first).days + 2):
        day = first + dt.timedelta(days=number)
        running = tuple(timetable.running(day + dt.timedelta(days=shift)) for shift in (-1, 0, 1))
        if running not in connections_by_services:
            candidates = connections(timetable, serves, running)  # type: ignore[arg-type]
            connections_by_services[running] = list(_possible(timetable, candidates, rejected))
        for connection, km in connections_by_services[running]:
            ends = cities[connection.origin], cities[connection.dest]
            leaves, arrives = _local(timetable, connection, day, ends)
            if leaves.date() not in dates:
                continue
            try:
                price = prices.seat(ends[0].country, connection.mode, km)
            except NoRateError as error:
                pointer = connection.rides[0].calls[0].pointer
                rejected.append({"row": pointer, "reason": Reason.NO_EXCHANGE_RATE.value, "detail": str(error)})
                continue
            calls = [call for ride in connection.rides for call in ride.calls]
            yield {
                "mode": connection.mode,
                "origin_city_id": connection.origin,
                "dest_city_id": connection.dest,
                "journey_date": dates[leaves.date()],
                "trip_ids": [ride.run.trip_id for ride in connection.rides],
                "stops": [timetable.stops[call.stop].name for call in calls],
                "stop_ids": [call.stop for call in calls],
                "dep_time": f"{leaves:%H:%M}",
                "arr_time": f"{arrives:%H:%M}",
                "arr_day_offset": (arrives.date() - leaves.date()).days,
                "origin_time_zone": ends[0].time_zone,
                "dest_time_zone": ends[1].time_zone,
                "elapsed_min": max(1, round((connection.arr_s - connection.dep_s) / 60)),
                "distance_km": round(km, 1),
                "price": price,
                "price_basis": prices.basis(ends[0].country),
                "is_modelled": True,
                "service_date": day,
                "source_rows": _pointers(timetable, connection, day),
            }


def _possible(
    timetable: Timetable, candidates: Sequence[Connection], rejected: list[dict[str, str]]
) -> Iterator[tuple[Connection, float]]:
    """Yield each connection that a vehicle can make, with its kilometres; reject the others."""
    for connection in candidates:
        km = 0.0
        for ride in connection.rides:
            calls = ride.run.calls[ride.start : ride.end + 1]
            metres = sum(_metres(timetable, a.stop, b.stop) for a, b in pairwise(calls))
            seconds = calls[-1].arr_s - calls[0].dep_s
            if metres > (seconds + ROUNDED_S) * MAX_KMH / 3.6:
                detail = f"{metres / 1000:.0f} km in {seconds / 60:.0f} min; no vehicle exceeds {MAX_KMH:.0f} km/h"
                rejected.append({"row": calls[0].pointer, "reason": Reason.OUT_OF_REACH.value, "detail": detail})
                break
            km += metres / 1000
        else:
            yield connection, km


def _metres(timetable: Timetable, start: str, end: str) -> float:
    a, b = timetable.stops[start], timetable.stops[end]
    return float(_GEOD.inv(a.lon, a.lat, b.lon, b.lat)[2])


def local_times(
    zone: str | None, day: dt.date, dep_s: int, arr_s: int, ends: tuple[str, str]
) -> tuple[dt.datetime, dt.datetime]:
    """Return when a journey leaves and arrives on the clocks of its two ends' zones.

    Seconds count from noon less twelve hours in the feed's zone (GTFS), so that a change of the clocks moves no run; a
    feed without a zone is taken to keep that of the city of departure.
    """
    noon = dt.datetime.combine(day, dt.time(12), ZoneInfo(zone or ends[0]))
    start = noon.timestamp() - 12 * 3600
    leaves, arrives = (
        dt.datetime.fromtimestamp(start + seconds, ZoneInfo(end))
        for seconds, end in zip((dep_s, arr_s), ends, strict=True)
    )
    return leaves, arrives


def _local(
    timetable: Timetable, connection: Connection, day: dt.date, ends: tuple[City, City]
) -> tuple[dt.datetime, dt.datetime]:
    zones = (ends[0].time_zone, ends[1].time_zone)
    return local_times(timetable.time_zone, day, connection.dep_s, connection.arr_s, zones)


def _pointers(timetable: Timetable, connection: Connection, day: dt.date) -> list[str]:
    """Return the rows that the journey rests on, ride by ride, and the feed's zone."""
    pointers: list[str] = []
    for ride in connection.rides:
        service_day = day + dt.timedelta(seconds=ride.shift_s)
        calls = ride.calls
        pointers += [*(call.pointer for call in calls), *ride.run.pointers]
        pointers += [timetable.stops[call.stop].pointer for call in calls]
        pointers += timetable.calendar_pointers(ride.run.service_id, service_day)
    return list(dict.fromkeys([*pointers, timetable.agency_pointer]))


def _numbered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows with their numbers, drawn by hashes of what the journey is, so that no row numbers another."""
    keys = ("mode", "origin_city_id", "dest_city_id", "journey_date", "trip_ids", "stop_ids")
    hashes = np.array(
        [stable_hash("journey number", *(str(row[key]) for key in keys)) for row in rows], dtype=np.uint64
    )
    numbers = flight_numbers(hashes, np.zeros(0, dtype=np.int64)).tolist() if rows else []
    return [{"journey_number": f"{LETTER[row['mode']]}{n:07d}", **row} for n, row in zip(numbers, rows, strict=True)]
