"""What becomes of a set of round trips: its files, its figures, and the score of somebody's plans."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from assets.roundtrips.world import World, check, world
from assets.rows import ReleaseTables


def export(tables: ReleaseTables) -> dict[str, bytes]:
    """Return the published files: one line a task."""
    rows = tables.tasks.sort_values("task_id").to_dict("records")
    lines = [json.dumps({"task_id": row["task_id"], "query": row["query"], **row["record"]}) for row in rows]
    return {"roundtrips.jsonl": "".join(f"{line}\n" for line in lines).encode()}


def measures(tables: ReleaseTables, _: Mapping[str, Any]) -> dict[str, Any]:
    """Return the release's figures."""
    return {"mean_cost": round(float(tables.certificates["proof"].str["cost"].mean()), 2)}


def score(tables: ReleaseTables, plans: Sequence[Mapping[str, Any]], variant: str) -> dict[str, Any]:
    """Return the share of tasks whose plan is accepted, and a row a plan; of several for one task the last counts."""
    records = dict(zip(tables.tasks["task_id"], tables.tasks["record"], strict=True))
    plan_by_task = {row["task_id"]: row.get("plan") for row in plans if row.get("task_id") in records}
    own_world = world(tables)
    accepted = {task_id: _is_accepted(records[task_id], plan, own_world) for task_id, plan in plan_by_task.items()}
    rows = [{"task_id": task_id, "passes": is_accepted} for task_id, is_accepted in accepted.items()]
    return {"variant": variant, "aggregate": {"accepted": sum(accepted.values()) / len(records)}, "plans": rows}


def _is_accepted(record: Any, plan: Any, world: World) -> bool:
    try:
        return not check(record, plan, world)
    except (AttributeError, KeyError, TypeError):
        return False
