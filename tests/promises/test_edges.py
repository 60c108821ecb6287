"""1,000 random lies in the lineage of each family's release, one edge changed at a time: the gate finds every one."""

from __future__ import annotations

from collections import Counter

import pytest

from assets.family import families
from assets.release.reading import open_release
from tests.promises.edges import Lineage, lies
from tests.promises.tracing import TracingHalf

FAMILIES = ("itinbench", "tripcraft", "grouptravel")
LIES = 1000
SEED = 20_261_122


@pytest.mark.parametrize("name", FAMILIES)
def test_every_lie_in_one_edge_is_found_and_said_of_that_value(small_world, name):
    gate = TracingHalf(small_world.releases[name], name)
    assert [gate.problems(task_id) for task_id in gate.lineage.tasks] == [[]] * len(gate.lineage.tasks)
    found, missed = Counter(), []
    for change in lies(gate.lineage, LIES, SEED):
        task_id, field = change.after["task_id"], change.after["field"]
        is_found = any(problem.startswith(f"{task_id}: {field} ") for problem in gate.problems(task_id, change.after))
        found[change.kind] += is_found
        missed += [] if is_found else [change]
    assert missed == []
    assert sum(found.values()) == LIES
    assert min(found.values()) == LIES // 5, "each kind of change is tried as often as the others"


@pytest.mark.parametrize("name", FAMILIES)
def test_what_the_release_says_is_no_lie_by_the_trials_own_measure(small_world, name):
    release = open_release(small_world.releases[name])
    lineage = Lineage(release, families()[name])
    assert [edge for edge in lineage.edges if lineage.is_lie(edge)] == []
