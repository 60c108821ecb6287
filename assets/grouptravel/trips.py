"""What the together optimum is taken over: the trip, the slots of its days, and the places that can fill them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from assets.grouptravel.fares import Service
from assets.grouptravel.opening import is_open
from assets.grouptravel.pois import Poi, Pois
from assets.grouptravel.preferences import STRONG, Table
from assets.grouptravel.utility import attraction_points, food_points

MOVE_MINUTES = 30
TRANSFER_MINUTES = 60
"""Least time between an arrival and the first slot, and between the last slot and a departure."""

LATEST_ARRIVAL = 22 * 60 + 30

SLOTS = (
    ("food", 8 * 60, 8 * 60 + 45),
    ("attractions", 9 * 60 + 15, 10 * 60 + 30),
    ("attractions", 11 * 60, 12 * 60),
    ("food", 12 * 60 + 30, 13 * 60 + 30),
    ("attractions", 14 * 60, 15 * 60 + 15),
    ("attractions", 15 * 60 + 45, 17 * 60),
    ("food", 18 * 60, 19 * 60),
)
"""The group's day: what a slot is for, from when to when in minutes; minimum stays are the slots' lengths [I]."""


@dataclass(frozen=True)
class Trip:
    """What is to be planned: the route by name with the date offset of each leg, and everybody's effective table."""

    route: tuple[str, ...]
    leg_days: tuple[int, ...]
    first_date: dt.date
    tables: Mapping[str, Table]

    @property
    def days(self) -> int:
        """Return how many days the trip has."""
        return self.leg_days[-1] + 1


@dataclass(frozen=True)
class Choice:
    """A slot filled: which day and slot, in which city, with which place."""

    day: int
    slot: int
    city: str
    poi: Poi


@dataclass(frozen=True)
class Best:
    """The optimum: its legs, hotels by city, and filled slots in order; `total` is the sum of the users' points."""

    legs: tuple[Service, ...]
    hotels: dict[str, Poi]
    choices: tuple[Choice, ...]
    total: int


@dataclass(frozen=True)
class Group:
    """Places that the optimum cannot tell apart: of one city and use, worth, price and set of slots."""

    city: str
    kind: str
    worth: int
    cost: float
    fits: tuple[tuple[int, int], ...]
    members: tuple[Poi, ...]


def groups_of(trip: Trip, pois: Pois) -> list[Group]:
    """Return what can fill slots; sights that are worth nothing, and places that a name does not tell apart, cannot."""
    stays = stays_of(trip)
    found: dict[tuple[Any, ...], list[Poi]] = {}
    for city, kind in product(trip.route[1:-1], ("attractions", "food")):
        slots = [(day, slot) for day, slot, where in stays if where == city and SLOTS[slot][0] == kind]
        for poi in sorted(pois.in_city(city, kind), key=lambda poi: poi.place_id):
            worth = _points(trip, city, poi)
            if pois.named(poi.name, city, kind) is not poi or (kind == "attractions" and worth <= 0):
                continue
            fits = tuple((day, slot) for day, slot in slots if _is_open(trip, poi, day, slot))
            if fits:
                found.setdefault((city, kind, -worth, poi.cost or 0.0, fits), []).append(poi)
    return [Group(c, k, -w, cost, fits, tuple(found[c, k, w, cost, fits])) for c, k, w, cost, fits in sorted(found)]


def _is_open(trip: Trip, poi: Poi, day: int, slot: int) -> bool:
    _, start, end = SLOTS[slot]
    return is_open(poi.hours, trip.first_date + dt.timedelta(days=day), start, end) is not False


def _points(trip: Trip, city: str, poi: Poi) -> int:
    """Return what a place is worth to the group together."""
    total = 0
    for table in trip.tables.values():
        wanted = table["city_specific_preferences"].get(city)
        if wanted is None:
            continue
        if poi.poi_type == "food":
            total += food_points(poi.name, poi.category, wanted["food"])
            continue
        sights = wanted["attractions"]
        strong = STRONG * ((poi.name in sights["must_visit"]) - (poi.name in sights["reject_visit"]))
        total += strong if strong else attraction_points(poi.name, poi.category, sights)
    return total


def stays_of(trip: Trip) -> list[tuple[int, int, str]]:
    """Return every slot of every day with each city that the group may be in."""
    found = []
    for k, city in enumerate(trip.route[1:-1]):
        for day in range(trip.leg_days[k], trip.leg_days[k + 1] + 1):
            found += [(day, slot, city) for slot in range(len(SLOTS))]
    return found
