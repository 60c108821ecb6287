"""A run's score: the family's published metrics over the tasks that were run, and each task's outcome.

Nothing in a run is believed: its plans are scored again whenever they are looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from assets.family import Family
from assets.named import load
from assets.rows import ReleaseTables
from assets.runs.records import Head, Run, RunError
from assets.runs.setting import Outcome, RunSetting, outcome_of, score_rows, setting_of
from schemas.counts import counted
from schemas.json_lines import lines_told

RATED = frozenset({"ratings", "meta"})
"""What a scorer reads of a judge, not of a planner."""


@dataclass(frozen=True)
class ScoredRun:
    """A run with its aggregate, and by task its level, its outcome, and the numbers of its score row."""

    run: Run
    aggregate: dict[str, Any]
    outcomes: dict[str, Outcome]
    metrics: dict[str, dict[str, float]]
    lacking: int = 0
    """Tasks that were not run: of the release, and of those without a solution that the run was asked to add."""


def scored_run(family: Family, tables: ReleaseTables, version: str, run: Run) -> ScoredRun:
    """Return the score of a run, in its variant. Raises RunError as `require_run_of` does."""
    setting = setting_of(family.name)
    extra = require_run_of(family, tables, version, run)
    judged = ratings_of(setting, run)
    plans = [
        {**line.trial, **judged.get(line.task_id, {}), "task_id": line.task_id, "plan": line.plan}
        for line in run.lines.values()
        if (line.plan is not None or line.trial) and line.task_id not in extra
    ]
    scores = family.call("score", tables.only(set(run.lines) - set(extra)), plans, run.head.variant)
    rows = score_rows(setting, scores)
    metrics = {
        task_id: {name: float(v) for name, v in row.items() if isinstance(v, int | float) and name != "trial"}
        for task_id, row in rows.items()
    }
    outcomes = {task_id: outcome_of(setting, rows.get(task_id)) for task_id in run.lines}
    for task_id, line in run.lines.items():
        if task_id in extra:
            assert setting.is_right is not None
            is_right = bool(load(setting.is_right)(tables, extra[task_id], line.text, line.plan))
            outcomes[task_id] = Outcome(is_right, 100.0 * is_right)
    expected = {*tables.tasks["task_id"], *extra}
    return ScoredRun(run, scores["aggregate"], outcomes, metrics, len(expected - set(run.lines)))


def require_run_of(family: Family, tables: ReleaseTables, version: str, run: Run) -> dict[str, dict[str, Any]]:
    """Return, by id, the tasks without a solution that a run of the release has; none where it has none.

    Raises RunError with everything by which the run is none of the release: its version, family, variant and setting;
    tasks that are others, or of another level; and trials that hold ratings, which nobody gives to himself.
    """
    head, setting = run.head, setting_of(family.name)
    if head.release != version:
        raise RunError(
            f"{run.path}: found a run of release {head.release}; expected one of {version}. Name the run's release"
        )
    problems = [
        f"found a run of {what} {actual!r:.60}; expected one of {', '.join(expected)}"
        for what, actual, expected in (
            ("family", head.family, [family.name]),
            ("variant", head.variant, family.variants),
            ("setting", head.setting, setting.settings),
        )
        if actual not in expected
    ]
    if problems:
        raise RunError(f"{run.path}: {'; '.join(problems)}")
    extra = {row["task_id"]: row for row in unsolvable_of(setting, tables, head)}
    levels = dict(zip(tables.tasks["task_id"], tables.tasks["level"], strict=True))
    levels |= {task_id: str(row["level"]) for task_id, row in extra.items()}
    strange = sorted(set(run.lines) - set(levels))
    if strange:
        raise RunError(f"{run.path}: not of the release: {counted(len(strange), 'task')}, such as {strange[0]!r:.80}")
    for task_id, line in run.lines.items():
        if line.level != levels[task_id]:
            problems.append(f"{task_id} is said to be of level {line.level!r:.40}; it is of {levels[task_id]!r}")
        if setting.ratings is not None and not RATED.isdisjoint(line.trial):
            problems.append(f"{task_id} holds its own ratings; `tripwright judge` keeps them in a file beside the run")
    if problems:
        raise RunError(
            f"{run.path}: {counted(len(problems), 'line')} other than `tripwright run` writes:\n{lines_told(problems)}"
        )
    return extra


JUDGED = ".judged.jsonl"
"""How the file beside a run ends that holds its ratings."""


def judgements_path(run: Run) -> Path:
    """Return where a run's judgements are kept: beside it, and beside no other (`mine.1` has its own)."""
    return run.path.with_name(run.path.name.removesuffix(".jsonl") + JUDGED)


def ratings_of(setting: RunSetting, run: Run) -> dict[str, dict[str, Any]]:
    """Return, by task, what a scorer reads of the run's judgements: {ratings, meta}; nothing where there are none."""
    path = judgements_path(run)
    if setting.ratings is None or not path.is_file():
        return {}
    judgements = load(setting.ratings)(path, run.lines)
    return {task_id: {"ratings": list(one.ratings), "meta": one.meta} for task_id, one in judgements.items()}


def unsolvable_of(setting: RunSetting, tables: ReleaseTables, head: Head) -> list[dict[str, Any]]:
    """Return the tasks without a solution that are part of a run: the same for the same release, count and seed."""
    if not head.unsolvable:
        return []
    if setting.unsolvable is None:
        raise RunError(f"{head.family} has no tasks without a solution; leave --unsolvable out")
    tasks_by_key = _MADE.setdefault(tables, {})
    key = (head.unsolvable, head.seed)
    if key not in tasks_by_key:
        tasks_by_key[key] = load(setting.unsolvable)(tables, *key)
    return tasks_by_key[key]


_MADE: WeakKeyDictionary[ReleaseTables, dict[tuple[int, int], list[dict[str, Any]]]] = WeakKeyDictionary()
"""Tasks without a solution by count and seed: each is searched for and proved, which takes long."""
