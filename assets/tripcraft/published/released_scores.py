"""Scores of plans against a release's own tables: what `tripwright score` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assets.rows import ReleaseTables
from assets.tripcraft.checks.metrics import Embed
from assets.tripcraft.published.folder import published_set
from assets.tripcraft.scoring import PlanScore, Published, check_counts, score_plan, summarise
from assets.tripcraft.variants import VARIANTS
from assets.tripcraft.world import world as reference_of


def score_tasks(
    tables: ReleaseTables, plans: Sequence[dict[str, Any]], variant: str, embed: Embed | None = None
) -> dict[str, Any]:
    """Return {variant, aggregate, plans}; JSON-able. A plan is {task_id, plan}; a task without one is undelivered.

    Of several plans for one task the first counts, and the others are counted as ignored. The witness is the gold plan
    that orders are compared with; of an opened folder its own gold plan, and `released` reads the folder's own files.
    """
    reference, reading = reference_of(tables), VARIANTS[variant]
    gold = {row["task_id"]: row["plan"] for row in tables.certificates.to_dict("records")}
    queries: dict[str, Published] = {}
    if tables.published is not None:
        task_set = published_set(tables.published)
        gold = {task_id: task.gold for task_id, task in task_set.tasks.items()}
        queries = {task_id: (task.query, task_set.world) for task_id, task in task_set.tasks.items()}
    tasks = tables.tasks.sort_values("task_id").to_dict("records")
    task_ids = {row["task_id"] for row in tasks}
    plan_by_task: dict[str, Any] = {}
    of_tasks = [plan for plan in plans if isinstance(plan.get("task_id"), str) and plan["task_id"] in task_ids]
    for plan in of_tasks:
        plan_by_task.setdefault(plan["task_id"], plan.get("plan"))
    scores: dict[str, PlanScore] = {}
    for row in tasks:
        task_id, record = row["task_id"], row["record"]
        plan = plan_by_task.get(task_id, [])
        scores[task_id] = score_plan(
            record,
            plan,
            reference,
            variant=reading,
            gold=gold.get(task_id),
            embed=embed,
            published=queries.get(task_id),
        )
    return {
        "variant": variant,
        "aggregate": {
            **summarise(scores.values(), reading),
            "checks": check_counts(scores.values()),
            "plans_of_no_task": len(plans) - len(of_tasks),
            "second_plans_ignored": len(of_tasks) - len(plan_by_task),
        },
        "plans": [_row(task_id, score) for task_id, score in scores.items()],
    }


def _row(task_id: str, score: PlanScore) -> dict[str, Any]:
    return {
        "task_id": task_id,
        "delivered": score.delivered,
        "passes": score.passes_commonsense and score.passes_hard,
        "failed": score.failed(),
        "reasons": list(_reasons(score)),
        "cost": score.cost,
        **(score.metrics or {}),
    }


def _reasons(score: PlanScore) -> Iterator[str]:
    yield from score.problems
    for results in (score.commonsense, score.hard):
        for result in (results or {}).values():
            yield from result.reasons if result.holds is False else ()
