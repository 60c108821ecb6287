"""What runs teach about tasks: who solves each, how hard it is and how well it tells planners apart, and the levels.

Shares have Wilson intervals, means bootstrap ones, correlations Fisher's, all of 95 % and by scipy. Models of item
response are not fitted: the libraries for them are made for many more planners than a benchmark has. What too few runs
or tasks leave open is null.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from assets.runs.scores import ScoredRun

CONFIDENCE = 0.95
RESAMPLES = 2_000
FEWEST_PLANNERS = 4
"""A correlation over fewer planners has no interval."""
FEWEST_PAIRS = 10
AGREE, CONTRADICT = 0.9, -0.3
"""Spearman's rank correlations from which on two metrics say the same, or the opposite; our choice [I]."""

Interval = tuple[float, float]


@dataclass(frozen=True)
class TaskFigures:
    """One task: planners that ran and solved it, their share with its interval, and the mean in percent.

    `discrimination` says how well it tells planners apart: the correlation of its percent with their means elsewhere.
    """

    task_id: str
    level: str
    runs: int
    solved_by: tuple[str, ...]
    solved: float
    solved_interval: Interval
    percent: float
    discrimination: float | None
    discrimination_interval: Interval | None


@dataclass(frozen=True)
class Mean:
    """A mean in percent over tasks with its interval, and how many tasks; solved is a share with its own."""

    tasks: int
    percent: float
    interval: Interval | None
    solved: float
    solved_interval: Interval


@dataclass(frozen=True)
class Calibration:
    """What runs of one release say together."""

    tasks: list[TaskFigures]
    by_planner: dict[str, dict[str, Mean]]
    """By planner, by level and for all of the release's tasks (the empty level). Tasks without a solution are a level
    and not among all: who adds many and says of each that it has none would lead by them."""
    unsolved: list[str]
    always_solved: list[str]
    levels_that_do_not_separate: list[tuple[str, str, str]]
    """(planner, level, level) whose intervals overlap, levels in the order of their names' difficulty."""
    agreeing: list[tuple[str, str, float]]
    contradicting: list[tuple[str, str, float]]
    lacking: dict[str, int] = field(default_factory=dict)
    """By planner that did not run every task, how many it did not: its means are of the others alone."""

    @property
    def ranked(self) -> list[tuple[str, dict[str, Mean]]]:
        """Return the planners that ran every task, the best first, then the others, whose tasks may be easier."""
        return sorted(self.by_planner.items(), key=lambda one: (one[0] in self.lacking, -one[1][""].percent))


LEVELS = ("easy", "medium", "hard")


def calibration(runs: Sequence[ScoredRun]) -> Calibration:
    """Return what the runs say; each is a planner, and two runs of one name are told apart by a number."""
    run_by_planner = _runs_by_name(runs)
    by_planner = {name: _means(run) for name, run in run_by_planner.items()}
    tasks = [_task(task_id, run_by_planner) for task_id in sorted({t for run in runs for t in run.outcomes})]
    agreeing, contradicting = _pairs(runs)
    return Calibration(
        tasks,
        by_planner,
        [task.task_id for task in tasks if not task.solved_by],
        [task.task_id for task in tasks if len(task.solved_by) == task.runs],
        [
            (name, one, other)
            for name, means in by_planner.items()
            for one, other in itertools.pairwise(level for level in LEVELS if level in means)
            if _overlap(means[one].interval, means[other].interval)
        ],
        agreeing,
        contradicting,
        {name: run.lacking for name, run in run_by_planner.items() if run.lacking},
    )


def mean_of(percents: Sequence[float], solved: int) -> Mean:
    """Return the mean of the tasks' percents and the share solved, each with its interval."""
    count = len(percents)
    return Mean(count, mean_percent(percents), bootstrapped(percents), solved / count, wilson(solved, count))


def mean_percent(percents: Collection[float]) -> float:
    """Return the mean as it is told wherever it is: rounded to hundredths; 0 of none."""
    return round(fmean(percents), 2) if percents else 0.0


def wilson(hits: int, of: int) -> Interval:
    """Return Wilson's interval of a share."""
    from scipy.stats import binomtest

    interval = binomtest(hits, of).proportion_ci(CONFIDENCE, method="wilson")
    return round(float(interval.low), 4), round(float(interval.high), 4)


def bootstrapped(values: Sequence[float]) -> Interval | None:
    """Return the percentile bootstrap interval of a mean; None of one value, and of equal ones their value twice."""
    if len(values) < 2:
        return None
    if len(set(values)) == 1:
        return round(values[0], 2), round(values[0], 2)
    import numpy as np
    from scipy.stats import bootstrap

    interval = bootstrap(
        (np.asarray(values, dtype=float),), np.mean, n_resamples=RESAMPLES, confidence_level=CONFIDENCE,
        method="percentile", rng=np.random.default_rng(0),
    ).confidence_interval  # fmt: skip
    return round(float(interval.low), 2), round(float(interval.high), 2)


def discrimination(percents: Sequence[float], means_elsewhere: Sequence[float]) -> tuple[float | None, Interval | None]:
    """Return Pearson's correlation of a task's percents with the planners' means elsewhere, and Fisher's interval.

    None where all planners do alike, and no interval over fewer than four planners.
    """
    if len(percents) < 2 or min(len(set(percents)), len(set(means_elsewhere))) < 2:
        return None, None
    from scipy.stats import pearsonr

    correlation: Any = pearsonr(percents, means_elsewhere)
    value = float(correlation.statistic)
    if len(percents) < FEWEST_PLANNERS or not math.isfinite(value):
        return (round(value, 3) if math.isfinite(value) else None), None
    interval = correlation.confidence_interval(CONFIDENCE)
    return round(value, 3), (round(float(interval.low), 3), round(float(interval.high), 3))


def _runs_by_name(runs: Sequence[ScoredRun]) -> dict[str, ScoredRun]:
    runs_by_name: dict[str, ScoredRun] = {}
    for run in runs:
        name = run.run.name
        numbered = (name if n == 1 else f"{name} ({n})" for n in itertools.count(1))
        runs_by_name[next(one for one in numbered if one not in runs_by_name)] = run
    return runs_by_name


def _means(run: ScoredRun) -> dict[str, Mean]:
    # A bootstrap draws by position: in the order of the file's lines the same run would have other intervals.
    task_ids = sorted(run.outcomes)
    by_level: dict[str, list[str]] = {"": sorted(run.run.release_tasks), **{level: [] for level in LEVELS}}
    for task_id in task_ids:
        level = run.run.lines[task_id].level
        if level:
            by_level.setdefault(level, []).append(task_id)
    return {
        level: mean_of([run.outcomes[t].percent for t in tasks], sum(run.outcomes[t].is_solved for t in tasks))
        for level, tasks in by_level.items()
        if tasks
    }


def _task(task_id: str, run_by_planner: Mapping[str, ScoredRun]) -> TaskFigures:
    ran = {name: run for name, run in run_by_planner.items() if task_id in run.outcomes}
    percents = [run.outcomes[task_id].percent for run in ran.values()]
    means_elsewhere = [_elsewhere(run, task_id) for run in ran.values()]
    correlation, interval = (
        discrimination(percents, [value for value in means_elsewhere if value is not None])
        if None not in means_elsewhere
        else (None,) * 2
    )
    solved_by = tuple(name for name, run in ran.items() if run.outcomes[task_id].is_solved)
    level = next(iter(ran.values())).run.lines[task_id].level
    share = len(solved_by) / len(ran)
    return TaskFigures(
        task_id, level, len(ran), solved_by, share, wilson(len(solved_by), len(ran)), round(fmean(percents), 2),
        correlation, interval,
    )  # fmt: skip


def _elsewhere(run: ScoredRun, task_id: str) -> float | None:
    others = [run.outcomes[other].percent for other in run.run.release_tasks if other != task_id]
    return fmean(others) if others else None


def _pairs(runs: Sequence[ScoredRun]) -> tuple[list[tuple[str, str, float]], list[tuple[str, str, float]]]:
    """Return the metrics that rank all plans alike, and those that rank them the other way round."""
    from scipy.stats import spearmanr

    rows = [row for run in runs for row in run.metrics.values()]
    names = sorted({name for row in rows for name in row})
    agreeing, contradicting = [], []
    for one, other in itertools.combinations(names, 2):
        both = [(row[one], row[other]) for row in rows if one in row and other in row]
        first, second = ([pair[n] for pair in both] for n in (0, 1))
        if len(both) < FEWEST_PAIRS or min(len(set(first)), len(set(second))) < 2:
            continue
        correlation: Any = spearmanr(first, second)
        rho, chance = round(float(correlation.statistic), 3), float(correlation.pvalue)
        if chance < 1 - CONFIDENCE and rho >= AGREE:
            agreeing.append((one, other, rho))
        elif chance < 1 - CONFIDENCE and rho <= CONTRADICT:
            contradicting.append((one, other, rho))
    return agreeing, contradicting


def _overlap(one: Interval | None, other: Interval | None) -> bool:
    """Return whether two means cannot be told apart; without an interval they cannot."""
    if one is None or other is None:
        return True
    return one[0] <= other[1] and other[0] <= one[1]
