"""The ten commonsense checks as the released evaluator runs them, slips included (1.F, T5, T10, T11).

Our own writing, held to what the evaluator says of 1,496 plans. A check returns whether the trip passes. It raises what
the evaluator raises where a plan lacks a key or a text cannot be cut; `checker.py` counts that as no pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from assets.tripcraft.published.texts import (
    NOTHING,
    before_bracket,
    entries,
    from_to,
    item_name,
    name_and_city,
    name_before_comma,
    stop_and_distance,
    times,
)
from assets.tripcraft.published.world import World

Days = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Trip:
    """What a check judges: the published query, the native plan's days, no more than asked for, and the world."""

    query: Mapping[str, Any]
    days: Days
    world: World


MEALS = ("breakfast", "lunch", "dinner")
KEYS = ("transportation", *MEALS, "attraction", "accommodation", "event", "point_of_interest_list")

MEAL_GAP_H = 4
MARGIN_MIN = 30
STOP_TOLERANCE_M = 5

CHANGE_DAYS: dict[int, tuple[int, ...]] = {3: (), 5: (3,), 7: (3, 5)}
"""Days on which a trip of each length moves between two cities it visits."""

COMMONSENSE: dict[str, Callable[[Trip], bool]] = {}
"""The ten checks by name, in the paper's order, which is that of the functions below."""


def _check(function: Callable[[Trip], bool]) -> Callable[[Trip], bool]:
    COMMONSENSE[function.__name__] = function
    return function


@_check
def reasonable_city_route(trip: Trip) -> bool:
    """Return whether the route is a closed round from the origin, each city once and in one run of two or more."""
    route: list[str | None] = []
    for i, day in enumerate(trip.days):
        city = day["current_city"]
        if "from" in city:
            origin, dest = from_to(city)
            if i == 0 and origin != trip.query["org"]:
                return False
            route += [origin, dest]
        else:
            route.append(before_bracket(city))
    if route[0] != route[-1] or not _in_runs(route):
        return False
    if any(city not in trip.world.states for city in route):
        return False
    return trip.query["days"] <= 3 or all(trip.world.states[city or ""] == trip.query["dest"] for city in route[1:-1])


@_check
def diverse_restaurants(trip: Trip) -> bool:
    """Return whether no meal's text comes twice."""
    return _distinct(day[meal] for day in trip.days for meal in MEALS if day.get(meal) not in NOTHING)


@_check
def diverse_attractions(trip: Trip) -> bool:
    """Return whether no attraction's text comes twice, blanks around it counted."""
    return _distinct(_all(trip.days, "attraction"))


@_check
def diverse_events(trip: Trip) -> bool:
    """Return whether no event's text comes twice, blanks around it counted."""
    return _distinct(_all(trip.days, "event"))


@_check
def non_conflicting_transport(trip: Trip) -> bool:
    """Return whether day 1 has transport and one's own car is mixed with neither flights nor taxis."""
    if trip.days[0]["transportation"] in NOTHING:
        return False
    modes = {_mode(day["transportation"]) for day in trip.days if day.get("transportation") not in NOTHING}
    return not ("self-driving" in modes and modes & {"flight", "taxi"})


@_check
def meal_gaps(trip: Trip) -> bool:
    """Return whether lunch begins four hours after breakfast ends and dinner after lunch, where both are timed.

    A meal's time that cannot be read is no pass.
    """
    for day in trip.days:
        lasted: dict[str, tuple[float, float]] = {}
        for meal in MEALS:
            if day.get(meal, "-") == "-":
                continue
            name = name_before_comma(day[meal])
            entry = next((e for e in entries(day["point_of_interest_list"]) if name in e and e not in NOTHING), None)
            if entry is not None:
                lasted[meal] = times(entry)
        for first, second in (("breakfast", "lunch"), ("lunch", "dinner")):
            if first in lasted and second in lasted and lasted[second][0] - lasted[first][1] < MEAL_GAP_H:
                return False
    return True


@_check
def poi_list(trip: Trip) -> bool:
    """Return whether the PoI lists are bounded by stays, hold the day's places, no event, and keep off flights."""
    return all(
        _is_bounded(trip.query, trip.days, i) and _holds_its_places(day) and _keeps_margins(trip.query, trip.days, i)
        for i, day in enumerate(trip.days)
    )


@_check
def within_sandbox(trip: Trip) -> bool:
    """Return whether the database holds what the plan uses.

    Where a day states a stop, the row of that very place must name it: place and stop whole, within 5 m, in the city
    last looked for. That is the day's place's own city, or, on a day that names none, an earlier day's (a slip).
    """
    cities: tuple[str | None, ...] = ()
    for i, day in enumerate(trip.days):
        if any(key not in day for key in (*MEALS, "accommodation")):
            return False
        if not _is_offered(day, trip.world):
            return False
        city = _sought_city(day)
        if city is not None:
            cities = (city,)
        if i + 1 == trip.query["days"]:
            cities = (day["current_city"].split("from")[-1].split(" to ")[0].strip(),)
        looked_in = from_to(day["current_city"]) if i + 1 in CHANGE_DAYS[trip.query["days"]] else cities
        if not _stops_are_known(day, trip.world, looked_in):
            return False
    return True


@_check
def within_current_city(trip: Trip) -> bool:
    """Return whether everything lies in the day's cities; a day spent in one city never passes (T5)."""
    for day in trip.days:
        city = day["current_city"]
        if "from" not in city:
            return False
        cities = _both(city)
        transport: str = day.get("transportation") or "-"
        is_drive = any(word in transport for word in ("Self-driving", "Taxi"))
        if transport != "-" and not is_drive and any(city not in transport for city in cities):
            return False
        places = [day[meal] for meal in MEALS if day.get(meal) not in NOTHING] + _all([day], "attraction")
        if not all(any(city in place for city in cities) for place in places):
            return False
        if day.get("accommodation") not in NOTHING and cities[-1] not in day["accommodation"]:
            return False
    return True


@_check
def complete_information(trip: Trip) -> bool:
    """Return whether nothing is left out: days, cities, keys, and what each kind of day needs."""
    length, visited = trip.query["days"], _visited_city_count(trip.query, trip.days)
    if sum(day != {} for day in trip.days) != length or visited != trip.query["visiting_city_number"]:
        return False
    if any(key not in day for day in trip.days for key in KEYS):
        return False
    filled = sum(1 for day in trip.days for value in day.values() if value and value != "-")
    return filled * 2 >= 8 * length and all(_is_complete(day, i + 1 == length) for i, day in enumerate(trip.days))


def _both(current_city: str) -> tuple[str, str]:
    """Return the two cities of a moving day. Raises ValueError where the text names no two."""
    origin, dest = from_to(current_city)
    if origin is None or dest is None:
        raise ValueError(f"no `from A to B` in {current_city!r:.80}")
    return origin, dest


def _in_runs(route: Sequence[str | None]) -> bool:
    """Return whether each city but the first and last comes in one run of two or more."""
    runs = [(city, len(list(run))) for city, run in groupby(route)]
    inner = [city for city, _ in runs[1:-1]]
    return len(route) >= 3 and len(set(inner)) == len(inner) and all(length > 1 for _, length in runs[1:-1])


def _distinct(texts: Any) -> bool:
    listed = list(texts)
    return len(set(listed)) == len(listed)


def _all(days: Days, key: str) -> list[str]:
    return [part for day in days if day.get(key) not in NOTHING for part in entries(day[key])]


def _mode(text: str) -> str | None:
    return next((mode for mode in ("taxi", "self-driving", "flight") if mode in text.lower()), None)


def _is_bounded(query: Mapping[str, Any], days: Days, i: int) -> bool:
    """Return whether the list begins and ends with the stay; on longer trips only days between two cities say (T11)."""
    length, listed = query["days"], entries(days[i]["point_of_interest_list"])
    if length > 3 and i + 1 not in CHANGE_DAYS[length]:
        return True
    slept = [name_before_comma(day["accommodation"]) for day in days[: i + 1] if day["accommodation"] != "-"]
    first = slept[-2] if length > 3 and len(slept) > 1 else (slept or ["abc"])[-1]
    last = slept[-1] if slept else "abc"
    return first in listed[0] and (days[i]["accommodation"] == "-" or last in listed[-1])


def _holds_its_places(day: Mapping[str, Any]) -> bool:
    text = day["point_of_interest_list"]
    places = [name_before_comma(part) for part in _all([day], "attraction") if part]
    places += [name_before_comma(day[meal]) for meal in MEALS if day.get(meal) not in NOTHING]
    events = [name_before_comma(part) for part in _all([day], "event") if part]
    return all(name in text for name in places) and not any(name in text for name in events)


def _keeps_margins(query: Mapping[str, Any], days: Days, i: int) -> bool:
    """Return whether 30 minutes lie between landing and the first visit, the last and take-off, either way (T10)."""
    transport = days[i].get("transportation") or ""
    if not all(word in transport.lower() for word in ("flight", "departure", "arrival")):
        return True
    stated = {name: clock for name, _, clock in (part.partition(": ") for part in transport.split(", "))}
    listed = entries(days[i]["point_of_interest_list"])
    arrives = i == 0 or i + 1 in CHANGE_DAYS[query["days"]]
    if arrives and _gap_min(listed[0], 0, stated["Arrival Time"]) < MARGIN_MIN:
        return False
    return i + 1 != len(days) or _gap_min(listed[-1], 1, stated["Departure Time"]) >= MARGIN_MIN


def _gap_min(entry: str, end: int, clock: str) -> float:
    """Return the minutes between an entry's start (0) or end (1) and the time, whichever is first."""
    if " from " not in entry:
        return MARGIN_MIN
    hours, minutes = clock.strip().split(":")
    return abs(times(entry)[end] * 60 - (int(hours) * 60 + int(minutes)))


def _is_offered(day: Mapping[str, Any], world: World) -> bool:
    """Return whether the day's flight or drive, meals, attractions, events and stay are in the database."""
    transport = day["transportation"]
    if transport not in NOTHING and not _can_go(transport, day["current_city"], world):
        return False
    return (
        all(world.restaurant(name_and_city(day[meal])) for meal in MEALS if day[meal] not in NOTHING)
        and all(world.attraction(name_and_city(part)) for part in _all([day], "attraction"))
        and all(world.has_event((part.split(",")[0].strip(), part.rsplit(",", 1)[-1].strip()))
                for part in _all([day], "event"))
        and (day["accommodation"] in NOTHING or world.stay(name_and_city(day["accommodation"])) is not None)
    )  # fmt: skip


def _can_go(transport: str, current_city: str, world: World) -> bool:
    origin, dest = from_to(current_city)
    lowered = transport.lower()
    if "flight number" in lowered:
        if origin is None or dest is None:
            origin, dest = from_to(transport)
        number = transport.split("Flight Number: ")[1].split(",")[0]
        return any((row["OriginCityName"], row["DestCityName"]) == (origin, dest) for row in world.flights(number))
    mode = next((word for word in ("self-driving", "taxi") if word in lowered), None)
    return mode is None or world.drive_cost(mode, origin, dest) is not None


def _sought_city(day: Mapping[str, Any]) -> str | None:
    """Return the city that the day's last look-up left behind: the stay's, else an event's, attraction's or meal's."""
    places = [day[meal] for meal in MEALS if day[meal] not in NOTHING] + _all([day], "attraction")
    cities = [name_and_city(place)[1] for place in places]
    cities += [event.rsplit(",", 1)[-1].strip() for event in _all([day], "event")]
    if day["accommodation"] not in NOTHING:
        cities.append(name_and_city(day["accommodation"])[1])
    return cities[-1] if cities else None


def _stops_are_known(day: Mapping[str, Any], world: World, cities: Sequence[str | None]) -> bool:
    if day.get("point_of_interest_list") in NOTHING:
        return True
    for entry in entries(day["point_of_interest_list"]):
        stated = stop_and_distance(entry)
        if stated is None:
            continue
        name, stop, distance_m = item_name(entry), stated[0], _metres(stated[1])
        rows = (row for city in cities for row in world.stops.get(city or "", ()) if row.poi == name)
        if not any(stop in row.stop and abs(row.distance_m - distance_m) <= STOP_TOLERANCE_M for row in rows):
            return False
    return True


def _metres(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0


def _visited_city_count(query: Mapping[str, Any], days: Days) -> int | None:
    """Return how many cities beside the origin the days name; None if the trip does not begin there."""
    cities: set[str | None] = set()
    for i, day in enumerate(days):
        city = day["current_city"]
        if "from" not in city:
            cities.add(before_bracket(city))
            continue
        origin, dest = (before_bracket(part or "") for part in from_to(city))
        if i == 0 and origin != query["org"]:
            return None
        cities |= {origin, dest}
    return len(cities - {query["org"]})


def _is_complete(day: Mapping[str, Any], is_last: bool) -> bool:
    city, stated = day["current_city"], day["point_of_interest_list"]
    if stated in NOTHING or any(_lacks_distance(entry) for entry in entries(stated)):
        return False
    if ("from " in city or "to " in city) and day["transportation"] in NOTHING:
        return False
    if "from " not in city and " to " not in city and day["attraction"] in NOTHING:
        return False
    if "from " not in city and any(day[meal] in NOTHING for meal in MEALS):
        return False
    return is_last or day["accommodation"] not in NOTHING


def _lacks_distance(entry: str) -> bool:
    _, label, transit = entry.partition("nearest transit:")
    _, comma, distance = transit.strip().rpartition(",")
    return bool(label and comma) and distance.strip().split("m")[0].strip() in NOTHING
