"""From raw files to an audited release by the commands: reproducible, resumable, local in its changes, honest."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from pipelines.console import page_size
from pipelines.releases.gathering import ReleaseError, SeveralRefusedError
from pipelines.walk import build as walk_build
from pipelines.walk.build import build
from pipelines.walk.listener import Listener
from tests.pipelines.conftest import recipe_text
from tests.pipelines.pages import told_by_the_page
from tests.recipes import command
from warehouse.home import Home

ROOT = Path(__file__).resolve().parents[2]
KILLS = 2
MOMENTS = 300
"""A whole build of the small recipe uses files of its home about 900 times."""
TASKS = 2
"""Of each of `two_towns`."""


@pytest.fixture
def tripwright(tmp_path):
    """Return a function that runs a command in a home of the test's own."""
    return lambda *words: command(*words, home=tmp_path / "home")


@pytest.fixture
def copied(two_towns, tmp_path):
    """Return a copy of the built home that a test may spoil, and its release's folder."""
    shutil.copytree(two_towns.home, tmp_path / "home")
    return tmp_path / "home", tmp_path / "home" / two_towns.release.relative_to(two_towns.home)


def contents(release: str | Path) -> dict[str, bytes]:
    """Return a release's files, without its record."""
    folder = Path(release)
    files = (path for path in folder.rglob("*") if path.is_file())
    return {n: p.read_bytes() for p in files if not (n := p.relative_to(folder).as_posix()).startswith("record/")}


def test_a_release_is_certified_and_audited_and_the_same_again_builds_nothing(two_towns, copied, tmp_path):
    home, _ = copied
    built = json.loads(json.dumps(two_towns.built).replace(str(two_towns.home), str(home)))
    (release,) = built["releases"]
    assert (release["tasks"], release["certified"]) == (2 * TASKS, 2 * TASKS)
    again = command("build", two_towns.copied_recipe(tmp_path), home=home)[1]
    assert again == {**built, "steps_run": 0, "steps_skipped": built["steps_run"]}
    code, audited = command("audit", "--release", release["version"], home=home)
    assert (code, audited["problems"], audited["tasks"]) == (0, [], 2 * TASKS)
    assert audited["values"] > 60 * audited["tasks"]


def test_witnesses_score_perfectly(two_towns):
    home, _, built = two_towns
    code, scores = command("score", built["releases"][0]["path"], "witness", home=home)
    assert code == 0
    wanted = {"oop": 0, "mi": 0, "micro": 100, "macro": 100, "vr": 100, "dg": 0, "total_dg": 0, "ecj": 0}
    assert {name: scores["aggregate"][name] for name in wanted} == wanted


def test_a_release_is_exported_whole_or_not_at_all(two_towns, tmp_path):
    home, _, built = two_towns
    release = built["releases"][0]["path"]
    code, exported = command("export", release, tmp_path / "out", "--format", "itinbench", home=home)
    assert code == 0
    files = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert files == set(exported["files"])
    queries = [json.loads(line) for path in (tmp_path / "out").glob("*/humanQuerys.jsonl") for line in path.open()]
    assert len(queries) == 2 * TASKS
    code, refused = command("export", release, tmp_path / "out", "--format", "itinbench", home=home)
    assert (code, "expected an empty folder" in refused["error"]) == (1, True)
    code, refused = command("export", release, tmp_path / "other", "--format", "tripcraft", home=home)
    assert (code, "is of family itinbench" in refused["error"]) == (1, True)


def test_plans_of_a_planner_are_scored_and_lines_that_are_no_plans_are_named(two_towns, tmp_path):
    home, _, built = two_towns
    release = built["releases"][0]["path"]
    plans = tmp_path / "plans.jsonl"
    plans.write_text('{"index": 1, "plan": {"itinerary": []}}\n{"index": 2, "plan": "none"}\n')
    code, scores = command("score", release, plans, "--variant", "released", home=home)
    assert (code, scores["aggregate"]["n"], scores["aggregate"]["vr"]) == (0, 2, 0)
    plans.write_text('{"index": 1}\n[1]\n{"index"')
    code, refused = command("score", release, plans, home=home)
    assert code == 1
    assert "line 2: found a list, expected an object" in refused["error"]
    assert "line 3: " in refused["error"]
    code, refused = command("score", release, plans, "--variant", "best", home=home)
    assert (code, "line" in refused["error"]) == (1, True)


@pytest.mark.parametrize("where", ["raw", "tasks.parquet", "manifest.json"])
def test_a_flipped_byte_is_found_and_named(copied, where):
    home, release = copied
    raw = max((home / "raw").glob("??/*"), key=lambda path: path.stat().st_size)
    path = raw if where == "raw" else release / where
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    code, audited = command("audit", "--release", release, home=home)
    told = audited.get("error") or " ".join(audited["problems"])
    assert code == 1
    assert ("review.json (yelp.review) has changed in the store" if where == "raw" else where) in told


def test_a_task_is_followed_to_the_raw_lines_of_its_places(two_towns):
    home, _, built = two_towns
    tasks = pd.read_parquet(Path(built["releases"][0]["path"]) / "tasks.parquet")
    code, tree = command("audit", tasks["task_id"][3], home=home)
    assert code == 0
    assert tree["query"] == tasks["query"][3]
    for entry in tree["rows"].values():
        raw = [json.loads(source["raw"]) for source in entry["source_rows"]]
        assert entry["row"]["name"] in [record.get("name") for record in raw]
        assert all(source["licence"] == "LicenseRef-invented" for source in entry["source_rows"])


def test_an_unresolvable_value_is_found(copied):
    home, release = copied
    manifest = json.loads((release / "manifest.json").read_text())
    manifest["rules"].pop("itinbench.draft")
    (release / "manifest.json").write_text(json.dumps(manifest))
    code, audited = command("audit", "--release", release.rename(release.with_name("renamed")), home=home)
    assert code == 1
    assert any("rule itinbench.draft is not declared" in problem for problem in audited["problems"])


def test_a_blocked_city_is_named_and_nothing_is_released_unless_asked(copied, tripwright, write_recipe):
    recipe = write_recipe(cities=2, tasks=TASKS, broken=(0,))
    code, built = tripwright("build", recipe)
    assert (code, built["releases"]) == (1, [])
    (blocked,) = built["blocked"]
    assert blocked["step"] == "itinbench_place"
    assert "city_has_places_of_every_kind" in blocked["reason"]
    code, built = tripwright("build", recipe, "--allow-missing")
    (release,) = built["releases"]
    manifest = json.loads((Path(release["path"]) / "manifest.json").read_text())
    assert (code, release["tasks"]) == (0, TASKS)
    assert manifest["missing_cities"] == [blocked]


def test_more_tasks_than_a_city_can_give_is_an_error_with_both_numbers(copied, tripwright, write_recipe):
    code, built = tripwright("build", write_recipe(cities=1, tasks=99_999))
    assert (code, built["releases"]) == (1, [])
    assert "99,999 tasks asked for, but only" in built["blocked"][0]["reason"]


def test_killed_at_any_moment_the_next_build_gives_the_same_bytes(one_town, tripwright, tmp_path):
    recipe, expected = one_town.copied_recipe(tmp_path), contents(one_town.release)
    home = str(tmp_path / "home")
    moments, codes = random.Random(17), []
    for kill in range(KILLS):
        moment = f"{moments.randint(1, MOMENTS)}{'!' if kill % 2 == 1 else ''}"
        words = [sys.executable, "-m", "tests.hostile.dying", moment, home, "build", str(recipe), "--home", home]
        codes.append(subprocess.run(words, cwd=ROOT, capture_output=True, check=False).returncode)
        for manifest in (tmp_path / "home" / "releases").glob("*/*/*/manifest.json"):
            assert contents(manifest.parent) == expected
    assert codes == [-signal.SIGKILL, 130], codes
    _, built = tripwright("build", recipe)
    assert contents(built["releases"][0]["path"]) == expected
    assert {path.name for path in (tmp_path / "home" / "tmp").iterdir()} <= {"swap"}  # the file of a lock, empty


PUBLISHED = """
name = "town"
seed = 1
[sources.published]
restaurants = "restaurants.jsonl"
hotels = "hotels.jsonl"
attractions = "attractions.jsonl"
[[cities]]
city_id = "us-pa-philadelphia"
name = "Philadelphia"
region = "PA"
country = "US"
box = { south = 39.73, west = -75.45, north = 40.15, east = -74.95 }
[families.itinbench]
tasks_per_city = 12
"""


def test_a_moved_attraction_changes_only_the_tasks_that_could_use_it(tripwright, shared_data, tmp_path):
    for name in ("restaurants", "hotels", "attractions"):
        shutil.copy(shared_data / "itinbench" / f"{name}.jsonl", tmp_path)
    recipe = tmp_path / "town.toml"
    recipe.write_text(PUBLISHED)
    _, before = tripwright("build", recipe)
    rows = [json.loads(line) for line in (tmp_path / "attractions.jsonl").read_text().splitlines()]
    moved = next(row for row in rows if row["price"] == "$$$" and row["shopping oriented"].startswith("high"))
    moved["latitude"] = round(moved["latitude"] + 0.001, 6)
    path = tmp_path / "attractions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    os.utime(path, (1_700_000_000, 1_700_000_000))
    _, after = tripwright("build", recipe)
    first, second = (
        {
            row["task_id"]: row
            for row in pq.read_table(Path(b["releases"][0]["path"]) / "certificates.parquet").to_pylist()
        }
        for b in (before, after)
    )
    records = pd.read_parquet(Path(after["releases"][0]["path"]) / "tasks.parquet").set_index("task_id")["record"]
    suits = {key.removesuffix(" oriented") for key in moved if str(moved[key]).startswith(("medium ", "high "))}
    could_use = {
        task_id for task_id, record in records.items() if record["orientation"] in suits and record["price"] != "cheap"
    }
    assert len(could_use) < len(records)
    changed = {task_id for task_id in first if first[task_id]["depends_on"] != second[task_id]["depends_on"]}
    assert changed
    assert changed <= could_use
    assert all(first[task_id] == second[task_id] for task_id in set(first) - changed)


def test_the_page_shows_every_task_with_its_plan_and_where_values_come_from(two_towns):
    home, _, built = two_towns
    data = told_by_the_page(home, built["releases"][0]["path"])
    assert len(data["overview"]["cities"]) == 2
    assert all(source["is_invented"] for source in data["overview"]["flow"]["sources"])
    rows = [ref for ref in data["provenance"][0]["refs"] if ref["kind"] == "row"]
    assert all(raw for ref in rows for _, _, raw in ref["sources"]), "invented rows may be shown"
    assert sum(step["rows_out"] for stage in data["overview"]["flow"]["stages"] for step in stage["steps"])


def test_a_damaged_pointer_to_the_newest_release_is_told_before_anything_is_built(copied, tmp_path):
    home, release = copied
    (release.parent / "latest").write_text("newest")
    recipe = tmp_path / "small.toml"
    recipe.write_text(recipe_text(tasks=TASKS + 1), encoding="utf-8")
    tables = set((home / "tables").rglob("*"))
    code, told = command("build", recipe, home=home)
    assert code == 1 and "latest: found 'newest', expected a version" in told["error"]
    assert set((home / "tables").rglob("*")) == tables


def test_a_page_is_written_again_where_it_is_missing(copied, two_towns, tmp_path):
    home, release = copied
    page = release / "record" / "report.html"
    body = page.read_bytes()
    page.unlink()
    code, built = command("build", two_towns.copied_recipe(tmp_path), home=home)
    assert (code, built["steps_run"]) == (0, 0)
    assert page.read_bytes() == body


def test_the_page_is_written_where_it_is_asked_for(copied, tmp_path):
    home, release = copied
    code, written = command("report", release, "--out", tmp_path / "new" / "page.html", home=home)
    assert (code, written["releases"]) == (0, [release.name])
    assert Path(written["path"]).read_bytes() == (release / "record" / "report.html").read_bytes()
    code, refused = command("report", release, release, home=home)
    assert code == 1
    assert "small/itinbench, small/itinbench" in refused["error"]


def test_a_release_of_another_tripwright_is_refused_by_the_column_that_it_lacks(copied):
    home, release = copied
    places = release / "itinbench_place.parquet"
    pq.write_table(pq.read_table(places).drop_columns(["lat"]), places)
    manifest = json.loads((release / "manifest.json").read_text())
    entry = next(file for file in manifest["files"] if file["path"] == places.name)
    entry["sha256"] = hashlib.sha256(places.read_bytes()).hexdigest()
    (release / "manifest.json").write_text(json.dumps(manifest))
    version = hashlib.sha256((release / "manifest.json").read_bytes()).hexdigest()[: len(release.name)]
    code, refused = command("report", release.rename(release.with_name(version)), home=home)
    assert code == 1
    assert "found no column lat in itinbench_place.parquet" in refused["error"]


def test_a_page_that_a_phone_opens_slowly_says_so():
    assert page_size(8_000_000) == "8.0 MB"
    assert page_size(8_100_000).startswith("8.1 MB, over 8 MB")


def test_a_family_that_is_refused_keeps_no_other_from_its_release(small_world, tmp_path, monkeypatch):
    """The first was the last that was tried; what had been released before it was told by nothing."""
    shutil.copytree(small_world.home, tmp_path / "home")
    for path in small_world.recipe.parent.glob(f"{small_world.recipe.stem}*"):
        shutil.copy(path, tmp_path)
    tried, said, real = [], [], walk_build.release_walked

    def refusing(home, walked, family, *given):
        tried.append(family.name)
        if family.name in refused:
            raise ReleaseError(f"{family.name}: a promise does not hold; nothing is released")
        return real(home, walked, family, *given)

    monkeypatch.setattr(walk_build, "release_walked", refusing)
    for refused, error in ((["itinbench"], ReleaseError), (["itinbench", "tripcraft"], SeveralRefusedError)):
        tried.clear()
        said.clear()
        with pytest.raises(error) as caught:
            build(Home(str(tmp_path / "home")), tmp_path / small_world.recipe.name, listener=Listener(say=said.append))
        assert sorted(tried) == ["grouptravel", "itinbench", "tripcraft"]
        assert all(f"{name}: a promise does not hold" in str(caught.value) for name in refused)
        released = {name: folder for name, folder in small_world.releases.items() if name not in refused}
        assert sorted(said) == sorted(
            f"released: {tmp_path / 'home' / folder.relative_to(small_world.home)}" for folder in released.values()
        )
