"""Budgets that bind: drawn from what the best plan costs, so that the tightest purse is nearly spent by it.

A plan that costs at most every budget stays possible under them, and no plan becomes possible by a lower budget: so the
best plan stays the best, and budgets can be set after solving, without solving again. Of a task that keeps several
plans (together, apart, with compromises) the dearest one's cost must be given; bounds stay bounds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from assets.grouptravel.archetypes import Archetype
from assets.grouptravel.draws import uniform_int
from assets.grouptravel.wishes.preferences import GLOBAL, Table, copy_of

TIGHTEST_PERCENT = (86, 99)
"""What the best plan costs of the tightest budget, before that is rounded up to a whole step [I]."""

BINDS = 0.85
"""A budget binds where the plan costs so much of it; one that rounding would loosen is the next whole step."""

OTHERS_ABOVE_PERCENT = (0, 60)
"""How far above the tightest budget another purse of the group lies [I]."""


def binding_budgets(
    tables: Mapping[int, Table],
    archetype: Archetype,
    best_cost: float,
    *,
    step: int,
    floor: float | None = None,
    seed: int,
    task_id: str,
) -> dict[int, Table]:
    """Return the tables with budgets under which the best plan, which costs a person `best_cost`, is barely affordable.

    One purse, drawn, is the tightest; members who took over another's constraints keep that one's budget. Budgets are
    whole steps, at least the rule's `floor`; the order of the tables stays. Raises ValueError for a cost that is not
    positive.
    """
    if not best_cost > 0 or not math.isfinite(best_cost):
        raise ValueError(f"found a best plan that costs {best_cost}; expected what it costs a person, above 0")
    purse = {made.user: made.partner for made in archetype.plan if made.strategy != "skip"}
    owners = [user for user in tables if purse.get(user) is None]
    share = uniform_int(*TIGHTEST_PERCENT, seed, task_id, "budget share") / 100
    tightest = max(best_cost / share, floor or 0.0)
    first = owners[uniform_int(0, len(owners) - 1, seed, task_id, "tightest purse")]
    budgets = {}
    for user in owners:
        above = 0 if user == first else uniform_int(*OTHERS_ABOVE_PERCENT, seed, task_id, "purse", user)
        budgets[user] = _whole(tightest * (100 + above) / 100, step)
    if best_cost < BINDS * budgets[first] and floor is None:
        budgets[first] = _whole(best_cost, step)
    found = {}
    for user, table in tables.items():
        found[user] = copy_of(table)
        found[user][GLOBAL]["avg_budget"] = budgets[_owner(user, purse)]
    return found


def _whole(amount: float, step: int) -> int:
    """Return the amount, up to the next whole step."""
    return step * math.ceil(round(amount / step, 9))


def share_spent(tables: Mapping[int, Table], best_cost: float) -> float | None:
    """Return what the best plan costs of the tightest budget; None where no table has one."""
    budgets = [table[GLOBAL]["avg_budget"] for table in tables.values() if table[GLOBAL]["avg_budget"]]
    return best_cost / min(budgets) if budgets else None


def _owner(user: int, purse: Mapping[int, int | None]) -> int:
    """Return whose budget a member has: their own, or that of the one whose constraints were taken over."""
    partner = purse.get(user)
    return user if partner is None else _owner(partner, purse)
