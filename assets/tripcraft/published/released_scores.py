"""Scores of plans against a release's own tables, and the check of its witnesses: what `tripwright score` prints."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from assets.family import ReleaseTables
from assets.tripcraft.certificates import failed_checks
from assets.tripcraft.checks.case import Case
from assets.tripcraft.checks.metrics import Embed
from assets.tripcraft.plan import read_plan
from assets.tripcraft.published.released_world import reference_of
from assets.tripcraft.scoring import PlanScore, check_counts, score_plan, summarise
from assets.tripcraft.tables import TripcraftCertificate, TripcraftTask
from assets.tripcraft.variants import OURS, VARIANTS


def score_tasks(
    tables: ReleaseTables, plans: Sequence[dict[str, Any]], variant: str, embed: Embed | None = None
) -> dict[str, Any]:
    """Return {variant, aggregate, plans}; JSON-able. A plan is {task_id, plan}; a task without one is undelivered.

    Of two plans for one task the first counts. The witness is the gold plan that orders are compared with.
    """
    known, read = reference_of(tables), VARIANTS[variant]
    gold = {row["task_id"]: json.loads(row["witness_json"]) for row in tables[TripcraftCertificate].to_dict("records")}
    given: dict[Any, Any] = {}
    for plan in plans:
        given.setdefault(str(plan.get("task_id")), plan.get("plan"))
    tasks = tables[TripcraftTask].sort_values("task_id").to_dict("records")
    scores: dict[str, PlanScore] = {}
    for row in tasks:
        task_id, record = row["task_id"], json.loads(row["record_json"])
        plan = given.get(task_id, [])
        scores[task_id] = score_plan(record, plan, known, variant=read, gold=gold[task_id], embed=embed)
    return {
        "variant": variant,
        "aggregate": {
            **summarise(scores.values(), read),
            "checks": check_counts(scores.values()),
            "plans_of_no_task": len(set(given) - set(scores)),
        },
        "plans": [_row(task_id, score) for task_id, score in scores.items()],
    }


def violations(tables: ReleaseTables) -> dict[str, list[str]]:
    """Return, by task, the checks that its witness does not pass; empty lists for a sound release."""
    known = reference_of(tables)
    records = {row["task_id"]: json.loads(row["record_json"]) for row in tables[TripcraftTask].to_dict("records")}
    found = {}
    for row in tables[TripcraftCertificate].to_dict("records"):
        record, plan = records[row["task_id"]], json.loads(row["witness_json"])
        case = Case(record, read_plan(plan), known, OURS)
        found[row["task_id"]] = failed_checks(score_plan(record, plan, known), case)
    return found


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
