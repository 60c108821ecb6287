"""The words of tasks read back as their records, and who reads them tried with what they do not say."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from typing import Any

from assets.family import Family, TaskView, Worded
from assets.named import load
from assets.promises.mutants import OTHER_RECORD
from schemas.stable import stable_hash

OTHER_RECORDS = 3
"""Records of other tasks that a task's words are read against."""


class Words:
    """Reads requests back, as the build did, and tries who reads them with what they do not say."""

    def __init__(self, family: Family, tasks: list[TaskView], offered: Counter[str]) -> None:
        self._named, self._tasks, self._offered = family.read, tasks, offered
        self._read: Callable[..., list[str]] = load(family.read)

    def disagree(self, task: TaskView, world: Any, is_tried: bool) -> list[str]:
        """Return what a task's words say otherwise than its record, and whether they are read as another's, too."""
        words = Worded(task.query, task.messages, task.generation_ids)
        try:
            problems = [f"{task.task_id}: its words say otherwise: {text}" for text in self._say(words, task, world)]
            others = self._others(task) if is_tried and not problems else []
            self._offered[OTHER_RECORD] += len(others)
            if others and not any(self._say(words, other, world) for other in others):
                problems.append(
                    f"{task.task_id}: {self._named} reads its words as the records of "
                    f"{', '.join(other.task_id for other in others)}, too; it must tell them apart"
                )
        except Exception as error:  # the family's own function: its fault is shown as the task's
            return [f"{task.task_id}: {self._named} failed: {type(error).__name__}: {error}"]
        return problems

    def _say(self, words: Worded, task: TaskView, world: Any) -> list[str]:
        return self._read(words, copy.deepcopy(task.record), world)

    def _others(self, task: TaskView) -> list[TaskView]:
        others = [o for o in self._tasks if o.city_id == task.city_id and o.record != task.record]
        return sorted(others, key=lambda o: stable_hash("words", task.task_id, o.task_id))[:OTHER_RECORDS]
