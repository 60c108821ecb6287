"""How ItinBench is put to planners: its four settings, a random planner, and what a score says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assets.itinbench.planners import drawn_plan
from assets.itinbench.tables import ItinbenchContext, ItinbenchPlace
from assets.rows import ReleaseTables
from assets.runs.setting import Outcome, RunSetting
from schemas.errors import ExpectedError

SETTINGS = ("tools", "all_data", "all_data_routes", "filtered")
"""The published contexts: tool use (task 4), the whole pool without and with routes asked for (1, 2), filtered (3)."""

RUNS = RunSetting(
    outcome="assets.itinbench.runs:outcome",
    planners={"random": "assets.itinbench.runs:random_plans"},
    careful="assets.itinbench.careful:play",
    unsolvable="assets.itinbench.unsolvable.tasks:unsolvable_tasks",
    wishes_of="assets.itinbench.checks.clashes:wishes_of",
    with_wishes="assets.itinbench.checks.clashes:with_wishes",
    clash_holds="assets.itinbench.checks.clashes:clash_holds",
    is_right="assets.itinbench.unsolvable.tasks:is_right",
    settings=SETTINGS,
    context="assets.itinbench.runs:context",
)


def outcome(row: Mapping[str, Any]) -> Outcome:
    """Return whether the plan is valid (VR), and its grade in percent: our choice of two published figures [I].

    A valid plan has 50 and half of how much of its way an optimal one would need; any other half of its micro rate.
    """
    if not row["valid"] or row.get("repeats"):
        return Outcome(False, round((row.get("micro_percent") or 0.0) / 2, 2))
    gap = row.get("total_dg_percent")
    return Outcome(True, round(50.0 + (100.0 if gap is None else max(0.0, 100.0 - gap)) / 2, 2))


def context(tables: ReleaseTables, task: Mapping[str, Any], setting: str) -> str:
    """Return what a planner is given beside the query; nothing where it has tools."""
    if setting == "tools":
        return ""
    rows = tables[ItinbenchContext]
    rows = rows[(rows["city_id"] == task["city_id"]) & rows["task_id"].isin(["", task["task_id"]])]
    stored_setting = "filtered" if setting == "filtered" else "all_data"
    contents = rows[rows["setting"] == stored_setting]["content"]
    if contents.empty:
        raise ExpectedError(f"{task['task_id']} has no context {setting!r}; run it with all_data or tools")
    content = contents.iloc[0]
    routes = "\nPlan each day so that its way is short: from the stay, in order of the visits, and back."
    return content + (routes if setting == "all_data_routes" else "")


def random_plans(tables: ReleaseTables, seed: int) -> list[dict[str, Any]]:
    """Return for each task a plan of the right length and shape, every place of it drawn from the city's pool."""
    pool = tables[ItinbenchPlace]
    places_by_city: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for (city_id, kind), rows in pool.groupby(["city_id", "kind"]):
        places = rows.sort_values("place_id")[["name", "address"]].to_dict("records")
        places_by_city.setdefault(str(city_id), {})[str(kind)] = [
            {str(k): v for k, v in place.items()} for place in places
        ]
    return [
        {
            "task_id": task["task_id"],
            "plan": drawn_plan(
                places_by_city.get(task["city_id"], {}), task["record"]["days"], "random planner", seed, task["task_id"]
            ),
        }
        for task in tables.tasks.sort_values("task_id").to_dict("records")
    ]
