"""`tripwright new` with a guide's district pages: ItinBench on what the guide says, or refused before a build."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assets.family import families
from assets.release.reading import open_release
from pipelines.cli import app
from pipelines.walk.recipes import load_recipe
from tests.pipelines.guide_town import TOWN, dump, listings, town_map
from tests.recipes import city_table


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return what `new` said of the town with its guide, the release of ItinBench, and the listings as written."""
    folder = tmp_path_factory.mktemp("guide")
    rows = listings()
    (folder / "map.osm").write_text(town_map([row for row in rows if row["kind"] != "sleep"]))
    (folder / "pages.xml").write_text(dump(rows))
    words = ["--map", folder / "map.osm", "--with", folder / "pages.xml", "--tasks", 2, "--out", folder / "b.toml"]
    answer = run("new", TOWN, *words, "--home", folder / "home", "--json")
    assert answer.exit_code == 0, answer.output
    told = json.loads(answer.stdout)
    (release,) = told["releases"]
    return told, release, folder, {row["name"]: row for row in rows}


def test_the_guide_s_places_are_asked_for_and_certified(made):
    told, release, _, _ = made
    assert (release["family"], release["tasks"]) == ("itinbench", 6)
    assert release["certified"] == 6 and told["blocked"] == []
    reasons = {row["family"]: row["would_add"] for row in told["made_of"] if not row["tasks"]}
    assert "has 0 of at least 1 stays" in reasons["grouptravel"]  # the map has none; the guide's are the guide's


def test_it_says_what_is_real_and_what_is_modelled(made):
    row = next(row for row in made[0]["made_of"] if row["family"] == "itinbench")
    assert row["real"] == "Wikivoyage"  # the map only says where the town ends
    assert "ratings" in row["modelled"] and "price levels" in row["modelled"]


def test_every_value_is_read_again_from_the_pages(made):
    _, release, folder, _ = made
    answer = run("audit", "--release", release["path"], "--home", folder / "home", "--json")
    assert answer.exit_code == 0, answer.output


def test_every_place_of_a_plan_is_a_listing_with_what_was_asked_of_it(made):
    _, release, _, written = made
    tasks = rows_of(release, "tasks")
    kitchens = {"US": "American", "Italian": "Italian", "Thai": "Thai", "Mexican": "Mexican"}
    for task, certificate in zip(tasks, rows_of(release, "certificates"), strict=True):
        record = task["record"]
        days = certificate["plan"]["itinerary"]
        for day in days:
            for meal in ("breakfast", "lunch", "dinner"):
                row = written[day[meal]["name"]]
                assert row["address"] == day[meal]["address"]
                assert kitchens[record["cuisine"]] in row["content"]
                assert (record["price"], row["heading"]) not in {("cheap", "Splurge"), ("moderate", "Splurge"),
                                                                  ("expensive", "Budget")}  # fmt: skip
            for sight in [*day["morning_attractions"], *day["afternoon_attractions"], *day["night_attractions"]]:
                words = {"history": "colonial|graveyard|civil war", "nature": "garden"}[record["orientation"]]
                assert re.search(words, written[sight["name"]]["content"], re.IGNORECASE)
        if "safety" in record["hotel"]:
            assert "safe" in written[days[0]["accommodation"]["name"]]["content"]


def test_what_the_guide_does_not_say_is_unknown_and_asked_of_none(made):
    _, release, _, written = made
    places = rows_of(release, "itinbench_place")
    assert len(places) == len(written)
    family = [place["family"] for place in places if place["kind"] == "attraction"]
    assert family == [None] * 24  # no text speaks of children
    silent = {place["name"]: place["freshness"] for place in places if place["kind"] == "restaurant"}
    assert {name for name, rating in silent.items() if rating is not None} == {
        name for name, row in written.items() if "fresh" in row["content"] and row["kind"] == "eat"
    }
    asked = [task["record"] for task in rows_of(release, "tasks")]
    assert {record["orientation"] for record in asked} <= {"history", "nature"}


def test_the_card_says_how_much_evidence_there_is_of_each_attribute(made):
    _, release, _, written = made
    measures = open_release(Path(release["path"])).manifest.measures
    evidence = {(row["kind"], row["attribute"]): row for row in measures["evidence"]}
    assert evidence["attraction", "family"] == {
        "city": "us-boston", "kind": "attraction", "attribute": "family", "places": 24, "rated": 0, "meet_it": 0
    }  # fmt: skip
    assert evidence["restaurant", "flavor"]["rated"] == sum(row["kind"] == "eat" for row in written.values())


def test_rows_of_the_guide_and_of_the_map_stand_in_no_table_together(made):
    _, release, _, _ = made
    pointers = [p.partition("@")[0] for row in rows_of(release, "itinbench_place") for p in row["source_rows"]]
    assert set(pointers) == {"wikivoyage.pages"}


def test_people_set_out_from_no_other_town(made):
    _, _, folder, _ = made
    assert [city.name for city in load_recipe(folder / "b.toml", families()).recipe.cities] == [TOWN]


def test_a_town_that_people_only_set_out_from_changes_no_release_of_one_city_a_task(made):
    """Groups set out from towns of which nothing is read: ItinBench neither asks for one nor is blocked by it."""
    _, release, folder, _ = made
    text = (folder / "b.toml").read_text()
    town = {"city_id": "us-far", "name": "Far", "country": "US", "currency": "USD",
            "box": {"south": 41.0, "west": -72.0, "north": 41.1, "east": -71.9}}  # fmt: skip
    (folder / "far.toml").write_text(
        text.replace("[families.", city_table({**town, "is_visited": False}) + "\n[families.")
    )
    answer = run("build", folder / "far.toml", "--home", folder / "home", "--json")
    assert answer.exit_code == 0, answer.output
    told = json.loads(answer.stdout)
    assert told["blocked"] == []
    assert [(one["family"], one["version"]) for one in told["releases"]] == [("itinbench", release["version"])]


def test_a_visited_town_without_places_is_blocked_by_name(made):
    _, _, folder, _ = made
    text = (folder / "far.toml").read_text().replace("is_visited = false\n", "")
    (folder / "near.toml").write_text(text)
    answer = run("build", folder / "near.toml", "--home", folder / "home", "--json")
    assert answer.exit_code == 1
    assert [one["city_id"] for one in json.loads(answer.stdout)["blocked"]] == ["us-far"]


@pytest.mark.parametrize(
    ("counts", "lacking"),
    [
        ({"eat": 5}, "5 of at least 6 rated restaurants"),
        ({"see": 9}, "no request is met by six restaurants of one cuisine"),
    ],
)
def test_a_guide_that_says_too_little_is_told_before_anything_is_built(tmp_path, counts, lacking):
    (tmp_path / "map.osm").write_text(town_map(listings()))
    (tmp_path / "pages.xml").write_text(dump(listings(**counts)))
    words = ["--map", tmp_path / "map.osm", "--with", tmp_path / "pages.xml", "--out", tmp_path / "b.toml", "--json"]
    answer = run("init", TOWN, *words)
    assert answer.exit_code == 0, answer.output
    (told,) = [row for row in json.loads(answer.stdout)["families"] if row["family"] == "itinbench"]
    assert told["tasks_a_level"] == 0
    assert lacking in " ".join(told["lacks"])
    assert "itinbench" not in load_recipe(tmp_path / "b.toml", families()).families


def rows_of(release, name):
    return open_release(Path(release["path"])).rows(name).to_pylist()
