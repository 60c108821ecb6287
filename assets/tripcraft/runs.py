"""How TripCraft is put to planners: reference information or tools, a random planner, and what a score says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from statistics import fmean
from typing import Any

from assets.rows import ReleaseTables
from assets.runs.setting import Outcome, RunSetting
from assets.tripcraft.baseline import plans as greedy_plans
from assets.tripcraft.export import as_text
from assets.tripcraft.planners import drawing
from assets.tripcraft.published.ref_info import ref_info
from assets.tripcraft.world import world

GRADED = ("temporal_meal", "temporal_attraction", "spatial", "ordering")
"""The continuous metrics, 0 to 1, that rules alone compute; the persona score needs a model."""

RUNS = RunSetting(
    outcome="assets.tripcraft.runs:outcome",
    planners={"random": "assets.tripcraft.runs:random_plans"},
    careful="assets.tripcraft.careful.planner:play",
    unsolvable="assets.tripcraft.unsolvable.tasks:unsolvable_tasks",
    wishes_of="assets.tripcraft.checks.clashes:wishes_of",
    with_wishes="assets.tripcraft.checks.clashes:with_wishes",
    clash_holds="assets.tripcraft.checks.clashes:clash_holds",
    is_right="assets.tripcraft.unsolvable.tasks:is_right",
    settings=("reference", "tools"),
    context="assets.tripcraft.runs:context",
)


def outcome(row: Mapping[str, Any]) -> Outcome:
    """Return whether the plan passes every check, and the mean of its continuous metrics in percent."""
    if not row["passes"]:
        return Outcome(False, 0.0)
    numbers = [row[name] for name in GRADED if isinstance(row[name], int | float)]
    return Outcome(True, round(100 * fmean(numbers), 2) if numbers else 100.0)


def context(tables: ReleaseTables, task: Mapping[str, Any], setting: str) -> str:
    """Return the reference information of the cities that the certificate visits, as published; nothing with tools."""
    if setting == "tools":
        return ""
    certificates = tables.certificates
    task_id = task["proof"]["near"] if "proof" in task else task["task_id"]  # a task without a solution has no cities
    proof = certificates[certificates["task_id"] == task_id]["proof"].iloc[0]
    infos = ref_info(world(tables), task["record"], list(proof["cities"]))
    listed = [{"Description": what, "Content": as_text(content)} for info in infos for what, content in info.items()]
    return json.dumps(listed, ensure_ascii=False)


def random_plans(tables: ReleaseTables, seed: int) -> list[dict[str, Any]]:
    """Return for each task a plan of the right shape: ways and hours as the greedy planner has them, the rest drawn."""
    return greedy_plans(tables, drawing(seed))
