"""Places that are named otherwise: a witness that uses them by their new names is as good as it was.

A checker that accepts the plans which it was shown, was told of or knows by heart, and no other, refuses it: nobody has
seen these names. One that accepts what it is shown first is shown the old name first, which then is nobody's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from assets.core.worlds import world_for, worlds_of
from assets.families import families
from assets.family import Family, TaskView
from assets.promises.cells import Rows
from assets.promises.certified import Checker, Job, JobVerdict, opened_once
from assets.promises.judging_process import replaced_judges
from assets.promises.kept_orders import recalling
from assets.promises.mutants import RENAMED, UNKNOWN, names_in, replace_texts
from assets.promises.said_chosen import NAME
from assets.promises.values import PLANNED, Edge
from assets.rows import LazyFrames, ReleaseTables
from schemas.stable import canonical_json, stable_hash
from schemas.table import Table

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

RENAMED_PLACES = 10
"""Places that get another name, one a task: who knows nine plans of ten by heart is found as good as surely."""


def renamable(
    tasks: Iterable[TaskView], edges: Mapping[str, Mapping[str, Edge]], rows: Rows, trial_task_ids: Collection[str]
) -> dict[str, str]:
    """Return, of so many tasks, a name that the task's plan takes from the world and that is part of no other text.

    `rows` are those behind the plans of the tasks of `trial_task_ids`, by table and key. A name in a record is left
    alone, and one that is a text of another column too: there it may be no place's, as where a bar is called Sushi.
    """
    tasks_to_try = [task for task in tasks if task.task_id in trial_task_ids]
    texts = {
        (NAME in column, value)
        for of_table in rows.values()
        for row in of_table.values()
        for column, value in row.items()
        if isinstance(value, str)
    }
    names_said, others_said = ("\n".join(text for is_name, text in texts if is_name is kind) for kind in (True, False))
    records = "\n".join(canonical_json(task.record) for task in tasks_to_try)
    name_by_task: dict[str, str] = {}
    for task in sorted(tasks_to_try, key=lambda task: stable_hash("renamed", task.task_id)):
        if len(name_by_task) == RENAMED_PLACES:
            break
        cells = _cells(edges.get(task.task_id, {}), rows)
        names = names_in(task.plan, task, [(cell, value) for cell, value in cells if NAME in cell])
        unique_names = (
            name
            for name in names
            if names_said.count(name) == 1 and name not in others_said and canonical_json(name)[1:-1] not in records
        )
        if (name := next(unique_names, None)) is not None:
            name_by_task[task.task_id] = name
    return name_by_task


def _cells(edges: Mapping[str, Edge], rows: Rows) -> list[tuple[str, Any]]:
    """Return what a plan takes from rows: the name of each column, and what it says."""
    return [
        (column, row[column])
        for name, edge in edges.items()
        for table, key, column in (edge.cells if name.startswith(PLANNED) else ())
        if (row := rows.get(table, {}).get(key)) is not None and column in row
    ]


@recalling
def renamed_places(job: Job, names: dict[str, str]) -> JobVerdict:
    """Return whether each task's witness is accepted where a place that it uses has another name, there and in it.

    `names` gives by task the name of its place. All are renamed at once, wherever they stand in columns of names.
    """
    opened = opened_once(job.folder)
    family = families()[opened.release.manifest.family]
    verdict, checker = JobVerdict(), Checker(family)
    new_names = {name: f"{UNKNOWN} {number}" for number, name in enumerate(sorted(set(names.values())), 1)}
    worlds = worlds_of(family, _with_names(family, opened.tables, new_names))
    for task_id in sorted(names, key=lambda t: (opened.views[t].city_id, t)):
        task, name = opened.views[task_id], names[task_id]
        record, other_new_names = (
            replace_texts(task.record, new_names),
            {n: by for n, by in new_names.items() if n != name},
        )
        plan_with_old_name = replace_texts(task.plan, other_new_names)
        try:
            world = world_for(worlds, family, task.city_id)
        except Exception as error:  # the family's own function: its fault is shown as the task's
            verdict.problems.append(f"{task_id}: {family.world} failed: {type(error).__name__}: {error}")
            continue
        verdict.offered[RENAMED] += 1
        if not checker.refuses(record, plan_with_old_name, world):
            verdict.problems.append(
                f"{task_id}: {family.check} accepts its witness in a world where {name} has another name; it must "
                "refuse it"
            )
        broken = checker.broken(record, replace_texts(plan_with_old_name, {name: new_names[name]}), world)
        if broken and not checker.refuses(task.record, task.plan, opened.world(family, task)):
            verdict.problems.append(
                f"{task_id}: {family.check} refuses its witness where {name} has another name, in the world as in the "
                f"plan: {broken[0]}; it must accept it"
            )
    verdict.problems += replaced_judges(family)
    verdict.problems.sort()
    return verdict


def _with_names(family: Family, tables: ReleaseTables, new_names: Mapping[str, str]) -> ReleaseTables:
    """Return the tables with other names in the columns of the family's world that hold names."""
    world = {table.table_name(): table for table in (*family.world_tables, *family.context)}

    def read(name: str) -> Any:
        rows = tables.tables[name]
        return _with_new_names(world[name], rows, new_names) if name in world else rows

    return replace(tables, tables=LazyFrames({name: partial(read, name) for name in tables.tables}))


def _with_new_names(
    table: type[Table], rows: pd.DataFrame | pa.Table, new_names: Mapping[str, str]
) -> pd.DataFrame | pa.Table:
    """Return the rows with other names; the same rows where none of them stands there."""
    import pandas as pd

    for column in (c.name for c in table.columns() if c.type is str and NAME in c.name):
        if isinstance(rows, pd.DataFrame):
            is_named = rows[column].isin(list(new_names)) if column in rows else None
            if is_named is not None and is_named.any():
                rows = rows.assign(**{column: rows[column].where(~is_named, rows[column].map(new_names))})
        elif column in rows.column_names:
            rows = _with_new_names_arrow(rows, column, new_names)
    return rows


def _with_new_names_arrow(rows: pa.Table, column: str, new_names: Mapping[str, str]) -> pa.Table:
    import pyarrow as pa
    import pyarrow.compute as pc

    names = pa.array(list(new_names), pa.string())
    which = pc.call_function("index_in", [rows[column]], pc.SetLookupOptions(names))
    if which.null_count == len(which):
        return rows
    changed = pa.array(list(new_names.values()), pa.string()).take(which.combine_chunks())
    number = rows.column_names.index(column)
    return rows.set_column(number, rows.schema.field(number), pc.call_function("coalesce", [changed, rows[column]]))
