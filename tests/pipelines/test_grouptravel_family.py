"""GroupTravelBench by the commands: built from invented towns, audited, scored, exported, and the same again."""

from __future__ import annotations

import json

import pytest

from assets.grouptravel.page import SAID
from assets.grouptravel.wishes.preferences import FIELDS
from sources.invented.cities import Box, CitySpec, world_cities
from tests.pipelines.pages import told_by_the_page
from tests.pipelines.test_build import contents
from tests.recipes import city_table, command

NAMES = ("Homely", "Nearby", "Yonder")


def recipe_text(places: str) -> str:
    """Return a recipe of three near towns, whose groups use their own places (of Yelp) or the lists of places."""
    providers = '["yelp", "group"]' if places == "own" else '["group"]'
    text = f'name = "groups"\nseed = 3\n\n[invented]\nproviders = {providers}\nscale = 0.3\nseed = 5\n'
    towns = [
        CitySpec(
            name, "in", "us", south + 0.05, -86.35, Box(south, -86.4, south + 0.1, -86.3), "America/New_York", "USD"
        )
        for name, south in zip(NAMES, (40.0, 40.3, 40.6), strict=True)
    ]
    for city in world_cities(towns, 5):
        text += city_table(city)
    return text + (
        f'\n[families.grouptravel]\nplaces = "{places}"\ncurrency = "USD"\ncities = {{ 1 = 1, 2 = 1 }}\n'
        "holiday_factor = 1.5\nseason = { 12 = 1.2 }\n"
        "tasks = { easy = 3, medium = 2, hard = 1 }\n"
    )


@pytest.fixture(scope="module", params=["own", "lists"])
def groups(request, tmp_path_factory):
    """Return the folder of a home in which the recipe was built, the recipe, and what the build answered."""
    folder = tmp_path_factory.mktemp(f"groups-{request.param}")
    recipe = folder / "groups.toml"
    recipe.write_text(recipe_text(request.param), encoding="utf-8")
    code, built = command("build", recipe, home=folder / "home")
    assert (code, built["blocked"]) == (0, [])
    return folder, recipe, built


def test_a_release_is_certified_and_audited(groups):
    folder, recipe, built = groups
    (release,) = built["releases"]
    assert (release["tasks"], release["certified"]) == (6, 6)
    again = command("build", recipe, home=folder / "home")[1]
    assert again == {**built, "steps_run": 0, "steps_skipped": built["steps_run"]}
    if "own" in folder.name:  # a second home is built for one of the two
        second = command("build", recipe, home=folder / "second")[1]
        assert contents(second["releases"][0]["path"]) == contents(release["path"])
    code, audited = command("audit", "--release", release["version"], home=folder / "home")
    assert (code, audited["problems"], audited["tasks"]) == (0, [], 6)
    assert audited["values"] > 1000


def test_witnesses_are_valid_and_reach_the_certified_utility(groups):
    folder, _, built = groups
    code, scores = command("score", built["releases"][0]["path"], "witness", home=folder / "home")
    assert (code, scores["aggregate"]["pv"]) == (0, 100)
    # No stop is mapped in these towns: where a taxi breaks a budget the plan lies below the bound, which has no rides.
    assert all(90 <= trial["gu_share"] <= 100 for trial in scores["trials"])
    assert max(trial["gu_share"] for trial in scores["trials"]) == 100
    assert [trial["issues"] for trial in scores["trials"]] == [[]] * 6


def test_the_published_files_hold_the_tasks_and_the_places_they_name(groups, tmp_path):
    folder, _, built = groups
    release = built["releases"][0]["path"]
    code, _ = command("export", release, tmp_path / "out", "--format", "grouptravel", home=folder / "home")
    assert code == 0
    tasks = [json.loads(line) for line in (tmp_path / "out" / "datas" / "test.jsonl").open()]
    lists = json.loads((tmp_path / "out" / "poi2category" / "all_poi_by_city.json").read_text())
    assert sorted(task["difficulty_type"] for task in tasks) == ["easy"] * 3 + ["hard"] + ["medium"] * 2
    for task in tasks:
        for entry in task["user_preferences"].values():
            for city, wanted in entry["preference"]["city_specific_preferences"].items():
                names = {poi["name"] for poi in lists[city] if poi["poi_type"] == "attractions"}
                assert {*wanted["attractions"]["must_visit"], *wanted["attractions"]["reject_visit"]} <= names


def test_a_spoilt_witness_does_not_pass(groups, tmp_path):
    folder, _, built = groups
    release = built["releases"][0]["path"]
    scores = command("score", release, "witness", home=folder / "home")[1]
    best = scores["trials"][0]
    plans = tmp_path / "plans.jsonl"
    plans.write_text(json.dumps({"task_id": best["task_id"], "plan": {"days": []}}) + "\n")
    spoilt = command("score", release, plans, home=folder / "home")[1]
    assert (spoilt["aggregate"]["pv"], spoilt["aggregate"]["gu"]) == (0, 0)


def test_the_page_shows_every_group_and_what_each_member_says(groups):
    folder, _, built = groups
    data = told_by_the_page(folder / "home", built["releases"][0]["path"])
    details = data["tasks"][0].values()
    assert all(detail["messages"] for detail in details)
    [levels] = [d["bars"] for d in data["overview"]["distributions"] if d["title"] == "Difficulty"]
    assert [(level, round(here, 3)) for level, here, _ in levels] == [("easy", 0.5), ("medium", 0.333), ("hard", 0.167)]


def test_every_field_of_a_preference_table_has_its_words():
    assert set(SAID) == {field.path for field in FIELDS}
