"""Skeletons: who travels where, when and from where, drawn for each slot from its own seed (3.D).

What the members want is `preference_tables.py`. A slot's draws depend on (seed, task_id) and on the options alone.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Set
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from assets.grouptravel.archetypes import ARCHETYPES, BY_ID, Archetype
from assets.grouptravel.difficulty import Difficulty, difficulty
from assets.grouptravel.draws import ranked, uniform_int
from assets.grouptravel.section import GroupTravelSection
from assets.slots import slot_numbers

if TYPE_CHECKING:
    import pandas as pd

FAMILY = "grouptravel"

PUBLISHED_TASKS = {"easy": 200, "medium": 250, "hard": 200}
"""Released tasks of each difficulty (benchmarks 3.D)."""

ROUNDS = 30
"""Of the fitting of weights, which needs fewer."""


class DraftError(ValueError):
    """The cities cannot give the tasks asked for; the message says what is missing."""


@dataclass(frozen=True)
class Skeleton:
    """One slot's draw. `compromisable` counts members from 1; city ids in the order of the trip."""

    task_id: str
    slot: int
    difficulty: Difficulty
    score: float
    group_id: str
    departure_city_id: str
    city_ids: tuple[str, ...]
    days: int
    date: str
    compromisable: tuple[int, ...]

    @property
    def archetype(self) -> Archetype:
        """Return the kind of group."""
        return BY_ID[self.group_id]

    @property
    def first_date(self) -> dt.date:
        """Return the date of departure."""
        return dt.date.fromisoformat(self.date)

    @property
    def route(self) -> tuple[str, ...]:
        """Return the cities of the whole trip, from the departure city and back to it."""
        return (self.departure_city_id, *self.city_ids, self.departure_city_id)


def task_id_of(region: str, slot: int) -> str:
    """Return the id of a slot's task."""
    return f"{FAMILY}-{region}-{slot:05d}"


def skeletons(
    cities: pd.DataFrame,
    clusters: pd.DataFrame,
    *,
    region: str,
    seed: int,
    section: GroupTravelSection,
    retired: Collection[str] = (),
    served: Set[tuple[str, str]] = frozenset(),
) -> list[Skeleton]:
    """Return a skeleton for every slot of the section, in the order of slots; those of `retired` tasks stay empty.

    `cities` is `GroupCity`, `clusters` `GroupCluster`; `served` are the pairs of cities between which something runs: a
    group sets out, where it can, from a city that is served both ways. Raises DraftError where no city can be gone to
    or set out from, or a difficulty is asked for that no allowed size of trip has.
    """
    world = _World(cities, clusters, section, served)
    problems = world.problems()
    if problems:
        raise DraftError("; ".join(problems))
    numbers = slot_numbers(len(section.slots), lambda slot: task_id_of(region, slot), retired)
    slots = zip(numbers, section.slots, strict=True)
    return [_skeleton(task_id_of(region, slot), slot, level, world, seed) for slot, level in slots]


@dataclass(frozen=True)
class _Size:
    """How large a trip is: its kind of group, its days, its number of cities."""

    group_id: str
    days: int
    cities: int
    weight: float


class _World:
    """What skeletons are drawn from."""

    def __init__(
        self,
        cities: pd.DataFrame,
        clusters: pd.DataFrame,
        section: GroupTravelSection,
        served: Set[tuple[str, str]],
    ):
        self.section, self._served = section, served
        rows = cities.sort_values("city_id").to_dict("records")
        self.tiers = {str(row["city_id"]): int(row["tier"]) for row in rows if row["tier"] > 0}
        self.departures = [str(row["city_id"]) for row in rows if row["is_departure"]]
        self.clusters = {
            str(row["cluster_id"]): tuple(city for city in row["city_ids"] if city in self.tiers)
            for row in clusters.sort_values("cluster_id").to_dict("records")
        }
        largest = max((n for n in (2, 3) if self.usable(n)), default=1)
        self.sizes: dict[str, list[_Size]] = {}
        for archetype in ARCHETYPES:
            for days, day_weight in sorted(section.days.items()):
                for n, city_weight in sorted(section.cities.items()):
                    weight = section.archetypes.get(archetype.group_id, 0.0) * day_weight * city_weight
                    if weight > 0 and n <= days and n <= max(1, largest):
                        _, label = difficulty(len(archetype.roles), days, n)
                        self.sizes.setdefault(label, []).append(_Size(archetype.group_id, days, n, weight))
        self.sizes = _raked(self.sizes, section.archetypes)

    def usable(self, n: int) -> dict[str, tuple[str, ...]]:
        """Return the clusters of which n cities can be gone to and a city to set out from is left."""
        return {key: members for key, members in self.clusters.items() if self.allowed(members, n)}

    def allowed(self, members: tuple[str, ...], n: int) -> list[tuple[str, ...]]:
        """Return the choices of n of the cities, in their order, outside which there is a city to set out from."""
        return [chosen for chosen in combinations(members, n) if set(self.departures) - set(chosen)]

    def leaving(self, city_ids: tuple[str, ...]) -> list[str]:
        """Return the cities to set out from to these: those served there and back, all others where there is none."""
        others = [city for city in self.departures if city not in city_ids]
        ends = city_ids[0], city_ids[-1]
        both = [city for city in others if {(city, ends[0]), (ends[1], city)} <= self._served]
        return both or others

    def problems(self) -> list[str]:
        """Return why tasks cannot be drawn."""
        found = [] if self.tiers else ["no city has a tier above 0: nobody can go anywhere"]
        if not any(set(self.departures) - {city} for city in self.tiers) and self.tiers:
            found.append("no city to set out from other than the destination itself")
        missing = sorted(set(self.section.slots) - set(self.sizes))
        found += [f"no allowed archetype, length and number of cities is {level}: widen them" for level in missing]
        return found


def _raked(sizes: dict[str, list[_Size]], wanted: dict[str, float]) -> dict[str, list[_Size]]:
    """Return the sizes with weights under which the published numbers of each difficulty give each archetype its share.

    Large groups make hard tasks: drawn within a difficulty by the archetypes' weights alone, they would be too many.
    Iterative proportional fitting; what an archetype cannot have at any difficulty stays as near as it goes.
    """
    table = {level: {size: size.weight for size in listed} for level, listed in sizes.items()}
    total = sum(PUBLISHED_TASKS[level] for level in table)
    present = {size.group_id for listed in table.values() for size in listed}
    share = {group: weight / sum(wanted.get(g, 0.0) for g in present) for group, weight in wanted.items()}
    for _ in range(ROUNDS):
        for level, weights in table.items():
            scale = PUBLISHED_TASKS[level] / sum(weights.values())
            table[level] = {size: weight * scale for size, weight in weights.items()}
        for group in present:
            mine = sum(w for weights in table.values() for size, w in weights.items() if size.group_id == group)
            for weights in table.values():
                for size in weights:
                    weights[size] *= (share[group] * total / mine) if size.group_id == group else 1.0
    return {level: [replace(size, weight=w) for size, w in weights.items()] for level, weights in table.items()}


def _skeleton(task_id: str, slot: int, level: Difficulty, world: _World, seed: int) -> Skeleton:
    section = world.section
    sizes = ((f"{s.group_id}/{s.days}/{s.cities}", s, s.weight) for s in world.sizes[level])
    size = ranked(sizes, seed, task_id, "size")[0]
    archetype = BY_ID[size.group_id]
    city_ids = _cities(task_id, size.cities, world, seed)
    leaving = ((city, city, 1.0) for city in world.leaving(city_ids))
    departures = ranked(leaving, seed, task_id, "departure")
    window = (section.last_date - section.first_date).days
    date = section.first_date + dt.timedelta(days=uniform_int(0, window, seed, task_id, "date"))
    patterns = ((",".join(map(str, pattern)), pattern, 1.0) for pattern in archetype.patterns())
    score, _ = difficulty(len(archetype.roles), size.days, size.cities)
    return Skeleton(
        task_id=task_id,
        slot=slot,
        difficulty=level,
        score=score,
        group_id=size.group_id,
        departure_city_id=departures[0],
        city_ids=city_ids,
        days=size.days,
        date=date.isoformat(),
        compromisable=ranked(patterns, seed, task_id, "compromise")[0],
    )


def _cities(task_id: str, n: int, world: _World, seed: int) -> tuple[str, ...]:
    """Return n cities: one by its tier, or several from one cluster, in the cluster's order."""
    if n == 1:
        cities = ((c, c, float(tier)) for c, tier in world.tiers.items() if world.allowed((c,), 1))
        return (ranked(cities, seed, task_id, "city")[0],)
    usable = world.usable(n)
    weights = ((key, key, sum(world.tiers[c] for c in members) / len(members)) for key, members in usable.items())
    members = usable[ranked(weights, seed, task_id, "cluster")[0]]
    order = ranked(((city, city, float(world.tiers[city])) for city in members), seed, task_id, "city")
    return min(world.allowed(members, n), key=lambda chosen: sorted(order.index(city) for city in chosen))
