"""The published metrics of ItinBench over a set of plans, in three variants. Never imports the solver.

Variants (docs/pages/published-benchmarks.md, 2.F), where they differ:

| | released (as the code does) | paper (as its tables print) | ours (default) |
|---|---|---|---|
| place names | name + address ratio >= 120 | the same | and name ratio >= 60; chains told apart by address |
| failed entries | stay in all denominators but the price of stays | the same | stay in every denominator |
| repetition (I2) | free | free | counts once, and the plan is not valid |
| missing stay | missing | the previous day's | the previous day's |
| an empty morning or afternoon, no stay at all | no entry: passes | no entry: passes | a failed entry |
| fewer attractions a day than the four asked for | no entry | no entry | failed entries, and the plan is not valid |
| more attractions a day than the four asked for | entries, routed | the same | in ARG alone, and repetitions count |
| a day, or a plan, that is not there | no entry | no entry | failed entries |
| ARG | size of the mean difference (signs cancel) | the same | mean absolute difference over all days |
| whole trip, stay changes (I8) | unlike rules for planned and optimal | closed tours for both | the same |

The paper's text says that failed entries are not evaluated, and its equations 6 to 8 divide by days or plans; its
tables were made otherwise, in percent of the planned, so that is what `paper` prints. The equations' figures stand
beside them in `details`, as `by_equation`: which divides by what is our reading [I].
Plans of `paper` and `ours` are routed on every day that has a stay; `released` skips a plan without a first stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any

from assets.itinbench.checks.certify import check_witness
from assets.itinbench.checks.feasibility import VISITS_PER_DAY
from assets.itinbench.checks.matching import VARIANTS, Matcher, Variant
from assets.itinbench.checks.metrics import Gap, PlanScore, score_plan
from assets.itinbench.checks.plans import plan_key
from assets.itinbench.checks.ratios import Pool
from assets.itinbench.evidence import known_places
from assets.itinbench.tables import Record
from assets.rows import ReleaseTables
from schemas.errors import ExpectedError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Scores", "attraction_gap", "check_witness", "score", "score_tasks"]


NO_PLAN = {"plan": {"itinerary": []}}


@dataclass(frozen=True)
class Scores:
    """The score of a set of plans: one row a plan, and the aggregate figures.

    `aggregate` holds each metric's value (oop, mi, micro, macro, vr, repeats, arg, dg, total_dg, ecj; percent unless
    its detail has another unit; None where nothing could be measured), the counts behind them, and under `details`
    each metric's unit, numerator, denominator and the number of plans, days or trips it rests on.
    """

    variant: Variant
    rows: pd.DataFrame
    aggregate: dict[str, Any]


@dataclass(frozen=True)
class _Task:
    """What a plan is scored against."""

    task_id: str
    record: Record
    pool: Pool
    matcher: Matcher


def score(
    plans: Sequence[Any], records: Mapping[str, Record], places: pd.DataFrame, *, variant: Variant = "ours"
) -> Scores:
    """Return the published metrics of the plans against their tasks' records and the city's pool of places.

    Plans name their task by `task_id` or `index`. A plan of no known task, or that is no object, counts as missing, in
    `ours` the plan that its task has not; of several plans for one task the first counts. Nothing in a plan is an
    error. Raises ValueError for an unknown variant.
    """
    _require_variant(variant)
    pool, matcher = Pool(places), Matcher(places, variant)
    return _score(plans, {key: _Task(key, record, pool, matcher) for key, record in records.items()}, variant)


def score_release(tables: ReleaseTables, plans: Sequence[Any], variant: str) -> dict[str, Any]:
    """Return {variant, aggregate, plans} of a release's tasks."""
    return score_tasks(plans, tables.tasks, known_places(tables), variant, tables.numbers)


def score_tasks(
    plans: Sequence[Any],
    tasks: pd.DataFrame,
    places: pd.DataFrame,
    variant: str,
    numbers: Mapping[int, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """Return {variant, aggregate, plans} for a release's tasks of any number of cities; JSON-able.

    A plan's `index` is the task's number: that of `numbers`, else, from 1, its place in the order of `tasks`, as the
    export numbers them.
    """
    variant_name = _require_variant(variant)
    cities = {str(city): (Pool(rows), Matcher(rows, variant_name)) for city, rows in places.groupby("city_id")}
    tasks_by_key: dict[str, _Task] = {}
    task_rows = tasks.to_dict("records")
    ids_by_number = numbers if numbers is not None else {n: (row["task_id"],) for n, row in enumerate(task_rows, 1)}
    number_of = {task_id: str(number) for number, ids in ids_by_number.items() for task_id in ids}
    for row in task_rows:
        task = _Task(row["task_id"], row["record"], *cities[row["city_id"]])
        tasks_by_key |= {number_of[row["task_id"]]: task, row["task_id"]: task}
    scores = _score(plans, tasks_by_key, variant_name)
    rows = scores.rows.astype(object)
    return {
        "variant": variant_name,
        "aggregate": scores.aggregate,
        "plans": rows.where(rows.notna(), None).to_dict("records"),
    }


def _require_variant(variant: str) -> Variant:
    for variant_name in VARIANTS:
        if variant == variant_name:
            return variant_name
    raise ExpectedError(f"variant {variant!r} is not known; expected one of {', '.join(VARIANTS)}")


def _score(plans: Sequence[Any], tasks: Mapping[str, _Task], variant: Variant) -> Scores:
    import pandas as pd

    rows: list[PlanScore] = []
    of_tasks: list[PlanScore] = []
    answered: set[str] = set()
    ignored = 0
    for position, raw in enumerate(plans, 1):
        key = plan_key(raw)
        task = tasks.get(key) if key is not None else None
        if task is None:
            what = f"plan {position} names no task" if key is None else f"task {key!r} is not in this set"
            rows.append(PlanScore(task_id=key or "", problems=[f"{what}: counted as missing"]))
        elif task.task_id in answered:
            ignored += 1
        else:
            answered.add(task.task_id)
            of_tasks.append(score_plan(task.task_id, raw, task.record, task.pool, task.matcher))
            rows.append(of_tasks[-1])
    task_count = len({task.task_id for task in tasks.values()})
    if variant == "ours":
        for task in {task.task_id: task for task in tasks.values() if task.task_id not in answered}.values():
            missing = score_plan(task.task_id, NO_PLAN, task.record, task.pool, task.matcher)
            missing.problems = ["no plan for this task: counted as missing"]
            of_tasks.append(missing)
            rows.append(missing)
    # What a task has not is missing: in ours the plan that names no task is not missing once more.
    scored = of_tasks if variant == "ours" else rows
    aggregate: dict[str, Any] = {
        "variant": variant,
        "n": len(scored),
        "tasks": task_count,
        "tasks_without_plan": task_count - len(answered),
        "second_plans_ignored": ignored,
        **_aggregate(scored, variant),
    }
    return Scores(variant, pd.DataFrame([_row(s) for s in rows], columns=_COLUMNS), aggregate)


def attraction_gap(days: Iterable[int]) -> dict[str, Any]:
    """Return the recommendation gap of days with so many attractions each, signed and mean absolute, in percent of 4.

    `mean` is the mean number of attractions; the released headline is the size of `signed_percent`.
    """
    counts = list(days)
    if not counts:
        return {"n": 0, "mean": None, "signed_percent": None, "absolute_percent": None}
    target = VISITS_PER_DAY * len(counts)
    return {
        "n": len(counts),
        "mean": sum(counts) / len(counts),
        "signed_percent": 100 * (sum(counts) - target) / target,
        "absolute_percent": 100 * sum(abs(n - VISITS_PER_DAY) for n in counts) / target,
    }


def _aggregate(scored: list[PlanScore], variant: Variant) -> dict[str, Any]:
    """Return each metric's value, the attractions a day, and the details behind the values."""
    n = len(scored)
    ratios = [ratio for s in scored if s.ratios for _, ratio in s.ratios.items()]
    gaps = [gap for s in scored for gap in s.days]
    trips = [s.trip for s in scored if s.trip]
    jumps = [s.jumps for s in scored if s.jumps]
    extra = sum(e for e, _ in jumps)
    details = {
        "oop": _percent(sum(s.out_of_pool for s in scored), n, n),
        "mi": _percent(sum(s.missing_info for s in scored), n, n),
        "micro": _percent(sum(numerator for numerator, _ in ratios), sum(denominator for _, denominator in ratios), n),
        "macro": _percent(sum(s.macro for s in scored), n, n),
        "vr": _percent(sum(s.valid for s in scored), n, n),
        "repeats": _percent(sum(s.repeats for s in scored), n, n),
        "dg": _distance(gaps, "day"),
        "total_dg": _distance(trips, "plan"),
        "ecj": {
            **_percent(extra, sum(base for _, base in jumps), len(jumps)),
            "by_equation": _by_equation(extra, len(jumps), "jumps per plan"),
        },
    }
    visits = attraction_gap(count for s in scored for count in s.visits)
    signed = visits["signed_percent"]
    return {
        **{metric: detail["value"] for metric, detail in details.items()},
        "arg": abs(signed) if variant != "ours" and signed is not None else visits["absolute_percent"],
        "arg_signed": signed,
        "arg_absolute": visits["absolute_percent"],
        "attractions_per_day": visits["mean"],
        "days_counted": visits["n"],
        "details": {m: {k: v for k, v in detail.items() if k != "value"} for m, detail in details.items()},
    }


def _distance(gaps: list[Gap], per: str) -> dict[str, Any]:
    """Return the gap of summed lengths in percent of the planned, and per day or plan beside it.

    The sums are exact, so that plans in another order have the same gap.
    """
    planned = fsum(gap.planned for gap in gaps)
    excess = planned - fsum(gap.optimal for gap in gaps)
    share = _percent(excess, planned, len(gaps))
    if gaps and excess == 0:  # also where every tour has length 0
        share["value"] = 0.0
    return {**share, "by_equation": _by_equation(excess, len(gaps), f"thousandths of a degree per {per}")}


def _by_equation(total: float, n: int, unit: str) -> dict[str, Any]:
    return {"value": total / n if n else None, "unit": unit}


def _percent(numerator: float, denominator: float, n: int) -> dict[str, Any]:
    return _measure(numerator, denominator, n, 100, "%")


def _measure(numerator: float, denominator: float, n: int, scale: int, unit: str) -> dict[str, Any]:
    value = scale * numerator / denominator if denominator else None
    return {"value": value, "unit": unit, "numerator": numerator, "denominator": denominator, "n": n}


_CATEGORIES = ("day", "price", "orientation", "cuisine", "restaurant", "hotel")
_COLUMNS = [
    "task_id", "oop", "mi", "macro", "valid", "repeats", "micro_percent",
    *(f"{category}_{part}" for category in _CATEGORIES for part in ("met", "of")),
    "arg_signed_percent", "arg_absolute_percent", "dg_planned", "dg_optimal", "dg_percent",
    "total_dg_planned", "total_dg_optimal", "total_dg_percent", "ecj_extra", "ecj_base", "ecj_percent", "problems",
]  # fmt: skip


def _row(s: PlanScore) -> dict[str, Any]:
    """Return one plan's row; lengths in thousandths of a degree, shares of the plan's own lengths in percent."""
    ratios = s.ratios.items() if s.ratios else []
    visits = attraction_gap(s.visits)
    days, trip = _distance(s.days, "day"), _distance([s.trip] if s.trip else [], "plan")
    extra, base = s.jumps or (None, None)
    return {
        "task_id": s.task_id,
        "oop": s.out_of_pool,
        "mi": s.missing_info,
        "macro": s.macro,
        "valid": s.valid,
        "repeats": s.repeats,
        "micro_percent": _percent(sum(m for _, (m, _) in ratios), sum(d for _, (_, d) in ratios), 1)["value"],
        **{f"{name}_met": numerator for name, (numerator, _) in ratios},
        **{f"{name}_of": denominator for name, (_, denominator) in ratios},
        "arg_signed_percent": visits["signed_percent"],
        "arg_absolute_percent": visits["absolute_percent"],
        "dg_planned": days["denominator"],
        "dg_optimal": fsum(g.optimal for g in s.days),
        "dg_percent": days["value"],
        "total_dg_planned": s.trip.planned if s.trip else None,
        "total_dg_optimal": s.trip.optimal if s.trip else None,
        "total_dg_percent": trip["value"],
        "ecj_extra": extra,
        "ecj_base": base,
        "ecj_percent": 100 * extra / base if extra is not None and base else None,
        "problems": s.problems,
    }
