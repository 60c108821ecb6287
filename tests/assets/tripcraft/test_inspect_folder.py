"""The audit of a published TripCraft folder: each defect put into a sound one is counted, and nothing else is."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from assets.tripcraft.inspect_folder import inspect_path
from tests import published_folders


@pytest.fixture
def folder(tmp_path):
    """Return a sound folder of three trips."""
    return published_folders.tripcraft(tmp_path / "published")[0]


def rewrite(folder: Path, name: str, change) -> None:
    """Write a table of the folder again, its rows changed."""
    path = folder / "database" / name
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    changed = change(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(changed[0]))
        writer.writeheader()
        writer.writerows(changed)


def requery(folder: Path, days: int, **asked) -> None:
    """Ask for something else in the one query of a length."""
    path = folder / f"annotation_{days}day.jsonl"
    row = json.loads(path.read_text())
    row["JSON"]["local_constraint"] |= asked
    path.write_text(json.dumps(row) + "\n")


def test_a_sound_folder_shows_only_what_the_evaluator_does_to_all(folder):
    found = inspect_path(folder)
    assert found["gold_plans"] | {"title": ""} == {"title": "", "plans": 3, "failed": {"within_current_city": 3}}
    assert found["unsatisfiable"]["queries"] == found["homonyms"]["far_stops"] == found["stopless"]["without"] == 0
    assert found["prices"]["cost_nothing"] == found["prices"]["stays"] > 0
    assert found["denominators"]["3_days"] == {
        "queries": 1, "divided_by": 230, "hard_constraints": 7, "hard_divided_by": 521,
    }  # fmt: skip


def test_queries_for_an_entire_room_are_counted_beside_the_stays_that_would_count(folder):
    requery(folder, 3, **{"room type": "entire room"})
    found = inspect_path(folder)["entire_rooms"]
    assert (found["queries"], found["stays_it_accepts"]) == (1, 0) and found["shown"] == ["tripcraft-3d"]


@pytest.mark.parametrize("price", ['{"price": "$1,200"}', '{"price": 5}', "1e999", "[]", "null", "[" * 200_000])
def test_prices_that_end_a_run_are_named(folder, price):
    rewrite(folder, "accommodations.csv", lambda rows: [{**rows[0], "pricing": price}, *rows[1:]])
    found = inspect_path(folder)["prices"]
    assert found["end_the_run"] == 1 and found["cost_nothing"] == found["stays"] - 1


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ({"cuisine": ["Martian"]}, "hard: cuisine"),
        ({"attraction": ["Volcanoes"]}, "hard: attraction"),
        ({"event": ["Opera"]}, "hard: event"),
    ],
)
@pytest.mark.parametrize("days", [3, 5])
def test_what_no_place_offers_is_unsatisfiable(folder, days, asked, kind):
    requery(folder, days, **asked)
    found = inspect_path(folder)["unsatisfiable"]
    assert found["by_level_and_constraint"] == {kind: 1} and found["shown"] == [f"tripcraft-{days}d"]


def test_homonyms_far_stops_and_places_without_one_are_counted(folder):
    rewrite(folder, "cities.csv", lambda rows: [*rows, {**rows[0], "state": "Elsewhere"}])
    rewrite(folder, "nearest_stops.csv", lambda rows: [{**rows[0], "nearest_stop_distance": "250000"}, *rows[2:]])
    found = inspect_path(folder)
    assert (found["homonyms"]["names_listed_twice"], found["homonyms"]["far_stops"]) == (1, 1)
    assert found["stopless"]["without"] == 1


def test_a_gold_plan_that_breaks_a_rule_is_counted_by_it(folder):
    path = folder / "annotation_3day.jsonl"
    row = json.loads(path.read_text())
    row["plan"][1]["lunch"] = row["plan"][1]["dinner"]
    path.write_text(json.dumps(row) + "\n")
    assert inspect_path(folder)["gold_plans"]["failed"]["diverse_restaurants"] == 1
