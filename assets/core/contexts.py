"""Contexts: what a planner is given with each task, where a family keeps it as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assets.core.drafting import Uses
from assets.core.worlds import given_tables, task_views, without_plans
from assets.step import Outcome, Step

if TYPE_CHECKING:
    import pandas as pd


def contexts(
    task: pd.DataFrame, certificate: pd.DataFrame, *rows: Any, step: Step, uses: Uses, section: Any
) -> Outcome:
    """Return the rows that the family makes of its certified tasks, without their plans, and its world's tables."""
    views = without_plans(task_views(task, certificate))
    return Outcome(uses["contexts"](views, given_tables(step.tables[2:], rows, section)))
