"""What a family gives so that planners can be run on it: reference planners, published settings, what a score means.

A family's setting is `RUNS` in `assets/<family>/runs.py`; one without it is run by its witness and greedy planner, and
in text alone.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assets.declared import FamilyError, function_problem, functions_of
from assets.family import Family
from assets.named import Named, load

TAKES: dict[str, int] = {
    "outcome": 1, "planners": 2, "careful": 2, "context": 3, "judge": 2, "ratings": 2, "unsolvable": 3, "wishes_of": 1,
    "with_wishes": 2, "clash_holds": 4, "unkept": 3, "is_right": 4, "play": 3,
}  # fmt: skip
"""How many arguments each function of a setting is given: those that stand beside it in `RunSetting`."""


@dataclass(frozen=True)
class Outcome:
    """What one task's score row says: whether the task is solved, and the grade that the family gives, in percent."""

    is_solved: bool
    percent: float


@dataclass(frozen=True)
class RunSetting:
    """How a family's tasks are put to planners. Functions are named; what each takes and returns stands beside it."""

    rows: str = "plans"
    """Where `score` has its rows, one for each plan."""
    outcome: Named | None = None
    """(row of the score) → Outcome; `passes` or `valid` of the row if None."""
    planners: Mapping[str, Named] = field(default_factory=dict)
    """Planners of whole sets, beside the family's baselines: (ReleaseTables, seed) → [{task_id, plan}]"""
    careful: Named | None = None
    """(task, Access) → Playing: the planner by rules that has the tools and the users alone."""
    settings: tuple[str, ...] = ("query",)
    """The published settings by name, the default first."""
    context: Named | None = None
    """(ReleaseTables, row of a task, setting) → text that a planner is given beside the query; none if None."""
    judge: Named | None = None
    """(task, log, *, with_meta) → generator that asks a model and returns {task_id, ratings, meta, …}; none if None."""
    ratings: Named | None = None
    """(path, task_ids) → recorded judgements by task"""
    unsolvable: Named | None = None
    """(ReleaseTables, count, seed) → rows of tasks that no plan meets, near to released ones; none if None."""
    wishes_of: Named | None = None
    """(record) → ((name, value), …): what a record asks for, each wish by itself. This and the next three judge such
    tasks, and stand outside the package of `unsolvable`, which they must not import."""
    with_wishes: Named | None = None
    """(record, wishes) → the record with these of its wishes alone, as the checker reads it"""
    clash_holds: Named | None = None
    """(record, wishes, what is said to be lacking or None, world) → [problem] of saying that no plan meets them all"""
    unkept: Named | None = None
    """(record, plan, world) → [problem]: wishes that a plan may leave unkept though the checker accepts it; None where
    the checker judges every wish."""
    is_right: Named | None = None
    """(ReleaseTables, such a task, text, plan) → whether the answer says so and names why"""
    form: str = ""
    """In which form a model writes its plan; as JSON of the shape that texts are read into if empty."""
    play: Named | None = None
    """(task, Access, setting) → Playing by a model; the core's own loop of tools or one question if None."""


def setting_of(family: str) -> RunSetting:
    """Return the family's setting; the default where it gives none. Raises FamilyError for a file without it."""
    name = f"assets.{family}.runs"
    if importlib.util.find_spec(name) is None:
        return RunSetting()
    setting = getattr(importlib.import_module(name), "RUNS", None)
    if not isinstance(setting, RunSetting):
        raise FamilyError(
            f"assets/{family}/runs.py defines no `RUNS`; expected `RUNS = RunSetting(…)`, or no such file"
        )
    return setting


def setting_problems(family: Family) -> Iterator[str]:
    """Yield which functions of a family's setting are not where they are said to be, or take other arguments."""
    for field_name, name in functions_of(setting_of(family.name), TAKES):
        of = field_name.partition("[")[0]
        yield from function_problem(family, field_name, name, TAKES[of], f"as beside `{of}` in assets/runs/setting.py")


def require_settings(families: Iterable[Family]) -> None:
    """Raise FamilyError naming every function of a family's setting that is not there or takes other arguments."""
    for family in families:
        if listed := [f"  - {problem}" for problem in setting_problems(family)]:
            raise FamilyError(
                f"assets/{family.name}/runs.py does not declare `RUNS` as assets/runs/setting.py asks:\n"
                + "\n".join(listed)
            )


def score_rows(setting: RunSetting, scores: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the rows of a score by task. Raises FamilyError if they do not stand where the setting says."""
    if setting.rows not in scores:
        raise FamilyError(
            f"a score has {', '.join(map(str, scores))}; expected its rows in `{setting.rows}`, as the family's "
            "RunSetting says (`plans` where there is none)"
        )
    return {str(row["task_id"]): row for row in scores[setting.rows]}


def outcome_of(setting: RunSetting, row: Mapping[str, Any] | None) -> Outcome:
    """Return the outcome of a task's score row; of a task without one, unsolved.

    Raises FamilyError if a row does not say whether its task is solved.
    """
    if row is None:
        return Outcome(False, 0.0)
    if setting.outcome is not None:
        return load(setting.outcome)(row)
    if "passes" not in row and "valid" not in row:
        raise FamilyError(
            f"a row of a score has {', '.join(map(str, row))}; expected `passes`, whether the task is solved, or "
            "`outcome` of a RunSetting that says it"
        )
    is_solved = bool(row["passes"] if "passes" in row else row["valid"])
    return Outcome(is_solved, 100.0 * is_solved)


def planner_names(family: Family) -> tuple[str, ...]:
    """Return the planners of ours that a family has, the weakest first."""
    setting = setting_of(family.name)
    return (
        *setting.planners,
        *(["greedy"] if "baseline" in family.baselines else []),
        *(["careful"] if setting.careful else []),
        "witness",
    )
