"""A release built again from the raw files alone: an honest one is equal, and what was computed otherwise is named."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

import pytest

from assets.release.reading import open_release
from pipelines.releases.differences import differences
from tests.promises.editing import edited, sealed
from tests.recipes import command

Rows = list[dict[str, Any]]


def test_an_honest_release_comes_out_again_from_raw_files_alone(one_town, tmp_path):
    """The home that is given holds `raw/` and nothing that was ever made of it."""
    home = tmp_path / "home"
    shutil.copytree(one_town.home / "raw", home / "raw")
    release = one_town.release
    words = ("audit", "--release", release, "--recipe", one_town.recipe, "--rebuild")
    code, told = command(*words, home=home)
    assert (code, told["problems"], told["unverified"]) == (0, [], [])
    assert sorted(path.name for path in home.iterdir()) == ["raw"]
    lost = next(path for path in sorted((home / "raw").glob("??/*")))
    lost.unlink()
    code, told = command(*words, home=home)
    assert code == 1
    assert f"not in {home}: 1 raw file:" in told["error"] and lost.name in told["error"]


def raised(column: str, by: float = 1) -> Callable[[Rows], Rows]:
    """Return what raises each row's value of a column that has one."""
    return lambda rows: [{**row, column: row[column] if row[column] is None else row[column] + by} for row in rows]


def otherwise(column: str, value: Callable[[Any], Any]) -> Callable[[Rows], Rows]:
    """Return what changes each row's value of a column."""
    return lambda rows: [{**row, column: value(row[column])} for row in rows]


def fewer(rows: Rows) -> Rows:
    """Return the rows without the first."""
    return rows[1:]


COMPUTED: tuple[tuple[str, str, Callable[[Rows], Rows], str], ...] = (
    ("itinbench", "itinbench_place", otherwise("flavor", lambda v: v and 6 - v), "flavor is"),
    ("itinbench", "rating_quality", raised("spearman", 0.01), "spearman is"),
    ("itinbench", "rejections", fewer, "is made, and is not here"),
    ("itinbench", "tasks", otherwise("drawn", lambda v: {**v, "why": "no museum"}), "drawn is"),
    ("tripcraft", "tripcraft_stay", raised("price"), "price is"),
    ("tripcraft", "tripcraft_stay", otherwise("is_modelled", lambda v: not v), "is_modelled is"),
    ("tripcraft", "tripcraft_restaurant", raised("avg_cost"), "avg_cost is"),
    ("tripcraft", "tripcraft_nearest_stop", raised("distance_m"), "distance_m is"),
    ("tripcraft", "tripcraft_city_distance", raised("distance_km"), "distance_km is"),
    ("tripcraft", "tripcraft_terms", raised("taxi_per_km"), "taxi_per_km is"),
    ("grouptravel", "group_poi", raised("avg_cost"), "avg_cost is"),
    ("grouptravel", "group_poi", otherwise("is_cost_modelled", lambda v: not v), "is_cost_modelled is"),
    ("grouptravel", "group_calendar", raised("fare_factor", 0.5), "fare_factor is"),
    ("grouptravel", "city_distance", raised("distance_m"), "distance_m is"),
)


@pytest.mark.parametrize(
    ("family", "table", "change", "expected"), COMPUTED, ids=[f"{name}-{told}" for _, name, _, told in COMPUTED]
)
def test_what_was_computed_otherwise_is_named_by_row_and_column(small_world, tmp_path, family, table, change, expected):
    whole = open_release(small_world.releases[family])
    release = open_release(edited(whole.folder, tmp_path, {table: change}))
    (problem,) = differences(release, whole)
    assert problem.startswith(f"{table}.parquet: comes out otherwise in ") and expected in problem


def more_draws(manifest: dict[str, Any]) -> None:
    """Say that drafting drew and refused more than it did: nothing in the release's files says otherwise."""
    for counted in manifest["facts"]["itinbench_draft"].values():
        counted["attempts"] += 9
        counted["redrawn"]["unsatisfiable"] = counted["redrawn"].get("unsatisfiable", 0) + 9


def test_a_manifest_that_says_otherwise_is_named_by_what_it_says(small_world, tmp_path):
    whole = open_release(small_world.releases["itinbench"])
    copy = edited(whole.folder, tmp_path, {})
    assert open_release(copy).version == whole.version and list(differences(open_release(copy), whole)) == []
    sealed(copy, None, more_draws)
    (problem,) = differences(open_release(copy), whole)
    assert problem.startswith("manifest.json: facts comes out otherwise: itinbench_draft ")


def test_a_recipe_without_its_lock_is_refused(small_world, tmp_path):
    release = open_release(small_world.releases["itinbench"])
    recipe = shutil.copyfile(small_world.recipe, tmp_path / "alone.toml")
    code, told = command("audit", "--release", release.folder, "--recipe", recipe, "--rebuild", home=small_world.home)
    assert code == 1 and "alone.lock.json" in told["error"]
