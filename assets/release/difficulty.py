"""How hard a release is: how many of its tasks planners that do not solve pass, and what the greedy one scores.

Every task is planned by each of the family's planners; metrics, which take longer, are those of MOST_TASKS tasks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assets.core.worlds import world_for, worlds_of
from assets.family import Family, Series
from assets.named import load
from assets.rows import ReleaseTables

BASELINE = "baseline"
PASSED = "passed_by_planners"

MOST_TASKS = 200
"""Tasks that are planned and scored in every release, evenly spaced by id; our choice: scores to a few points."""


def witness_plans(tables: ReleaseTables) -> list[dict[str, Any]]:
    """Return the witness of each task as `score` takes it: {task_id, plan}."""
    rows = tables.certificates[["task_id", "plan"]].to_dict("records")
    return [{"task_id": row["task_id"], "plan": row["plan"]} for row in rows]


def difficulty(family: Family, tables: ReleaseTables) -> list[dict[str, Any]]:
    """Return each of the family's metrics with the greedy planner's figure and the witnesses', by the variant `ours`.

    Both are of at most MOST_TASKS tasks; `tasks` says of how many. Empty for a family without a baseline planner.
    """
    if BASELINE not in family.baselines:
        return []
    some = _sample(tables)
    greedy, witness = (
        family.call("score", some, plans, "ours")["aggregate"]
        for plans in (load(family.baselines[BASELINE])(some), witness_plans(some))
    )
    return [
        {"metric": metric, "baseline": greedy[metric], "witness": witness[metric]}
        for metric in greedy
        if all(isinstance(scores[metric], int | float) for scores in (greedy, witness))
    ]


def pass_counts(family: Family, tables: ReleaseTables) -> list[dict[str, Any]]:
    """Return for each level, and for all tasks, how many a planner of the family passes: {level, tasks, …planners}.

    Of all tasks; a witness passes every one. Empty for a family without such planners.
    """
    if not family.planners or family.passes is None:
        return []
    passes, worlds = load(family.passes), worlds_of(family, tables)
    planners = {name: load(function_name) for name, function_name in family.planners.items()}
    counts: dict[str, dict[str, int]] = {}
    for row in tables.tasks.sort_values("task_id").to_dict("records"):
        world = world_for(worlds, family, row["city_id"])
        planner_passes = {
            name: int(passes(row["record"], plan(row["task_id"], row["record"], world), world))
            for name, plan in planners.items()
        }
        for level in dict.fromkeys((row["level"], "all")):
            count = counts.setdefault(level, dict.fromkeys(("tasks", *planners), 0))
            count["tasks"] += 1
            for name, value in planner_passes.items():
                count[name] += value
    return [{"level": level, **counts[level]} for level in sorted(counts, key=lambda level: (level == "all", level))]


def too_easy(rows: Sequence[Mapping[str, Any]], series: Sequence[Series]) -> list[str]:
    """Return each level of which the greedy planner passes more than the recipe allows, in words."""
    most: dict[str, list[Series]] = {}
    for one in series:
        most.setdefault(one.level, []).append(one)
    problems = []
    for row in rows:
        limits = most.get(row["level"], [])
        share = max((one.greedy_at_most for one in limits), default=1.0)
        if row["greedy"] > share * row["tasks"]:
            problems.append(
                f"level {row['level'] or 'of all tasks'}: the greedy planner passes {row['greedy']} of {row['tasks']} "
                f"tasks; the recipe allows {share:.0%}"
            )
    return problems


def _sample(tables: ReleaseTables) -> ReleaseTables:
    """Return the tables with the tasks, and their certificates, that are scored."""
    ids = sorted(tables.tasks["task_id"])
    return tables.only(ids[:: -(-len(ids) // MOST_TASKS) or 1])
