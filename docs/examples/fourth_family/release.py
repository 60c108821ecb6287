"""What becomes of a set of strolls: its files, its figures, and the score of somebody's plans."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from assets.family import ReleaseTables
from assets.strolls.world import check, world
from schemas.places import Place


def export(tables: ReleaseTables) -> dict[str, bytes]:
    """Return the published files: one line a task."""
    rows = tables.tasks.sort_values("task_id").to_dict("records")
    lines = [json.dumps({"task_id": row["task_id"], "query": row["query"], **row["record"]}) for row in rows]
    return {"strolls.jsonl": "".join(f"{line}\n" for line in lines).encode()}


def measures(tables: ReleaseTables, _: Mapping[str, Any]) -> dict[str, Any]:
    """Return the release's figures."""
    return {"mean_days": round(sum(record["days"] for record in tables.tasks["record"]) / len(tables.tasks), 2)}


def score(tables: ReleaseTables, plans: Sequence[Mapping[str, Any]], variant: str) -> dict[str, Any]:
    """Return the share of tasks whose plan is accepted."""
    cities = tables[Place].groupby("city_id")
    worlds = {city_id: world(ReleaseTables({Place.table_name(): rows})) for city_id, rows in cities}
    asked = {row["task_id"]: row for row in tables.tasks.to_dict("records")}
    found = [
        {"task_id": given["task_id"], "accepted": _is_accepted(asked[given["task_id"]], given.get("plan"), worlds)}
        for given in plans
        if given.get("task_id") in asked
    ]
    accepted = len({row["task_id"] for row in found if row["accepted"]})
    return {"variant": variant, "aggregate": {"accepted": accepted / len(asked)}, "plans": found}


def _is_accepted(task: Mapping[str, Any], plan: Any, worlds: Mapping[Any, Any]) -> bool:
    try:
        return not check(task["record"], plan, worlds[task["city_id"]])
    except (AttributeError, KeyError, TypeError):
        return False
