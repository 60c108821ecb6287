"""What a release is measured for and counts: made once for its manifest, and again by whoever audits it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel

from assets.core.no_solution import KEY
from assets.core.published_set import ASKED, left_out
from assets.family import Family
from assets.language.nearest_query import repetition
from assets.release.difficulty import BASELINE, PASSED, difficulty, pass_counts
from assets.rows import ReleaseTables
from assets.runs import reference
from schemas.rejection import Reason

UNANSWERED = (Reason.NO_VALID_ANSWER.value, Reason.NEAR_DUPLICATE.value)
REFERENCE = "reference_planners"


MOST_UNANSWERED = 0.05
"""Share of the tasks asked for that a release may lack because a model gave them no usable wording; our choice."""


class FactsAsked(dict[str, Any]):
    """What steps found beside their rows, by step and scope, which remembers of which steps it was asked."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        super().__init__(facts)
        self._asked: set[str] = set()

    def __getitem__(self, step: str) -> Any:
        self._asked.add(step)
        return super().__getitem__(step)

    def get(self, step: str, default: Any = None) -> Any:
        """Return what a step found, the default where it found nothing."""
        self._asked.add(step)
        return super().get(step, default)

    @property
    def facts_used(self) -> dict[str, Any]:
        """Return what was asked for and is there."""
        return {step: value for step, value in sorted(self.items()) if step in self._asked}


def measures_and_facts(
    family: Family, tables: ReleaseTables, facts: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a release's measures, and the facts of its steps that they rest on beside its tables.

    The family's own; then, for every family, how hard the tasks are, how much is said twice, what reference planners
    reach, and how many tasks without a solution the section asks for.
    """
    fact_log = FactsAsked(facts)
    measures = family.call("measures", tables, fact_log)
    measures |= {
        PASSED: pass_counts(family, tables),
        BASELINE: difficulty(family, tables),
        "similar_queries": list(repetition(tables.tables["nearest_query"])),
    }
    measures |= {KEY: tables.section[KEY]} if tables.section.get(KEY) else {}
    measures[REFERENCE] = reference.reference_rows(family, tables)
    return as_json(measures), as_json(fact_log.facts_used)


def as_json(value: Any) -> Any:
    """Return a value as a manifest keeps it: what is no number is null."""
    return json.loads(json.dumps(value), parse_constant=lambda _: None)


def tasks_due(family: Family, section: BaseModel, cities: int, counts: Mapping[str, Any]) -> int:
    """Return how many tasks a release of so many cities must have: all slots of its section.

    Of a published set alone a task may be retired, and few that a model was to word may have no words.
    """
    due = sum(series.count for series in family.call("slots", section)) * (cities if family.per == "city" else 1)
    if getattr(section, ASKED, None) and counts["certified"]:
        due -= counts["retired"]
    return due - counts["unanswered"] if counts["unanswered"] <= MOST_UNANSWERED * due else due


def release_counts(family: Family, tables: ReleaseTables, accounting: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what a release counts: its tasks, and by the steps' accounting what was rejected."""
    tasks, certificates = tables.tasks, tables.certificates
    rejected = {entry["step"]: dict(entry["rejected"]) for entry in accounting}
    family_steps = {step.name for step in family.steps}
    tasks_left_out = left_out(tables.section)
    return {
        "tasks": len(tasks),
        "certified": int(tasks["task_id"].isin(certificates["task_id"]).sum()),
        "tasks_by_city": {str(city): int(n) for city, n in tasks["city_id"].value_counts().sort_index().items()},
        "unanswered": sum(rejected.get(family.tables.task.table_name(), {}).get(reason, 0) for reason in UNANSWERED),
        "retired": rejected.get(family.tables.draft.table_name(), {}).get(Reason.RETIRED.value, 0),
        **({} if tasks_left_out is None else {"left_out": tasks_left_out}),
        "rejected": sum(sum(reasons.values()) for step, reasons in rejected.items() if step in family_steps),
        "source_rows_rejected": sum(
            sum(reasons.values()) for step, reasons in rejected.items() if step not in family_steps
        ),
    }
