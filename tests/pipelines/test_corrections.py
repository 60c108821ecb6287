"""What a reviewer corrects in any table of any family's release stands in the next one, with who and why."""

from __future__ import annotations

import datetime as dt
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assets.core.corrections import corrected
from assets.families import all_steps, families
from assets.promises.cells import index_of
from assets.promises.correction_effects import applied
from assets.promises.gate import gate
from assets.release.audit_said import forbidden_values
from assets.release.reading import OpenedRelease, open_release
from assets.release.review import overrides_text
from assets.step import Outcome
from pipelines.walk.overrides import row_corrections
from schemas.corrections import DROP, correctable
from schemas.recipe import RecipeLock
from schemas.source import LICENCES, Sharing, SourceError
from schemas.table import Table
from schemas.travel import CityPrice
from tests.promises.editing import edited, sealed
from tests.recipes import command
from warehouse.home import Home

FAMILIES = ("itinbench", "tripcraft", "grouptravel")
RENAMED = "The Gilded Ladle"
HOURS = "Mo-Su 06:15-23:45"
WITHDRAWN_TASK = {"task_id": "itinbench.us-in-krellospire.00000", "city_id": "us-in-krellospire"}
TOLD = {"who": "A. Reader", "made_on": dt.date(2026, 11, 22), "why": "It was looked up."}


def another(table: type[Table], row: dict[str, Any]) -> dict[str, Any]:
    """Return a field of the row and a value that it does not have: its name, a higher number, else a shorter list."""
    columns = correctable(table)
    by_type = {columns[f].type: f for f in reversed(columns)}
    field = "name" if "name" in columns else next(by_type[t] for t in (int, float, list, str) if t in by_type)
    longer = 7 if columns[field].type in (int, float) else " Nord"
    return {"field": field, "value": row[field][:-1] if columns[field].type is list else row[field] + longer}


@pytest.fixture(scope="module")
def spot_checked(small_world, tmp_path_factory):
    """Return the corrections made, one in each table that a task of each family rests on, and what was built then.

    Beside them the last place of the pool is renamed, of which the families' rows are made, the first that no task
    rests on is dropped, of the second its row for ItinBench, and a task is withdrawn.
    """
    folder = tmp_path_factory.mktemp("spot")
    shutil.copytree(small_world.home, folder / "home")
    recipe = folder / "small.toml"
    shutil.copy(small_world.recipe, recipe)
    shutil.copy(small_world.recipe.with_suffix(".lock.json"), folder)
    entries: dict[str, dict[str, Any]] = {}
    for name in FAMILIES:
        release = open_release(small_world.releases[name])
        cells = (cell for edge in release.rows("lineage").to_pylist() for cell in edge["cells"])
        refs = {f"{cell['table']}/{cell['row']}" for cell in cells}
        for table in (t for t in families()[name].released if correctable(t)):
            rows = release.rows(table.table_name())
            found = zip(table.refs(rows).to_pylist(), rows.to_pylist(), strict=True)
            ref, row = next(((ref, row) for ref, row in found if ref in refs), ("", {}))
            if ref:
                entries[ref] = {"row": ref, **another(table, row), **TOLD}
    pool = open_release(small_world.releases["itinbench"]).rows("itinbench_place").to_pylist()
    place = f"place/{pool[-1]['city_id']}/{pool[-1]['place_id']}"
    renamed = {"row": place, "field": "name", "value": RENAMED, **TOLD}
    free = [row for row in pool[:-1] if not any(row["place_id"] in ref for ref in entries)]
    dropped = [f"place/{free[0]['city_id']}/{free[0]['place_id']}", ref_of(free[1])]
    hours = {"row": place_with_two_hours(small_world, free[2:]), "field": "opening_hours", "value": HOURS, **TOLD}
    others = [renamed, hours, *({"row": row, "field": DROP, **TOLD} for row in dropped), {**WITHDRAWN_TASK, **TOLD}]
    given = overrides_text([*entries.values(), *others])
    recipe.with_suffix(".overrides.toml").write_text(given, encoding="utf-8")
    return entries, command("refresh", recipe, home=folder / "home"), folder / "home"


def place_with_two_hours(small_world, pool: list[dict[str, Any]]) -> str:
    """Return a place of the pool that TripAdvisor lists too, where hours of its own stand."""
    restaurants = open_release(small_world.releases["tripcraft"]).rows("tripcraft_restaurant").to_pylist()
    lists = [row["source_rows"] for row in restaurants if row["source_rows"][0].startswith("tripadvisor.")]
    pointers = {pointer for pointers in lists for pointer in pointers}
    row = next(row for row in pool if pointers.intersection(row["source_rows"]))
    return f"place/{row['city_id']}/{row['place_id']}"


def ref_of(row: dict[str, Any]) -> str:
    """Return what a place of ItinBench is named by."""
    return f"itinbench_place/{row['city_id']}/{row['place_id']}/{row['kind']}"


def released(spot_checked, name: str) -> OpenedRelease:
    """Return the corrected release of a family."""
    _, (_, answer), _ = spot_checked
    return open_release(Path(next(one["path"] for one in answer["releases"] if one["family"] == name)))


def as_before(rows: list[dict[str, Any]], old: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return places as they were before anybody corrected them, each as the newer release points to its sources."""
    pointers = {ref_of(row): row["source_rows"] for row in rows}
    return [{**row, "source_rows": pointers.get(ref_of(row), row["source_rows"])} for row in old]


def test_what_a_release_leaves_out_of_corrections_that_it_names_is_named(spot_checked, small_world, tmp_path):
    entries, _, home = spot_checked
    now, family = released(spot_checked, "itinbench"), families()["itinbench"]
    snapshots = Home(str(home)).snapshots
    assert applied(now, family, index_of(now), snapshots) == ([], [])
    old = open_release(small_world.releases["itinbench"]).rows("itinbench_place").to_pylist()
    folder = edited(
        now.folder,
        tmp_path,
        {
            "itinbench_place": lambda rows: as_before(rows, old),
            "rejections": lambda rows: [row for row in rows if row["reason"] != "withdrawn"],
        },
    )
    forged = open_release(sealed(folder, None, lambda manifest: manifest.update(retired=[])))
    problems, _ = applied(forged, family, index_of(forged), snapshots)
    for words in (
        f"manifest.json: retired: says None of {WITHDRAWN_TASK['task_id']}; by people's corrections: withdrawn by A. R",
        *(f"{ref}: {one['field']} is " for ref, one in entries.items() if ref.startswith("itinbench_place/")),
    ):
        assert any(problem.startswith(words) for problem in problems), (words, problems)
    assert sum(problem.endswith("the rejections do not say so") for problem in problems) == 2
    made_of = [problem.partition(": is made of ")[2] for problem in problems if "which people dropped" in problem]
    assert {told.partition("/")[0] for told in made_of} == {"place", "itinbench_place"}


def test_a_row_that_no_longer_points_to_the_correction_of_what_it_is_made_of_is_named(spot_checked, tmp_path):
    _, _, home = spot_checked
    now = released(spot_checked, "itinbench")

    def undone(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            {**row, "name": "As it was", "source_rows": [p for p in row["source_rows"] if "corrections" not in p]}
            if row["name"] == RENAMED
            else row
            for row in rows
        ]

    forged = open_release(sealed(edited(now.folder, tmp_path, {"itinbench_place": undone})))
    snapshots = Home(str(home)).snapshots
    (problem,), _ = applied(forged, families()["itinbench"], index_of(forged), snapshots)
    assert problem.startswith("itinbench_place/")
    assert problem.endswith("and does not point to A. Reader's correction of it")
    assert problem in gate(forged, snapshots, workers=1).problems


def test_a_task_that_nobody_withdrew_is_not_withdrawn_by_anybody(spot_checked, tmp_path):
    _, _, home = spot_checked
    folder = edited(released(spot_checked, "itinbench").folder, tmp_path, {})
    sealed(folder, None, lambda m: m.update(inputs=[one for one in m["inputs"] if one["source"] != "corrections"]))
    forged = open_release(folder)
    (problem,), _ = applied(forged, families()["itinbench"], index_of(forged), Home(str(home)).snapshots)
    assert problem.endswith("of itinbench.us-in-krellospire.00000; by people's corrections: none of them withdraws it")


def test_corrections_that_no_build_takes_are_named_and_those_that_are_not_here_told(spot_checked, raw_file, tmp_path):
    now, family = released(spot_checked, "itinbench"), families()["itinbench"]
    row = now.rows("itinbench_place").to_pylist()[0]
    file = raw_file(
        "corrections", "overrides", overrides_text([{"row": ref_of(row), "field": "lat", "value": 1.0, **TOLD}])
    )
    (tmp_path / "other").mkdir()

    def bound(manifest: dict[str, Any]) -> None:
        manifest["inputs"] = [s for s in manifest["inputs"] if s["source"] != "corrections"]
        manifest["inputs"].append(json.loads(file.snapshot.model_dump_json()))
        manifest["retired"] = []

    forged = open_release(sealed(edited(now.folder, tmp_path / "other", {}), None, bound))
    home = Home(str(tmp_path / "home"))
    _, (missing,) = applied(forged, family, index_of(forged), home.snapshots)
    assert "not in the store" in missing["why"]
    home.snapshots.add(file.path)
    (problem,), _ = applied(forged, family, index_of(forged), home.snapshots)
    assert problem.startswith(f"{ref_of(row)}: no build takes its correction: field: expected one of name, address")


def test_corrections_that_are_not_in_the_store_are_taken_to_be_in_every_table(spot_checked, tmp_path):
    _, (_, answer), home = spot_checked
    release = open_release(Path(answer["releases"][0]["path"]))
    not_shareable = next(name for name, licence in LICENCES.items() if licence.sharing is not Sharing.ROWS)
    inputs = [
        one.model_copy(update={"licence_id": not_shareable if one.source == "corrections" else "CC0-1.0"})
        for one in release.manifest.inputs
    ]
    release = replace(release, manifest=release.manifest.model_copy(update={"inputs": inputs}))
    known = set(forbidden_values(release, Home(str(home)).snapshots))
    assert known and not any("not in the store" in problem for problem in known)
    unknown = set(forbidden_values(release, Home(str(tmp_path)).snapshots))
    assert any(problem.endswith("is not in the store, so that any value may be corrected by it") for problem in unknown)
    held = [{problem.partition(":")[0] for problem in problems} for problems in (known, unknown)]
    assert held[0] < held[1]


def test_a_value_that_others_are_computed_from_is_corrected_where_the_row_is_made_of_it(spot_checked):
    rows = released(spot_checked, "grouptravel").rows("group_poi").to_pylist()
    windows = [r["time_windows"] for row in rows for r in (row["opening_hours"] or {"rules": []})["rules"]]
    assert [{"open": "06:15", "close": "23:45"}] in windows


def test_a_correction_of_each_table_stands_in_its_row_and_the_row_points_to_it(spot_checked):
    entries, (code, answer), _ = spot_checked
    assert (code, answer["blocked"]) == (0, [])
    folders = {release["family"]: release["path"] for release in answer["releases"]}
    corrected_tables, renamed = set(), set()
    for name in FAMILIES:
        for table in (t for t in families()[name].released if correctable(t)):
            rows = pq.read_table(f"{folders[name]}/{table.table_name()}.parquet")
            for ref, row in zip(table.refs(rows).to_pylist(), rows.to_pylist(), strict=True):
                if ref in entries:
                    corrected_tables.add(table.table_name())
                    assert row[entries[ref]["field"]] == entries[ref]["value"]
                    assert row["source_rows"][0].startswith("corrections.overrides@")
                if row.get("name") == RENAMED:
                    renamed.add(table.table_name())
                    assert any(pointer.startswith("corrections.overrides@") for pointer in row["source_rows"])
    assert renamed == {"itinbench_place", "group_poi", "tripcraft_restaurant"}
    assert {ref.partition("/")[0] for ref in entries} == corrected_tables
    assert corrected_tables >= {"itinbench_place", "tripcraft_stay", "tripcraft_flight", "group_poi", "group_fare"}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_difference_names_each_correction_and_the_audit_follows_it(spot_checked, family):
    entries, (_, answer), home = spot_checked
    version = next(release["version"] for release in answer["releases"] if release["family"] == family)
    code, audited = command("audit", "--release", version, home=home)
    assert (code, audited["problems"]) == (0, [])
    changes = next(changes for changes in answer["changes"] if changes["family"] == family)
    told = {f"{row['table']}/{row['key']}": row for rows in changes["tables"].values() for row in rows}
    mine = {ref for ref in entries if ref.partition("/")[0] in {t.table_name() for t in families()[family].released}}
    assert mine <= set(told)
    assert changes["unexplained"] == []
    tree = json.dumps([row["new_sources"] for ref, row in told.items() if ref in mine])
    assert tree.count("corrections.overrides@") == len(mine)


PRICE = {"city_id": "xx-a", "restaurant_index": 40.0, "inexpensive_meal": 9.0, "currency": "USD", "source_rows": ["s"]}


def entry(row: str, field: str, value: Any) -> dict[str, Any]:
    return {"row": row, "field": field, "value": value, **TOLD, "made_on": "2026-11-22", "pointer": f"c#{field}"}


def test_corrected_rows_point_to_each_correction_and_dropped_ones_say_who():
    rows = [PRICE, {**PRICE, "city_id": "xx-b"}, {**PRICE, "city_id": "xx-c"}]
    table = pa.Table.from_pylist(rows, schema=CityPrice.arrow_schema())
    entries = [
        entry("city_price/xx-b", "inexpensive_meal", 11),
        entry("city_price/xx-b", "currency", "EUR"),
        entry("city_price/xx-c", DROP, ""),
    ]
    made = corrected(CityPrice, Outcome(table, rows_in=3), entries)
    found: Any = made.rows
    assert sorted(found.to_pylist(), key=lambda row: row["city_id"]) == [
        PRICE,
        {**PRICE, "city_id": "xx-b", "inexpensive_meal": 11.0, "currency": "EUR",
         "source_rows": ["c#currency", "c#inexpensive_meal", "s"]},
    ]  # fmt: skip
    assert list(made.rejections) == [
        {"row": "city_price/xx-c", "reason": "withdrawn", "detail": "A. Reader, 2026-11-22: It was looked up."}
    ]


def test_a_correction_of_a_row_that_is_not_there_is_refused():
    rows = CityPrice.arrow_schema().empty_table()
    with pytest.raises(SourceError, match="correct rows that are not there: city_price/xx-z"):
        corrected(CityPrice, Outcome(rows), [entry("city_price/xx-z", "currency", "EUR")])


def test_the_rows_of_each_city_s_own_table_are_named_by_their_city():
    own = [step.output for step in all_steps(families().values()).values() if step.per == "city"]
    assert {table.key()[0] for table in own if correctable(table)} == {"city_id"}


UNUSABLE = {
    "table": ("hotel/xx-a/q", "name", "Nord", "the recipe builds no such table"),
    "city": ("place/xx-nowhere/q", "name", "Nord", "the recipe has no city 'xx-nowhere'"),
    "position": ("place/xx-a/q", "lat", 1.0, "field: expected one of name, address"),
    "computed": ("tripcraft_town_ways/xx-a/q", "router", "mine", "rows of tripcraft_town_ways are computed by us"),
    "type": ("stay/xx-a/q", "price_per_night", "cheap", "price_per_night is float, may be null, found 'cheap'"),
}


def test_every_correction_that_no_table_can_take_is_named_before_anything_is_built(raw_file, tmp_path):
    entries = [{"row": row, "field": field, "value": value, **TOLD} for row, field, value, _ in UNUSABLE.values()]
    file = raw_file("corrections", "overrides", overrides_text(entries))
    home = Home(str(tmp_path / "home"))
    home.snapshots.add(file.path)
    lock = RecipeLock(recipe="small", snapshots=[file.snapshot])
    with pytest.raises(SourceError) as told:
        row_corrections(home, lock, all_steps(families().values()), {"xx-a"})
    for *_, words in UNUSABLE.values():
        assert words in str(told.value)
