"""The witness: a plan that meets a record to the letter, with optimal tours. Accepted or not by `certify.py`, apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pandas as pd

from assets.family import Refused, Solved
from assets.itinbench.tables import PlaceIds, Record
from assets.itinbench.witness.assignment import best_days
from assets.itinbench.witness.daylight import by_daylight
from assets.itinbench.witness.meals import MealAssignment, assign_meals
from assets.itinbench.witness.selection import Choice, Matches, choose, matching, shortages
from assets.itinbench.witness.thrift import is_within, thrifty_pools
from assets.itinbench.world import World

__all__ = ["cluster_map", "depends", "matching", "shortages", "solve", "solve_from"]

CLUSTER_SEED = 42
"""Published (facts 2.B)."""

PLACES_PER_CLUSTER = 5
"""Published: one cluster for every five candidates, rounded down (facts 2.B); ours makes at least one."""

_MATCHES: WeakKeyDictionary[World, Matches] = WeakKeyDictionary()

_EQUAL_DEGREES = 1e-9
_EQUAL_M = 1e-3

Point = tuple[float, float]


def solve(task_id: str, record: Record, world: World, _: Any = None) -> Solved | Refused:
    """Return a witness plan for the record from the city's pool of places, or what is missing for one.

    Depends on nothing but the task's id, the record and the places that match it, in any order.
    """
    return solve_from(record, _matches(world).of(record), task_id=task_id)


def depends(_: str, record: Record, world: World, __: Any = None) -> list[str]:
    """Return hashes of the places that match the record: the same place read from other bytes is the same."""
    return sorted(
        world.row_hashes[place_id, kind]
        for kind, rows in _matches(world).of(record).items()
        for place_id in rows["place_id"]
    )


def _matches(world: World) -> Matches:
    if world not in _MATCHES:
        _MATCHES[world] = Matches(world.places)
    return _MATCHES[world]


def solve_from(record: Record, pools: dict[str, pd.DataFrame], *, task_id: str) -> Solved | Refused:
    """Return the same as `solve`, from the matching places of each kind.

    For a record with limits from ever thriftier pools; that none of them gives a plan does not prove there is none.
    The proof has `place_ids` (stay; restaurants and attractions day after day), `pool` (matching places by kind),
    `scorer` (tours in thousandths of a degree: each day's and the trip's optimum, which the plan follows), `geodesic`
    (the same tours in metres, the least trip in metres, whether they differ, and the days of the least), `breakfast`
    and the `clusters` of the matching places.
    """
    short = shortages(pools, record["days"])
    if short:
        parts = [f"{count} matching of kind {kind}, {needed} needed" for kind, (count, needed) in short.items()]
        return Refused("; ".join(parts), "shortage")
    for thrifty in thrifty_pools(pools, record):
        if thrifty is not pools and shortages(thrifty, record["days"]):
            continue
        planned = _planned_trip(record, thrifty, task_id)
        if is_within(record, planned.place_ids, thrifty):
            return Solved(
                _native_plan(planned.choice, planned.days, planned.meal_assignment.rows), _proof(planned, pools)
            )
    return Refused("no plan within the limits was found", "limits")


@dataclass(frozen=True)
class _PlannedTrip:
    """A choice of places, the days on which its attractions are visited, and where one eats."""

    choice: Choice
    optimum: float
    days: list[tuple[int, ...]]
    meal_assignment: MealAssignment

    @property
    def place_ids(self) -> PlaceIds:
        """Return the places by id, day after day."""
        meals = self.meal_assignment.rows
        return {
            "stay": str(self.choice.stay["place_id"]),
            "attractions": [_ids(self.choice.attractions, day) for day in self.days],
            "restaurants": [_ids(self.choice.restaurants, meals[3 * d : 3 * d + 3]) for d in range(len(self.days))],
        }


def _planned_trip(record: Record, pools: dict[str, pd.DataFrame], task_id: str) -> _PlannedTrip:
    choice = choose(task_id, pools, record["days"])
    stay, visits = _point(choice.stay), _points(choice.attractions)
    optimum, tours = best_days(*_planar_lengths(stay, visits), _EQUAL_DEGREES)
    days = by_daylight(tours, choice.attractions["name"].tolist())
    return _PlannedTrip(choice, optimum, days, assign_meals(choice.restaurants, _meal_surroundings(stay, visits, days)))


def _proof(planned: _PlannedTrip, pools: dict[str, pd.DataFrame]) -> dict[str, Any]:
    """Return what is said of the plan beside it; `pools` are all places that match."""
    choice, days, meal_assignment = planned.choice, planned.days, planned.meal_assignment
    stay, visits = _point(choice.stay), _points(choice.attractions)
    breakfasts = meal_assignment.served_counts["breakfast"]
    return {
        "place_ids": planned.place_ids,
        "pool": {kind: len(rows) for kind, rows in pools.items()},
        "scorer": _scorer_lengths(stay, visits, days, planned.optimum),
        "geodesic": _geodesic_lengths(stay, visits, days, choice.attractions),
        "breakfast": {
            "days": len(days),
            "served": breakfasts,
            "offered_by": sum(1 for meals in pools["restaurant"]["meals"] if {"breakfast", "brunch"} & set(meals)),
            "statement": "served"
            if breakfasts == len(days)
            else f"not offered by {len(days) - breakfasts} of {len(days)} days",
        },
        "meals_known_as_served": meal_assignment.served_counts,
        "clusters": cluster_map(pd.concat(list(pools.values()))),
    }


def cluster_map(places: pd.DataFrame) -> dict[str, list[str]]:
    """Return clusters of the candidate attractions and stays: `Cluster_<i>` to place_ids; restaurants are left out.

    As published (facts 2.B): seeded k-means, one cluster for every five places; ours on projected metres instead of
    degrees, with at least one cluster (fewer than five places gave none and an error), the largest first, members
    attractions before stays, each by place_id. A place that is both is one.
    """
    rows = places[places["kind"].isin(["attraction", "stay"])].sort_values(["kind", "place_id"], kind="stable")
    rows = rows.drop_duplicates("place_id")
    if rows.empty:
        return {}
    labels = _cluster_labels(tuple(rows["lat"].tolist()), tuple(rows["lon"].tolist()))
    clusters: dict[str, list[str]] = {f"Cluster_{i}": [] for i in range(max(labels) + 1)}
    for label, place_id in zip(labels, rows["place_id"], strict=True):
        clusters[f"Cluster_{label}"].append(str(place_id))
    return clusters


@lru_cache(maxsize=1024)
def _cluster_labels(lat: tuple[float, ...], lon: tuple[float, ...]) -> tuple[int, ...]:
    """Return each place's cluster; kept, since tasks that ask for the same attractions and stays share their map."""
    from assets.spatial.kmeans import kmeans_clusters

    return tuple(kmeans_clusters(lat, lon, cluster_count(len(lat)), CLUSTER_SEED).tolist())


def cluster_count(places: int, variant: str = "ours") -> int:
    """Return the number of clusters of so many places; `released` gives 0, an error, for fewer than five."""
    count = places // PLACES_PER_CLUSTER
    return count if variant == "released" else max(1, count)


def _native_plan(choice: Choice, days: list[tuple[int, ...]], meals: list[int]) -> dict[str, Any]:
    """Return the plan in the published shape, keys in the published order."""
    itinerary = []
    for number, visits in enumerate(days):
        breakfast, lunch, dinner = (
            _name_and_address(choice.restaurants.iloc[row]) for row in meals[3 * number : 3 * number + 3]
        )
        first, second, third, fourth = (_name_and_address(choice.attractions.iloc[visit]) for visit in visits)
        itinerary.append(
            {
                "days": str(number + 1),
                "breakfast": breakfast,
                "morning_attractions": [first],
                "lunch": lunch,
                "afternoon_attractions": [second, third],
                "dinner": dinner,
                "night_attractions": [fourth],
                "accommodation": _name_and_address(choice.stay),
            }
        )
    return {"itinerary": itinerary}


def _meal_surroundings(stay: Point, visits: list[Point], days: list[tuple[int, ...]]) -> list[list[Point]]:
    """Return, meal after meal, the two points that it lies between on its day."""
    around = []
    for day in days:
        first, second, third, fourth = (visits[v] for v in day)
        around += [[stay, first], [first, second], [third, fourth]]
    return around


def _planar_lengths(stay: Point, visits: list[Point]) -> tuple[np.ndarray, np.ndarray]:
    """Return lengths from the stay and between visits, planar in degrees × 1000: the scorer's metric (facts 2.B)."""
    xy = np.array([stay, *visits]) * 1000
    apart = np.sqrt(((xy[:, None, :] - xy[None, :, :]) ** 2).sum(axis=2))
    return apart[0, 1:], apart[1:, 1:]


def _scorer_lengths(stay: Point, visits: list[Point], days: list[tuple[int, ...]], optimum: float) -> dict[str, Any]:
    lengths = _planar_lengths(stay, visits)
    return {
        "unit": "thousandths of a degree",
        "days_optimum": [round(_length(*lengths, day), 9) for day in days],
        "trip_optimum": round(optimum, 9),
    }


def _geodesic_lengths(
    stay: Point, visits: list[Point], days: list[tuple[int, ...]], attractions: pd.DataFrame
) -> dict[str, Any]:
    """Return the trip's length on the WGS84 ellipsoid and the least one from the same stay through the same visits."""
    from pyproj import Geod

    lat, lon = np.array([stay, *visits]).T
    n = len(lat)
    row, column = (index.ravel() for index in np.indices((n, n)))
    apart = np.asarray(Geod(ellps="WGS84").inv(lon[row], lat[row], lon[column], lat[column])[2]).reshape(n, n)
    apart = np.round(np.minimum(apart, apart.T), 6)
    planned = sum(_length(apart[0, 1:], apart[1:, 1:], day) for day in days)
    least, best = best_days(apart[0, 1:], apart[1:, 1:], _EQUAL_M)
    differs = planned - least > _EQUAL_M
    return {
        "unit": "m",
        "trip_m": round(planned, 3),
        "trip_optimum_m": round(least if differs else planned, 3),
        "differs": bool(differs),
        "optimum_days": [_ids(attractions, day) for day in (best if differs else days)],
    }


def _length(from_stay: np.ndarray, between: np.ndarray, day: tuple[int, ...]) -> float:
    """Return the length of one closed tour."""
    inner = sum(float(between[a, b]) for a, b in pairwise(day))
    return float(from_stay[day[0]]) + inner + float(from_stay[day[-1]])


def _ids(rows: pd.DataFrame, numbers: tuple[int, ...] | list[int]) -> list[str]:
    return [str(rows["place_id"].iloc[number]) for number in numbers]


def _name_and_address(row: pd.Series) -> dict[str, str]:
    return {"name": str(row["name"]), "address": str(row["address"])}


def _point(row: pd.Series) -> Point:
    return float(row["lat"]), float(row["lon"])


def _points(rows: pd.DataFrame) -> list[Point]:
    return [(float(lat), float(lon)) for lat, lon in zip(rows["lat"], rows["lon"], strict=True)]
