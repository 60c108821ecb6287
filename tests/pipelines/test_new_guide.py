"""`tripwright new` with a guide's district pages: ItinBench on what the guide says, or refused before a build."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from assets.families import families
from assets.itinbench.page import page
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from pipelines.cli import app
from pipelines.commands.new import show_made_of
from pipelines.walk.recipes import load_recipe
from tests.pipelines.guide_town import TOWN, dump, listings, map_tags, town_map
from tests.pipelines.test_audit import edit_table
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
    assert "has no stays" in reasons["grouptravel"]  # the map has none; the guide's are the guide's


def test_it_says_what_is_real_and_what_is_modelled(made):
    row = next(row for row in made[0]["made_of"] if row["family"] == "itinbench")
    assert row["real"] == "OpenStreetMap, Wikivoyage"
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
                words = {"history": "colonial|graveyard|civil war", "nature": "garden|reserve|beach"}
                told = f"{written[sight['name']]['content']} {map_tags(sight['name'])}"
                assert re.search(words[record["orientation"]], told, re.IGNORECASE)
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
        "city": "us-boston", "kind": "attraction", "attribute": "family", "places": 24, "by_prose": 0, "by_tags": 0,
        "unknown": 24, "meet_it": 0,
    }  # fmt: skip
    nature, history = (evidence["attraction", name] for name in ("nature", "history"))
    assert (nature["by_prose"], nature["by_tags"], nature["unknown"], nature["meet_it"]) == (4, 8, 12, 12)
    assert (history["by_prose"], history["by_tags"]) == (12, 0)  # of houses the prose says so too, and counts
    assert evidence["restaurant", "flavor"]["by_tags"] == 0
    assert evidence["restaurant", "flavor"]["by_prose"] == sum(row["kind"] == "eat" for row in written.values())


def test_the_command_ends_by_saying_it_too(made, capsys):
    rows = made[0]["made_of"]
    show_made_of(rows)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["attraction", "nature", "24", "4", "8", "12", "12"] in lines
    assert ["attraction", "family", "24", "0", "0", "24", "0"] in lines
    assert sum(line[:1] == ["kind"] for line in lines) == 1  # of the one family that asks for it


def test_rows_of_the_guide_and_of_the_map_stand_in_no_table_together(made):
    _, release, _, _ = made
    for table, source, licence in (
        ("itinbench_place", "wikivoyage.pages", "CC-BY-SA-4.0"),
        ("tag_rating", "osm.extract", "ODbL-1.0"),
    ):
        rows = rows_of(release, table)
        assert {p.partition("@")[0] for row in rows for p in row["source_rows"]} == {source}
        under = open_release(Path(release["path"])).manifest.columns_under
        assert {(e.licence_id, e.rows) for e in under if e.table == table} == {(licence, len(rows))}


def test_without_the_map_s_tags_no_whole_day_of_nature_could_be_asked(made):
    """Prose speaks of four gardens; a day has four sights, a trip two days: what is asked of nature rests on tags."""
    _, release, _, written = made
    prose = {row["name"] for row in rows_of(release, "itinbench_place") if (row["nature"] or 0) >= 2}
    assert len(prose) == 4 and all("Garden" in name for name in prose)
    said = {row["name"]: (row["rating"], row["tag"]) for row in rows_of(release, "tag_rating")
            if row["attribute"] == "nature"}  # fmt: skip
    assert {(name in said, *said.get(name, ())) for name in written if "Marshes" in name} == {
        (True, 3, "leisure=nature_reserve")
    }
    pairs = zip(rows_of(release, "tasks"), rows_of(release, "certificates"), strict=True)
    plans = [certificate["plan"] for task, certificate in pairs if task["record"]["orientation"] == "nature"]
    assert plans
    for plan in plans:
        visits = [day[key] for day in plan["itinerary"] for key in day if key.endswith("attractions")]
        seen = {place["name"] for visit in visits for place in visit}
        assert len(seen & prose) < 8 <= len(seen) and seen <= prose | set(said)


@pytest.mark.parametrize(
    ("change", "told_of"),
    [({"rating": 1}, "rating is 1; its records say 3"), ({"tag": "a=b"}, "tag is 'a=b'; its records say 'leisure=")],
)
def test_a_rating_that_its_tag_does_not_bear_out_is_found(made, tmp_path, change, told_of):
    _, release, folder, _ = made
    copy = Path(shutil.copytree(release["path"], tmp_path / "copy"))

    def changed(rows):
        return [{**row, **change} if row["tag"] == "leisure=nature_reserve" else row for row in rows]

    edited = edit_table(copy, "tag_rating", changed)
    answer = run("audit", "--release", edited, "--home", folder / "home", "--json")
    assert answer.exit_code == 1
    assert any("tag_rating" in one and told_of in one for one in json.loads(answer.stdout)["problems"])


def test_the_page_tells_what_tags_say_apart_from_what_the_guide_says(made):
    _, release, _, _ = made
    tables = release_tables(open_release(Path(release["path"])))
    places = {place.name: place for place in page(tables, {}).places}
    marshes = next(place for name, place in places.items() if "Marshes" in name)
    assert dict(marshes.facts)["By the map's tags"] == "nature 3 (leisure=nature_reserve) (of 3)"
    assert "Attributes" not in dict(marshes.facts)
    assert [p.partition("@")[0] for p in marshes.source_rows] == ["wikivoyage.pages", "osm.extract"]
    garden = next(place for name, place in places.items() if "Garden" in name)
    assert "nature" in dict(garden.facts)["Attributes"] and "By the map's tags" not in dict(garden.facts)


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
