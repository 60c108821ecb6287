"""What journeys between cities a timetable makes on one service day: direct ones, and the best with one change."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sources.gtfs.timetable import Call, GroundMode, Run, Timetable

DAY_S = 86_400

MAX_WAIT_S = 4 * 3600
"""Longest wait for the second train or coach: longer ones are no offer, a declared choice of ours."""

Services = frozenset[str]


@dataclass(frozen=True, slots=True)
class Ride:
    """One run from the call where one gets on to the one where one gets off.

    `shift_s` brings the run's seconds to those of the journey's service day: a day's seconds where it is of the next.
    """

    run: Run
    start: int
    end: int
    shift_s: int

    @property
    def calls(self) -> tuple[Call, Call]:
        """Return the calls where one gets on and off."""
        return self.run.calls[self.start], self.run.calls[self.end]


@dataclass(frozen=True, slots=True)
class Connection:
    """A journey between two cities; seconds from the start of the first run's service day."""

    origin: str
    dest: str
    rides: tuple[Ride, ...]
    dep_s: int
    arr_s: int

    @property
    def mode(self) -> GroundMode:
        """Return the mode of all its rides."""
        return self.rides[0].run.mode


def connections(
    timetable: Timetable, serves: Mapping[str, tuple[str, ...]], running: tuple[Services, Services, Services]
) -> list[Connection]:
    """Return the journeys whose first run is of the service day, in a fixed order.

    `serves` gives the cities of each stop that serves one; `running` the services of the day before, of the day and of
    the day after: a change may lead to a run of any of them. Every direct journey is kept, of those that get on and
    off in the same cities by the same run the shortest; one with a change only if no other of its cities and mode
    leaves no earlier and arrives no later. Trains and coaches are not mixed.
    """
    boards = _boardings(timetable, serves, running)
    journeys: dict[tuple[str, str, GroundMode], list[Connection]] = defaultdict(list)
    for run in timetable.runs:
        if run.service_id in running[1]:
            for connection in _from(timetable, serves, boards, run):
                journeys[connection.origin, connection.dest, run.mode].append(connection)
    return [connection for key in sorted(journeys) for connection in _worthwhile_journeys(journeys[key])]


@dataclass(frozen=True, slots=True)
class _Boarding:
    """A ride that leads from a station to a city."""

    dep_s: int
    arr_s: int
    dest: str
    ride: Ride


def _boardings(
    timetable: Timetable, serves: Mapping[str, tuple[str, ...]], running: tuple[Services, Services, Services]
) -> dict[tuple[str, GroundMode], list[_Boarding]]:
    """Return, by station and mode, every ride from there to a city, by departure."""
    boardings: dict[tuple[str, GroundMode], list[_Boarding]] = defaultdict(list)
    for shift_s, services in zip((-DAY_S, 0, DAY_S), running, strict=True):
        for run in timetable.runs:
            if run.service_id not in services:
                continue
            for start, end, dest in _ends(run, serves):
                call = run.calls[start]
                ride = Ride(run, start, end, shift_s)
                station = timetable.stops[call.stop].station
                arr_s = run.calls[end].arr_s + shift_s
                boardings[station, run.mode].append(_Boarding(call.dep_s + shift_s, arr_s, dest, ride))
    return {
        key: sorted(rides, key=lambda b: (b.dep_s, b.arr_s, b.dest, b.ride.run.trip_id))
        for key, rides in boardings.items()
    }


def _ends(run: Run, serves: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[int, int, str]]:
    """Yield (call to get on, first call to get off, city) for every city that the run leads to from each call."""
    for start, call in enumerate(run.calls):
        if not call.boards:
            continue
        reached = set(serves.get(call.stop, ()))
        for end in range(start + 1, len(run.calls)):
            if run.calls[end].alights:
                for city in serves.get(run.calls[end].stop, ()):
                    if city not in reached:
                        reached.add(city)
                        yield start, end, city


def _from(
    timetable: Timetable,
    serves: Mapping[str, tuple[str, ...]],
    boards: Mapping[tuple[str, GroundMode], list[_Boarding]],
    run: Run,
) -> Iterator[Connection]:
    """Yield the journeys that begin with the run: from its last call in each city that it leaves."""
    last_call = {city: n for n, call in enumerate(run.calls) if call.boards for city in serves.get(call.stop, ())}
    for origin, start in sorted(last_call.items()):
        dep_s, reached = run.calls[start].dep_s, {origin}
        for end in range(start + 1, len(run.calls)):
            call = run.calls[end]
            if not call.alights:
                continue
            first = Ride(run, start, end, 0)
            for city in serves.get(call.stop, ()):
                if city not in reached:
                    reached.add(city)
                    yield Connection(origin, city, (first,), dep_s, call.arr_s)
            for second in _changes(timetable, boards, call, run):
                if second.dest != origin:
                    yield Connection(origin, second.dest, (first, second.ride), dep_s, second.arr_s)


def _changes(
    timetable: Timetable, boards: Mapping[tuple[str, GroundMode], list[_Boarding]], call: Call, run: Run
) -> Iterator[_Boarding]:
    """Yield, for each city, the first ride to arrive there that one can change to after getting off at the call."""
    stop = timetable.stops[call.stop]
    best: dict[str, _Boarding] = {}
    for station in timetable.stations_from(stop):
        rides = boards.get((station, run.mode), [])
        for second in rides[bisect_left(rides, call.arr_s, key=lambda b: b.dep_s) :]:
            if second.dep_s > call.arr_s + MAX_WAIT_S:
                break
            least_s = timetable.change_s(stop, timetable.stops[second.ride.calls[0].stop])
            if second.ride.run is run or least_s is None or second.dep_s < call.arr_s + least_s:
                continue
            incumbent = best.get(second.dest)
            if incumbent is None or (second.arr_s, -second.dep_s) < (incumbent.arr_s, -incumbent.dep_s):
                best[second.dest] = second
    yield from (best[dest] for dest in sorted(best))


def _worthwhile_journeys(journeys: list[Connection]) -> Iterator[Connection]:
    """Yield the direct journeys, and those with a change that no other is as good as."""
    earliest: int | None = None
    ordered = sorted(journeys, key=lambda c: (-c.dep_s, c.arr_s, len(c.rides), [ride.run.trip_id for ride in c.rides]))
    for connection in ordered:
        is_best = earliest is None or connection.arr_s < earliest
        if is_best or len(connection.rides) == 1:
            yield connection
        earliest = connection.arr_s if earliest is None else min(earliest, connection.arr_s)
