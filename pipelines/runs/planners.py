"""Which player a planner's name stands for, and what it may use of a release."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Collection
from functools import cached_property, partial
from typing import Any

from assets.families import families
from assets.family import Family
from assets.named import load
from assets.release.exporting import release_tables
from assets.release.reading import OpenedRelease
from assets.release.sandbox import open_sandbox
from assets.rows import ReleaseTables
from assets.runs.planners import command, handed_in, plans_of_ours
from assets.runs.playing import Access, Playing, Task
from assets.runs.setting import RunSetting, planner_names, setting_of
from pipelines.runs.run import Player
from schemas.errors import ExpectedError

COMMAND = "command:"
MODEL = "model"


class PlannerError(ExpectedError):
    """A planner or setting that a family does not have; says which it has."""


class Field:
    """One release as planners meet it."""

    def __init__(self, release: OpenedRelease, setting: str | None, variant: str, seed: int, users: str = "") -> None:
        """Choose the published setting; the family's first if None. Raises PlannerError for one it does not have."""
        self.release, self.variant, self.seed, self.users = release, variant, seed, users
        self.family: Family = families()[release.manifest.family]
        self.runs: RunSetting = setting_of(self.family.name)
        if setting is not None and setting not in self.runs.settings:
            raise PlannerError(
                f"no setting {setting!r} of {self.family.name}; expected one of {', '.join(self.runs.settings)}"
            )
        if variant not in self.family.variants:
            raise PlannerError(
                f"no variant {variant!r} of {self.family.name}; expected one of {', '.join(self.family.variants)}"
            )
        self.setting = setting or self.runs.settings[0]

    @cached_property
    def tables(self) -> ReleaseTables:
        """Return the release's tables."""
        return release_tables(self.release)

    def tasks(self, limit: int | None, level: str | None) -> list[Task]:
        """Return the tasks to run, evenly spaced by id under a limit. Raises PlannerError if there are none."""
        rows = self.tables.tasks.sort_values("task_id")
        if level is not None:
            rows = rows[rows["level"] == level]
            if rows.empty:
                levels = ", ".join(sorted({str(name) for name in self.tables.tasks["level"]} - {""})) or "none"
                raise PlannerError(f"no task of level {level!r}; the release's levels are {levels}")
        records = rows.to_dict("records")
        step = len(records) / limit if limit and limit < len(records) else 1
        return [records[int(n * step)] for n in range(min(limit or len(records), len(records)))]  # type: ignore[misc]

    def player(self, planner: str, todo: Collection[str]) -> Player:
        """Return the player of a planner's name for the tasks that are to be played. Raises PlannerError."""
        names = planner_names(self.family)
        if planner.startswith(COMMAND):
            words = planner.removeprefix(COMMAND).strip()
            if not words:
                raise PlannerError("the planner `command:` names no command; write it behind the colon")
            return command(words, self.mcp_command(), self.described)
        if planner == MODEL:
            from assets.runs.by_model import by_model

            return partial(self._with_access, by_model(self.family, self.runs, self.tables, self.setting))
        if planner == "careful" and self.runs.careful:
            return partial(self._with_access, load(self.runs.careful))
        if planner not in names:
            raise PlannerError(
                f"no planner {planner!r} of {self.family.name}; expected one of {', '.join(names)}, model, or command:…"
            )
        some = self.tables.only(todo)
        plan_rows = plans_of_ours(planner, self.family, self.runs, some, self.seed)
        return handed_in({row["task_id"]: row["plan"] for row in plan_rows})

    def mcp_command(self) -> str:
        """Return the command of the release's tool server."""
        return shlex.join([sys.executable, "-m", "pipelines.cli", "tools", str(self.release.folder.resolve())])

    def described(self, task: Task) -> dict[str, Any]:
        """Return what a planner is given of a task: never its record, which holds what it has to find out."""
        context = self.runs.context
        context_text = load(context)(self.tables, task, self.setting) if context else ""
        task_fields = {name: task[name] for name in ("task_id", "level", "query")} | {
            "messages": list(task["messages"])
        }
        return {**task_fields, "family": self.family.name, "setting": self.setting, "context": context_text}

    def access(self) -> Access:
        """Return the tools of a new session: its own notebook, nothing of another task's."""
        if self.family.tools is None:
            return Access(_no_tool, (), variant=self.variant)
        sandbox = open_sandbox(self.release)
        currency = str(self.tables.section.get("currency") or "")
        return Access(sandbox.call, tuple(sandbox.tools.values()), currency, self.variant, self.users)

    def _with_access(self, play: Any, task: Task) -> Playing:
        return play(task, self.access())


def _no_tool(name: str, _: Any) -> Any:
    raise PlannerError(f"the family has no tools; {name[:60]!r} was called")
