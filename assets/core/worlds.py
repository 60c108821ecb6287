"""Worlds: what a family's functions see of the rows that a plan may use, one for each city or one for all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from assets.family import Family, TaskView
from assets.named import load
from assets.rows import LazyFrames, ReleaseTables
from schemas.table import Table

if TYPE_CHECKING:
    import pandas as pd


def given_tables(tables: Sequence[type[Table]], rows: Sequence[Any], section: Any) -> ReleaseTables:
    """Return a step's inputs by their tables' names."""
    frames = {table.table_name(): frame for table, frame in zip(tables, rows, strict=True)}
    return ReleaseTables(frames, section.model_dump(mode="json") if isinstance(section, BaseModel) else section)


def worlds_of(family: Family, tables: ReleaseTables) -> Mapping[str, Any]:
    """Return the world of each city, by its id, or of all of them, by ""; each made when it is first asked for.

    A world is made of the tables that a plan may use and of no other: of a release it would else know the witnesses.
    """
    make, tables = load(family.world), tables_of_world(family, tables)
    if family.per == "recipe":
        return LazyFrames({"": partial(make, tables)})
    places = [table for table in family.world_tables if "city_id" in table.key()]
    cities = sorted({city for table in places for city in _column(tables[table], "city_id")})
    return LazyFrames({city: partial(lambda city: make(of_city(family, tables, city)), city) for city in cities})


def tables_of_world(family: Family, tables: ReleaseTables) -> ReleaseTables:
    """Return the tables that a plan may use, and no other: none of tasks or certificates."""
    names = [table.table_name() for table in family.world_tables]
    return replace(tables, tables=LazyFrames({name: partial(tables.tables.__getitem__, name) for name in names}))


def tables_of_tools(family: Family, tables: ReleaseTables) -> ReleaseTables:
    """Return the tables that tools answer from: those of a release but for its tasks and what is said of these.

    Of certificates a tool would else tell planners the witnesses.
    """
    family_tables = family.tables
    hidden = {
        family.file_of(table)
        for table in (family_tables.task, family_tables.certificate, family_tables.lineage, family_tables.nearest)
    }
    names = [name for name in tables.tables if name not in hidden]
    return replace(tables, tables=LazyFrames({name: partial(tables.tables.__getitem__, name) for name in names}))


def of_city(family: Family, tables: ReleaseTables, city_id: str) -> ReleaseTables:
    """Return the tables with one city's rows of what is the city's."""
    split = {table.table_name() for table in family.world_tables if "city_id" in table.key()}

    def read(name: str) -> Any:
        rows = tables.tables[name]
        return _of_city(rows, city_id) if name in split else rows

    return ReleaseTables(LazyFrames({name: partial(read, name) for name in tables.tables}), tables.section)


def world_for(worlds: Mapping[str, Any], family: Family, city_id: str) -> Any:
    """Return the world that a task of a city lives in."""
    return worlds[city_id if family.per == "city" else ""]


def task_views(tasks: pd.DataFrame, certificates: pd.DataFrame) -> list[TaskView]:
    """Return every task that has a certificate, with its witness, by id."""
    proven = {row["task_id"]: row for row in certificates.to_dict("records")}
    views = []
    for row in tasks.sort_values("task_id").to_dict("records"):
        certificate = proven.get(row["task_id"])
        if certificate is None:
            continue
        columns = ("task_id", "city_id", "slot", "level", "query", "messages", "record", "drawn", "repairs")
        views.append(
            TaskView(
                **{str(name): row[name] for name in columns},
                generation_ids=list(row["generation_ids"]),
                plan=certificate["plan"],
                proof=certificate["proof"],
            )
        )
    return views


def without_plans(views: Iterable[TaskView]) -> list[TaskView]:
    """Return tasks without their witnesses, as who makes what planners are given sees them: it can say none of it."""
    return [replace(view, plan=None) for view in views]


def _column(rows: Any, name: str) -> list[str]:
    import pyarrow as pa

    return rows[name].unique().to_pylist() if isinstance(rows, pa.Table) else rows[name].unique().tolist()


def _of_city(rows: Any, city_id: str) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(rows, pa.Table):
        return rows.filter(pc.field("city_id") == city_id)
    return rows[rows["city_id"] == city_id].reset_index(drop=True)
