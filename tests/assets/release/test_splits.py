"""Splits share nothing that the recipe forbids, follow the shares, and say when that cannot be had."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.families import families
from assets.release.exporting import release_tables
from assets.release.page.data import page_data
from assets.release.reading import open_release
from assets.release.splits import SplitError, split_tasks, what_tasks_hold
from assets.rows import ReleaseTables
from schemas.recipe import Splits
from schemas.table import Field, Table
from tests.recipes import command
from warehouse.home import Home

EVEN = {"train": 1.0, "test": 1.0}

worlds = st.dictionaries(
    st.text("abcdef", min_size=1, max_size=3),
    st.lists(st.sampled_from("12345678"), max_size=2),
    min_size=2,
    max_size=40,
)


@given(worlds, st.integers(0, 5))
def test_no_two_splits_share_what_tasks_hold_and_no_task_is_lost(holds, seed):
    try:
        found = split_tasks(Splits.model_validate({"shares": EVEN, "apart": "place"}), holds, seed)
    except SplitError:
        return
    assert sorted(found["train"] + found["test"]) == sorted(holds)
    held = [{held for task in tasks for held in holds[task]} for tasks in found.values()]
    assert held[0] & held[1] == set()


def test_shares_are_reached_and_a_further_task_moves_few():
    holds = {f"task{n:03}": [] for n in range(200)}
    shares = {"train": 0.7, "validation": 0.1, "test": 0.2}
    found = split_tasks(Splits.model_validate({"shares": shares}), holds, 1)
    assert {name: len(tasks) for name, tasks in found.items()} == {"train": 140, "validation": 20, "test": 40}
    after = split_tasks(Splits.model_validate({"shares": shares}), holds | {"task200": []}, 1)
    moved = sum(len(set(found[name]) - set(after[name])) for name in shares)
    assert moved <= 2


def test_tasks_that_hold_together_cannot_be_split():
    holds = {"a": ["1"], "b": ["1", "2"], "c": ["2"]}
    with pytest.raises(SplitError, match="3 tasks that may share no place fall into 1 group, the largest of 3"):
        split_tasks(Splits.model_validate({"shares": EVEN, "apart": "place"}), holds, 1)


@pytest.mark.parametrize("family", sorted(families()))
def test_a_witness_holds_places_and_a_task_its_cities(small_world, family):
    tables = release_tables(open_release(small_world.releases[family]))
    for apart, least in (("task", 0), ("city", 1), ("place", 3)):
        assert min(map(len, what_tasks_hold(families()[family], tables, apart).values())) >= least


class Sight(Table):
    """What there is to see, by keys of its own: two rows may be of one place."""

    sight_id: str = Field("The sight.", key=True)
    place_id: str = Field("Where it is.")


def test_a_place_is_one_by_whichever_keys_it_is_said_and_a_witness_without_any_cannot_be_kept_apart():
    family: Any = SimpleNamespace(world_tables=(Sight,), arrow=())
    edges = [
        {"task_id": f"t{n}", "field": "plan/0", "cells": [{"table": "sight", "row": row}]}
        for n, row in enumerate("abc")
    ]
    frames = {
        "sight": pd.DataFrame({"sight_id": ["a", "b"], "place_id": ["p", "p"]}),
        "tasks": pd.DataFrame({"task_id": ["t0", "t1"]}),
        "lineage": pd.DataFrame(edges[:2]),
    }
    assert what_tasks_hold(family, ReleaseTables(frames), "place") == {"t0": ["p"], "t1": ["p"]}
    frames |= {"tasks": pd.DataFrame({"task_id": ["t0", "t1", "t2"]}), "lineage": pd.DataFrame(edges)}
    with pytest.raises(SplitError, match="the witnesses of 1 task, such as t2, use no row with a `place_id`"):
        what_tasks_hold(family, ReleaseTables(frames), "place")


def test_a_release_by_city_has_its_splits_and_loads_with_them(small_world, tmp_path):
    from datasets import load_dataset

    home = tmp_path / "home"
    shutil.copytree(small_world.home, home)
    recipe = tmp_path / "small.toml"
    text = small_world.recipe.read_text()
    recipe.write_text(
        text.replace("[[cities]]", '[splits]\nshares = { train = 2, test = 1 }\napart = "city"\n\n[[cities]]', 1)
    )
    code, built = command("build", recipe, "--family", "itinbench", home=home)
    assert (code, built["blocked"]) == (0, [])
    release = built["releases"][0]["path"]
    splits = load_dataset(release, cache_dir=str(tmp_path / "cache"))
    cities = {name: set(split["city_id"]) for name, split in splits.items()}
    assert {name: len(found) for name, found in cities.items()} == {"train": 2, "test": 1}
    assert cities["train"] & cities["test"] == set()
    tasks = pd.read_parquet(f"{release}/tasks.parquet")
    assert len(tasks) == sum(split.num_rows for split in splits.values())
    shown = page_data([open_release(Path(release))], Home(str(home)).snapshots)["overview"]["tasks"]
    assert {(task["split"], *task["cities"]) for task in shown} == {(s, city) for s in cities for city in cities[s]}
    assert command("audit", "--release", release, home=home)[0] == 0
