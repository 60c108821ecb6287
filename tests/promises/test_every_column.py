"""One cell of each column of each table of facts changed, in rows that no task names: it is named, or told as believed.

Whoever adds a column finds here that nothing bears it out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from assets.families import families
from assets.family import Family
from assets.promises.cells import index_of
from assets.promises.gate import _computed_columns
from assets.promises.sources import rows_from_sources
from assets.promises.traceable import TraceReport
from assets.release.audit_cities import cities_otherwise
from assets.release.reading import OpenedRelease, open_release
from schemas.table import Column, Table
from tests.promises.editing import Rows, edited
from warehouse.home import Home

FAMILIES = ("itinbench", "tripcraft", "grouptravel")

BELIEVED = {
    "source_rows": "a row of several records may leave one out: what the others say bears its values out",
    "generation_ids": "what was asked of a model for a row; none was asked here",
}
"""Columns of which an edit of one cell is not found, nor told as believed, and why."""


class Edited(NamedTuple):
    """What is found of a release in which a cell of each column is otherwise, by the name of its row."""

    cells: dict[str, str]
    """By table and column, the name of the row that was edited, as it is named then."""
    problems: list[str]


def other_value(column: Column, value: Any, values: list[Any]) -> Any:
    """Return another value than a cell's: some other row's, or where all are alike, one that nothing has."""
    others = [other for other in values if other != value and other is not None]
    if others:
        return others[len(others) // 2]
    return [*value, "x"] if isinstance(value, list) else f"{value}x"


def ref_of(table: type[Table], row: dict[str, Any]) -> str:
    """Return what a row is named by: its table and key."""
    return "/".join([table.table_name(), *(str(row[key]) for key in table.key())])


def facts_of(release: OpenedRelease, family: Family) -> list[type[Table]]:
    """Return the tables of facts that a release has rows of."""
    sizes = {file.path: file.rows for file in release.manifest.files}
    return [table for table in (*family.world_tables, *family.context) if sizes.get(f"{table.table_name()}.parquet")]


def judged(release: OpenedRelease, family: Family, home: Any) -> tuple[list[str], dict[str, list[str]], set[str]]:
    """Return what is wrong with rows, the columns that an audit says it believes, and those that a rule decides."""
    sourced = rows_from_sources(release, family, index_of(release), TraceReport(), home.snapshots)
    sizes = {table.table_name(): release.count(table.table_name()) for table in facts_of(release, family)}
    by_rule = {name for name, count in sourced.counts["by_rule"].items() if count == sizes[name.partition(".")[0]]}
    return [*sourced.problems, *cities_otherwise(release, family)], _computed_columns(family, sourced.compared), by_rule


@pytest.fixture(scope="module", params=FAMILIES)
def every_cell(request, small_world, tmp_path_factory) -> Edited:
    """Edit a cell of each column that nothing says is believed, each in a row of its own that no task names."""
    family, home = families()[request.param], Home(str(small_world.home))
    release = open_release(small_world.releases[request.param])
    honest, computed, by_rule = judged(release, family, home)
    assert honest == []
    named = {(cell["table"], cell["row"]) for row in release.rows("lineage").to_pylist() for cell in row["cells"]}
    cells: dict[str, str] = {}

    def change(table: type[Table]) -> Callable[[Rows], Rows]:
        name = table.table_name()
        refs = table.refs(release.rows(name)).to_pylist()

        def changed(rows: Rows) -> Rows:
            free = [n for n, ref in enumerate(refs) if tuple(ref.split("/", 1)) not in named]
            told = {*computed.get(name, ()), *BELIEVED} | {c.partition(".")[2] for c in by_rule if c.startswith(name)}
            made = [dict(row) for row in rows]
            for column in (column for column in table.columns() if column.name not in told):
                values = [row[column.name] for row in rows]
                at = next((n for n in free if values[n] not in (None, "", [])), free[0])
                free.remove(at)
                made[at][column.name] = other_value(column, values[at], values)
                if (ref := ref_of(table, made[at])) in refs and ref != refs[at]:  # whose row it would be
                    made[at][column.name] = f"{values[at]}x"
                cells[f"{name}.{column.name}"] = ref_of(table, made[at])
            return made

        return changed

    changes = {table.table_name(): change(table) for table in facts_of(release, family)}
    copy = edited(release.folder, tmp_path_factory.mktemp("cells"), changes)
    return Edited(cells, judged(open_release(copy), family, home)[0])


def test_a_cell_that_is_otherwise_is_named_though_no_task_names_its_row(every_cell):
    named = {problem.partition(": ")[0] for problem in every_cell.problems}
    lost = {cell for cell, ref in every_cell.cells.items() if not any(one.startswith(ref) for one in named)}
    assert sorted(lost) == []
    placed = {name.partition(".")[0] for name in every_cell.cells if name.endswith(".lat")}
    assert {f"{name}.{column}" for name in placed for column in ("city_id", "place_id")} <= every_cell.cells.keys()


@pytest.mark.parametrize("name", FAMILIES)
def test_a_city_that_is_none_of_the_release_is_named_wherever_it_stands(small_world, tmp_path, name):
    family, release = families()[name], open_release(small_world.releases[name])
    columns = [
        (table.table_name(), column.name)
        for table in facts_of(release, family)
        for column in table.columns()
        if column.name.endswith("city_id")
    ]

    def nowhere(column: str) -> Callable[[Rows], Rows]:
        return lambda rows: [*rows[:-1], {**rows[-1], column: "us-nowhere"}]

    for n, some in enumerate((dict(columns), dict(columns[::-1]))):  # a table of ways says two cities
        changes = {table: nowhere(column) for table, column in some.items()}
        problems = cities_otherwise(open_release(edited(release.folder, tmp_path / str(n), changes)), family)
        assert {problem.partition(" is ")[0] for problem in problems} >= {f"{t}.parquet: {c}" for t, c in some.items()}


STOPS = [("tripcraft", "tripcraft_nearest_stop"), ("grouptravel", "place_nearest_stop")]


@pytest.mark.parametrize(("name", "table"), STOPS)
def test_a_row_of_a_place_that_is_said_to_be_in_another_city_is_named(small_world, tmp_path, name, table):
    def moved(rows: Rows) -> Rows:
        return [{**rows[0], "city_id": rows[-1]["city_id"]}, *rows[1:]]

    copy = open_release(edited(small_world.releases[name], tmp_path, {table: moved}))
    (problem,) = cities_otherwise(copy, families()[name])
    assert problem.startswith(f"{table}.parquet: of us-")
    assert " 1 place elsewhere, as " in problem


@pytest.mark.parametrize("city_id", ["", "us-nowhere"])
def test_a_rejection_of_a_city_that_its_step_is_not_run_for_is_named(small_world, tmp_path, city_id):
    def moved(rows: Rows) -> Rows:
        at = next(n for n, row in enumerate(rows) if row["step"] == "place")
        return [*rows[:at], {**rows[at], "city_id": city_id}, *rows[at + 1 :]]

    copy = open_release(edited(small_world.releases["itinbench"], tmp_path, {"rejections": moved}))
    (problem,) = cities_otherwise(copy, families()["itinbench"])
    assert problem.startswith(f"rejections.parquet: place rejects rows of city '{city_id}', expected a city of")
