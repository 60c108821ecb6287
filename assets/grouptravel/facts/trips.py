"""What a plan is made of: the trip, the slots of a greedy day, who is with whom, visits, and the best plan found."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement, pairwise

from assets.grouptravel.facts.fares import Service
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.wishes.preferences import Table

TRANSFER_MINUTES = 60
"""Time between an arrival and the first slot, and between the last slot and a departure."""

SLOTS = (
    ("food", 8 * 60, 8 * 60 + 45),
    ("attractions", 9 * 60 + 15, 10 * 60 + 30),
    ("attractions", 11 * 60, 12 * 60),
    ("food", 12 * 60 + 30, 13 * 60 + 30),
    ("attractions", 14 * 60, 15 * 60 + 15),
    ("attractions", 15 * 60 + 45, 17 * 60),
    ("food", 18 * 60, 19 * 60),
)
"""The day of the greedy planner: what a slot is for, from when to when in minutes [I]."""

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
    """A visit: on which day and from when to when (minutes), in which city, at which place, by which of the teams.

    `come` is the move to it: its mode, and its minutes. A way to a bed is a visit of no length.
    """

    day: int
    start: int
    end: int
    city: str
    poi: Poi
    come: tuple[str, int]
    team: int = 0

    @property
    def is_to_bed(self) -> bool:
        """Return whether it is the way to the night's hotel."""
        return self.poi.poi_type == "hotels"


@dataclass(frozen=True)
class Best:
    """The plan found: its legs and their days, the bed of each night, visits in order, and each day's teams.

    `total` is the sum of the users' points less the splits' cost, `bound` what no plan that `ours` accepts exceeds with
    these teams; `given_up` are the (user, field path) of preferences that are no longer held.
    """

    legs: tuple[Service, ...]
    leg_days: tuple[int, ...]
    beds: tuple[Poi, ...]
    choices: tuple[Choice, ...]
    total: int
    bound: int = 0
    teams: Teams = ()
    given_up: tuple[tuple[str, str], ...] = ()
    rides: tuple[float, ...] = ()
    """What each person pays for the moves inside cities, by day."""

    @property
    def is_optimal(self) -> bool:
        """Return whether the plan meets the bound: only then it is called an optimum."""
        return self.total == self.bound


def stays_of(trip: Trip) -> list[tuple[int, int, str]]:
    """Return every slot of every day with each city that the group may be in."""
    stays = []
    for k, city in enumerate(trip.route[1:-1]):
        for day in range(trip.leg_days[k], trip.leg_days[k + 1] + 1):
            stays += [(day, slot, city) for slot in range(len(SLOTS))]
    return stays


def leg_day_choices(days: int, cities: int) -> list[tuple[int, ...]]:
    """Return every way to spread the nights over the cities in their order: the days of the legs, from 0.

    Each city has a night where there are nights enough, as `checks/trip_conditions.py` asks.
    """
    last, step = days - 1, int(days > cities)
    between = combinations_with_replacement(range(last + 1), cities - 1)
    return [
        (0, *middle, last)
        for middle in between
        if all(other - one >= step for one, other in pairwise((0, *middle, last)))
    ]
