"""Certificates: the plan that each draft came with, as the proof of the task that was made of it.

The checker accepted it when it was drafted; the gate judges it again, apart, before it is released.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assets.core.drafting import Uses
from assets.step import Outcome, Step

if TYPE_CHECKING:
    import pyarrow as pa


def certificates(task: pa.Table, draft: pa.Table, *, step: Step, uses: Uses, checks: list[str]) -> Outcome:
    """Return the certificate of every task: plan and proof stay as Arrow keeps them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    checks_by_task = [checks] * task.num_rows
    if "asked" in uses:
        checks_by_task = [uses["asked"](record) for record in step.tables[0].frame(task.select(["record"]))["record"]]
    stated = [
        [{"check": name, "holds": True if name in task_checks else None} for name in checks]
        for task_checks in checks_by_task
    ]
    drawn = draft.take(pc.call_function("index_in", [task["task_id"]], pc.SetLookupOptions(draft["task_id"])))
    columns = {name: task[name] for name in ("task_id", "city_id")}
    columns |= {name: drawn[name] for name in ("plan", "proof", "depends_on")}
    columns["checks"] = pa.array(stated, step.output.arrow_schema().field("checks").type)
    return Outcome(pa.table(columns), rows_in=task.num_rows)
