"""Rows of the world that are taken away: a witness that holds without a row does not use it, whatever is said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from assets.core.worlds import world_for, worlds_of
from assets.families import families
from assets.family import Family
from assets.promises.certified import Checker, Job, JobVerdict, opened_once
from assets.promises.judging_process import replaced_judges
from assets.promises.kept_orders import recalling
from assets.promises.mutants import WITHOUT_ROW
from assets.rows import LazyFrames, ReleaseTables
from schemas.table import Table

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import pyarrow as pa

REMOVED_ROWS = 20
"""Rows of the world that are taken away, one a task, to see that the tasks' witnesses no longer hold."""


@recalling
def removed_rows(job: Job, removed: dict[str, tuple[str, str]]) -> JobVerdict:
    """Return whether each task's witness is refused in a world without a row that it is said to use.

    `removed` gives by task the table and the key of its row. All rows are taken away at once; where no world can be
    made then, those of the row's own table alone. Whoever lives in a world that cannot be made without a row uses it.
    """
    opened = opened_once(job.folder)
    family = families()[opened.release.manifest.family]
    verdict, checker = JobVerdict(), Checker(family)
    worlds = _WorldsWithout(family, opened.tables, removed.values())
    for task_id in sorted(removed, key=lambda t: (opened.views[t].city_id, removed[t][0], t)):
        task, (table, key) = opened.views[task_id], removed[task_id]
        verdict.offered[WITHOUT_ROW] += 1
        maybe_world = worlds.world(task.city_id, table)
        if maybe_world and not checker.refuses(task.record, task.plan, maybe_world[0], task.proof):
            verdict.problems.append(
                f"{task.task_id}: is said to use {table}/{key}, and its witness holds in a world without that row"
            )
    verdict.problems += replaced_judges(family)
    verdict.problems.sort()
    return verdict


class _WorldsWithout:
    """The worlds of a release without some of its rows; one at a time, since those of a large release are large."""

    def __init__(self, family: Family, tables: ReleaseTables, lost: Iterable[tuple[str, str]]) -> None:
        self._family, self._tables = family, tables
        declared = {table.table_name(): table for table in family.world_tables}
        keys: dict[str, set[str]] = {}
        for name, key in lost:
            keys.setdefault(name, set()).add(key)
        self._left = {name: _without(declared[name], tables.tables[name], keys[name]) for name in keys}
        self._lost: frozenset[str] = frozenset()
        self._worlds: Mapping[str, Any] = {}
        self._not_without_all: set[str] = set()

    def world(self, city_id: str, table: str) -> tuple[Any] | None:
        """Return a city's world without all the rows, else without the table's; None if neither can be made."""
        area = city_id if self._family.per == "city" else ""
        if area not in self._not_without_all:
            if maybe_world := self._world_without(frozenset(self._left), city_id):
                return maybe_world
            self._not_without_all.add(area)
        return self._world_without(frozenset({table}), city_id)

    def _world_without(self, lost: frozenset[str], city_id: str) -> tuple[Any] | None:
        if lost != self._lost:
            self._worlds = {}
            rows = {
                name: partial((self._left if name in lost else self._tables.tables).__getitem__, name)
                for name in self._tables.tables
            }
            self._lost, self._worlds = lost, worlds_of(self._family, replace(self._tables, tables=LazyFrames(rows)))
        try:
            return (world_for(self._worlds, self._family, city_id),)
        except Exception:  # the family's own function: it cannot do without the rows
            return None


def _without(table: type[Table], rows: pd.DataFrame | pa.Table, keys: set[str]) -> pd.DataFrame | pa.Table:
    """Return the rows whose keys are not among those."""
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc

    is_frame = isinstance(rows, pd.DataFrame)
    keyed = pa.Table.from_pandas(rows[[*table.key()]], preserve_index=False) if is_frame else rows
    lost = pa.array([f"{table.table_name()}/{key}" for key in sorted(keys)], pa.string())
    is_lost: np.ndarray = pc.call_function("is_in", [table.refs(keyed)], pc.SetLookupOptions(lost)).to_numpy()
    if is_frame:
        return rows[~is_lost].reset_index(drop=True)
    ends = [-1, *is_lost.nonzero()[0].tolist(), len(rows)]
    return pa.concat_tables([rows.slice(a + 1, b - a - 1) for a, b in pairwise(ends)])  # nothing is copied
