"""1,000 random lies in the lineage of each family's release, one edge changed at a time: the gate finds every one."""

from __future__ import annotations

from collections import Counter

import pandas as pd
import pytest

from assets.core.worlds import world_for, worlds_of
from assets.family import families
from assets.named import load
from assets.promises.cells import CellIndex
from assets.promises.traceable import trace
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from tests.promises.edges import Lineage, lies

FAMILIES = ("itinbench", "tripcraft", "grouptravel")
LIES = 1000
SEED = 20_261_122


class TracingHalf:
    """The gate's judge of lineage over one release, asked about one task with one edge exchanged."""

    def __init__(self, folder, name: str) -> None:
        self.release = open_release(folder)
        self.family = families()[name]
        self.lineage = Lineage(self.release, self.family)
        worlds = worlds_of(self.family, release_tables(self.release))
        uses = load(self.family.uses)
        self._uses = {
            task_id: set(uses(task, world_for(worlds, self.family, task.city_id)))
            for task_id, task in self.lineage.tasks.items()
        }
        self._index = CellIndex(self.release, self.family, {n: set(rows) for n, rows in self.lineage.rows.items()})
        self._edges: dict[str, dict[str, dict]] = {}
        for edge in self.lineage.edges:
            self._edges.setdefault(edge["task_id"], {})[edge["field"]] = edge

    def problems(self, task_id: str, changed: dict | None = None) -> list[str]:
        edges = self._edges[task_id] | ({changed["field"]: changed} if changed else {})
        judged = [(self.lineage.tasks[task_id], self.lineage.checks[task_id])]
        rows, rules = pd.DataFrame(list(edges.values())), self.release.manifest.rules
        return trace(self.family, judged, rows, self._index, self._uses, rules).problems


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
