"""Certificates: the plan that each draft came with, as the proof of the task that was made of it.

The checker accepted it when it was drafted; the gate judges it again, apart, before it is released.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assets.core.drafting import Uses
from assets.step import Outcome, Step

if TYPE_CHECKING:
    import pandas as pd


def certificates(task: pd.DataFrame, draft: pd.DataFrame, *, step: Step, uses: Uses, checks: list[str]) -> Outcome:
    """Return the certificate of every task."""
    import pandas as pd

    drawn = {row["task_id"]: row for row in draft.to_dict("records")}
    rows = []
    for found in task.sort_values("task_id").to_dict("records"):
        own = drawn[found["task_id"]]
        asked = uses["asked"](found["record"]) if "asked" in uses else checks
        rows.append(
            {
                "task_id": found["task_id"],
                "city_id": found["city_id"],
                "plan": own["plan"],
                "proof": own["proof"],
                "checks": [{"check": name, "holds": True if name in asked else None} for name in checks],
                "depends_on": own["depends_on"],
            }
        )
    return Outcome(pd.DataFrame(rows, columns=[column.name for column in step.output.columns()]), rows_in=len(task))
