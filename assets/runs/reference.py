"""The reference planners' rows of a release: what each reaches on the same tasks, by level, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assets.core.opening import why_unplanned
from assets.declared import FamilyError
from assets.family import Family
from assets.language.plan_texts import by_grammar, plan_text
from assets.named import load
from assets.rows import ReleaseTables
from assets.runs.calibration import mean_of
from assets.runs.planners import plans_of_ours
from assets.runs.playing import Access
from assets.runs.setting import RunSetting, outcome_of, planner_names, score_rows, setting_of

CAREFUL = "careful"
MOST_PERCENT = 100
"""What a certificate says can be reached: a planner that reaches more has shown that its bound is none."""

MOST_A_LEVEL = 10
"""Tasks of each level that are played, evenly spaced by id: enough for a first look, quick enough for every release."""


def reference_rows(family: Family, tables: ReleaseTables) -> list[dict[str, Any]]:
    """Return for each planner of ours and each level, and for all (the empty level), what it reaches in `ours`.

    Rows are {planner, level, tasks, percent, percent_low, percent_high, solved, solved_low, solved_high}; intervals are
    of 95 %. Planners that an opened folder says too little for are left out. Raises FamilyError where one reaches more
    than a certificate says can be reached.
    """
    setting = setting_of(family.name)
    levels = _level_by_played_task(tables)
    some = tables.only(levels)
    return [
        row
        for planner in planner_names(family)
        if not why_unplanned(family, tables, planner)
        for row in _rows(planner, levels, _outcomes(family, setting, some, planner))
    ]


def _level_by_played_task(tables: ReleaseTables) -> dict[str, str]:
    """Return the level of each task that is played, by id."""
    by_level: dict[str, list[str]] = {}
    for task_id, level in sorted(zip(tables.tasks["task_id"], tables.tasks["level"], strict=True)):
        by_level.setdefault(str(level), []).append(str(task_id))
    levels: dict[str, str] = {}
    for level, ids in by_level.items():
        count = min(MOST_A_LEVEL, len(ids))
        levels |= {ids[n * len(ids) // count]: level for n in range(count)}
    return levels


def _outcomes(family: Family, setting: RunSetting, some: ReleaseTables, planner: str) -> dict[str, tuple[bool, float]]:
    if planner == CAREFUL:
        plans = _carefully(family, setting, some)
    else:
        plans = plans_of_ours(planner, family, setting, some, 0)
    rows = score_rows(setting, family.call("score", some, plans, "ours"))
    outcomes = {task_id: outcome_of(setting, rows.get(task_id)) for task_id in some.tasks["task_id"]}
    beyond = {task_id: one.percent for task_id, one in outcomes.items() if one.percent > MOST_PERCENT}
    if beyond:
        task_id, percent = max(beyond.items(), key=lambda entry: entry[1])
        raise FamilyError(
            f"{family.name}: the {planner} planner reaches {percent:g} % of what the certificate of {task_id} says "
            f"can be reached; expected {MOST_PERCENT} % at most: its bound is none"
        )
    return {task_id: (one.is_solved, one.percent) for task_id, one in outcomes.items()}


def _carefully(family: Family, setting: RunSetting, some: ReleaseTables) -> list[dict[str, Any]]:
    """Return the careful planner's plans, by the tools of the release's own tables."""
    assert setting.careful is not None and family.tools is not None
    play, grammar = load(setting.careful), plan_text(family.name)
    # One session for all: a planner by rules looks at no notebook.
    tools = {tool.name: tool for tool in load(family.tools)(some)}
    access = Access(
        lambda name, arguments: tools[name].call(arguments),
        tuple(tools.values()),
        str(some.section.get("currency") or ""),
    )
    plans = []
    for task in some.tasks.sort_values("task_id").to_dict("records"):
        try:
            next(play(task, access))
        except StopIteration as end:
            plan = by_grammar(end.value.text, grammar)[0]
            plans.append({**end.value.trial, "task_id": task["task_id"], "plan": plan})
        else:
            raise TypeError(f"{family.name}: the careful planner waits for something; it plays by rules")
    return [plan for plan in plans if plan["plan"] is not None]


def _rows(planner: str, levels: dict[str, str], outcomes: dict[str, tuple[bool, float]]) -> list[dict[str, Any]]:
    level_names = sorted({level for level in levels.values() if level}, key=_by_difficulty)
    return [
        _row(planner, level, [outcomes[task_id] for task_id, of in levels.items() if level in ("", of)])
        for level in ("", *level_names)
    ]


def _row(planner: str, level: str, outcomes: Sequence[tuple[bool, float]]) -> dict[str, Any]:
    mean = mean_of([percent for _, percent in outcomes], sum(is_solved for is_solved, _ in outcomes))
    low, high = mean.interval or (None, None)
    solved_low, solved_high = mean.solved_interval
    return {
        "planner": planner, "level": level, "tasks": mean.tasks,
        "percent": mean.percent, "percent_low": low, "percent_high": high,
        "solved": round(mean.solved, 4), "solved_low": solved_low, "solved_high": solved_high,
    }  # fmt: skip


def _by_difficulty(level: str) -> tuple[int, str]:
    levels = ("easy", "medium", "hard")
    return (levels.index(level) if level in levels else len(levels)), level
