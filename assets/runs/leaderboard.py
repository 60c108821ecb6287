"""The leaderboard of a release: a row for each run and level, and each task's figures, as tables and as a page."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assets.core.no_solution import LEVEL
from assets.runs.calibration import Calibration, Mean
from assets.runs.scores import ScoredRun
from schemas.counts import counted
from schemas.shown import shown_in_markdown
from schemas.table import Field, Table
from warehouse.disk import put_whole

MOST_NAME_CHARACTERS = 120
"""Of a run's name where people see it; tables hold it whole."""

METRICS_SHOWN = 10
"""Pairs of metrics that agree, or contradict each other, where people read of them."""


class PlannerScore(Table):
    """What one planner reached on one release, over all its tasks or those of a level."""

    release: str = Field("The release's version: it names the tasks to the byte.", key=True)
    name: str = Field("The run: planner, model and setting.", key=True)
    level: str = Field("The level; empty for all tasks of the release.", key=True)
    family: str = Field("The family.")
    planner: str = Field("The planner.")
    model: str = Field("The model that was asked; empty for none.")
    setting: str = Field("The published setting.")
    variant: str = Field("`ours`, `paper` or `released`.")
    begun: str = Field("Date of the run; empty where it is not known.")
    tasks: int = Field("Tasks that were run.", ge=1)
    percent: float = Field("Mean over tasks of the grade that the family gives.", ge=0)
    percent_low: float | None = Field("Lower end of its 95 % bootstrap interval; null of one task.")
    percent_high: float | None = Field("Upper end.")
    solved: float = Field("Share of the tasks solved.", ge=0, le=1)
    solved_low: float = Field("Lower end of its 95 % Wilson interval.", ge=0, le=1)
    solved_high: float = Field("Upper end.", ge=0, le=1)
    cost: float = Field("What its model's answers cost, in the recipe's currency.", ge=0)


class TaskDifficulty(Table):
    """What runs say of one task: how hard it is, measured, and how well it tells planners apart."""

    release: str = Field("The release's version.", key=True)
    task_id: str = Field("The task.", key=True)
    level: str = Field("The level it was drawn for.")
    runs: int = Field("Planners that ran it.", ge=1)
    solved_by: list[str] = Field("Those that solved it.")
    solved: float = Field("Share that solved it.", ge=0, le=1)
    solved_low: float = Field("Lower end of its 95 % Wilson interval.", ge=0, le=1)
    solved_high: float = Field("Upper end.", ge=0, le=1)
    percent: float = Field("Mean over planners.")
    discrimination: float | None = Field("Correlation with the planners' means elsewhere; null if all do alike.")
    discrimination_low: float | None = Field("Lower end of its 95 % interval; null below four planners.")
    discrimination_high: float | None = Field("Upper end.")


def score_rows(calibration: Calibration, runs: Sequence[ScoredRun]) -> list[dict[str, Any]]:
    """Return the rows of `PlannerScore`."""
    rows = []
    for (name, means), run in zip(calibration.by_planner.items(), runs, strict=True):
        head, solvable_tasks = run.run.head, run.run.release_tasks
        run_columns = {"release": head.release, "name": name, "family": head.family, "planner": head.planner}
        run_columns |= {"model": head.model, "setting": head.setting, "variant": head.variant, "begun": run.run.begun}
        for level, mean in means.items():
            costs = (
                line.cost
                for t, line in run.run.lines.items()
                if level == line.level or (not level and t in solvable_tasks)
            )
            rows.append({**run_columns, "level": level, **_figures(mean), "cost": round(sum(costs), 9)})
    return rows


def task_rows(calibration: Calibration, release: str) -> list[dict[str, Any]]:
    """Return the rows of `TaskDifficulty`."""
    return [
        {
            "release": release,
            "task_id": task.task_id,
            "level": task.level,
            "runs": task.runs,
            "solved_by": list(task.solved_by),
            "solved": task.solved,
            "solved_low": task.solved_interval[0],
            "solved_high": task.solved_interval[1],
            "percent": task.percent,
            "discrimination": task.discrimination,
            "discrimination_low": (task.discrimination_interval or (None, None))[0],
            "discrimination_high": (task.discrimination_interval or (None, None))[1],
        }
        for task in calibration.tasks
    ]


def write(folder: Path, release: str, calibration: Calibration, runs: Sequence[ScoredRun]) -> list[Path]:
    """Write `runs.parquet`, `tasks.parquet` and `leaderboard.md`, each whole, and return their paths."""
    import pandas as pd
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    tables = {
        "runs": (PlannerScore, score_rows(calibration, runs)),
        "tasks": (TaskDifficulty, task_rows(calibration, release)),
    }
    files = {}
    for name, (table, rows) in tables.items():
        columns = [column.name for column in table.columns()]
        valid = table.validate(table.arrow(pd.DataFrame(rows, columns=columns)))
        pq.write_table(valid, sink := io.BytesIO(), compression="zstd")
        files[f"{name}.parquet"] = sink.getvalue()
    files["leaderboard.md"] = leaderboard_page(calibration, release).encode()
    for name, data in files.items():
        put_whole(folder / name, data, f"the leaderboard's {name}")
    return [folder / name for name in files]


def leaderboard_page(calibration: Calibration, release: str) -> str:
    """Return the leaderboard in Markdown, the best first, and what the runs say of the tasks."""
    head = "| planner | tasks | percent | 95 % | solved | 95 % |\n|---|---|---|---|---|---|\n"
    ranked = [(shown_in_markdown(short(name)), means[""]) for name, means in calibration.ranked]
    rows = "".join(f"| {name} | {_cells(mean)} |\n" for name, mean in ranked)
    sentences = "".join(f"- {shown_in_markdown(sentence)}\n" for sentence in said_of(calibration))
    return f"# Leaderboard of release {release}\n\n{head}{rows}\n{sentences}"


def short(name: str) -> str:
    """Return a run's name, which is whatever its file says, at a length that a page and a terminal can show."""
    return name if len(name) <= MOST_NAME_CHARACTERS else f"{name[: MOST_NAME_CHARACTERS - 1]}…"


def said_of(calibration: Calibration) -> list[str]:
    """Return in sentences what the runs say of the tasks; names in them are plain text, for a page to escape."""
    count = counted(len(calibration.tasks), "task")
    sentences = [
        f"solved by no planner: {len(calibration.unsolved)} of {count}",
        f"solved by every planner: {len(calibration.always_solved)} of {count}",
    ]
    sentences += [
        f"{short(name)}'s scores do not tell {one} from {other} tasks"
        for name, one, other in calibration.levels_that_do_not_separate
    ]
    sentences += [
        f"{short(name)} did not run {counted(lacking, 'task')} of the release: its means are of the others, and it "
        "stands below those that ran all"
        for name, lacking in calibration.lacking.items()
    ]
    sentences += [
        f"{short(name)} is right about {round(mean.solved * mean.tasks)} of {counted(mean.tasks, 'task')} without a "
        "solution"
        for name, means in calibration.ranked
        for mean in filter(None, [means.get(LEVEL)])
    ]
    alike: dict[str, list[str]] = {}
    for one, other, _ in calibration.agreeing[:METRICS_SHOWN]:
        alike.setdefault(one, []).append(other)
    sentences += [
        f"the metric {one} orders the plans nearly as {', '.join(others)}: one of them tells what the others do"
        for one, others in alike.items()
    ]
    sentences += [
        f"plans with more of {one} have less of {other} (rank correlation {rho:+.2f})"
        for one, other, rho in calibration.contradicting[:METRICS_SHOWN]
    ]
    sentences += [
        f"and {len(pairs) - METRICS_SHOWN} more pairs of metrics that {how}"
        for pairs, how in ((calibration.agreeing, "agree"), (calibration.contradicting, "contradict each other"))
        if len(pairs) > METRICS_SHOWN
    ]
    return sentences


def _cells(mean: Mean) -> str:
    low, high = mean.solved_interval
    return (
        f"{mean.tasks} | {mean.percent:.1f} | {interval_text(mean)} | "
        f"{100 * mean.solved:.0f} % | {100 * low:.0f} to {100 * high:.0f} %"
    )


def interval_text(mean: Mean) -> str:
    """Return a mean's interval as it is shown."""
    return f"{mean.interval[0]:.1f} to {mean.interval[1]:.1f}" if mean.interval else "not known"


def _figures(mean: Mean) -> Mapping[str, Any]:
    low, high = mean.interval or (None, None)
    return {
        "tasks": mean.tasks,
        "percent": mean.percent,
        "percent_low": low,
        "percent_high": high,
        "solved": mean.solved,
        "solved_low": mean.solved_interval[0],
        "solved_high": mean.solved_interval[1],
    }
