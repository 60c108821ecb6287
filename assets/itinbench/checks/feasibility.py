"""Whether any plan at all can pass macro for a query: an exact argument, for auditing a published set (defect I1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

Worth = tuple[bool, bool, int]
"""What one use of a place brings: within the budget, of the cuisine or orientation, number of preferences met."""

MEALS_PER_DAY = 3
VISITS_PER_DAY = 4
"""Meals and attractions of a day that a query asks for (facts 2.D)."""


def can_pass_macro(
    days: int,
    restaurants: Iterable[Worth],
    stays: Iterable[Worth],
    attractions: Iterable[Worth],
    *,
    preferences: int,
    wishes: int,
    distinct: bool,
) -> bool:
    """Return whether some plan of so many days reaches three quarters in every category of the published scorer.

    Such a plan has 3 meals and 4 visits a day and a stay a night; `preferences` and `wishes` are the numbers of
    restaurant and hotel preferences. With `distinct`, no restaurant and no attraction is used twice.
    The categories share only the price ratio. So for meals, stays and visits each the largest number within the budget
    is found among the choices that reach the kind's own ratios; the query can be passed when the three together reach
    three quarters of the 8 × days prices. Places of equal worth are interchangeable, so exact counting is small.
    """
    meals, visits = MEALS_PER_DAY * days, VISITS_PER_DAY * days
    parts = (
        _most_in_budget(restaurants, meals, 1, preferences, distinct),
        _most_in_budget(stays, days, 0, wishes, False),
        _most_in_budget(attractions, visits, 1, 0, distinct),
    )
    if None in parts:
        return False
    return 4 * sum(part or 0 for part in parts) >= 3 * (meals + days + visits)


def _most_in_budget(places: Iterable[Worth], uses: int, kinds: int, preferences: int, distinct: bool) -> int | None:
    """Return the most uses within the budget such that three quarters of the uses are of the kind and of the wishes.

    `kinds` is 1 where cuisine or orientation counts, else 0; `preferences` is the number of preferences per use.
    None when no choice of so many uses reaches that.
    """
    counts = Counter(places)
    if counts[True, True, preferences] >= (uses if distinct else 1):
        return uses  # every use can be a place that meets everything
    fitting_needed, wishes_needed = -(-3 * uses * kinds // 4), -(-3 * uses * preferences // 4)
    reached: dict[tuple[int, int, int], int] = {(0, 0, 0): 0}
    for (cheap, fits, wishes_met), available in sorted(counts.items()):
        limit = min(available, uses) if distinct else uses
        extended = dict(reached)
        for (used, fitting, wishes), budget in reached.items():
            for times in range(1, min(limit, uses - used) + 1):
                fitting_now = min(fitting + times * fits, fitting_needed)
                state = (used + times, fitting_now, min(wishes + times * wishes_met, wishes_needed))
                extended[state] = max(extended.get(state, -1), budget + times * cheap)
        reached = extended
    return reached.get((uses, fitting_needed, wishes_needed))
