"""One cell of each column of tasks and certificates changed, the task's hash made anew: each is named by its task.

Of one family: who judges these columns is the core's. Nested values are tried by their lineage in `test_edges.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assets.families import families
from assets.promises.certified import Job, judge
from assets.release.audit_words import labels_otherwise, queries_otherwise, rests_otherwise
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from schemas.stable import content_hash
from tests.promises.editing import Rows, edited
from tests.promises.tracing import TracingHalf

FAMILY = "tripcraft"

MORE = {"generation_ids": ["x"], "messages": [{"role": "x", "content": "x"}]}
"""What stands in columns that are empty lists in these releases, once they are edited."""

NOT_TRIED = {
    "task_id": "a task of another name, and a certificate of none, are named as such (`test_strangers.py`)",
    "repairs": "how a record was drawn and repaired is told as believed (`assets.promises.gate`)",
    "drawn": "the same",
}
"""Columns that are not tried here, and why."""


def other(value: Any) -> Any:
    """Return plain data that is otherwise in one place: the first number, text or answer in it."""
    if isinstance(value, dict):
        name = next(name for name in value if value[name] not in (None, [], {}))
        return {**value, name: other(value[name])}
    if isinstance(value, list):
        return [other(value[0]), *value[1:]] if value else value
    if isinstance(value, tuple):  # an entry of a map
        return (value[0], other(value[1]))
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int | float) else f"{value}x"


def problems_of(folder: Path) -> list[str]:
    """Return what is said of tasks and certificates, as far as it rests on them and the world alone."""
    release, family = open_release(folder), families()[FAMILY]
    tables = release_tables(release)
    task_ids = tuple(release.rows("certificates")["task_id"].to_pylist())
    given = (release.manifest, family, tables)
    half = TracingHalf(folder, FAMILY)
    return [
        *labels_otherwise(*given, ()),
        *queries_otherwise(*given),
        *rests_otherwise(*given),
        *judge(Job(folder, task_ids, frozenset()), {}).problems,
        *half.traced(half.lineage.edges).problems,
    ]


def columns() -> list[tuple[str, str]]:
    """Return the columns to try, by file."""
    made = families()[FAMILY].tables
    tables = (("tasks", made.task), ("certificates", made.certificate))
    return [(file, column.name) for file, table in tables for column in table.columns() if column.name not in NOT_TRIED]


@pytest.fixture(scope="module")
def told(small_world, tmp_path_factory) -> dict[tuple[str, str], list[str]]:
    """Return by column what is said of the task in which it was edited; each round edits one column of each task."""
    release = open_release(small_world.releases[FAMILY])
    task_ids = release.rows("tasks")["task_id"].to_pylist()
    assert [problem for problem in problems_of(release.folder) if problem.startswith(f"{FAMILY}.")] == []
    said: dict[tuple[str, str], list[str]] = {}
    left = columns()
    while left:
        mine, left = dict(zip(task_ids, left, strict=False)), left[len(task_ids) :]

        def changed(file: str, rows: Rows, mine: dict[str, tuple[str, str]] = mine) -> Rows:
            made = []
            for row in rows:
                of, column = mine.get(row["task_id"], ("", ""))
                row = {**row, column: other(row[column]) if row[column] != [] else MORE[column]} if of == file else row
                hashed = [row.get(name) for name in ("query", "messages", "record")]
                again = file == "tasks" and column in ("query", "messages", "record")
                made.append({**row, "content_hash": content_hash(hashed)} if again else row)
            return made

        changes = {file: lambda rows, file=file: changed(file, rows) for file in ("tasks", "certificates")}
        problems = problems_of(edited(release.folder, tmp_path_factory.mktemp("round"), changes))
        for task_id, column in mine.items():
            said[column] = [problem for problem in problems if problem.startswith(f"{task_id}: ")]
    return said


@pytest.mark.parametrize(("file", "column"), columns())
def test_a_cell_of_a_task_that_is_otherwise_is_named(told, file, column):
    assert told[file, column]
