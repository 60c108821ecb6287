"""Exported files read back: a row that says a task's words, id or plan says them of one task, whatever file it is in.

A family writes its own files, and a published checker reads some of them. Files that hold the same tasks are joined by
whoever reads them: by id, else by a number of theirs, else by their order.
"""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from assets.family import Family
from assets.promises.faithful import exported_files
from assets.rows import ReleaseTables
from schemas.counts import counted
from schemas.stable import canonical_json


@dataclass(frozen=True)
class _Row:
    """One row of an exported file: the tasks that its ids, its words and its plans are of, and its whole numbers."""

    ids: set[str]
    words: set[str]
    plans: set[str]
    numbers: dict[str, int]

    @property
    def task(self) -> str | None:
        """Return the task that the row is of; None where it says none, or several."""
        named = self.ids or self.words or self.plans
        return next(iter(named)) if len(named) == 1 else None


@dataclass
class _Tasks:
    """By what of it a row may hold, the release's tasks."""

    tables: ReleaseTables
    by_words: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    by_plan: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def __post_init__(self) -> None:
        tasks, certificates = self.tables.tasks, self.tables.certificates
        self.ids = set(tasks["task_id"])
        for task_id, query in zip(tasks["task_id"], tasks["query"], strict=True):
            self.by_words[query].add(task_id)
        for task_id, plan in zip(certificates["task_id"], certificates["plan"], strict=True):
            self.by_plan[canonical_json(plan)].add(task_id)
        self.shapes = {(type(plan), len(plan)) for plan in certificates["plan"] if isinstance(plan, (dict, list))}

    def row(self, value: Any) -> _Row:
        """Return what a row says of which tasks."""
        row = _Row(set(), set(), set(), {})
        if isinstance(value, dict):
            row.numbers.update({name: one for name, one in value.items() if type(one) is int})
        self._look(value, row)
        return row

    def _look(self, value: Any, row: _Row) -> None:
        if isinstance(value, str):
            if value in self.ids:
                row.ids.add(value)
            row.words.update(self.by_words.get(value, ()))
        elif isinstance(value, (dict, list)):
            if (type(value), len(value)) in self.shapes:
                row.plans.update(self.by_plan.get(canonical_json(value), ()))
            for part in value.values() if isinstance(value, dict) else value:
                self._look(part, row)


def exports_otherwise(family: Family, tables: ReleaseTables) -> Iterator[str]:
    """Yield the rows of exported files that say of one task what is another's, and files that tell tasks otherwise."""
    try:
        files = exported_files(family, tables)
        tasks, rows_by_file = _Tasks(tables), dict[str, list[_Row]]()
        for path, data in files.items():
            if isinstance(data, bytes):  # what comes in pieces are recorded calls
                rows_by_file[path] = [tasks.row(value) for value in _rows(path, data)]
    except Exception as error:  # the family's own function, of tables that may be edited; or files that are none
        yield f"{family.export}: its files cannot be read back: {type(error).__name__}: {error}"
        return
    for path, rows in rows_by_file.items():
        wrong = [(number, *fault) for number, row in enumerate(rows, start=1) if (fault := _apart(row)) is not None]
        if wrong:
            number, what, owner, other = wrong[0]
            yield (
                f"{path}: {len(wrong)} of {counted(len(rows), 'row')} hold {what} of one task under another's name, as "
                f"row {number}: {owner}'s under {other}"
            )
    for one, other in combinations(sorted(rows_by_file), 2):
        yield from _told_apart(one, rows_by_file[one], other, rows_by_file[other])


def _apart(row: _Row) -> tuple[str, str, str] | None:
    """Return what a row holds of one task under another's name: what it is, whose, and under whose; else None."""
    for what, owners, named in (
        ("the words", row.words, row.ids),
        ("the plan", row.plans, row.ids),
        ("the plan", row.plans, row.words),
    ):
        if owners and named and owners.isdisjoint(named):
            return what, min(owners), min(named)
    return None


def _told_apart(one: str, rows: list[_Row], other: str, others: list[_Row]) -> Iterator[str]:
    """Yield the tasks for which two files of the same tasks have another number, or another place where none is."""
    both = [{row.task: row for row in some if row.task is not None} for some in (rows, others)]
    if not both[0] or both[0].keys() != both[1].keys() or any(map(_is_several, (rows, others))):
        return
    if all(row.ids for some in both for row in some.values()):
        return  # they are joined by id
    shared = _numbering(both[0].values()) & _numbering(both[1].values())
    key = min(shared, default=None)
    places = [
        {task: row.numbers[key] if key else number for number, (task, row) in enumerate(some.items(), start=1)}
        for some in both
    ]
    wrong = sorted(task for task in places[0] if places[0][task] != places[1][task])
    if wrong:
        task = wrong[0]
        by = f"by {key}" if key else "by their order"
        yield (
            f"{one}, {other}: {counted(len(wrong), 'task')} told otherwise {by}, as {task}: {places[0][task]} in one, "
            f"{places[1][task]} in the other"
        )


def _is_several(rows: list[_Row]) -> bool:
    """Return whether some task has several rows of a file, which then has no order of tasks."""
    tasks = [row.task for row in rows if row.task is not None]
    return len(set(tasks)) < len(tasks)


def _numbering(rows: Iterable[_Row]) -> set[str]:
    """Return the names under which each of the rows has a number of its own."""
    rows = list(rows)
    names = set.intersection(*(set(row.numbers) for row in rows))
    return {name for name in names if len({row.numbers[name] for row in rows}) == len(rows)}


def _rows(path: str, data: bytes) -> Iterator[Any]:
    """Yield the rows of a file of JSON lines, CSV or a JSON list; of another none."""
    if path.endswith(".jsonl"):
        yield from (json.loads(line) for line in data.splitlines() if line.strip())
    elif path.endswith(".csv"):
        csv.field_size_limit(max(csv.field_size_limit(), len(data)))
        yield from csv.DictReader(io.StringIO(data.decode("utf-8"), newline=""))
    elif path.endswith(".json") and isinstance(document := json.loads(data), list):
        yield from document
