"""A greedy planner's plans: how far one comes who looks a step ahead and never back. Never imports the solver.

It sleeps at the best-rated stay that matches, and walks from there: each visit is the nearest attraction, each meal the
nearest restaurant, one that matches the query while there is any, none twice. It does not plan tours.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
import pandas as pd

from assets.core.nearby import Nearby
from assets.itinbench.candidates import Demands
from assets.itinbench.checks.limits import WALKING
from assets.itinbench.checks.plans import MEALS, VISITS
from assets.itinbench.evidence import known_places
from assets.itinbench.tables import Record
from assets.rows import ReleaseTables

NOBODY = {"name": "-", "address": "-"}

DAY = (
    (MEALS[0], 1), (VISITS[0], 1), (MEALS[1], 1), (VISITS[1], 2), (MEALS[2], 1), (VISITS[2], 1),
)  # fmt: skip
"""The slots of a day in their order, each with its number of places (facts 2.D)."""


def plans(tables: ReleaseTables) -> list[dict[str, Any]]:
    """Return one plan for each task, {task_id, plan}, from the tasks' records and the pools of their cities."""
    towns = {str(city_id): Town(rows) for city_id, rows in known_places(tables).groupby("city_id")}
    return [
        {"task_id": row["task_id"], "plan": towns[row["city_id"]].plan(row["record"])}
        for row in tables.tasks.to_dict("records")
    ]


Place = tuple[str, int]
"""A kind, and a place of it by its number."""

AT_ONCE = 2
"""Places that are handed back at once."""


class Town:
    """One city's pool, ready to be walked through for one record after another; `named_places` are its own by kind."""

    def __init__(self, places: pd.DataFrame) -> None:
        kinds = ("stay", "restaurant", "attraction")
        rows = {kind: places[places["kind"] == kind].sort_values("place_id") for kind in kinds}
        self._demands = {kind: Demands(frame) for kind, frame in rows.items()}
        self._stars = rows["stay"]["stars"].fillna(0).to_numpy(dtype=float)
        self._signs = {kind: frame["price_level"].fillna(0).astype(int).tolist() for kind, frame in rows.items()}
        self._points = {kind: frame[["lat", "lon"]].to_numpy(dtype=float) for kind, frame in rows.items()}
        self.named_places = {kind: frame[["name", "address"]].to_dict("records") for kind, frame in rows.items()}

    def plan(self, record: Record, gone: Collection[Place] = ()) -> dict[str, Any]:
        """Return the plan in the published shape, without what is `gone`; what the pool has no place for is missing."""
        matching = {kind: demands.matching(kind, record) for kind, demands in self._demands.items()}
        free = {kind: Nearby(points, [n for k, n in gone if k == kind]) for kind, points in self._points.items()}
        stay = int(np.lexsort((-self._stars, ~matching["stay"]))[0])
        itinerary = []
        for number in range(record["days"]):
            day: dict[str, Any] = {"days": str(number + 1)}
            point = self._points["stay"][stay]
            for slot, count in DAY:
                kind = "restaurant" if slot in MEALS else "attraction"
                places = []
                for _ in range(count):
                    index = free[kind].take(point, matching[kind])
                    places.append(NOBODY if index is None else self.named_places[kind][index])
                    point = point if index is None else self._points[kind][index]
                day[slot] = places[0] if slot in MEALS else places
            itinerary.append({**day, "accommodation": self.named_places["stay"][stay]})
        return {"itinerary": itinerary}

    def dearest_or_farthest(self, plan: dict[str, Any], broken: Iterable[str]) -> set[Place]:
        """Return what a plan that breaks limits had better be without; nothing where it breaks none.

        If a way is too long, the visits farthest from the stay; else the places with most price signs.
        """
        rules = set(broken)
        if not rules:
            return set()
        visits, meals = self._visits_and_meals(plan)
        if WALKING in rules:
            stay = plan["itinerary"][0]["accommodation"]
            stay_point = self._points["stay"][self.named_places["stay"].index(stay)]
            far = {v: float(np.hypot(*(self._points["attraction"][v[1]] - stay_point))) for v in visits}
            return set(sorted(far, key=lambda v: (-far[v], v))[:AT_ONCE])
        return set(sorted({*visits, *meals}, key=lambda p: (-self._signs[p[0]][p[1]], p))[:AT_ONCE])

    def _visits_and_meals(self, plan: dict[str, Any]) -> tuple[list[Place], list[Place]]:
        """Return the visits and the meals of a plan of this town's."""
        places_by_kind: dict[str, list[Place]] = {"attraction": [], "restaurant": []}
        for day in plan["itinerary"]:
            for slot, _ in DAY:
                kind = "restaurant" if slot in MEALS else "attraction"
                places = [day[slot]] if slot in MEALS else day[slot]
                places_by_kind[kind] += [
                    (kind, self.named_places[kind].index(place)) for place in places if place != NOBODY
                ]
        return places_by_kind["attraction"], places_by_kind["restaurant"]
