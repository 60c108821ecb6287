"""Skeletons: who travels where, when and from where, drawn for each slot from its own seed (3.D).

What the members want is `preference_tables.py`. A slot's draws depend on (seed, task_id) and on the options alone.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

from assets.grouptravel.archetypes import ARCHETYPES, BY_ID
from assets.grouptravel.difficulty import Difficulty, difficulty
from assets.grouptravel.draws import ranked, uniform_int
from assets.grouptravel.facts.distance import distance_km
from assets.grouptravel.facts.fares import Fastest
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.skeleton import Skeleton
from assets.grouptravel.wishes.candidates import MIN_ATTRACTIONS, MIN_FOOD, travel_minutes
from schemas.errors import ExpectedError

if TYPE_CHECKING:
    import pandas as pd

FAMILY = "grouptravel"

PUBLISHED_TASKS = {"easy": 200, "medium": 250, "hard": 200}
"""Released tasks of each difficulty (published benchmarks, 3.D)."""

NEXT_DOOR_KM = 15.0
"""From nearer than this nobody sets out on a trip of days: as near as no town is that `init` takes people from [I]."""

ROUNDS = 30
"""Of the fitting of weights, which needs fewer."""

ENOUGH = (
    f"no city has enough to go to: {MIN_ATTRACTIONS} sights that trips are made for, "
    f"with names that no other place has, {MIN_FOOD} places to eat, and a hotel"
)
"""Why there is nowhere to go: cities without all of these have tier 0."""


class DraftError(ExpectedError):
    """The cities cannot give the tasks asked for; the message says what is missing."""


@dataclass(frozen=True)
class _Size:
    """How large a trip is: its kind of group, its days, its number of cities."""

    group_id: str
    days: int
    cities: int
    weight: float


class Draws:
    """What the skeletons of a section are drawn from."""

    def __init__(
        self,
        cities: pd.DataFrame,
        clusters: pd.DataFrame,
        *,
        section: GroupTravelSection,
        fastest: Fastest | None = None,
    ):
        """Take `GroupCity`, `GroupCluster` and the fastest services between cities.

        Raises DraftError where no city can be gone to or set out from, or a difficulty is asked for that no allowed
        size of trip has.
        """
        self.section, self._fastest = section, fastest or {}
        self._turnarounds: dict[tuple[str, str, str], list[tuple[int, str]]] = {}
        self._choices: dict[tuple[int, int], dict[str, list[tuple[str, ...]]]] = {}
        rows = cities.sort_values("city_id").to_dict("records")
        self.tiers = {str(row["city_id"]): int(row["tier"]) for row in rows if row["tier"] > 0}
        self._middles = {str(row["city_id"]): (float(row["lat"]), float(row["lon"])) for row in rows}
        self.departures = [str(row["city_id"]) for row in rows if row["is_departure"]]
        self.clusters = {
            str(row["cluster_id"]): tuple(city for city in row["city_ids"] if city in self.tiers)
            for row in clusters.sort_values("cluster_id").to_dict("records")
        }
        largest = max(
            (n for n in (2, 3) if any(self._allowed(members, n) for members in self.clusters.values())), default=1
        )
        sizes: dict[str, list[_Size]] = {}
        for archetype in ARCHETYPES:
            for days, day_weight in sorted(section.days.items()):
                for n, city_weight in sorted(section.cities.items()):
                    weight = section.archetypes.get(archetype.group_id, 0.0) * day_weight * city_weight
                    if weight > 0 and n <= days and n <= max(1, largest):
                        _, label = difficulty(len(archetype.roles), days, n)
                        sizes.setdefault(label, []).append(_Size(archetype.group_id, days, n, weight))
        problems = self._problems(sizes)
        if problems:
            raise DraftError("; ".join(problems))
        self.sizes = _raked(sizes, section.archetypes)

    def skeleton(self, task_id: str, level: Difficulty, seed: int) -> Skeleton:
        """Return a task's skeleton. It depends on the task_id, the level, the seed and the options."""
        return _skeleton(task_id, level, self, seed)

    def choices(self, n: int, days: int) -> dict[str, list[tuple[str, ...]]]:
        """Return the ways to take n cities of each cluster, or one alone: those in reach, all if none is anywhere.

        In reach are cities that one mode leads to from somewhere, through all of them and back, in the time that trips
        of so many days leave for travel (G5).
        """
        if (n, days) not in self._choices:
            groups = self.clusters if n > 1 else {city: (city,) for city in self.tiers}
            every = {key: selections for key, members in groups.items() if (selections := self._allowed(members, n))}
            reached = {
                key: [ids for ids in selections if self._is_reached(ids, days)] for key, selections in every.items()
            }
            self._choices[n, days] = {key: selections for key, selections in reached.items() if selections} or every
        return self._choices[n, days]

    def leaving(self, city_ids: tuple[str, ...], days: int) -> list[str]:
        """Return the cities to set out from to these: those that have them in reach, all others where none has.

        Nobody travels to the next village, unless there is nowhere else to come from.
        """
        others = [city for city in self.departures if city not in city_ids]
        near = {city for mode in self._fastest for city in self._near(mode, city_ids, days)}
        reaching = [city for city in others if city in near] or others
        return [city for city in reaching if not any(self._is_next_door(city, one) for one in city_ids)] or reaching

    def _is_next_door(self, one: str, other: str) -> bool:
        return distance_km(self._middles[one], self._middles[other]) < NEXT_DOOR_KM

    def _allowed(self, members: tuple[str, ...], n: int) -> list[tuple[str, ...]]:
        """Return the choices of n of the cities, in their order, outside which there is a city to set out from."""
        city_choices = combinations(members, n)
        return [ids for ids in city_choices if any(city not in ids for city in self.departures)]

    def _is_reached(self, city_ids: tuple[str, ...], days: int) -> bool:
        return any(next(self._near(mode, city_ids, days), None) for mode in self._fastest)

    def _near(self, mode: str, city_ids: tuple[str, ...], days: int) -> Iterator[str]:
        """Yield the cities to set out from that have these in reach by the mode, the nearest first."""
        by_pair = self._fastest[mode]
        between = [by_pair.get(pair) for pair in pairwise(city_ids)]
        minutes_left = travel_minutes(days) - sum(minutes for minutes in between if minutes is not None)
        if None not in between:
            for minutes, city in self._there_and_back(mode, city_ids[0], city_ids[-1]):
                if minutes > minutes_left:
                    return
                if city not in city_ids:
                    yield city

    def _there_and_back(self, mode: str, first: str, last: str) -> list[tuple[int, str]]:
        """Return the minutes to the first city and from the last, by city to set out from, ascending."""
        key = (mode, first, last)
        if key not in self._turnarounds:
            by_pair = self._fastest[mode]
            both = [(by_pair.get((city, first)), by_pair.get((last, city)), city) for city in self.departures]
            self._turnarounds[key] = sorted((a + b, city) for a, b, city in both if a is not None and b is not None)
        return self._turnarounds[key]

    def _problems(self, sizes: Collection[str]) -> list[str]:
        """Return why tasks cannot be drawn."""
        problems = [] if self.tiers else [ENOUGH]
        if not any(set(self.departures) - {city} for city in self.tiers) and self.tiers:
            problems.append("no city to set out from other than the destination itself")
        missing = sorted(set(self.section.levels) - set(sizes))
        return [
            *problems,
            *(f"no allowed archetype, length and number of cities is {name}: widen them" for name in missing),
        ]


def _raked(sizes: dict[str, list[_Size]], archetype_weights: dict[str, float]) -> dict[str, list[_Size]]:
    """Return the sizes with weights under which the published numbers of each difficulty give each archetype its share.

    Large groups make hard tasks: drawn within a difficulty by the archetypes' weights alone, they would be too many.
    Iterative proportional fitting; what an archetype cannot have at any difficulty stays as near as it goes.
    """
    table = {level: {size: size.weight for size in listed} for level, listed in sizes.items()}
    total = sum(PUBLISHED_TASKS[level] for level in table)
    present = {size.group_id for listed in table.values() for size in listed}
    share = {
        group: weight / sum(archetype_weights.get(g, 0.0) for g in present)
        for group, weight in archetype_weights.items()
    }
    for _ in range(ROUNDS):
        for level, weights in table.items():
            scale = PUBLISHED_TASKS[level] / sum(weights.values())
            table[level] = {size: weight * scale for size, weight in weights.items()}
        for group in present:
            group_weight = sum(w for weights in table.values() for size, w in weights.items() if size.group_id == group)
            for weights in table.values():
                for size in weights:
                    weights[size] *= (share[group] * total / group_weight) if size.group_id == group else 1.0
    return {level: [replace(size, weight=w) for size, w in weights.items()] for level, weights in table.items()}


def _skeleton(task_id: str, level: Difficulty, draws: Draws, seed: int) -> Skeleton:
    section = draws.section
    sizes = ((f"{s.group_id}/{s.days}/{s.cities}", s, s.weight) for s in draws.sizes[level])
    size = ranked(sizes, seed, task_id, "size")[0]
    archetype = BY_ID[size.group_id]
    city_ids = _cities(task_id, size, draws, seed)
    leaving = ((city, city, 1.0) for city in draws.leaving(city_ids, size.days))
    departures = ranked(leaving, seed, task_id, "departure")
    window = (section.last_date - section.first_date).days
    date = section.first_date + dt.timedelta(days=uniform_int(0, window, seed, task_id, "date"))
    patterns = ((",".join(map(str, pattern)), pattern, 1.0) for pattern in archetype.patterns())
    score, _ = difficulty(len(archetype.roles), size.days, size.cities)
    return Skeleton(
        task_id=task_id,
        difficulty=level,
        score=score,
        group_id=size.group_id,
        departure_city_id=departures[0],
        city_ids=city_ids,
        days=size.days,
        date=date.isoformat(),
        compromisable=ranked(patterns, seed, task_id, "compromise")[0],
    )


def _cities(task_id: str, size: _Size, draws: Draws, seed: int) -> tuple[str, ...]:
    """Return the trip's cities: one by its tier, or several from one cluster, in the cluster's order."""
    choices = draws.choices(size.cities, size.days)
    if size.cities == 1:
        return (ranked(((city, city, float(draws.tiers[city])) for city in choices), seed, task_id, "city")[0],)
    clusters = ((key, draws.clusters[key]) for key in choices)
    weights = ((key, key, sum(draws.tiers[c] for c in members) / len(members)) for key, members in clusters)
    key = ranked(weights, seed, task_id, "cluster")[0]
    order = ranked(((city, city, float(draws.tiers[city])) for city in draws.clusters[key]), seed, task_id, "city")
    return min(choices[key], key=lambda city_ids: sorted(order.index(city) for city in city_ids))
