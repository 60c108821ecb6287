"""The gate's judge of lineage over one release, asked about one task at a time with edges exchanged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from assets.core.worlds import world_for, worlds_of
from assets.families import families
from assets.named import Named, load
from assets.promises.cells import index_of, rows_of
from assets.promises.traceable import TraceReport, run_derivations, trace
from assets.promises.values import edges_by_task
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from tests.promises.edges import Edge, Lineage


class TracingHalf:
    """What the gate does with lineage; a family's further `derivations` may be given."""

    def __init__(self, folder: Path, name: str, derivations: Mapping[str, Named] | None = None) -> None:
        self.release = open_release(folder)
        family = families()[name]
        self.family = replace(family, derivations={**family.derivations, **(derivations or {})})
        self.lineage = Lineage(self.release, self.family)
        worlds = worlds_of(self.family, release_tables(self.release))
        uses = load(self.family.uses)
        self._uses = {
            task_id: set(uses(task, world_for(worlds, self.family, task.city_id)))
            for task_id, task in self.lineage.tasks.items()
        }
        named = index_of(self.release)
        rows = {name: rows_of(self.release, table) for name, table in named.tables.items()}
        self._index = replace(named, rows=rows)  # a lie may name any row
        self._edges: dict[str, dict[str, Edge]] = {}
        for edge in self.lineage.edges:
            self._edges.setdefault(edge["task_id"], {})[edge["field"]] = edge

    def problems(self, task_id: str, *changed: Edge) -> list[str]:
        """Return what the gate says of a task, with these edges in place of its own."""
        edges = self._edges[task_id] | {edge["field"]: edge for edge in changed}
        return self.problems_of(task_id, list(edges.values()))

    def problems_of(self, task_id: str, edges: list[Edge]) -> list[str]:
        """Return what the gate says of a task with these edges."""
        return self.problems_of_all(edges, [task_id])

    def problems_of_all(self, edges: list[Edge], task_ids: Iterable[str] | None = None) -> list[str]:
        """Return what the gate says of tasks, all of the release if none are named, with these edges."""
        return self.traced(edges, task_ids).problems

    def traced(self, edges: list[Edge], task_ids: Iterable[str] | None = None) -> TraceReport:
        """Return all that the gate finds of these tasks' values, with these edges."""
        task_ids = self.lineage.tasks if task_ids is None else task_ids
        judged = [(self.lineage.tasks[task_id], self.lineage.checks[task_id]) for task_id in task_ids]
        rules = self.release.manifest.rules
        named = edges_by_task(self.rows(edges))
        return trace(self.family, judged, named, self._index, self._uses, rules, run_derivations)

    def rows(self, edges: list[Edge]) -> pa.Table:
        """Return edges as the release's table of lineage holds them."""
        return pa.Table.from_pylist(edges, self.release.rows("lineage").schema)
