"""A greedy planner's plans: how far one comes who looks a step ahead and never back. Never imports the solver.

It sleeps at the best-rated stay that matches, and walks from there: each visit is the nearest attraction, each meal the
nearest restaurant, one that matches the query while there is any, none twice. It does not plan tours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from assets.core.nearby import Nearby, Point
from assets.family import ReleaseTables
from assets.itinbench.candidates import Demands
from assets.itinbench.checks.plans import MEALS, VISITS
from assets.itinbench.tables import ItinbenchPlace, Record

NOBODY = {"name": "-", "address": "-"}

DAY = (
    (MEALS[0], 1), (VISITS[0], 1), (MEALS[1], 1), (VISITS[1], 2), (MEALS[2], 1), (VISITS[2], 1),
)  # fmt: skip
"""The slots of a day in their order, each with its number of places (facts 2.D)."""


def plans(tables: ReleaseTables) -> list[dict[str, Any]]:
    """Return one plan for each task, {task_id, plan}, from the tasks' records and the pools of their cities."""
    towns = {str(city_id): _Town(rows) for city_id, rows in tables[ItinbenchPlace].groupby("city_id")}
    return [
        {"task_id": row["task_id"], "plan": towns[row["city_id"]].plan(row["record"])}
        for row in tables.tasks.to_dict("records")
    ]


class _Town:
    """One city's pool, ready to be walked through for one record after another."""

    def __init__(self, places: pd.DataFrame) -> None:
        kinds = ("stay", "restaurant", "attraction")
        rows = {kind: places[places["kind"] == kind].sort_values("place_id") for kind in kinds}
        self._demands = {kind: Demands(found) for kind, found in rows.items()}
        self._stars = rows["stay"]["stars"].fillna(0).to_numpy(dtype=float)
        self._points: dict[str, list[Point]] = {
            kind: list(zip(found["lat"].astype(float), found["lon"].astype(float), strict=True))
            for kind, found in rows.items()
        }
        self._named = {kind: found[["name", "address"]].to_dict("records") for kind, found in rows.items()}

    def plan(self, record: Record) -> dict[str, Any]:
        """Return the plan in the published shape; what the pool has no place for is missing."""
        matching = {kind: demands.matching(kind, record) for kind, demands in self._demands.items()}
        free = {kind: Nearby(points) for kind, points in self._points.items()}
        stay = int(np.lexsort((-self._stars, ~matching["stay"]))[0])
        itinerary = []
        for number in range(record["days"]):
            day: dict[str, Any] = {"days": str(number + 1)}
            here = self._points["stay"][stay]
            for slot, count in DAY:
                kind = "restaurant" if slot in MEALS else "attraction"
                taken = []
                for _ in range(count):
                    found = free[kind].take(here, matching[kind])
                    taken.append(NOBODY if found is None else self._named[kind][found])
                    here = here if found is None else self._points[kind][found]
                day[slot] = taken[0] if slot in MEALS else taken
            itinerary.append({**day, "accommodation": self._named["stay"][stay]})
        return {"itinerary": itinerary}
