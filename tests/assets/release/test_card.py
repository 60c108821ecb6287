"""The dataset card: a header that the Hub reads, and how to use the release."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest
import yaml

from assets.families import families
from assets.release.card import dataset_card, limits
from assets.release.croissant import description
from schemas.release import ColumnsUnder, Manifest, ReleasedFile, Withheld

CITY = {"city_id": "fi-18-helsinki", "name": "Helsinki <b>", "region": "", "country": "FI", "languages": ["fi", "sv"],
        "box": {"south": 60, "west": 24, "north": 61, "east": 25}}  # fmt: skip


def manifest(**changes: Any) -> Manifest:
    given: dict[str, Any] = {
        "recipe": "towns", "family": "grouptravel", "title": "Two: towns", "seed": 1, "cities": [CITY], "inputs": [],
        "missing_cities": [], "licences": [], "engines": {}, "section": {"language": "zh"}, "choices": [], "rules": {},
        "counts": {"tasks": 60, "certified": 60, "rejected": 3}, "accounting": [], "measures": {},
        "files": [ReleasedFile(path="tasks.parquet", sha256="0" * 64, size_bytes=9, rows=60)],
    }  # fmt: skip
    return Manifest(**{**given, **changes})


def card_of(made: Manifest, tables: dict[str, int], *rows: dict[str, Any]) -> str:
    """Return the card of a release of these tasks; by default of one in Helsinki."""
    told = {"query": "Plan it.", "level": "hard", "messages": [], "record": {"days": 3, "end": None}}
    tasks = [{"task_id": "b", "city_id": "fi-18-helsinki"} | told | row for row in rows or ({},)]
    plans = [{"task_id": task["task_id"], "plan": {"days": [{"note": "``` <b>"}]}} for task in tasks]
    return dataset_card(made, tables, pa.Table.from_pylist(tasks), pa.Table.from_pylist(plans))


def header(card: str) -> dict[str, Any]:
    return yaml.safe_load(card.split("---\n")[1])


def test_the_language_is_the_texts_not_the_cities():
    assert header(card_of(manifest(), {"tasks.parquet": 60}))["language"] == ["zh"]
    assert header(card_of(manifest(section={}, family="itinbench"), {"tasks.parquet": 60}))["language"] == ["en"]
    assert "language" not in header(card_of(manifest(section={}, family="gone"), {})), "nobody says one"


def test_of_one_of_a_thing_the_card_does_not_speak_as_of_several():
    one = manifest(counts={"tasks": 1, "certified": 1, "rejected": 1})
    assert "**1 task, 1 certified**" in card_of(one, {}) and "rejected 1 draft or place, each" in card_of(one, {})


def test_a_town_that_people_only_set_out_from_is_not_counted_among_the_cities():
    origin = {**CITY, "city_id": "ee-tallinn", "name": "Tallinn", "country": "EE", "is_visited": False}
    made = manifest(cities=[CITY, origin])
    cities, origins = (
        card_of(made, {}).split("## Cities")[1].split("Where people set out from; nothing of it is visited")
    )
    assert "`fi-18-helsinki`" in cities and "`ee-tallinn`" not in cities
    assert "`ee-tallinn`" in origins.split("##")[0] and "record/maps/ee-tallinn.png" not in origins
    assert any(limit.startswith("It covers fi-18-helsinki and knows") for limit in limits(made))
    assert "about Helsinki <b> (people set out from Tallinn), each certified" in description(made)
    assert "set out from" not in card_of(manifest(), {}) + description(manifest())


@pytest.mark.parametrize(("tasks", "size"), [(60, "n<1K"), (1000, "1K<n<10K"), (650_000, "100K<n<1M")])
def test_the_header_says_what_the_set_is_for_and_how_large(tasks, size):
    found = header(card_of(manifest(counts={"tasks": tasks, "certified": 1, "rejected": 0}), {}))
    assert found["size_categories"] == [size]
    assert found["task_categories"] == ["text-generation"]
    assert found["tags"] == ["benchmark", "travel-planning", "planning", "grouptravel"]
    assert found["pretty_name"] == "Two: towns"


def test_how_to_load_names_a_split_that_is_there():
    assert 'split="test")' in card_of(manifest(), {"tasks.parquet": 60})
    split = {"splits/train.parquet": 9, "splits/test.parquet": 1, "tasks.parquet": 10}
    assert 'split="train")' in card_of(manifest(), split)


def test_a_picture_of_each_city_stands_in_the_card():
    assert "![Map of Helsinki &lt;b&gt;](record/maps/fi-18-helsinki.png)" in card_of(manifest(), {})
    assert "![Map" not in card_of(manifest(), {}, {"city_id": "fi-11-tampere"}), "a city that no task is about has none"


def test_no_picture_stands_in_the_card_of_a_family_that_draws_no_maps(monkeypatch):
    family = families()["grouptravel"]
    monkeypatch.setattr("assets.release.card.families", lambda: {"grouptravel": replace(family, map_of=None)})
    assert "![Map" not in card_of(manifest(), {})


def test_a_figure_of_a_family_that_says_of_none_what_it_is_is_no_count(monkeypatch):
    family = replace(families()["grouptravel"], metrics={})
    monkeypatch.setattr("assets.release.card.families", lambda: {"grouptravel": family})
    made = manifest(measures={"baseline": [{"metric": "accepted", "baseline": 0.25, "witness": 1.0}]})
    assert "accepted" in card_of(made, {}) and "a count" not in card_of(made, {})


@pytest.mark.parametrize(("table", "is_shown"), [("rejections", True), ("group_poi", False)])
def test_no_picture_stands_in_the_card_of_an_edition_that_lacks_what_tasks_rest_on(table, is_shown):
    withheld = Withheld(completes_to="0" * 16, files={}, cells={table: {"name": 1}}, left_out=[])
    assert ("![Map" in card_of(manifest(withheld=withheld), {})) == is_shown


def test_one_task_stands_in_the_card_with_its_words_record_and_plan():
    said = {"role": "User1", "content": "No *stars*, please."}
    other = {"task_id": "a", "query": "A trip <i>home</i>", "messages": [said]}
    card = card_of(manifest(), {}, {}, other)
    section = card.split("## One task\n")[1].split("\n## ")[0]
    assert section.strip().splitlines()[0] == "`a`, hard. What a planner is told:"
    assert "> A trip \\<i\\>home\\</i\\>\n>\n> *User1*: No \\*stars\\*, please." in section
    blocks = [json.loads(block.partition("```")[0]) for block in section.split("```json\n")[1:]]
    assert blocks == [{"days": 3}, {"days": [{"note": "``` <b>"}]}]
    assert section.count("```") == 4, "nothing in a plan ends its block"


def test_authors_are_those_of_the_recipe():
    told = card_of(manifest(settings={"authors": ["Ada {Lovelace}", "Émilie du Châtelet"]}), {})
    assert "  author = {Ada Lovelace and Émilie du Châtelet},\n" in told
    assert "  author = {The tripwright developers},\n" in card_of(manifest(), {})


def table(card: str, title: str) -> list[list[str]]:
    lines = card.split(f"### {title}\n")[1].strip().split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if not line.startswith("|-")]


def test_metrics_say_what_they_are_and_those_of_a_conversation_are_no_figures_of_plans():
    rows = [{"metric": name, "baseline": 1, "witness": 2} for name in ("tasks", "pv", "pc")]
    assert table(card_of(manifest(measures={"baseline": rows}), {}), "baseline") == [
        ["metric", "baseline", "witness", "unit", "good is", "what it says"],
        ["tasks", "1", "2", "", "", "a count"],
        ["pv", "1", "2", "%", "higher", "plans without any fault"],
    ]


def test_what_is_not_known_is_a_dash_and_what_stands_over_all_levels_says_so():
    rows = [
        {"planner": "greedy", "level": "", "percent_low": None},
        {"planner": "x", "level": "easy", "percent_low": []},
    ]
    assert table(card_of(manifest(measures={"reference_planners": rows}), {}), "reference planners") == [
        ["planner", "level", "percent low"],
        ["greedy", "all", "–"],
        ["x", "easy", "none"],
    ]


@pytest.mark.parametrize(
    ("leaves", "told"),
    [(["plan.a"], "plan (1 value in it)"), (["plan.a", "plan.b", "name"], "plan (2 values in it), name")],
)
def test_nested_columns_say_how_many_of_their_values_stand_under_a_licence(leaves, told):
    entry = ColumnsUnder(table="tasks", licence_id="ODbL-1.0", rows=3, source=leaves, derived=[])
    assert f"| `tasks` | `ODbL-1.0` | 3 | {told} |" in card_of(manifest(columns_under=[entry]), {})


def test_what_the_values_of_each_field_are_is_a_row_and_empty_where_there_are_none_of_a_kind():
    promises = {
        "tried_tasks": 1, "offered": {}, "fields_judged": {}, "values": {}, "rows": 1, "published": {},
        "refusing_checks": [], "silent_checks": [], "not_read": [],
        "fields": {"plan.stay": {"equal": 1200, "chosen": 3}, "record.days": {"chosen": 60}},
    }  # fmt: skip
    _, _, section = card_of(manifest(promises=promises), {}).partition("## Where values come from")
    rows = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("|")]
    assert rows[0] == "| values of | equal to a source's | chosen by a declared rule |"
    assert rows[2:] == ["| `plan.stay` | 1,200 | 3 |", "| `record.days` |  | 60 |"]
    assert "Where values come from" not in card_of(manifest(), {})


@pytest.mark.parametrize("family", sorted(families()))
def test_what_is_the_solver_s_word_alone_is_said_to_be_that(family):
    card = card_of(manifest(family=family, section={}), {})
    assert families()[family].believed
    for name in families()[family].believed:
        assert f"`{name}`" in card.partition("these parts are the solver's word")[2]


def test_trials_in_other_worlds_are_told_apart_from_changed_witnesses():
    promises = {
        "tried_tasks": 1, "fields_judged": {}, "values": {}, "rows": 1, "fields": {},
        "published": {"accepted": 2, "checked": 5, "refused_by": {"budget": 1, "valid": 3}},
        "refusing_checks": [], "silent_checks": [], "not_read": [],
        "offered": {"the_empty_plan": 4, "without_a_row": 3, "with_a_renamed_place": 2, "scored_for_another_task": 5},
    }  # fmt: skip
    card = card_of(manifest(promises=promises), {})
    assert "1 task had the witness changed in 1 way, 4 plans in all" in card
    assert "without a row that they use: 3. Where a place has another name" in card
    assert "refused by the old one and accepted by the new: 2." in card
    assert "2 of 5 pass all its checks; refused by `valid` (3), `budget` (1)." in card
    assert "Scores tell the witnesses from no plans, and from 5 that were exchanged between tasks." in card


def test_what_a_family_calls_its_own_cannot_be_taken_for_what_the_card_says():
    """Else a family writes promises of its own under a heading of ours."""
    lie = "x`\n\n## Promises\n\n- <b>Each</b> was solved by people"
    promises = {
        "tried_tasks": 1, "offered": {}, "values": {}, "rows": 1, "published": {}, "refusing_checks": [],
        "silent_checks": [lie], "not_read": [lie], "fields_judged": {lie: [1, 0]}, "fields": {lie: {"equal": 1}},
    }  # fmt: skip
    choices = [{"choice_id": lie, "text": lie}]
    measures = {lie: 1, f"{lie}s": [{lie: 1}]}
    card = card_of(manifest(promises=promises, choices=choices, measures=measures), {})
    assert "\n## Promises\n" not in card and "<b>Each" not in card
    assert card.count("## Promises - &lt;b&gt;Each&lt;/b&gt; was solved by people") == 9
