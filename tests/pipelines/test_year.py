"""A year of a recipe: what changes and is undone, a lock that is lost; no id ever names another task."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from assets.itinbench.solver import matching
from assets.release.reading import open_release
from sources.invented import generate, world_cities
from tests.recipes import city_table, command, lines_of

TASKS = 5


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """Return a folder with a recipe, its files and a home in which it was built once."""
    folder = tmp_path_factory.mktemp("year")
    generate(folder, providers=["yelp"], cities=1, scale=0.3, seed=5, dirt=False)
    (city,) = world_cities(1, 5)
    files = 'business = "yelp/business.json"\nreview = "yelp/review.json"\n'
    text = f'name = "year"\nseed = 3\n[sources.yelp]\n{files}{city_table(city)}'
    (folder / "year.toml").write_text(f"{text}[families.itinbench]\ntasks_per_city = {TASKS}\n", encoding="utf-8")
    code, answer = command("refresh", folder / "year.toml", home=folder / "home")
    assert (code, answer["blocked"]) == (0, [])
    return folder


@pytest.fixture
def year(built, tmp_path):
    """Return a copy of that folder, and a function that refreshes there and returns the release's version."""
    shutil.copytree(built, tmp_path / "year")

    def refresh(verb: str = "refresh") -> str:
        code, answer = command(verb, tmp_path / "year" / "year.toml", home=tmp_path / "year" / "home")
        assert (code, answer["blocked"]) == (0, [])
        return answer["releases"][0]["version"]

    return tmp_path / "year", refresh


def release_of(folder: Path, version: str):
    return open_release(folder / "home" / "releases" / "year" / "itinbench" / version)


def close(folder: Path, place_ids: list[str]) -> None:
    """Close these businesses for good."""
    path = folder / "yelp" / "business.json"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    lines_of(path, [{**row, "is_open": int(f"yelp:{row['business_id']}" not in place_ids)} for row in rows])


def stays_for(folder: Path, version: str, number: int) -> tuple[str, list[str]]:
    """Return a task's id and the places that it could stay at."""
    release = release_of(folder, version)
    task = release.table("tasks").iloc[number]
    return task["task_id"], list(matching(release.table("itinbench_place"), task["record"])["stay"]["place_id"])


def test_an_id_that_was_retired_names_no_task_after_the_lock_is_lost(year):
    folder, refresh = year
    first = refresh()
    retired_id, stays = stays_for(folder, first, 2)
    close(folder, stays)
    second = refresh()
    retired = {entry["task_id"] for entry in release_of(folder, second).manifest.retired}
    assert retired_id in retired
    close(folder, [])
    (folder / "year.lock.json").unlink()
    third = refresh("build")
    assert not retired & set(release_of(folder, third).table("tasks")["task_id"])
    assert {entry["task_id"] for entry in release_of(folder, third).manifest.retired} == retired


def test_after_a_change_is_undone_the_next_release_is_compared_with_what_stood_then(year):
    folder, refresh = year
    first = refresh()
    shutil.copy2(folder / "yelp" / "business.json", folder / "before")
    close(folder, [stays_for(folder, first, 0)[1][0]])
    assert refresh() != first
    shutil.copy2(folder / "before", folder / "yelp" / "business.json")
    assert refresh() == first
    assert (folder / "home" / "releases" / "year" / "itinbench" / "latest").read_text() == first
    close(folder, [stays_for(folder, first, 0)[1][1]])
    third = refresh()
    page = (release_of(folder, third).folder / "record" / "CHANGES.md").read_text()
    assert f"Tasks from `{first}` to " in page
