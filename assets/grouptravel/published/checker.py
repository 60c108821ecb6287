"""The published checker on an export's own files: every witness read back and judged by `released`.

Imports nothing that drafts or solves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from assets.grouptravel.checks.refusals import MALFORMED
from assets.grouptravel.checks.validity import CHECKS
from assets.grouptravel.published.opened import open_files
from assets.grouptravel.scoring import TaskCase, score_trial
from assets.grouptravel.variants import RELEASED

IS_PLAN = "is_plan"
"""Whether there is a witness that the published code can read at all."""


def verdicts(files: Mapping[str, bytes]) -> dict[str, dict[str, bool | None]]:
    """Return, for every task of an export, whether its witness passes each published check; None where none was asked.

    `files` are the export's bytes by relative path. A task without a witness, or with one that the published code
    refuses, is no plan, and the nine checks are not asked. Raises SourceError where the files hold no task.
    """
    opened = open_files(files)
    verdicts_by_task: dict[str, dict[str, bool | None]] = {}
    for task_id, case in opened.cases().items():
        verdict = published_verdict(opened.witnesses.get(task_id), case)
        failed = None if "valid" not in verdict else {check for check, _ in verdict["failed"]}
        verdicts_by_task[task_id] = {
            IS_PLAN: failed is not None,
            **{name: None if failed is None else name not in failed for name in CHECKS},
        }
    return verdicts_by_task


def published_verdict(plan: Any, case: TaskCase) -> dict[str, Any]:
    """Return what the published code says of a plan: its verdict, {"malformed": True} or {"crash": exception}.

    A verdict is {valid, issues: count by kind, gu, gf, users: points by user, split_penalty}, and `failed`, every
    (check, kind) with an issue.
    """
    row = score_trial({"plan": plan}, case, RELEASED)
    if row["refused"] == MALFORMED:
        return {"malformed": True}
    if row["refused"]:
        return {"crash": row["refused"]}
    return {
        "valid": row["pv"] == 100.0,
        "issues": dict(Counter(kind for _, kind, *_ in row["issues"])),
        "gu": row["gu"],
        "gf": row["gf"],
        "users": row.get("users"),
        "split_penalty": row.get("split_penalty"),
        "failed": sorted({(check, kind) for check, kind, *_ in row["issues"]}),
    }
