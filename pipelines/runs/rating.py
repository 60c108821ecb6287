"""A run's conversations rated by a model that is asked, each rating written when it comes.

The questions, and what is made of the answers, belong to the family (`RunSetting.judge`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from assets.named import load
from assets.runs.records import Run
from assets.runs.setting import RunSetting
from pipelines.runs.planners import PlannerError
from pipelines.runs.run import ask_each
from pipelines.walk.asking import Asker
from warehouse.disk import writing


def judging_of(setting: RunSetting, family: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return what rates a conversation of a family's runs, and what reads a file of ratings.

    Raises PlannerError for a family whose runs are no conversations.
    """
    if setting.judge is None or setting.ratings is None:
        raise PlannerError(f"{family} has no conversations to judge")
    return load(setting.judge), load(setting.ratings)


def rate_all(
    todo: list[Any], run: Run, judge: Callable[..., Any], path: Path, asker: Asker, *, with_meta: bool
) -> list[str]:
    """Have the conversations about these tasks rated, and return why some have no rating. The caller holds the file.

    `with_meta` has the ratings rated too.
    """
    unrated: list[str] = []

    def keep(task: Any, judged: Any, _: float) -> None:
        if judged.problem:
            unrated.append(f"{task['task_id']}: {judged.problem}")
            return
        with writing(f"the ratings {path.name}", path.parent), path.open("a", encoding="utf-8") as file:
            file.write(rating_line(judged))

    ended = ask_each(todo, lambda task: judge(task, run.lines[task["task_id"]].log, with_meta=with_meta), keep, asker)
    return [*unrated, *ended.failures]


def rating_line(judged: Any) -> str:
    """Return the line of one conversation's rating in the file of ratings."""
    row = {name: value for name, value in asdict(judged).items() if name != "problem"}
    return json.dumps(row, ensure_ascii=False) + "\n"
