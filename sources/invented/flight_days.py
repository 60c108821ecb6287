"""Flights between invented cities on the world's dates, as they truly are; `travelplanner.py` and `bts.py` write them.

Pairs of cities have a timetable of a few flights a day, the same every day save what is cancelled. A quarter of the
pairs have none, and neighbours none unless open sea parts them; but the world's first city is a hub, from which one
gets everywhere else. Local times follow the cities' zones and their summer time.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from sources.cities.open_sea import crosses_open_sea
from sources.invented.cities import CitySpec
from sources.invented.world import World

MINUTES_A_DAY = 24 * 60
UNSERVED_SHARE = 0.25
ON_TIME_SHARE = 0.2
"""Pairs of cities whose flights the on-time table has, and only it."""
NEIGHBOUR_MILES = 120
MIN_FLIGHTS_A_DAY, MAX_FLIGHTS_A_DAY = 2, 5
CANCELLED_SHARE = 0.02
MILES_PER_MINUTE = 7.5
TAXI_MINUTES = 34
EARTH_RADIUS_MILES = 3_958.8
FARE_USD, FARE_PER_MILE_USD = 42.0, 0.115


class Flight(NamedTuple):
    """One flight; times are minutes of the local day, the arrival of the day it lands on, the price US dollars."""

    number: int
    origin: CitySpec
    destination: CitySpec
    date: dt.date
    departs: int
    arrives: int
    minutes: int
    miles: int
    price_usd: int


class Turn(NamedTuple):
    """A flight of a pair's timetable."""

    departs: int
    minutes: int
    price_usd: float


def flights(world: World, *, on_time: bool) -> Iterator[Flight]:
    """Yield the flights of the on-time table, or those of the other, numbered from 1.

    Those of a city with the ones before it come in turn, so that a city more changes none of them.
    """
    first, last = world.dates
    days = [first + dt.timedelta(days=n) for n in range((last - first).days + 1)]
    number = 0
    for joined, city in enumerate(world.cities):
        for other in world.cities[:joined]:
            if is_on_time(world, other, city) != on_time:
                continue
            for origin, destination in ((other, city), (city, other)):
                for flight in _between(world, origin, destination, days):
                    number += 1
                    yield flight._replace(number=number)


def is_served(world: World, one: CitySpec, other: CitySpec) -> bool:
    """Return whether anything flies between the cities, which it does both ways or not at all.

    Over open sea nothing else goes: there every pair of neighbours is served.
    """
    if miles_between(one, other) < NEIGHBOUR_MILES:
        return is_by_sea(one, other)
    if world.cities[0] in (one, other):
        return True
    names = sorted((one.city_id, other.city_id))
    return world.rng("route", *names).random() >= UNSERVED_SHARE


def is_by_sea(one: CitySpec, other: CitySpec) -> bool:
    """Return whether open sea lies between the cities."""
    first, last = sorted(((one.lat, one.lon), (other.lat, other.lon)))
    return crosses_open_sea(first, last)


def is_on_time(world: World, one: CitySpec, other: CitySpec) -> bool:
    """Return whether the flights between the cities are in the on-time table, and not in TravelPlanner's.

    Those of the hub are in TravelPlanner's, so that this one alone joins all cities; but between two cities of one
    name only airports tell where a flight goes.
    """
    if one.name == other.name:
        return True
    if world.cities[0] in (one, other):
        return False
    names = sorted((one.city_id, other.city_id))
    return world.rng("on time", *names).random() < ON_TIME_SHARE


def miles_between(one: CitySpec, other: CitySpec) -> int:
    """Return the distance of the centres on the sphere, in whole miles."""
    lat, other_lat = math.radians(one.lat), math.radians(other.lat)
    half = math.sin((other_lat - lat) / 2) ** 2
    half += math.cos(lat) * math.cos(other_lat) * math.sin(math.radians(other.lon - one.lon) / 2) ** 2
    return round(2 * EARTH_RADIUS_MILES * math.asin(math.sqrt(half)))


def _between(world: World, origin: CitySpec, destination: CitySpec, days: list[dt.date]) -> Iterator[Flight]:
    if not is_served(world, origin, destination):
        return
    miles = miles_between(origin, destination)
    turns = timetable(world, origin, destination, miles)
    rng = world.rng("flight days", origin.city_id, destination.city_id)
    for day in days:
        for turn in turns:
            cancelled, dearer = rng.random(), rng.random()
            if cancelled >= CANCELLED_SHARE:
                arrives = landing(origin, destination, day, turn.departs, turn.minutes)
                price = round(turn.price_usd * (0.75 + 0.6 * dearer))
                yield Flight(0, origin, destination, day, turn.departs, arrives, turn.minutes, miles, price)


def timetable(world: World, origin: CitySpec, destination: CitySpec, miles: int) -> list[Turn]:
    """Return the flights of every day between two cities that are served, by departure."""
    rng = world.rng("timetable", origin.city_id, destination.city_id)
    count = MIN_FLIGHTS_A_DAY + int(rng.random() * (MAX_FLIGHTS_A_DAY - MIN_FLIGHTS_A_DAY + 1))
    usual = FARE_USD + FARE_PER_MILE_USD * miles
    turns = [
        Turn(
            departs=(5 * 60 + int((turn + rng.random()) / count * 18 * 60)) // 5 * 5,
            minutes=TAXI_MINUTES + round(miles / MILES_PER_MINUTE) + int(rng.random() * 20),
            price_usd=usual * (0.7 + 0.6 * rng.random()),
        )
        for turn in range(count)
    ]
    return sorted(turns)


def landing(origin: CitySpec, destination: CitySpec, day: dt.date, departs: int, minutes: int) -> int:
    """Return the minute of the local day at which one is there who leaves at that local minute."""
    shift = _shift(origin.time_zone, destination.time_zone, day)
    if shift is not None:
        return (departs + minutes + shift) % MINUTES_A_DAY
    start = dt.datetime.combine(day, dt.time(), tzinfo=ZoneInfo(origin.time_zone)) + dt.timedelta(minutes=departs)
    lands = (start.astimezone(dt.UTC) + dt.timedelta(minutes=minutes)).astimezone(ZoneInfo(destination.time_zone))
    return 60 * lands.hour + lands.minute


@lru_cache(maxsize=100_000)
def _shift(origin: str, destination: str, day: dt.date) -> int | None:
    """Return how far the second zone is ahead of the first, in minutes; None if a clock changes about that day."""
    next_day = day + dt.timedelta(days=1)
    ahead = [(_ahead(zone, day), _ahead(zone, next_day), _ahead(zone, next_day, 23)) for zone in (origin, destination)]
    if any(len(set(offsets)) > 1 for offsets in ahead):
        return None
    return ahead[1][0] - ahead[0][0]


def _ahead(time_zone: str, day: dt.date, hour: int = 0) -> int:
    offset = dt.datetime.combine(day, dt.time(hour), tzinfo=ZoneInfo(time_zone)).utcoffset()
    return int((offset or dt.timedelta()).total_seconds()) // 60
