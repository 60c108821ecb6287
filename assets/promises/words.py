"""The words of tasks read back as their records, and who reads them tried with what they do not say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import chain, islice
from typing import Any

from assets.family import Family, TaskView, Worded
from assets.named import load
from assets.promises.mutants import OTHER_RECORD, copy_of
from schemas.stable import stable_hash

OTHER_RECORDS = 3
"""Records of other tasks that a task's words are read against."""


class Words:
    """Reads requests back, as the build did, and tries who reads them with what they do not say."""

    def __init__(self, family: Family, tasks: list[TaskView], offered: Counter[str]) -> None:
        self._reader_name, self._offered = family.read, offered
        self._tasks = sorted(tasks, key=lambda task: stable_hash("words", task.task_id))
        self._places = {task.task_id: place for place, task in enumerate(self._tasks)}
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
                    f"{task.task_id}: {self._reader_name} reads its words as the records of "
                    f"{', '.join(other.task_id for other in others)}, too; it must tell them apart"
                )
        except Exception as error:  # the family's own function: its fault is shown as the task's
            return [f"{task.task_id}: {self._reader_name} failed: {type(error).__name__}: {error}"]
        return problems

    def tell(self, task: TaskView, record: Any, world: Any) -> bool:
        """Return whether a task's words are found to say otherwise than a record; to fail on it is not to read it."""
        try:
            return bool(self._read(Worded(task.query, task.messages, task.generation_ids), record, world))
        except Exception:
            return False

    def _say(self, words: Worded, task: TaskView, world: Any) -> list[str]:
        return self._read(words, copy_of(task.record), world)

    def _others(self, task: TaskView) -> list[TaskView]:
        """Return the next tasks of the city that ask something else, in an order by hashes that comes round again."""
        behind = self._places[task.task_id] + 1
        others = (
            other
            for other in chain(self._tasks[behind:], self._tasks[: behind - 1])
            if other.city_id == task.city_id and other.record != task.record
        )
        return list(islice(others, OTHER_RECORDS))
