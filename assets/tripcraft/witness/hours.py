"""When a witness eats and visits: the natural hours of meals, the gaps between them, and opening hours within both.

Meal windows lie four hours apart, so that any two meals keep check 6 whatever restaurants are chosen; what may be
chosen thus does not depend on the times, and choosing and timing are two phases.
"""

from __future__ import annotations

from functools import lru_cache

from assets.tripcraft.checks.metrics import meal_score, visit_score
from assets.tripcraft.checks.parameters import TABLE_10
from assets.tripcraft.entities import Attraction, Restaurant
from assets.tripcraft.facts.hours import Windows, windows_on

MEAL_WINDOW: dict[str, tuple[int, int]] = {"breakfast": (450, 605), "lunch": (845, 930), "dinner": (1170, 1350)}
"""First start and last end of each meal, minutes of the day [I]; the means of Table 10 lie inside."""

GAP_WINDOW: dict[str, tuple[int, int]] = {"morning": (605, 845), "afternoon": (930, 1170)}
"""The time that is free between meals whenever they are eaten: from one window to the next."""

MEALS_AROUND: dict[str, tuple[str, str]] = {"morning": ("breakfast", "lunch"), "afternoon": ("lunch", "dinner")}

USUAL_WAY_MIN = 15
"""Way from a meal to a visit and from there to the next, as long as neither is chosen [I]."""

SLOT_NAMES = ("breakfast", "morning", "lunch", "afternoon", "dinner")

SHORTEST_MEAL_MIN = 30

SHORTEST_VISIT_MIN = 30

LEAST_VISIT_SHARE = 0.5
"""A visit lasts at least this share of its kind's mean duration, and `SHORTEST_VISIT_MIN` [I]."""

GRID_MIN = 5
"""Meals and visits begin and end on multiples of this."""

ALWAYS: Windows = ((0, 1440),)


def open_windows(place: Attraction | Restaurant, date: str) -> Windows:
    """Return when one may be at a place on the date: at any time where nothing is known."""
    windows = windows_on(place, date)
    return ALWAYS if windows is None else windows


@lru_cache(maxsize=100_000)
def meal_time(days: int, meal: str, windows: Windows) -> tuple[float, int, int] | None:
    """Return the best time for the meal while the place is open: (score by Table 10, start, end), or None."""
    first, last = MEAL_WINDOW[meal]
    mean = TABLE_10[days].meal(meal)
    best: tuple[float, int, int] | None = None
    for opens, closes in windows:
        low, high = -(-max(first, opens) // GRID_MIN) * GRID_MIN, min(last, closes)
        for start in range(low, high - SHORTEST_MEAL_MIN + 1, GRID_MIN):
            for end in range(start + SHORTEST_MEAL_MIN, high + 1, GRID_MIN):
                score = meal_score(mean, start / 60, end / 60)
                if best is None or score > best[0]:
                    best = (score, start, end)
    return best


def least_visit_min(mean_h: float) -> int:
    """Return the shortest time that a visit of that mean duration may take, on the grid, minutes."""
    return max(SHORTEST_VISIT_MIN, -(-round(mean_h * 60 * LEAST_VISIT_SHARE) // GRID_MIN) * GRID_MIN)


def wanted_visit_min(days: int, mean_h: float, visits: int, *, is_adventurous: bool) -> float:
    """Return how long a visit should take where the day holds so many: the metric's expected duration (1.F)."""
    p = TABLE_10[days]
    return 60 * (mean_h - p.k_h * (visits - p.n_min) if is_adventurous else mean_h + p.k_h * (p.n_max - visits))


@lru_cache(maxsize=100_000)
def length_score(days: int, gap: str, mean_h: float, windows: Windows, visits: int, *, is_adventurous: bool) -> float:
    """Return what the length of a visit in the gap scores at best, 1 for the wanted one (1.F).

    It lasts as long as wanted, or as opening hours and the meals around it, at the mean times of Table 10, allow.
    """
    p = TABLE_10[days]
    before, after = (p.meal(meal) for meal in MEALS_AROUND[gap])
    begins = (before.mean_mid_h + before.mean_duration_h / 2) * 60 + USUAL_WAY_MIN
    ends = (after.mean_mid_h - after.mean_duration_h / 2) * 60 - USUAL_WAY_MIN
    room = max((min(closes, ends) - max(opens, begins) for opens, closes in windows), default=0.0)
    expected_min = wanted_visit_min(days, mean_h, visits, is_adventurous=is_adventurous)
    length = max(0.0, min(room, max(expected_min, least_visit_min(mean_h))))
    score, best = (
        visit_score(p, minutes / 60, mean_h, visits, is_adventurous=is_adventurous)
        for minutes in (length, expected_min)
    )
    return score / best


def reach_min(gap: str, least_min: int, windows: Windows) -> int:
    """Return how far, in minutes, the places before and after may be for a visit to fit in the gap; negative: none.

    Half of what the gap leaves over the shortest visit, so that the two ways never depend on each other.
    """
    begins, ends = GAP_WINDOW[gap]
    farthest_min = -1
    for opens, closes in windows:
        if closes - opens >= least_min + 2 * GRID_MIN:
            slack = (ends - begins - least_min) // 2
            farthest_min = max(
                farthest_min, min(slack, closes - least_min - begins, ends - least_min - opens) - GRID_MIN
            )
    return farthest_min
