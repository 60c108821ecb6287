"""The five continuous metrics (1.F): meals, attractions, spatial, persona, ordering; 0 to 1, higher is better."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from assets.tripcraft.checks.case import Case
from assets.tripcraft.checks.commonsense import meal_item
from assets.tripcraft.checks.grounding import stop_of
from assets.tripcraft.checks.parameters import MealParameters, MetricParameters, TimedDay, TimedVisit
from assets.tripcraft.plan import MEALS, Day, Plan

if TYPE_CHECKING:
    import numpy as np

Embed = Callable[[Sequence[str]], "np.ndarray"]
"""Texts to one row each of an embedding model; the paper's is bert-base-uncased, last hidden states averaged."""

ADVENTURE_SEEKER = "Adventure Seeker"

SPATIAL_KNEE_M = 5000.0
SPATIAL_DECAY_PER_M = 0.0002


def meal_score(parameters: MealParameters, start_h: float, end_h: float) -> float:
    """Return the bivariate normal density of (midpoint, duration), scaled to 1 at its mean (1.F)."""
    u = ((start_h + end_h) / 2 - parameters.mean_mid_h) / parameters.sd_mid_h
    v = (end_h - start_h - parameters.mean_duration_h) / parameters.sd_duration_h
    b = parameters.correlation
    return math.exp(-(u * u - 2 * b * u * v + v * v) / (2 * (1 - b * b)))


def visit_score(
    parameters: MetricParameters, duration_h: float, type_mean_h: float, n: int, *, is_adventurous: bool
) -> float:
    """Return a visit's score: Gaussian of its duration about the expected one, times the Poisson chance of `n` a day.

    Expected: type mean - k (n - n_min) for the adventurous, + k (n_max - n) for the laid-back (1.F).
    """
    rushed = parameters.n_min - n if is_adventurous else parameters.n_max - n
    off = duration_h - (type_mean_h + parameters.k_h * rushed)
    rate = parameters.lambda_adventurous if is_adventurous else parameters.lambda_laidback
    chance = math.exp(-rate) * rate**n / math.factorial(n)
    return math.exp(-(off**2) / (2 * parameters.sd_duration_h**2)) * chance


def stop_score(distance_m: float) -> float:
    """Return 1 at the stop, falling to 0.5 at 5 km in a line and then exponentially (1.F)."""
    if distance_m <= SPATIAL_KNEE_M:
        return 1 - 0.5 * distance_m / SPATIAL_KNEE_M
    return 0.5 * math.exp(-SPATIAL_DECAY_PER_M * (distance_m - SPATIAL_KNEE_M))


def temporal_meal(case: Case) -> float:
    """Return the mean score of the meals found in the PoI lists; 0 without any."""
    return _mean_of_all(case, [_meal_scores(case, day) for day in case.days], len(MEALS))


def temporal_meal_full_days(case: Case) -> float:
    """Return the mean score of the meals found in the PoI lists of days without a move; 0 without any. Ours (1.F)."""
    return _mean_of_all(case, [[] if day.is_moving else _meal_scores(case, day) for day in case.days], len(MEALS))


def temporal_attraction(case: Case) -> float:
    """Return the mean score of the attraction visits found in the PoI lists; 0 without any."""
    is_adventurous = case.record["persona"].get("Traveler Type") == ADVENTURE_SEEKER
    parameters = _parameters(case)
    by_day: list[list[float]] = []
    for day in case.days:
        if case.variant.k_is_overwritten and next(iter(_meal_scores(case, day)), None) is not None:
            parameters = dataclasses.replace(parameters, k_h=2.0)
        n = len(day.attractions)
        by_day.append(
            [
                visit_score(parameters, visit.duration_h, visit.type_mean_h, n, is_adventurous=is_adventurous)
                for visit in _visits(case, day)
            ]
        )
    return _plan_mean(case, by_day, 1)


def spatial(case: Case) -> float:
    """Return the mean score of the distances to nearest stops, as published of entries that state one; 0 without any.

    A full day lists three meals and two nights at the least.
    """
    by_day = [_nearness(case, index) for index in range(len(case.days))]
    return _plan_mean(case, by_day, len(MEALS) + 2)


def _nearness(case: Case, index: int) -> list[float]:
    items = case.days[index].items
    if not case.variant.stops_are_the_world_s:
        return [stop_score(item.distance_m) for item in items if item.distance_m is not None]
    stops = [stop_of(case, index, item) for item in items]
    return [0.0 if stop is None else stop_score(stop.distance_m) for stop in stops]


def persona_score(persona: dict[str, str], poi_names: Sequence[str], embed: Embed | None) -> float | None:
    """Return the mean cosine between each PoI name and each persona value; None without a model, 0 without a PoI.

    `embed` is called once, with the persona values and then the names. A zero vector has cosine 0.
    """
    if embed is None:
        return None
    if not poi_names or not persona:
        return 0.0
    import numpy as np

    values = [persona[key] for key in sorted(persona)]
    rows = np.asarray(embed([*values, *poi_names]), dtype=np.float64)
    if rows.ndim != 2 or len(rows) != len(values) + len(poi_names):
        raise ValueError(
            f"the embedding has shape {rows.shape}, expected {len(values) + len(poi_names)} rows; give a model that "
            "returns one vector for each text"
        )
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return _mean([float(unit[i] @ unit[j]) for j in range(len(values), len(rows)) for i in range(len(values))])


def ordering(case: Case, gold: Plan | None) -> float | None:
    """Return how alike the orders of kinds of place are in the plan and the gold plan; None without a gold plan.

    Per day 1 - edit distance / longer length, averaged over the days of either plan (1.F).
    """
    if gold is None:
        return None
    if not case.variant.ordering_is_edit_distance:
        return _released_ordering(case.days, gold.days[: case.record["days"]])
    plan_kinds, gold_kinds = ([_kinds(days, i) for i in range(len(days))] for days in (case.days, gold.days))
    pairs = zip_longest(plan_kinds, gold_kinds, fillvalue="")
    return _mean([1 - edit_distance(a, b) / max(len(a), len(b), 1) for a, b in pairs])


def edit_distance(a: str, b: str) -> int:
    """Return the fewest insertions, deletions and substitutions that make one of the other (Levenshtein)."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, start=1):
        row, last = [i], row
        for j, y in enumerate(b, start=1):
            row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (x != y)))
    return row[-1]


def timed_days(case: Case) -> list[TimedDay]:
    """Return what `fit_parameters` needs of the plan's days."""
    is_adventurous = case.record["persona"].get("Traveler Type") == ADVENTURE_SEEKER
    days = []
    for day in case.days:
        items = {meal: item for meal in MEALS if (item := meal_item(case, day, meal)) is not None}
        meals = {meal: (item.start_min / 60, item.end_min / 60) for meal, item in items.items()}
        days.append(TimedDay(is_adventurous, meals, tuple(_visits(case, day))))
    return days


def _meal_scores(case: Case, day: Day) -> list[float]:
    parameters = _parameters(case)
    items = {meal: item for meal in MEALS if (item := meal_item(case, day, meal)) is not None}
    return [meal_score(parameters.meal(meal), i.start_min / 60, i.end_min / 60) for meal, i in items.items()]


def _parameters(case: Case) -> MetricParameters:
    return case.variant.parameters[case.record["days"]]


def _visits(case: Case, day: Day) -> list[TimedVisit]:
    """Return the day's visits that are timed and known; where a name is shared, the first place's duration counts."""
    visits = []
    for place_name in day.attractions:
        places = case.attractions(place_name)
        item = next(iter(day.items_named(place_name.name)), None)
        if places and item is not None:
            mean_h = places[0].visit_duration_h
            visits.append(
                TimedVisit(
                    (item.end_min - item.start_min) / 60, int(mean_h) if case.variant.k_is_overwritten else mean_h
                )
            )
    return visits


def _plan_mean(case: Case, by_day: list[list[float]], a_full_day: int) -> float:
    if case.variant.mean_over_plan:
        return _mean_of_all(case, by_day, a_full_day)
    return _mean([_mean(day) for day in by_day if day])


def _mean_of_all(case: Case, by_day: list[list[float]], a_full_day: int) -> float:
    """Return the mean over the plan; in ours what a day without a change of city must have counts 0 if it has not."""
    scores, lacking = [score for day in by_day for score in day], 0
    if case.variant.left_out_is_zero:
        full_days = case.record["days"] - case.record["visiting_city_number"] - 1
        counts = [len(day_scores) for day, day_scores in zip(case.days, by_day, strict=True) if not day.is_moving]
        lacking = max(0, a_full_day * full_days - sum(min(count, a_full_day) for count in counts))
    return _mean([*scores, *[0.0] * lacking])


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def _kinds(days: Sequence[Day], index: int) -> str:
    """Return the day's PoI list as a word of x (stay), y (restaurant) and z (attraction)."""
    day = days[index]
    stays = {stay.name for stay in (day.stay, days[index - 1].stay if index else None) if stay is not None}
    meals = {meal.name for meal in day.meals.values()}
    return "".join(
        "x" if item.verb == "stay" or item.name in stays else "y" if item.name in meals else "z" for item in day.items
    )


def _released_ordering(days: Sequence[Day], gold: Sequence[Day]) -> float | None:
    """Return the released ordering score (T2): a time-warping cost over days 1 to 3, with the released divisor.

    Days 1 and 2 are compared crosswise, day 3 with day 3, later days not at all; the sum is divided by the longer of
    the two second days, which the released loop leaves behind. None where a plan lacks three days.
    """
    if len(days) < 3 or len(gold) < 3:
        return None
    pairs = [(a, b) for a in gold[:2] for b in days[:2]] + [(gold[2], days[2])]
    words = [(_released_kinds(a), _released_kinds(b)) for a, b in pairs]
    cost = sum(_warping_cost(a, b) for a, b in words)
    day_2 = words[3]
    return 1 - cost / ((len(gold) - 1) ** 2 + 1) / max(map(len, day_2))


def _released_kinds(day: Day) -> str:
    """Return the day's kinds as released: by substring, meals first, so that "-" types any text with a hyphen."""
    names = [day.meals[meal].name if meal in day.meals else "-" for meal in MEALS]
    stay = day.stay.name if day.stay is not None else "-"
    parts = day.fields["point_of_interest_list"].split(";")
    return "".join("y" if any(n in part for n in names) else "x" if stay in part else "z" for part in parts)


def _warping_cost(a: str, b: str) -> int:
    """Return the least cost of aligning two words where a letter may repeat for free (dynamic time warping)."""
    far = len(a) + len(b) + 1
    row = [0] + [far] * len(b)
    for x in a:
        row, last = [far], row
        for j, y in enumerate(b, start=1):
            row.append((x != y) + min(last[j], row[-1], last[j - 1]))
    return row[-1]
