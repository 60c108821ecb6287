"""The parameters of the temporal metrics: the published ones as data, and their fit from any set of plans."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from schemas.counts import counted


@dataclass(frozen=True)
class MealParameters:
    """A bivariate normal of a meal's midpoint (hour of day) and duration (hours)."""

    mean_mid_h: float
    mean_duration_h: float
    sd_mid_h: float
    sd_duration_h: float
    correlation: float


@dataclass(frozen=True)
class MetricParameters:
    """What the temporal metrics of one trip length need (Table 10)."""

    breakfast: MealParameters
    lunch: MealParameters
    dinner: MealParameters
    lambda_laidback: float
    lambda_adventurous: float
    sd_duration_h: float
    n_max: int
    n_min: int
    k_h: float

    def meal(self, meal: str) -> MealParameters:
        """Return the parameters of `breakfast`, `lunch` or `dinner`."""
        return {"breakfast": self.breakfast, "lunch": self.lunch, "dinner": self.dinner}[meal]


TABLE_10: dict[int, MetricParameters] = {
    3: MetricParameters(
        MealParameters(9.55, 0.79, 1.19, 0.29, 0.00),
        MealParameters(14.62, 0.95, 0.99, 0.36, -0.03),
        MealParameters(20.73, 1.24, 1.31, 0.80, -0.18),
        1.24, 1.91, 1.09, 5, 0, 0.18,
    ),
    5: MetricParameters(
        MealParameters(9.57, 0.83, 0.75, 0.49, 0.19),
        MealParameters(14.61, 0.98, 0.69, 0.34, 0.01),
        MealParameters(20.86, 1.21, 1.23, 0.78, -0.09),
        1.27, 1.64, 0.98, 4, 0, 0.68,
    ),
    7: MetricParameters(
        MealParameters(9.67, 0.77, 0.80, 0.26, -0.18),
        MealParameters(14.69, 0.89, 0.81, 0.29, 0.15),
        MealParameters(20.74, 1.06, 1.24, 0.41, -0.25),
        1.14, 1.78, 0.96, 4, 0, 0.56,
    ),
}  # fmt: skip
"""Parameters by trip length (paper, Table 10)."""

RELEASED_PARAMETERS = MetricParameters(
    MealParameters(9.84, 50.71 / 60, 1.34, 14.09 / 60, 0.03),
    MealParameters(14.44, 59.19 / 60, 1.07, 15.82 / 60, 0.30),
    MealParameters(20.42, 69.27 / 60, 1.66, 69.07 / 60, -0.07),
    1.11, 1.82, 53.82 / 60, 4, 0, 16.61 / 60,
)  # fmt: skip
"""The one set that the released code holds, for all lengths (T4)."""


@dataclass(frozen=True)
class TimedVisit:
    """One attraction visit of a plan: how long, and how long its kind takes on average."""

    duration_h: float
    type_mean_h: float


@dataclass(frozen=True)
class TimedDay:
    """What the fit needs of one day: (start, end) hours of its meals, and its attraction visits."""

    is_adventurous: bool
    meals: dict[str, tuple[float, float]]
    visits: tuple[TimedVisit, ...]


def fit_parameters(days: Iterable[TimedDay]) -> MetricParameters:
    """Return the parameters fitted to the days of any set of plans of one trip length.

    Meals: sample means, population standard deviations and correlation of midpoint and duration. λ: mean number of
    attractions a day, by traveller type. n_min, n_max: fewest and most a day. k: least squares, through the origin, of
    (duration - type mean) on -(n - n_min) for adventurous and (n_max - n) for laid-back travellers; σ_d: the root mean
    square of what is left. The paper gives the model (Table 10 and its equations), not the fit: the fit is ours [I].

    Raises ValueError naming everything there is too little of: two timed meals of each kind that differ, days of both
    traveller types, and two visits.
    """
    timed_days = list(days)
    meals = {meal: [d.meals[meal] for d in timed_days if meal in d.meals] for meal in ("breakfast", "lunch", "dinner")}
    counts = {kind: [len(d.visits) for d in timed_days if d.is_adventurous is kind] for kind in (False, True)}
    visits = [(d, visit) for d in timed_days for visit in d.visits]
    problems = [
        f"{meal}: {len(times)} timed, expected at least 2 that differ in midpoint and duration"
        for meal, times in meals.items()
        if len({a + b for a, b in times}) < 2 or len({b - a for a, b in times}) < 2
    ]
    problems += [
        f"no day of a traveller who is {'an adventure seeker' if kind else 'laid-back'}"
        for kind, n in counts.items()
        if not n
    ]
    if len(visits) < 2:
        problems.append(f"{counted(len(visits), 'timed attraction visit')}, expected at least 2")
    if problems:
        raise ValueError("too few plans to fit the metrics' parameters: " + "; ".join(problems))
    n_min, n_max = min(len(d.visits) for d in timed_days), max(len(d.visits) for d in timed_days)
    rushed = [float(n_min - len(d.visits) if d.is_adventurous else n_max - len(d.visits)) for d, _ in visits]
    excess = [visit.duration_h - visit.type_mean_h for _, visit in visits]
    squares = math.fsum(z * z for z in rushed)
    k = math.fsum(z * r for z, r in zip(rushed, excess, strict=True)) / squares if squares else 0.0
    residuals = [r - k * z for z, r in zip(rushed, excess, strict=True)]
    return MetricParameters(
        _meal(meals["breakfast"]),
        _meal(meals["lunch"]),
        _meal(meals["dinner"]),
        lambda_laidback=_mean([float(n) for n in counts[False]]),
        lambda_adventurous=_mean([float(n) for n in counts[True]]),
        sd_duration_h=math.sqrt(_mean([r * r for r in residuals])),
        n_max=n_max,
        n_min=n_min,
        k_h=k,
    )


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


def _meal(spans: list[tuple[float, float]]) -> MealParameters:
    mids, durations = [(a + b) / 2 for a, b in spans], [b - a for a, b in spans]
    mid, duration = _mean(mids), _mean(durations)
    sd_mid = math.sqrt(_mean([(m - mid) ** 2 for m in mids]))
    sd_duration = math.sqrt(_mean([(d - duration) ** 2 for d in durations]))
    together = _mean([(m - mid) * (d - duration) for m, d in zip(mids, durations, strict=True)])
    return MealParameters(mid, duration, sd_mid, sd_duration, together / (sd_mid * sd_duration))
