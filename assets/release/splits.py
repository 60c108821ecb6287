"""Splits of a release's tasks into train, validation and test, with nothing shared that the recipe forbids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assets.family import Family
from assets.rows import ReleaseTables
from schemas.counts import counted
from schemas.errors import ExpectedError
from schemas.recipe import Splits
from schemas.stable import stable_hash
from schemas.table import Table


class SplitError(ExpectedError):
    """The tasks cannot be split as asked; says what holds them together and what to ask for instead."""


def what_tasks_hold(family: Family, tables: ReleaseTables, apart: str) -> dict[str, list[str]]:
    """Return what each task may not share with another split's: nothing, its cities, or its witness's places.

    A place is told by its `place_id`, whichever tables say it and whatever their keys are. Raises SplitError where a
    witness names none: nobody could say that it shares none.
    """
    tasks = tables.tasks
    if apart == "city":
        return {task_id: cities.split("+") for task_id, cities in zip(tasks["task_id"], tasks["city_id"], strict=True)}
    keys_by_task: dict[str, list[str]] = {task_id: [] for task_id in tasks["task_id"]}
    if apart == "place":
        of_row = {ref: place for table in family.world_tables for ref, place in _places(family, tables, table)}
        edges = tables.tables["lineage"]
        for task_id, field, cells in zip(edges["task_id"], edges["field"], edges["cells"], strict=True):
            if field.startswith("plan"):
                refs = (f"{cell['table']}/{cell['row']}" for cell in cells)
                keys_by_task[task_id] += [of_row[ref] for ref in refs if ref in of_row]
        if placeless := sorted(task_id for task_id, places in keys_by_task.items() if not places):
            raise SplitError(
                f"splits: the witnesses of {counted(len(placeless), 'task')}, such as {placeless[0]}, use no row "
                "with a `place_id`: which places they share, nobody can say. Set `apart` to task or city."
            )
    return keys_by_task


def _places(family: Family, tables: ReleaseTables, table: type[Table]) -> Iterator[tuple[str, str]]:
    """Yield each row of a table by its name in lineage, with its place; none of a table without places."""
    if "place_id" not in {column.name for column in table.columns()}:
        return
    columns = [*table.key(), "place_id"]
    rows = tables[table].select(columns).to_pandas() if table in family.arrow else tables[table][columns]
    for *key, place in rows.itertuples(index=False, name=None):
        yield "/".join((table.table_name(), *map(str, key))), place


def split_tasks(splits: Splits, holds: Mapping[str, Iterable[str]], seed: int) -> dict[str, list[str]]:
    """Return the task ids of each split, sorted; `holds` maps each task to what no two splits may share.

    Tasks that share something, directly or over other tasks, stay together. These groups stand in the order of a
    stable hash, and are cut where the shares are reached: a changed task moves few others.
    Raises SplitError if a split would be empty.
    """
    groups = _together(holds)
    groups.sort(key=lambda group: stable_hash(seed, group[0]))
    tasks_by_split: dict[str, list[str]] = {name: [] for name in splits.shares}
    total, done = sum(map(len, groups)), 0
    for group in groups:
        middle = (done + len(group) / 2) / total * sum(splits.shares.values())
        tasks_by_split[_at(splits.shares, middle)] += group
        done += len(group)
    empty = [name for name, tasks in tasks_by_split.items() if not tasks]
    if empty:
        raise SplitError(
            f"splits: {', '.join(empty)} would be empty: {counted(total, 'task')} that may share no {splits.apart} "
            f"fall into {counted(len(groups), 'group')}, the largest of {max(map(len, groups), default=0)}. Ask "
            f"for other "
            "shares, for more tasks or cities, or set `apart` to what may be shared less strictly."
        )
    return {name: sorted(tasks) for name, tasks in tasks_by_split.items()}


def _at(shares: Mapping[Any, float], position: float) -> str:
    """Return the split that a position on the shares, laid end to end, falls in."""
    end = 0.0
    for name, share in shares.items():
        end += share
        if position <= end:
            return name
    return list(shares)[-1]


def _together(holds: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Return the connected groups of tasks, each sorted."""
    from scipy.cluster.hierarchy import DisjointSet

    sets = DisjointSet(sorted(holds))
    first: dict[str, str] = {}
    for task_id in sorted(holds):
        for shared_key in holds[task_id]:
            sets.merge(task_id, first.setdefault(shared_key, task_id))
    groups = defaultdict(list)
    for task_id in sorted(holds):
        groups[sets[task_id]].append(task_id)
    return list(groups.values())
