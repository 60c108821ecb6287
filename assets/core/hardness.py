"""Hardness that a recipe asks for: slots whose task a greedy planner may not pass, and planners that take back."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from assets.family import Drawn, Refused, Series, Slot
from schemas.stable import stable_hash

Plan = TypeVar("Plan")
Part = TypeVar("Part")

TOO_EASY = Refused("a greedy planner passes it", "too_easy")

MOST_REPAIRS = 8
"""Times that a planner takes back what failed before it hands in its first plan."""


def that_must_resist(slots: Sequence[Slot]) -> frozenset[str]:
    """Return the ids of the slots whose task the greedy planner must fail.

    Of a series' N slots, all but the floor(share × N) that come first by a hash of their id. So no draw of one slot
    decides what another may be, and the share holds for every set of tasks that fills its slots.
    """
    by_series: dict[Series, list[str]] = {}
    for slot in slots:
        if slot.series.greedy_at_most < 1:
            by_series.setdefault(slot.series, []).append(slot.task_id)
    task_ids: set[str] = set()
    for series, ids in by_series.items():
        free = math.floor(series.greedy_at_most * len(ids) + 1e-9)
        task_ids.update(sorted(ids, key=lambda task_id: (stable_hash("greedy may pass", task_id), task_id))[free:])
    return frozenset(task_ids)


def hardened(
    uses: Mapping[str, Callable[..., Any]], slot: Slot, attempt: int, drawn: Drawn, world: Any
) -> Drawn | Refused:
    """Return the draw if the greedy planner fails it, one like it that it fails, or that it is too easy."""

    def plan_if_passed(draw: Drawn) -> Any | None:
        plan = uses["greedy"](slot.task_id, draw.record, world)
        return plan if uses["passes"](draw.record, plan, world) else None

    passed = plan_if_passed(drawn)
    if passed is None:
        return drawn
    if "harden" not in uses:
        return TOO_EASY
    harder = uses["harden"](slot, attempt, drawn, passed, world)
    return harder if isinstance(harder, Refused) or plan_if_passed(harder) is None else TOO_EASY


def repaired(
    plan_without: Callable[[frozenset[Part]], Plan],
    holds: Callable[[Plan], bool],
    taken_back: Callable[[Plan], Collection[Part]],
) -> Plan:
    """Return the first plan that holds, of plans without ever more that was taken back; if none does, the first made.

    `plan_without` plans without the parts taken back so far; `taken_back` names those of a plan that have to go.
    """
    gone: frozenset[Part] = frozenset()
    first = plan = plan_without(gone)
    for _ in range(MOST_REPAIRS):
        if holds(plan):
            return plan
        more = frozenset(taken_back(plan)) - gone
        if not more:
            return first
        gone |= more
        plan = plan_without(gone)
    return plan if holds(plan) else first
