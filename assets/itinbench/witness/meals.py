"""The solver's restaurants: which one serves which meal of which day, as an exact assignment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from assets.itinbench.witness.selection import MEALS_PER_DAY, metres, serves_breakfast

MEAL_NAMES = ("breakfast", "lunch", "dinner")

# Each weight outranks everything below it summed over the 12 meals of the longest trip; whole numbers, so exact.
_FARTHEST_M = 100_000
_MEAL_WEIGHT = 26 * _FARTHEST_M
_DESSERT_WEIGHT = 26 * _MEAL_WEIGHT
_BREAKFAST_WEIGHT = 26 * _DESSERT_WEIGHT


@dataclass(frozen=True)
class MealAssignment:
    """The restaurant of each meal, day after day, as rows of the candidates, and how many meals are known as served."""

    rows: list[int]
    served_counts: dict[str, int]


def assign_meals(restaurants: pd.DataFrame, around: list[list[tuple[float, float]]]) -> MealAssignment:
    """Return different restaurants for all meals; `around[meal]` are the points (lat, lon) that the meal lies between.

    In this order: as many breakfasts as possible where breakfast or brunch is served; as few places as possible that
    serve dessert alone; lunches and dinners where they are known to be served rather than where meals are unknown, and
    there rather than where they are known not to be; then the least way. Exact: a linear assignment over whole numbers
    (scipy's shortest augmenting paths); candidates come by place_id, so equal costs fall the same way every time.
    """
    from scipy.optimize import linear_sum_assignment

    served = [set(meals) for meals in restaurants["meals"]]
    breakfast = np.array([serves_breakfast(sorted(meals)) for meals in served])
    dessert = np.array([meals == {"dessert"} for meals in served])
    unknown = np.array([not meals for meals in served])
    cost = np.empty((len(around), len(restaurants)), dtype=np.int64)
    for slot, points in enumerate(around):
        lat, lon = (np.array(values) for values in zip(*points, strict=True))
        way = metres(restaurants["lat"], restaurants["lon"], lat, lon).sum(axis=1) // len(points)
        meal = MEAL_NAMES[slot % MEALS_PER_DAY]
        fits = breakfast if meal == "breakfast" else np.array([meal in meals for meals in served])
        cost[slot] = np.minimum(way, _FARTHEST_M - 1)
        cost[slot] += _MEAL_WEIGHT * np.where(fits, 0, np.where(unknown, 1, 2)) + _DESSERT_WEIGHT * dessert
        if meal == "breakfast":
            cost[slot] += _BREAKFAST_WEIGHT * ~fits
    slots, rows = linear_sum_assignment(cost)
    restaurant_rows = [int(row) for _, row in sorted(zip(slots.tolist(), rows.tolist(), strict=True))]
    served_counts: dict[str, int] = dict.fromkeys(MEAL_NAMES, 0)
    for slot, row in enumerate(restaurant_rows):
        meal = MEAL_NAMES[slot % MEALS_PER_DAY]
        served_counts[meal] += int(breakfast[row] if meal == "breakfast" else meal in served[row])
    return MealAssignment(restaurant_rows, served_counts)
