"""Lineage: where each value of a task comes from, as its family tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assets.core.drafting import Uses
from assets.core.worlds import task_views
from assets.step import Outcome, Step

if TYPE_CHECKING:
    import pandas as pd


def lineage(task: pd.DataFrame, certificate: pd.DataFrame, *, step: Step, uses: Uses, world: Any) -> Outcome:
    """Return one edge a value, or a value that holds others, of every certified task."""
    import pandas as pd

    views = task_views(task, certificate)
    edges = [
        {
            "task_id": view.task_id,
            "field": origin.field,
            "kind": origin.kind,
            "by": origin.by,
            "cells": [{"table": table, "row": row, "column": column} for table, row, column in origin.cells],
            "generation_ids": list(origin.generation_ids),
        }
        for view in views
        for origin in uses["trace"](view, world)
    ]
    frame = pd.DataFrame(edges, columns=[column.name for column in step.output.columns()])
    return Outcome(frame, rows_in=None)
