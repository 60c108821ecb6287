"""Files on disk that a build finds changed: told, or refused where nobody watches; ids that are retired stay so."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from assets.families import families
from assets.itinbench.solver import matching
from assets.release.reading import open_release
from pipelines.walk.fingerprint import Code
from pipelines.walk.inputs import resolve
from pipelines.walk.recipes import load_recipe
from schemas.source import SourceError
from sources.invented import generate, world_cities
from tests.recipes import city_table, command
from warehouse.home import Home

ROLES = ("business", "review")


@pytest.fixture(scope="module")
def first(tmp_path_factory) -> Path:
    """Return a folder with an invented world's Yelp files and a recipe of them, built once."""
    folder = tmp_path_factory.mktemp("first")
    generate(folder / "world", providers=["yelp"], cities=1, scale=0.3, seed=5, dirt=False)
    files = "".join(f'{role} = "world/yelp/{role}.json"\n' for role in ROLES)
    text = f'name = "town"\nseed = 3\n[sources.yelp]\n{files}'
    text += "".join(city_table(city) for city in world_cities(1, 5)) + "[families.itinbench]\ntasks_per_city = 5\n"
    (folder / "town.toml").write_text(text)
    code, answer = command("build", folder / "town.toml", home=folder / "home")
    assert (code, answer["blocked"], len(answer["releases"])) == (0, [], 1)
    return folder


@pytest.fixture
def town(tmp_path, first):
    """Return a copy of the folder, and a function that builds its recipe: (exit code, answer)."""
    shutil.copytree(first, tmp_path, dirs_exist_ok=True)
    return tmp_path, lambda *words: command("build", tmp_path / "town.toml", *words, home=tmp_path / "home")


def cut(path: Path, share: float) -> None:
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[: int(len(lines) * share)]))


def cut_inside(path: Path, share: float) -> None:
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])


def lock_of(folder: Path) -> dict:
    return json.loads((folder / "town.lock.json").read_text())


def released(answer: dict) -> Path:
    return Path(answer["releases"][0]["path"])


def close_the_stays_of_a_task(folder: Path, release: Path) -> str:
    """Close every stay that a released task may have, and return the task's id."""
    before = open_release(release)
    lost = before.table("tasks").iloc[2]
    stays = matching(before.table("itinbench_place"), lost["record"])["stay"]["place_id"]
    path = folder / "world" / "yelp" / "business.json"
    ids = [f'"{place_id.removeprefix("yelp:")}"' for place_id in stays]
    rows = path.read_text().splitlines()
    closed = [row.replace('"is_open":1', '"is_open":0') if any(i in row for i in ids) else row for row in rows]
    path.write_text("\n".join(closed) + "\n")
    return lost["task_id"]


@pytest.mark.parametrize(("spoil", "share", "says"), [(cut, 0.4, "it shrank from"), (cut_inside, 0.9, "cut off")])
def test_a_build_tells_of_a_file_that_is_worse_than_the_last_and_takes_it(town, spoil, share, says):
    folder, build = town
    before = lock_of(folder)
    spoil(folder / "world" / "yelp" / "review.json", share)
    _, answer = build()
    (notice,) = answer["notices"]
    assert says in notice and "world/yelp/review.json" in notice and "It is taken as it lies" in notice
    assert "notices" not in build()[1]
    assert lock_of(folder) != before


def test_a_build_that_nobody_watches_refuses_it(town):
    folder, _ = town
    cut(folder / "world" / "yelp" / "review.json", 0.4)
    with pytest.raises(SourceError, match="it shrank from"):
        resolve(Home(str(folder / "home")), load_recipe(folder / "town.toml", families()), Code())


def test_a_build_that_is_locked_asks_only_whether_a_file_is_the_locked_one(town):
    folder, build = town
    cut(folder / "world" / "yelp" / "review.json", 0.4)
    code, answer = build("--locked")
    assert (code, "differ" in answer["error"], "Accept it" in answer["error"]) == (1, True, False)


def test_an_id_of_a_task_that_was_retired_names_no_other_though_an_old_lock_is_put_back(town):
    folder, build = town
    old_lock = (folder / "town.lock.json").read_bytes()
    first_release = released(build()[1])
    businesses = (folder / "world" / "yelp" / "business.json").read_bytes()
    lost = close_the_stays_of_a_task(folder, first_release)
    code, answer = command("refresh", folder / "town.toml", home=folder / "home")
    retired = {task["task_id"]: task["reason"] for task in lock_of(folder)["retired"]}
    assert (code, answer["blocked"], bool(retired[lost])) == (0, [], True)
    without = open_release(released(answer))
    assert {task["task_id"] for task in without.manifest.retired} == set(retired)
    assert not set(without.table("tasks")["task_id"]) & set(retired)
    assert build()[1]["releases"][0]["version"] == without.version

    (folder / "town.lock.json").write_bytes(old_lock)
    assert build("--plan")[0] == 0
    assert build()[1]["releases"][0]["version"] == without.version

    (folder / "town.lock.json").write_bytes(old_lock)
    (folder / "world" / "yelp" / "business.json").write_bytes(businesses)
    code, answer = build("--locked")
    assert (code, released(answer)) == (0, first_release)  # whoever asks for an old release's lock gets that release
    code, answer = build()
    assert (code, {task["task_id"] for task in lock_of(folder)["retired"]}) == (0, set(retired))
    assert not set(open_release(released(answer)).table("tasks")["task_id"]) & set(retired)
