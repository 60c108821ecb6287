"""How hard a release is: what a greedy planner scores on its tasks, beside what their witnesses score."""

from __future__ import annotations

from collections import ChainMap
from typing import Any

from assets.family import Family, ReleaseTables
from assets.named import load

BASELINE = "baseline"

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
        if all(isinstance(found[metric], int | float) for found in (greedy, witness))
    ]


def _sample(tables: ReleaseTables) -> ReleaseTables:
    """Return the tables with the tasks, and their certificates, that are scored."""
    ids = sorted(tables.tasks["task_id"])
    step = -(-len(ids) // MOST_TASKS) or 1
    kept = {
        name: (rows := tables.tables[name])[rows["task_id"].isin(ids[::step])] for name in ("tasks", "certificates")
    }
    return ReleaseTables(ChainMap(kept, tables.tables), tables.section)  # type: ignore[arg-type]
