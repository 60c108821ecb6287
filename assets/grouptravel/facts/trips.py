"""What an optimum is taken over: the trip, the slots of its days, who is with whom, and what fills a slot."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass

from assets.grouptravel.facts.fares import Service
from assets.grouptravel.facts.pois import Poi
from assets.grouptravel.wishes.preferences import Table

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

Team = tuple[str, ...]
"""Members who are together, children included, in order."""

Teams = tuple[tuple[Team, ...], ...]
"""The teams of each day; one team is everybody together."""


@dataclass(frozen=True)
class Trip:
    """What is to be planned: the route by name with the date offset of each leg, and everybody's effective table.

    `children` are the members without a table, `compromisable` those who may give something up.
    """

    route: tuple[str, ...]
    leg_days: tuple[int, ...]
    first_date: dt.date
    tables: Mapping[str, Table]
    children: Team = ()
    compromisable: Team = ()

    @property
    def days(self) -> int:
        """Return how many days the trip has."""
        return self.leg_days[-1] + 1

    @property
    def together(self) -> Teams:
        """Return everybody in one team every day."""
        return (((*self.tables, *self.children),),) * self.days


@dataclass(frozen=True)
class Choice:
    """A slot filled: which day and slot, in which city, with which place, for which of the day's teams."""

    day: int
    slot: int
    city: str
    poi: Poi
    team: int = 0


@dataclass(frozen=True)
class Best:
    """The plan found: its legs, hotels by city, filled slots in order, and each day's teams.

    `total` is the sum of the users' points less the splits' cost, `bound` what no plan with these teams exceeds;
    `given_up` are the (user, field path) of preferences that are no longer held.
    """

    legs: tuple[Service, ...]
    hotels: dict[str, Poi]
    choices: tuple[Choice, ...]
    total: int
    bound: int = 0
    teams: Teams = ()
    given_up: tuple[tuple[str, str], ...] = ()


def stays_of(trip: Trip) -> list[tuple[int, int, str]]:
    """Return every slot of every day with each city that the group may be in."""
    found = []
    for k, city in enumerate(trip.route[1:-1]):
        for day in range(trip.leg_days[k], trip.leg_days[k + 1] + 1):
            found += [(day, slot, city) for slot in range(len(SLOTS))]
    return found


def nights(trip: Trip, city: str) -> int:
    """Return how many nights the group sleeps in a city."""
    k = trip.route.index(city, 1) - 1
    return trip.leg_days[k + 1] - trip.leg_days[k]
