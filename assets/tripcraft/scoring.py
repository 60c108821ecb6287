"""The score of a plan and of a set of plans: delivery, the gate, pass rates and mean metrics (1.F).

The checks are in `commonsense.py` and `hard.py`, the metrics in `metrics.py`. Nothing here knows how plans are made.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assets.tripcraft.checks.case import Case
from assets.tripcraft.checks.commonsense import COMMONSENSE
from assets.tripcraft.checks.hard import HARD, total_cost
from assets.tripcraft.checks.metrics import (
    Embed,
    ordering,
    persona_score,
    spatial,
    temporal_attraction,
    temporal_meal,
    temporal_meal_full_days,
)
from assets.tripcraft.plan import Plan, read_plan
from assets.tripcraft.published.checker import cost_of, judge
from assets.tripcraft.published.query import published_record
from assets.tripcraft.published.reference_world import reference_world
from assets.tripcraft.published.world import World
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.variants import OURS, Variant
from assets.tripcraft.vocabulary import CONSTRAINTS
from schemas.counts import counted

Published = tuple[Mapping[str, Any], World]
"""A query under its published keys, and the world of the folder that it is of."""

METRICS = ("temporal_meal", "temporal_meal_full_days", "temporal_attraction", "spatial", "persona", "ordering")
"""The five published metrics, and the first of them over full days alone, whose hours are all the planner's."""

LEAST_DAYS_DELIVERED = 3
"""A plan counts as delivered if it has more than two day objects (1.F)."""


@dataclass(frozen=True)
class CheckResult:
    """One check's verdict: True, False with its reasons, or None where the query asks for nothing."""

    holds: bool | None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlanScore:
    """What one plan scored. `hard` is None where the plan does not reach the gate; all is None or 0 if undelivered."""

    days: int
    level: str
    constraints_asked: int
    delivered: bool
    commonsense: dict[str, CheckResult] | None
    hard: dict[str, CheckResult] | None
    metrics: dict[str, float | None] | None
    cost: int | None
    problems: tuple[str, ...] = ()

    @property
    def passes_commonsense(self) -> bool:
        """Return whether all ten commonsense checks hold."""
        return self.commonsense is not None and all(result.holds for result in self.commonsense.values())

    @property
    def passes_hard(self) -> bool:
        """Return whether the plan reaches the gate and no hard check fails."""
        return self.hard is not None and all(result.holds is not False for result in self.hard.values())

    def failed(self) -> list[str]:
        """Return the names of the checks that do not hold."""
        results = {**(self.commonsense or {}), **(self.hard or {})}
        return [name for name, result in results.items() if result.holds is False]


def score_plan(
    record: Record,
    native: Any,
    reference: Reference,
    *,
    variant: Variant = OURS,
    gold: Any = None,
    embed: Embed | None = None,
    published: Published | None = None,
) -> PlanScore:
    """Return the score of one native plan; it may be anything at all, and then fails checks with reasons.

    `gold` is the native gold plan that the ordering score compares with; `embed` the model of the persona score;
    `published` the query and the world that the released checks read, else what an export of ours would say.
    """
    plan = read_plan(native)
    constraint_count = sum(record["constraints"][key] is not None for key in CONSTRAINTS)
    blank = PlanScore(record["days"], record["level"], constraint_count, False, None, None, None, None)
    if too_short := why_undelivered(plan):
        return dataclasses.replace(blank, problems=too_short)
    case = Case(record, plan, reference, variant)
    commonsense, hard, cost = (
        _released_results(case, native, published) if variant.checks_as_released else _our_results(case)
    )
    gate = commonsense["complete_information"].holds and commonsense["within_sandbox"].holds
    return dataclasses.replace(
        blank,
        delivered=True,
        commonsense=commonsense,
        hard=hard if gate else None,
        metrics=_metrics(case, read_plan(gold) if gold is not None else None, embed),
        cost=cost,
    )


def why_undelivered(plan: Plan) -> tuple[str, ...]:
    """Return why a plan does not count as delivered; nothing if it does."""
    if len(plan.days) >= LEAST_DAYS_DELIVERED:
        return ()
    short = f"the plan has {counted(len(plan.days), 'day')}; one counts as delivered from {LEAST_DAYS_DELIVERED}"
    return plan.problems or (short,)


def summarise(scores: Iterable[PlanScore], variant: Variant = OURS) -> dict[str, float | int | None]:
    """Return the rates over a set of plans, one score for each task, delivered or not (1.F).

    Denominators are counted from the scores (T1): N plans, 10 N commonsense checks, N budgets and every constraint
    asked. In the released variant they are the hard-coded ones of the lengths present. Metrics are means over delivered
    plans that have them, in ours with 0 for each that was not delivered; None where none has. Rates are fractions, None
    over nothing.
    """
    plan_scores = list(scores)
    plans, commonsense, hard = _denominators(plan_scores, variant)
    delivered = [score for score in plan_scores if score.delivered]
    return {
        "tasks": len(plan_scores),
        "delivery_rate": _rate(len(delivered), plans),
        "commonsense_micro": _rate(sum(_passed_count(s.commonsense) for s in plan_scores), commonsense),
        "commonsense_macro": _rate(sum(s.passes_commonsense and s.hard is not None for s in plan_scores), plans),
        "hard_micro": _rate(sum(_passed_count(s.hard) for s in plan_scores), hard),
        "hard_macro": _rate(sum(s.passes_hard for s in plan_scores), plans),
        "final_pass_rate": _rate(sum(s.passes_commonsense and s.passes_hard for s in plan_scores), plans),
        **{metric: _over_plans(metric, plan_scores, variant) for metric in METRICS},
    }


def _over_plans(metric: str, scores: list[PlanScore], variant: Variant) -> float | None:
    """Return a metric's mean over the plans that have it, in ours with 0 for each that was not delivered."""
    values = [(score.metrics or {}).get(metric) for score in scores if score.delivered]
    is_known = any(value is not None for value in values)
    lacking = [0.0] * (len(scores) - len(values)) if variant.left_out_is_zero and is_known else []
    return _mean([*values, *lacking])


def check_counts(scores: Iterable[PlanScore]) -> dict[str, dict[str, int]]:
    """Return, for each of the seventeen checks, how many plans pass, fail, and are not judged."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in (*COMMONSENSE, *HARD)}
    for score in scores:
        results = {**(score.commonsense or {}), **(score.hard or {})}
        for name, count in counts.items():
            holds = results[name].holds if name in results else None
            count["not judged" if holds is None else "pass" if holds else "fail"] += 1
    return {name: {key: count[key] for key in ("pass", "fail", "not judged")} for name, count in counts.items()}


Results = dict[str, CheckResult]


def _our_results(case: Case) -> tuple[Results, Results, int | None]:
    """Return the commonsense and the hard checks' results and the cost, by our reading of the rules."""
    commonsense = {name: _result(check(case)) for name, check in COMMONSENSE.items()}
    return commonsense, {name: _result(check(case)) for name, check in HARD.items()}, total_cost(case)


def _released_results(case: Case, native: Any, published: Published | None) -> tuple[Results, Results, int | None]:
    """Return the same as the published evaluator gives them; its reasons are the checks' names, or why it raises."""
    query, world = published or (published_record(case.record, case.reference), reference_world(case.reference))
    results = {
        name: CheckResult(verdict.holds, () if verdict.holds is not False else (_reason(name, verdict.crash),))
        for name, verdict in judge(query, native, world).items()
    }
    cost = cost_of(query, native, world)
    return (
        {name: results[name] for name in COMMONSENSE},
        {name: results[name] for name in HARD},
        int(cost) if cost is not None and math.isfinite(cost) else None,
    )


def _reason(name: str, crash: str) -> str:
    return f"the published evaluator raises in {name}: {crash}" if crash else f"the published evaluator fails {name}"


def _result(problems: Sequence[str] | None) -> CheckResult:
    return CheckResult(None) if problems is None else CheckResult(not problems, tuple(problems))


def _metrics(case: Case, gold: Plan | None, embed: Embed | None) -> dict[str, float | None]:
    names = [item.name for day in case.days for item in day.items]
    return {
        "temporal_meal": temporal_meal(case),
        "temporal_meal_full_days": temporal_meal_full_days(case),
        "temporal_attraction": temporal_attraction(case),
        "spatial": spatial(case),
        "persona": persona_score(case.record["persona"], names, embed),
        "ordering": ordering(case, gold),
    }


def _denominators(scores: list[PlanScore], variant: Variant) -> tuple[int, int, int]:
    if variant.denominators is None:
        n = len(scores)
        return n, len(COMMONSENSE) * n, n + sum(score.constraints_asked for score in scores)
    published = [variant.denominators[days] for days in sorted({score.days for score in scores})]
    return sum(p[0] for p in published), sum(p[1] for p in published), sum(p[2] for p in published)


def _passed_count(results: dict[str, CheckResult] | None) -> int:
    return sum(result.holds is True for result in (results or {}).values())


def _rate(count: int, total: int) -> float | None:
    return count / total if total else None


def _mean(values: list[float | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    return math.fsum(numbers) / len(numbers) if numbers else None
