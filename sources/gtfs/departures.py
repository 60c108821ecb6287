"""Departures of a GTFS feed: timetables and frequencies as one list of stop, service, route and second.

What a stop, route or service is belongs in `gtfs.py`; what runs on a date belongs in `gtfs_service.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from schemas.counts import counted
from schemas.rejection import Reason
from schemas.source import SourceError
from sources.gtfs.stop_positions import Legs, misplaced_stops

if TYPE_CHECKING:
    from sources.gtfs.archive import FeedZip, Member

MAX_DEPARTURES = 30_000_000
"""Most departures that frequencies.txt may expand to; a headway of one second would fill any memory."""
_TIME = re.compile(r"(\d{1,3}):([0-5]?\d):([0-5]?\d)")
_UNKNOWN = -1
_BAD = -2
_NO_FREQUENCY = -1


@dataclass(frozen=True)
class Trips:
    """The kept trips of a feed: their row in trips.txt by id, and codes of service and route."""

    index: dict[str, int]
    service: np.ndarray
    route: np.ndarray
    service_ids: list[str]
    route_ids: list[str]


@dataclass(frozen=True)
class Departures:
    """One entry a departure that passengers can board, in no promised order.

    `stop`, `service` and `route` are codes into the id lists; `time_s` counts from the start of the service day;
    `row` is the index of the row in stop_times.txt, `frequency` of that in frequencies.txt or -1. `misplaced` are the
    stops, by id, that cannot be where the feed says, with the reason and the words; nothing departs from them.
    """

    stop: np.ndarray
    service: np.ndarray
    route: np.ndarray
    time_s: np.ndarray
    row: np.ndarray
    frequency: np.ndarray
    stop_ids: list[str]
    service_ids: list[str]
    route_ids: list[str]
    stop_times: Member
    frequencies: Member | None
    misplaced: dict[str, tuple[Reason, str]]


def seconds(text: str) -> int:
    """Return the seconds of a GTFS time such as 6:05:00 or 25:10:00; -1 if it is empty, -2 if it is not a time."""
    if not text:
        return _UNKNOWN
    match = _TIME.fullmatch(text)
    return int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3]) if match else _BAD


def read_departures(feed: FeedZip, trips: Trips, stop_ids: list[str], lat_lon: np.ndarray) -> Departures:
    """Return every departure of the kept trips at the given stops, whose places, shape (n, 2), are in degrees.

    A departure is a stop_time that is not its trip's last and whose pickup_type is not 1; phone-ahead pickups
    (2, 3) count. An empty departure_time is the arrival_time; a stop without either lies between its timed neighbours,
    by its place in the order of stops (GTFS leaves the interpolation open). A trip in frequencies.txt starts at
    start_time and every headway after it, before end_time, and keeps its stop_times' offsets from its first stop.
    """
    table = feed.read(
        "stop_times.txt", ("trip_id", "stop_id", "stop_sequence"), ("departure_time", "arrival_time", "pickup_type")
    )
    trip = codes_of(feed, table, "trip_id", trips.index, "trips.txt")
    all_stops = {stop_id: i for i, stop_id in enumerate(stop_ids)}
    stop = codes_of(feed, table, "stop_id", all_stops, "stops.txt, among its boardable rows")
    sequence = numbers_of(table, "stop_sequence", lambda text: int(text) if text.isdecimal() else _BAD)
    time = numbers_of(table, "departure_time", seconds)
    if (time == _UNKNOWN).any():
        time = np.where(time == _UNKNOWN, numbers_of(table, "arrival_time", seconds), time)
    closed = numbers_of(table, "pickup_type", lambda text: int(text == "1")) == 1
    bad = (time == _BAD) | (sequence == _BAD)
    for i in np.flatnonzero(bad & (trip != _UNKNOWN)).tolist():
        feed.reject(table, i, Reason.BAD_VALUE, "the time is not H:MM:SS, or stop_sequence is not a whole number")

    order = np.flatnonzero((trip != _UNKNOWN) & ~bad)
    order = order[np.lexsort((order, sequence[order], trip[order]))]
    order = _without_repeats(feed, table, order, trip, sequence)
    order, at_s = _timed(feed, table, order, trip, time)
    first, last = _ends(trip[order])
    wrong = misplaced_stops(lat_lon, _legs(trip[order], stop[order], at_s))
    boards = ~last & ~closed[order] & (stop[order] != _UNKNOWN) & ~np.isin(stop[order], list(wrong))
    frequencies = _frequencies(feed, trips) if feed.has("frequencies.txt") else None
    start_s = at_s[np.maximum.accumulate(np.where(first, np.arange(len(order)), 0))] if len(order) else at_s
    rows, times, frequency = _expand(
        feed, frequencies, order[boards], trip[order[boards]], at_s[boards], start_s[boards]
    )
    return Departures(
        stop=stop[rows],
        service=trips.service[trip[rows]],
        route=trips.route[trip[rows]],
        time_s=times,
        row=rows,
        frequency=frequency,
        stop_ids=stop_ids,
        service_ids=trips.service_ids,
        route_ids=trips.route_ids,
        stop_times=table,
        frequencies=frequencies.table if frequencies else None,
        misplaced={stop_ids[code]: why for code, why in wrong.items()},
    )


def codes_of(feed: FeedZip, table: Member, column: str, index: dict[str, int], where: str) -> np.ndarray:
    """Return each row's number in the index, or -1; one rejection stands for all rows of an unknown id."""
    codes, values = table.columns[column]
    value_codes = np.array([index.get(value, _UNKNOWN) for value in values], dtype=np.int64)
    result = value_codes[codes] if len(values) else np.zeros(len(codes), dtype=np.int64)
    lost = np.flatnonzero(result == _UNKNOWN)
    ids, starts, counts = np.unique(codes[lost], return_index=True, return_counts=True)
    for code, start, count in zip(ids.tolist(), starts.tolist(), counts.tolist(), strict=True):
        rows = "1 row names" if count == 1 else f"{count} rows name"
        detail = f"{column} {values[code]!r} is not in {where}; {rows} it, this is the first"
        feed.reject(table, int(lost[start]), Reason.UNKNOWN_REFERENCE, detail)
    return result


def numbers_of(table: Member, column: str, parse: Callable[[str], int]) -> np.ndarray:
    """Return what `parse` makes of each row's text of a column, every distinct text parsed once."""
    codes, values = table.columns[column]
    parsed = np.array([parse(value) for value in values], dtype=np.int64)
    return parsed[codes] if len(values) else np.zeros(len(codes), dtype=np.int64)


def _legs(trip: np.ndarray, stop: np.ndarray, at_s: np.ndarray) -> Legs:
    """Return the ways from each known stop to the next of its trip; rows are in the order of trips."""
    rows = np.flatnonzero(stop != _UNKNOWN)
    one, other = rows[:-1], rows[1:]
    is_leg = (trip[one] == trip[other]) & (stop[one] != stop[other])
    one, other = one[is_leg], other[is_leg]
    return Legs(stop[one], stop[other], at_s[other] - at_s[one])


def _ends(trip: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return whether each row, sorted by trip, is its trip's first and its last."""
    change = trip[1:] != trip[:-1]
    edge = np.ones(min(len(trip), 1), dtype=bool)
    return np.concatenate([edge, change]), np.concatenate([change, edge])


def _without_repeats(
    feed: FeedZip, table: Member, order: np.ndarray, trip: np.ndarray, sequence: np.ndarray
) -> np.ndarray:
    is_repeat = (trip[order][1:] == trip[order][:-1]) & (sequence[order][1:] == sequence[order][:-1])
    repeated = np.concatenate([np.zeros(min(len(order), 1), dtype=bool), is_repeat])
    for i in order[repeated].tolist():
        feed.reject(table, i, Reason.DUPLICATE, "the trip has another row of this stop_sequence")
    return order[~repeated]


def _timed(
    feed: FeedZip, table: Member, order: np.ndarray, trip: np.ndarray, time: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows whose time is known or lies between known ones, in order, and their times."""
    at_s = time[order].astype(np.float64)
    is_timed = at_s >= 0
    if not is_timed.all() and is_timed.any():
        place = np.arange(len(order))
        timed_rows = np.flatnonzero(is_timed)
        after = np.searchsorted(timed_rows, place)
        left = timed_rows[np.maximum(after - 1, 0)]
        right = timed_rows[np.minimum(after, len(timed_rows) - 1)]
        between = ~is_timed & (trip[order][left] == trip[order]) & (trip[order][right] == trip[order])
        between &= (left < place) & (place < right)
        at_s[between] = np.floor(np.interp(place[between], timed_rows, at_s[timed_rows]))
        is_timed |= between
    for i in order[~is_timed].tolist():
        feed.reject(table, i, Reason.MISSING_VALUE, "no time, and no timed stop on either side in its trip")
    order, at_s = order[is_timed], at_s[is_timed].astype(np.int64)
    span = int(at_s.max(initial=0)) + 1
    running = trip[order] * span + at_s
    backwards = running < np.maximum.accumulate(running) if len(running) else running.astype(bool)
    for i in order[backwards].tolist():
        feed.reject(table, i, Reason.BAD_VALUE, "it departs before an earlier stop of its trip")
    return order[~backwards], at_s[~backwards]


@dataclass(frozen=True)
class _Frequencies:
    """The rows of frequencies.txt that can be used, and every trip that is named there."""

    table: Member
    trips: np.ndarray
    rows: np.ndarray
    trip: np.ndarray
    start_s: np.ndarray
    runs: np.ndarray
    headway_s: np.ndarray


def _frequencies(feed: FeedZip, trips: Trips) -> _Frequencies:
    table = feed.read("frequencies.txt", ("trip_id", "start_time", "end_time", "headway_secs"))
    trip = codes_of(feed, table, "trip_id", trips.index, "trips.txt")
    start = numbers_of(table, "start_time", seconds)
    end = numbers_of(table, "end_time", seconds)
    headway = numbers_of(table, "headway_secs", lambda text: int(text) if text.isdecimal() else 0)
    good = (start >= 0) & (end > start) & (headway > 0)
    for i in np.flatnonzero(~good & (trip != _UNKNOWN)).tolist():
        feed.reject(table, i, Reason.BAD_VALUE, "expected start_time before end_time and headway_secs above 0")
    rows = np.flatnonzero(good & (trip != _UNKNOWN))
    runs = -((start[rows] - end[rows]) // headway[rows])
    return _Frequencies(table, np.unique(trip), rows, trip[rows], start[rows], runs, headway[rows])


def _expand(
    feed: FeedZip,
    frequencies: _Frequencies | None,
    rows: np.ndarray,
    trip: np.ndarray,
    at_s: np.ndarray,
    start_s: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return row, time and frequency of each departure: as timed, or repeated where the trip has frequencies.

    The times of a trip that is in frequencies.txt are no departures, also where none of its rows there can be used.
    """
    if frequencies is None:
        return rows, at_s, np.full(len(rows), _NO_FREQUENCY)
    low = np.searchsorted(trip, frequencies.trip, side="left")
    high = np.searchsorted(trip, frequencies.trip, side="right")
    total = int(((high - low) * frequencies.runs).sum())
    if total > MAX_DEPARTURES:
        raise SourceError(
            f"{feed.snapshot.location}: frequencies.txt expands to {counted(total, 'departure')}. Expected at most "
            f"{MAX_DEPARTURES:,}. To do: check headway_secs; a headway of a second or two is an error of the "
            "publisher."
        )
    timed = ~np.isin(trip, frequencies.trips)
    parts = [(rows[timed], at_s[timed], np.full(int(timed.sum()), _NO_FREQUENCY))]
    for i, (a, b) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        starts = frequencies.start_s[i] + frequencies.headway_s[i] * np.arange(frequencies.runs[i])
        times = (starts[:, None] + (at_s[a:b] - start_s[a:b])[None, :]).ravel()
        parts.append((np.tile(rows[a:b], len(starts)), times, np.full(len(times), frequencies.rows[i])))
    every_row, every_time, every_frequency = (np.concatenate(column) for column in zip(*parts, strict=True))
    return every_row, every_time, every_frequency
