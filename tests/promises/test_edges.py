"""1,000 random lies in the lineage of each family's release, each in an edge of its own: the gate finds every one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from assets.family import families
from assets.release.reading import open_release
from tests.promises.edges import Change, Lineage, lies
from tests.promises.tracing import TracingHalf

FAMILIES = ("itinbench", "tripcraft", "grouptravel")
LIES = 1000
AT_ONCE = 20
"""Lies of one task that the gate is asked about at once; each has to be said of its own value."""
SEED = 20_261_122


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
        honest = [p for p in problems if not p.startswith(tuple(_value(change) for change in together))]
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


@pytest.mark.parametrize("name", FAMILIES)
def test_what_the_release_says_is_no_lie_by_the_trials_own_measure(small_world, name):
    release = open_release(small_world.releases[name])
    lineage = Lineage(release, families()[name])
    assert [edge for edge in lineage.edges if lineage.is_lie(edge)] == []
