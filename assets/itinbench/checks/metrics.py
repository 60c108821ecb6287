"""One plan, measured: failures, ratios, gaps of its days and of the whole trip. Sums over plans are `scoring.py`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from assets.core.shortest import MAX_VISITS
from assets.itinbench.checks.limits import broken_limits
from assets.itinbench.checks.matching import MISSING, OUT_OF_POOL, Matcher, Variant
from assets.itinbench.checks.plans import read_plan
from assets.itinbench.checks.ratios import (
    MatchedDay,
    Pool,
    Ratios,
    match_days,
    six_ratios,
    with_missing_days,
    without_further_visits,
)
from assets.itinbench.checks.tours import TIE, Day, best_trip, trip_length
from assets.itinbench.tables import Record
from schemas.counts import counted

PASS_RATE = 0.75
"""Share of every category that macro asks for (facts 2.F)."""


@dataclass(frozen=True)
class Gap:
    """A planned length and the least one, in the scorer's metric (thousandths of a degree)."""

    planned: float
    optimal: float


@dataclass
class PlanScore:
    """What one plan scores. None means not measured; `problems` says why."""

    task_id: str
    out_of_pool: bool = False
    missing_info: bool = True
    repeats: bool = False
    ratios: Ratios | None = None
    macro: bool = False
    valid: bool = False
    visits: list[int] = field(default_factory=list)
    days: list[Gap] = field(default_factory=list)
    trip: Gap | None = None
    jumps: tuple[int, int] | None = None
    problems: list[str] = field(default_factory=list)


def score_plan(task_id: str, raw: Any, record: Record, pool: Pool, matcher: Matcher) -> PlanScore:
    """Return the plan's score in the matcher's variant; anything may be wrong with the plan without an error."""
    score, days = judge_plan(task_id, raw, record, pool, matcher)
    counted_days = _counted_days(days[: record["days"]]) if matcher.variant == "ours" else days
    _measure_tours(score, counted_days, pool, matcher.variant)
    return score


def judge_plan(
    task_id: str, raw: Any, record: Record, pool: Pool, matcher: Matcher
) -> tuple[PlanScore, list[MatchedDay]]:
    """Return the plan's score without its tours, and its days as places. `ours` asks a valid plan to keep limits."""
    variant = matcher.variant
    plan_days, problems = read_plan(raw, carry_stay=variant != "released")
    days = match_days(plan_days, matcher)
    # Nobody asked for days beyond the trip's: in ours they fail the ratio of days, and fill no other; nor do further
    # visits of a day, which the recommendation gap counts.
    trip_days = with_missing_days(days[: record["days"]], record["days"]) if variant == "ours" else days
    entries = [entry for day in days for entry in day.entries()]
    meals_and_visits = (
        [e for day in days for e in day.meals if isinstance(e, str)],
        [e for day in days for e in day.found_visits()],
    )
    counted = _counted_days(trip_days) if variant == "ours" else trip_days
    ratios = six_ratios(counted, len(days), record, pool, variant)
    score = PlanScore(
        task_id=task_id,
        out_of_pool=OUT_OF_POOL in entries,
        missing_info=not days or any(_lacks(day, variant) for day in trip_days),
        repeats=any(len(set(places)) < len(places) for places in meals_and_visits),
        ratios=ratios,
        macro=all(_passes(numerator, denominator) for _, (numerator, denominator) in ratios.items()),
        problems=problems,
    )
    distinct = score.repeats is False or variant != "ours"
    score.valid = score.macro and distinct and not score.out_of_pool and not score.missing_info
    broken = [text for _, text in broken_limits(days, record, pool)] if variant == "ours" else []
    score.problems.extend(broken)
    score.valid = score.valid and not broken
    score.visits = _visits_per_day(trip_days, variant)
    return score, days


def _counted_days(days: list[MatchedDay]) -> list[MatchedDay]:
    return [without_further_visits(day) for day in days]


def _lacks(day: MatchedDay, variant: Variant) -> bool:
    """Return whether something is missing; an empty or missing night is allowed (facts 2.F).

    In `ours` `match_days` has said what is left out.
    """
    if variant == "ours":
        return MISSING in day.entries()
    morning, afternoon = day.visits[0], day.visits[1]
    return not morning or not afternoon or MISSING in (*day.meals, *morning, *afternoon, day.stay)


def _passes(numerator: int, denominator: int) -> bool:
    """Return whether a category reaches PASS_RATE; one with nothing in it passes (`ours`: only without days)."""
    return denominator == 0 or numerator / denominator >= PASS_RATE


def _visits_per_day(days: list[MatchedDay], variant: Variant) -> list[int]:
    """Return the visits in the pool of each day that the recommendation gap counts.

    `released` and `paper`: days with a stay, of plans whose first stay is valid (`released` only). `ours`: all days,
    and an attraction counts the first time only.
    """
    if variant == "ours":
        earlier_visits: set[str] = set()
        counts = []
        for day in days:
            new = set(day.found_visits()) - earlier_visits
            earlier_visits |= new
            counts.append(len(new))
        return counts
    if variant == "released" and days and not isinstance(days[0].stay, str):
        return []
    return [len(day.found_visits()) for day in days if isinstance(day.stay, str)]


def _measure_tours(score: PlanScore, days: list[MatchedDay], pool: Pool, variant: Variant) -> None:
    """Fill in the gaps of the days, of the whole trip, and the cluster jumps."""
    routed = [
        (pool.point("stay", day.stay), tuple(pool.point("attraction", v) for v in day.found_visits()))
        for day in days
        if isinstance(day.stay, str)
    ]
    if len(routed) < len(days):
        score.problems.append(
            f"no stay in the pool on {len(days) - len(routed)} of {counted(len(days), 'day')}: no tour there"
        )
    closed = [Day(stay, stay, visits) for stay, visits in routed if visits]
    for number, day in enumerate(closed, 1):
        if len(day.visits) > MAX_VISITS:
            score.problems.append(
                f"routed day {number} has {counted(len(day.visits), 'visit')}; exact up to {MAX_VISITS}: no gap"
            )
        else:
            score.days.append(_gap(trip_length([day]), best_trip([day], tie=_tie(variant))[0], variant))

    if variant == "released":
        planned, free, base, reason = _released_trip(days, routed)
    else:
        planned, free, base, reason = closed, closed, len(closed), "" if closed else "no day has a stay and a visit"
    total = sum(len(day.visits) for day in free)
    if not reason and total > MAX_VISITS:
        reason = f"{total} visits, exact up to {MAX_VISITS}"
    if reason:
        score.problems.append(f"whole trip not measured: {reason}")
        return
    optimal, order = best_trip(free, tie=_tie(variant))
    score.trip = _gap(trip_length(planned), optimal, variant)
    score.jumps = _jumps(order, [len(day.visits) for day in free]) - base, base


def _released_trip(
    days: list[MatchedDay], routed: list[tuple[tuple[float, float], tuple[tuple[float, float], ...]]]
) -> tuple[list[Day], list[Day], int, str]:
    """Return the trip as the released code walks it, as it optimises it, its number of days, and why it cannot.

    Planned: each day leaves its own stay and ends at the next one's, the last at its own. Optimal: each day leaves the
    stay of the day before and returns to its own (defect I8: unlike rules, so the gap can be negative).
    """
    if not days or not isinstance(days[0].stay, str):
        return [], [], 0, "the first stay is not in the pool"
    stays = [stay for stay, _ in routed]
    planned = [Day(stay, stays[min(i + 1, len(stays) - 1)], visits) for i, (stay, visits) in enumerate(routed)]
    free = [Day(stays[max(i - 1, 0)], stay, visits) for i, (stay, visits) in enumerate(routed)]
    while free and not free[-1].visits:
        free.pop()
    if not free:
        return [], [], 0, "no attraction in the pool"
    if any(not day.visits for day in free[1:]):
        return [], [], 0, "a day without attractions, after which the released code runs the days together"
    return planned, [day for day in free if day.visits], len(routed), ""


def _jumps(order: list[int], sizes: list[int]) -> int:
    """Return the sum over planned days of the number of optimal days that its visits belong to (facts 2.F, ECJ)."""
    numbers = [day for day, size in enumerate(sizes) for _ in range(size)]
    optimal_day = {visit: numbers[place] for place, visit in enumerate(order)}
    return len({(planned, optimal_day[visit]) for visit, planned in enumerate(numbers)})


def _tie(variant: Variant) -> float:
    return 0.0 if variant == "released" else TIE


def _gap(planned: float, optimal: float, variant: Variant) -> Gap:
    """Return the gap; but for `released`, lengths that differ by rounding alone are equal."""
    return Gap(planned, planned if variant != "released" and abs(planned - optimal) <= TIE else optimal)
