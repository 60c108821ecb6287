"""Tasks that no plan can meet, one wish from tasks of a release: what every family's drawing of them shares."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from assets.core.claims import Wish
from assets.rows import ReleaseTables
from schemas.stable import stable_hash

LEVEL = "no solution"

KEY = "tasks_without_solution"
"""The key of a family's section by which a recipe asks for them; none where there is no such key."""


def one_from_each(
    tables: ReleaseTables, count: int, seed: int, near: Callable[[Mapping[Any, Any]], dict[str, Any] | None]
) -> list[dict[str, Any]]:
    """Return at most so many tasks without a solution, each near another released task, in an order that is drawn.

    `near` gives the one that is near a task's row, None where there is none.
    """
    tasks: list[dict[str, Any]] = []
    for row in sorted(tables.tasks.to_dict("records"), key=lambda row: stable_hash(LEVEL, seed, str(row["task_id"]))):
        if len(tasks) == count:
            break
        task = near(row)
        if task is not None:
            tasks.append(task)
    return tasks


def id_near(row: Mapping[Any, Any]) -> str:
    """Return the id of the task without a solution that is near a task."""
    return f"{row['task_id']}.no-solution"


def task_row(
    row: Mapping[Any, Any], query: str, record: Any, clash: Iterable[Wish], lacking: Any, plans: Mapping[Wish, Any]
) -> dict[str, Any]:
    """Return a task without a solution as a task's row, with its `proof`: what clashes, and a plan without each of it.

    `row` is the task that it is near, `lacking` what the family says is missing.
    """
    proof = {
        "near": row["task_id"],
        "clash": [list(wish) for wish in clash],
        "lacking": lacking,
        "without": [{"wish": list(wish), "plan": plan} for wish, plan in plans.items()],
    }
    return {
        "task_id": id_near(row), "city_id": row["city_id"], "level": LEVEL, "query": query, "messages": [],
        "record": record, "proof": proof,
    }  # fmt: skip
