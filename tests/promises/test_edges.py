"""1,000 random lies in the lineage of each family's release, each in an edge of its own: the gate finds every one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from assets.families import families
from assets.promises.cells import index_of
from assets.release.reading import open_release
from tests.promises.edges import Change, Lineage, lies
from tests.promises.editing import edited
from tests.promises.tracing import TracingHalf

FAMILIES = ("itinbench", "tripcraft", "grouptravel")
LIES = 1000
AT_ONCE = 20
"""Lies of one task that the gate is asked about at once; each has to be said of its own value."""
SEED = 20_261_122
PLACES = {"itinbench": "itinbench_place", "tripcraft": "tripcraft_restaurant", "grouptravel": "group_poi"}
"""A table of sources' rows of each family."""


@pytest.mark.parametrize("name", FAMILIES)
def test_every_lie_in_one_edge_is_found_and_said_of_that_value(small_world, name):
    gate = TracingHalf(small_world.releases[name], name)
    assert [gate.problems(task_id) for task_id in gate.lineage.tasks] == [[]] * len(gate.lineage.tasks)
    found, missed = Counter(), []
    for together in batches(lies(gate.lineage, LIES, SEED)):
        task_id = together[0].after["task_id"]
        problems = gate.problems(task_id, *(change.after for change in together))
        said = [change for change in together if any(p.startswith(_value(change)) for p in problems)]
        found.update(change.kind for change in said)
        missed += [change for change in together if change not in said]
        lied_about = {text for change in together for text in (_value(change), *_rows(change))}
        honest = [p for p in problems if not p.startswith(tuple(lied_about))]
        assert honest == [], "what nobody lied about is not doubted"
    assert missed == []
    assert sum(found.values()) == LIES
    assert min(found.values()) == LIES // 5, "each kind of change is tried as often as the others"


def batches(changes: Iterable[Change]) -> list[list[Change]]:
    """Return the changes of each task in lists of at most AT_ONCE, no two of a list in one edge."""
    found: dict[str, list[list[Change]]] = {}
    for change in changes:
        mine = found.setdefault(change.after["task_id"], [])
        free = (b for b in mine if len(b) < AT_ONCE and all(c.after["field"] != change.after["field"] for c in b))
        batch = next(free, None)
        if batch is None:
            mine.append(batch := [])
        batch.append(change)
    return [batch for mine in found.values() for batch in mine]


def _value(change: Change) -> str:
    return f"{change.after['task_id']}: {change.after['field']} "


def _rows(change: Change) -> list[str]:
    """Return how it is said of each row that the edge named before the lie that no other edge does."""
    return [f"{change.after['task_id']}: uses {cell['table']}/{cell['row']}, " for cell in change.before["cells"]]


@pytest.mark.parametrize("name", FAMILIES)
def test_a_row_of_which_every_value_is_said_to_be_chosen_is_named(small_world, name):
    """Its licence would be lost: it goes with the rows that lineage names."""
    gate = TracingHalf(small_world.releases[name], name)
    rule = next(iter(gate.release.manifest.rules))
    for task_id in gate.lineage.tasks:
        table, key = min(row for row in gate.lineage.used[task_id] if row[0] == PLACES[name])
        mine = [edge for edge in gate.lineage.edges if edge["task_id"] == task_id]
        of_row = [edge for edge in mine if any((c["table"], c["row"]) == (table, key) for c in edge["cells"])]
        said = gate.problems(task_id, *({**edge, "kind": "choice", "by": rule, "cells": []} for edge in of_row))
        assert f"{task_id}: uses {table}/{key}, which its lineage does not name" in said
        others = [problem for problem in said if not problem.endswith(", which its lineage does not name")]
        assert all("which others of the field come from" in problem for problem in others)  # of its texts' other rows


def test_of_rows_of_one_name_lineage_names_one(small_world, tmp_path):
    def twin(rows):
        return [*rows, *({**row, "place_id": f"{row['place_id']}x"} for row in rows)]

    gate = TracingHalf(edited(small_world.releases["tripcraft"], tmp_path, {PLACES["tripcraft"]: twin}), "tripcraft")
    for task_id in gate.lineage.tasks:
        assert {(table, f"{key}x") for table, key in gate.lineage.used[task_id] if table == PLACES["tripcraft"]} <= (
            gate._uses[task_id]
        )
        assert gate.problems(task_id) == []


@pytest.mark.parametrize("name", FAMILIES)
def test_what_the_release_says_is_no_lie_by_the_trials_own_measure(small_world, name):
    release = open_release(small_world.releases[name])
    lineage = Lineage(release, families()[name])
    assert [edge for edge in lineage.edges if lineage.is_lie(edge)] == []


def test_lineage_of_what_is_no_task_is_named(small_world):
    gate = TracingHalf(small_world.releases["itinbench"], "itinbench")
    first, *others = gate.lineage.tasks
    assert gate.problems_of_all(gate.lineage.edges, [first]) == [
        f"{task_id}: has lineage, and is no certified task" for task_id in sorted(others)
    ]


def test_a_cell_of_a_table_that_holds_no_facts_is_no_row(small_world, tmp_path):
    def of_tasks(rows):
        number = next(n for n, row in enumerate(rows) if row["cells"])
        cells = [{**cell, "table": "tasks"} for cell in rows[number]["cells"]]
        return [{**row, "cells": cells} if n == number else row for n, row in enumerate(rows)]

    release = open_release(edited(small_world.releases["itinbench"], tmp_path, {"lineage": of_tasks}))
    assert "tasks" not in index_of(release).rows
