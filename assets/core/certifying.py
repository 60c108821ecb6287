"""Certificates: the plan that each draft came with, judged once more for the task that was made of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assets.core.drafting import Uses
from assets.core.worlds import given_tables
from assets.step import Outcome, Step
from schemas.rejection import Reason

if TYPE_CHECKING:
    import pandas as pd


def certificates(
    task: pd.DataFrame, draft: pd.DataFrame, *rows: Any, step: Step, uses: Uses, section: Any, checks: list[str]
) -> Outcome:
    """Return the certificate of every task whose draft's plan the checker accepts; the others are rejected."""
    import pandas as pd

    world = uses["world"](given_tables(step.tables[2:], rows, section))
    drawn = {row["task_id"]: row for row in draft.to_dict("records")}
    kept, rejected = [], []
    for found in task.sort_values("task_id").to_dict("records"):
        own, record = drawn[found["task_id"]], found["record"]
        part = uses["part"](record, world) if "part" in uses else world
        broken = uses["check"](record, own["plan"], part)
        broken += uses["verify"](record, own["plan"], own["proof"], part) if "verify" in uses else []
        if broken:
            detail = "; ".join(f"{violation.check}: {violation.text}" for violation in broken)
            rejected.append({"row": found["task_id"], "reason": Reason.UNSATISFIABLE.value, "detail": detail})
            continue
        asked = uses["asked"](record) if "asked" in uses else checks
        kept.append(
            {
                "task_id": found["task_id"],
                "city_id": found["city_id"],
                "plan": own["plan"],
                "proof": own["proof"],
                "checks": [{"check": name, "holds": True if name in asked else None} for name in checks],
                "depends_on": own["depends_on"],
            }
        )
    frame = pd.DataFrame(kept, columns=[column.name for column in step.output.columns()])
    return Outcome(frame, rejected, rows_in=len(task))
