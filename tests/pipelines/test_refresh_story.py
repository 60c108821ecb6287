"""A refresh from end to end: one stop of a town moves, and the difference tells that and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from sources.invented import city_of, generate, world_cities
from tests.feeds import move_a_stop
from tests.recipes import city_table, command
from tests.served import serving

INVENTED = ["airbnb", "tripadvisor", "events", "travelplanner", "openflights", "numbeo"]


def recipe_text(feeds: dict[str, list[str]]) -> str:
    text = f'name = "trips"\nseed = 3\n\n[invented]\nproviders = {json.dumps(INVENTED)}\nseed = 5\n'
    for city in world_cities(3, 5):
        text += city_table(city)
        text += f"[cities.sources.gtfs]\nurl = {{ feed = {json.dumps(feeds[city['city_id']])} }}\n"
    return f"{text}\n[families.tripcraft]\ntasks = {{ 3 = 6 }}\n"


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    """Return what was moved, and the releases before and after with the answer of the refresh between them."""
    folder = tmp_path_factory.mktemp("story")
    files = generate(folder / "www", providers=["gtfs"], cities=3, seed=5)
    paths = files["gtfs"]["feed"]
    with serving(folder / "www") as served:
        urls = {
            city["city_id"]: [
                served.url(p.relative_to(folder / "www").as_posix()) for p in paths if city_of(p) == city["city_id"]
            ]
            for city in world_cities(3, 5)
        }
        recipe, home = folder / "trips.toml", folder / "home"
        recipe.write_text(recipe_text(urls), encoding="utf-8")
        code, first = command("refresh", recipe, home=home)
        assert (code, first["blocked"]) == (0, [])
        old = Path(first["releases"][0]["path"])
        stop, url = used_stop(old, home)
        stop_id = move_a_stop(folder / "www" / url, stop, north_degrees=0.0004)
        code, answer = command("refresh", recipe, home=home)
        assert code == 0
        return stop, stop_id, url, old, Path(answer["releases"][0]["path"]), answer, home


def used_stop(release: Path, home: Path) -> tuple[str, str]:
    """Return the name of a stop that the first trip's plan names, and the path of its feed below the server."""
    lineage = pd.read_parquet(release / "lineage.parquet")
    named = (cell for cells in lineage["cells"] for cell in cells)
    row = next(cell["row"] for cell in named if cell["table"] == "tripcraft_nearest_stop")
    city_id, place_id = row.split("/", 1)
    stops = pd.read_parquet(release / "tripcraft_nearest_stop.parquet").set_index(["city_id", "place_id"])
    stop = stops.loc[(city_id, place_id)]
    sha256 = stop["source_rows"][0].partition("@")[2].partition("#")[0]
    inputs = json.loads((release / "manifest.json").read_text())["inputs"]
    url = next(s["url"] for s in inputs if s["sha256"] == sha256)
    return stop["stop_name"], "/".join(url.split("/")[3:])


def by_task(release: Path, table: str) -> dict[str, str]:
    return {row["task_id"]: repr(row) for row in pd.read_parquet(release / f"{table}.parquet").to_dict("records")}


def test_only_the_moved_stop_s_feed_changed(story):
    _, _, url, _, _, answer, _ = story
    changed = [news["location"] for news in answer["sources"] if news["status"] == "changed"]
    assert [location.endswith(url) for location in changed] == [True]


def test_the_difference_names_the_stop_and_where_it_stands(story):
    stop, _, _, _, new, answer, _ = story
    (changes,) = answer["changes"]
    assert set(changes["tables"]) == {"tripcraft_nearest_stop"}
    rows = changes["tables"]["tripcraft_nearest_stop"]
    assert any(row["label"] == stop for row in rows)
    assert all(stop in (row["label"], *(f["old"] for f in row["fields"])) for row in rows)
    assert all("stops.txt:" in pointer for row in rows for pointer in row["new_sources"])
    assert stop in (new / "record" / "CHANGES.md").read_text()


def test_exactly_the_tasks_that_differ_are_named_each_with_the_stop_as_its_reason(story):
    stop, _, _, old, new, answer, _ = story
    differing = set()
    for table in ("tasks", "certificates"):
        before, after = by_task(old, table), by_task(new, table)
        assert set(before) == set(after)
        differing |= {task_id for task_id in before if before[task_id] != after[task_id]}
    tasks = answer["changes"][0]["tasks"]
    assert {task["task_id"] for task in tasks["changed"]} == differing
    assert differing
    assert (tasks["added"], tasks["removed"], answer["changes"][0]["unexplained"]) == ([], [], [])
    assert answer["changes"][0]["tasks_kept"] == 6 - len(differing)
    assert answer["changes"][0]["tasks_kept"] > 0
    for task in tasks["changed"]:
        assert all("tripcraft_nearest_stop/" in cause["what"] for cause in task["causes"])
        assert any(stop in cause["what"] for cause in task["causes"])


def test_the_audit_of_the_new_release_finds_the_stop_where_it_is_now(story):
    *_, new, _, home = story
    code, report = command("audit", "--release", new, home=home)
    assert (code, report["problems"]) == (0, [])
