"""Certificates: each task's witness, held against the published checks and our own by what never saw it made."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from assets.step import Outcome
from assets.tripcraft.checks.case import Case
from assets.tripcraft.checks.soundness import SOUNDNESS, ways_in_town
from assets.tripcraft.plan import read_plan
from assets.tripcraft.reference import Reference
from assets.tripcraft.scoring import PlanScore, score_plan
from assets.tripcraft.tables import Record, TripcraftCertificate
from assets.tripcraft.variants import OURS
from schemas.rejection import Reason
from schemas.stable import canonical_json

if TYPE_CHECKING:
    import pandas as pd


def certificates(tasks: pd.DataFrame, drafts: pd.DataFrame, reference: Reference) -> Outcome:
    """Return a certificate for every task whose draft's witness the checker accepts; the others are rejected.

    `tasks` has task_id, city_id and record_json; `drafts` is `TripcraftDraft`.
    """
    import pandas as pd

    found = {row["task_id"]: row for row in drafts.to_dict("records")}
    rows: list[dict[str, Any]] = []
    rejected: list[dict[str, str]] = []
    for task in tasks.sort_values("task_id").to_dict("records"):
        task_id, record, draft = task["task_id"], json.loads(task["record_json"]), found[task["task_id"]]
        plan = json.loads(draft["witness_json"])
        score = score_plan(record, plan, reference)
        case = Case(record, read_plan(plan), reference, OURS)
        failures = failed_checks(score, case)
        if failures:
            detail = f"the checker does not accept the witness: {', '.join(failures)}"
            rejected.append({"row": task_id, "reason": Reason.UNSATISFIABLE.value, "detail": detail})
            continue
        values = {**json.loads(draft["values_json"]), **measured(score, record), "ways_in_town": ways_in_town(case)}
        rows.append(
            {
                "task_id": task_id,
                "city_id": task["city_id"],
                "witness_json": draft["witness_json"],
                "values_json": canonical_json(values),
                "checks_json": canonical_json(checks_of(score)),
                "depends_on": draft["depends_on"],
            }
        )
    frame = pd.DataFrame(rows, columns=[column.name for column in TripcraftCertificate.columns()])
    return Outcome(frame, rejected, rows_in=len(tasks))


def measured(score: PlanScore, record: Record) -> dict[str, Any]:
    """Return a witness's metrics (null where undefined) and its money.

    `ordering` compares a plan with the gold plan, which the witness is: null here.
    """
    cost = score.cost or 0
    return {
        "metrics": {name: None if value is None else round(value, 9) for name, value in (score.metrics or {}).items()},
        "cost": cost,
        "budget_slack": record["budget"] - cost,
    }


def checks_of(score: PlanScore) -> list[dict[str, Any]]:
    """Return the verdicts on an accepted witness: the published checks (null where nothing is asked), then ours."""
    results = {**(score.commonsense or {}), **(score.hard or {})}
    published = [{"check": name, "holds": result.holds} for name, result in results.items()]
    return published + [{"check": name, "holds": True} for name in SOUNDNESS]


def failed_checks(score: PlanScore, case: Case) -> list[str]:
    """Return the checks that a witness does not pass; empty means certified."""
    if not score.delivered:
        return ["delivery"]
    failed = score.failed() or ([] if score.hard is not None else ["gate"])
    return failed + [name for name, check in SOUNDNESS.items() if check(case)]
