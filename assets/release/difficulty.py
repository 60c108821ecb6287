"""How hard a release is: what a greedy planner scores on its tasks, beside what their witnesses score."""

from __future__ import annotations

import json
from collections import ChainMap
from typing import Any

from assets.family import Family, ReleaseTables

BASELINE = "baseline"

MOST_TASKS = 200
"""Tasks that are planned and scored in every release, evenly spaced by id; our choice: scores to a few points."""


def witness_plans(family: Family, tables: ReleaseTables) -> list[dict[str, Any]]:
    """Return the witness of each task as `score` takes it: {task_id, plan}."""
    rows = tables[family.certificates][["task_id", "witness_json"]].to_dict("records")
    return [{"task_id": row["task_id"], "plan": json.loads(row["witness_json"])} for row in rows]


def difficulty(family: Family, tables: ReleaseTables) -> list[dict[str, Any]]:
    """Return each of the family's metrics with the greedy planner's figure and the witnesses', by the variant `ours`.

    Both are of at most MOST_TASKS tasks; `tasks` says of how many. Empty for a family without a baseline planner.
    """
    if family.baseline is None:
        return []
    some = _sample(family, tables)
    greedy, witness = (
        family.score(some, plans, "ours")["aggregate"] for plans in (family.baseline(some), witness_plans(family, some))
    )
    return [
        {"metric": metric, "baseline": greedy[metric], "witness": witness[metric]}
        for metric in greedy
        if all(isinstance(found[metric], int | float) for found in (greedy, witness))
    ]


def _sample(family: Family, tables: ReleaseTables) -> ReleaseTables:
    """Return the tables with the tasks, and their certificates, that are scored."""
    ids = sorted(tables[family.tasks]["task_id"])
    step = -(-len(ids) // MOST_TASKS) or 1
    kept = {
        table.table_name(): (rows := tables[table])[rows["task_id"].isin(ids[::step])]
        for table in (family.tasks, family.certificates)
    }
    return ReleaseTables(ChainMap(kept, tables.tables), tables.section)  # type: ignore[arg-type]
