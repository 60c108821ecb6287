"""TripCraft from raw files to a release by the commands: certified, followed to its sources, scored and exported."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assets.promises.certified import Job, judge
from sources.invented.cities import world_cities
from tests.pipelines.pages import told_by_the_page
from tests.recipes import city_table, command
from tests.sources.test_embedding import make_model

TASKS = 10


def recipe_text(tasks: int) -> str:
    """Return a recipe of so many trips of three days between three invented cities."""
    providers = ["gtfs", "airbnb", "tripadvisor", "events", "travelplanner", "openflights", "numbeo"]
    text = f'name = "trips"\nseed = 3\n\n[invented]\nproviders = {json.dumps(providers)}\nseed = 5\n'
    text += "".join(city_table(city) for city in world_cities(3, 5))
    return f"{text}\n[families.tripcraft]\ntasks = {{ 3 = {tasks} }}\n"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return a home and its release's folder: three invented cities, ten trips of three days."""
    folder = tmp_path_factory.mktemp("trips")
    recipe = folder / "trips.toml"
    recipe.write_text(recipe_text(TASKS), encoding="utf-8")
    code, answer = command("build", recipe, home=folder / "home")
    assert (code, answer["blocked"]) == (0, [])
    return folder / "home", Path(answer["releases"][0]["path"])


def test_every_trip_is_certified_and_its_mix_is_the_published_one(built):
    _, release = built
    manifest = json.loads((release / "manifest.json").read_text())
    assert (manifest["counts"]["tasks"], manifest["counts"]["certified"]) == (TASKS, TASKS)
    levels = {row["level"]: row["tasks"] for row in manifest["measures"]["tasks_by_length_and_level"]}
    assert levels == {"easy": 3, "medium": 3, "hard": 4}


def test_every_value_is_followed_to_its_source(built):
    home, release = built
    code, report = command("audit", "--release", release, home=home)
    assert (code, report["problems"]) == (0, [])
    assert report["tasks"] == TASKS
    assert report["source_rows"] > 0


def test_each_trip_is_followed_to_the_raw_lines_of_its_flights_stays_and_stops(built):
    home, release = built
    certificates = pd.read_parquet(release / "certificates.parquet")
    for task_id, used in zip(certificates["task_id"], certificates["proof"], strict=True):
        code, tree = command("audit", task_id, home=home)
        assert code == 0
        stays = {f"{stay['city_id']}/{stay['place_id']}" for stay in used["stays"]}
        flights = {move["flight_number"] for move in used["moves"] if move["mode"] == "flight"}
        wanted = {f"tripcraft_flight/{number}" for number in flights}
        wanted |= {f"{table}/{stay}" for stay in stays for table in ("tripcraft_stay", "tripcraft_nearest_stop")}
        assert wanted <= set(tree["rows"])
        for ref in wanted:
            assert tree["rows"][ref]["source_rows"], ref
            assert not [source for source in tree["rows"][ref]["source_rows"] if "problem" in source], ref
    named = {used["moves"][0]["mode"] for used in certificates["proof"]}
    assert "flight" in named


def test_witnesses_pass_every_check_and_a_missing_plan_is_undelivered(built, tmp_path):
    home, release = built
    _, witnesses = command("score", release, "witness", home=home)
    perfect = ("delivery_rate", "commonsense_micro", "commonsense_macro", "hard_micro", "hard_macro", "final_pass_rate")
    assert {witnesses["aggregate"][rate] for rate in perfect} == {1.0}
    first, *_ = pq.read_table(release / "certificates.parquet").to_pylist()
    plans = tmp_path / "plans.jsonl"
    plans.write_text(json.dumps({"task_id": first["task_id"], "plan": first["plan"]}) + "\n")
    _, one = command("score", release, plans, home=home)
    assert one["aggregate"]["delivery_rate"] == one["aggregate"]["final_pass_rate"] == 1 / TASKS


def test_the_persona_score_is_that_of_a_model_named_and_null_without_one(built, tmp_path):
    home, release = built
    _, plain = command("score", release, "witness", home=home)
    assert plain["aggregate"]["persona"] is None
    model = make_model(tmp_path / "model")
    _, scored = command("score", release, "witness", "--embedding", model, home=home)
    assert 0 < scored["aggregate"]["persona"] <= 1
    code, error = command("score", release, "witness", "--embedding", tmp_path / "none", home=home)
    assert code == 1 and "nothing is downloaded unasked" in error["error"]


def test_a_spoilt_witness_is_not_accepted(built, tmp_path):
    copy = tmp_path / "release"
    shutil.copytree(built[1], copy)
    table = pq.read_table(copy / "certificates.parquet")
    rows = table.to_pylist()
    rows[0]["plan"][1]["lunch"] = rows[0]["plan"][1]["dinner"]
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), copy / "certificates.parquet")
    found = judge(Job(copy, tuple(row["task_id"] for row in rows), frozenset()), {})
    refused = [problem for problem in found.problems if "the witness is not accepted" in problem]
    assert any(problem.startswith(rows[0]["task_id"]) and "diverse_restaurants" in problem for problem in refused)
    assert {problem.split(": ")[0] for problem in refused} == {rows[0]["task_id"]}
    assert found.accepted == TASKS - 1


def test_the_published_files_are_written(built, tmp_path):
    home, release = built
    command("export", release, tmp_path / "out", "--format", "tripcraft", home=home)
    lines = (tmp_path / "out" / "annotation_3day.jsonl").read_text().splitlines()
    assert [json.loads(line)["idx"] for line in lines] == list(range(1, TASKS + 1))


def test_the_page_shows_every_trip_by_the_clock(built):
    home, release = built
    data = told_by_the_page(home, release)
    days = [day for detail in data["tasks"][0].values() for day in detail["days"]]
    placed = [stop for day in days for stop in day["stops"] if stop[4] is not None]
    assert placed and all(re.fullmatch(r"\d\d:\d\d–\d\d:\d\d", stop[2]) for stop in placed)
    assert sum("→" in day["note"] for day in days) >= 2 * TASKS
    assert {row["title"] for row in data["overview"]["distributions"]} >= {
        "Length and level",
        "Asked for in hard tasks",
    }
    stops = pd.read_parquet(f"{release}/tripcraft_nearest_stop.parquet")[["stop_name", "stop_lat", "stop_lon"]]
    drawn = [tuple(stop[:3]) for kinds in data["maps"]["places"][0].values() for stop in kinds["transit"]]
    assert set(drawn) == {(name, round(lat, 5), round(lon, 5)) for name, lat, lon in stops.itertuples(index=False)}
