"""Trips where nobody flies: two small countries in their own words, built, certified, followed and exported."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.rails import COUNTRIES, FINLAND, PORTUGAL, SAME_NAME, city_id, truth, write_world
from tests.recipes import command

TASKS = 6


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return a home and its release's folder: six trips in Portugal and Finland, through the gate."""
    folder = tmp_path_factory.mktemp("rails")
    code, answer = command("build", write_world(folder), home=folder / "home")
    assert (code, answer.get("blocked")) == (0, []), answer
    return folder / "home", Path(answer["releases"][0]["path"])


def _rows(release: Path, table: str) -> list[dict]:
    return pq.read_table(release / f"{table}.parquet").to_pylist()


def test_every_trip_is_certified_and_goes_by_train_or_coach(built):
    _, release = built
    manifest = json.loads((release / "manifest.json").read_text())
    assert (manifest["counts"]["tasks"], manifest["counts"]["certified"]) == (TASKS, TASKS)
    proofs = [row["proof"] for row in _rows(release, "certificates")]
    modes = [move["mode"] for proof in proofs for move in proof["moves"]]
    assert len(modes) == 2 * TASKS and set(modes) <= {"train", "coach"} and "train" in modes
    assert {proof["cities"][0] for proof in proofs} == {city_id(country, home=False) for country in COUNTRIES}
    assert _rows(release, "tripcraft_flight") == []


def test_no_stay_is_certified_against_a_rule_that_its_host_laid_down(built):
    _, release = built
    stays = {row["place_id"]: (row["city_id"], row["name"]) for row in _rows(release, "tripcraft_stay")}
    known = {city_id(country, home=False): truth(country) for country in COUNTRIES}
    asked = {row["task_id"]: row["record"]["constraints"]["house_rule"] for row in _rows(release, "tasks")}
    judged = 0
    for row in _rows(release, "certificates"):
        subject = asked[row["task_id"]]
        for stay in row["proof"]["stays"] if subject else ():
            city, name = stays[stay["place_id"]]
            assert known[city][name][f"No {subject}"] in ("allowed", "silent"), (name, subject)
            judged += 1
    assert judged >= 3


def test_every_rule_is_read_as_its_host_meant_it(built):
    _, release = built
    for country in COUNTRIES:
        mine = [row for row in _rows(release, "tripcraft_stay") if row["city_id"] == city_id(country, home=False)]
        assert {row["name"] for row in mine} == set(truth(country))
        for row in mine:
            said = truth(country)[row["name"]]
            assert set(row["house_rules"]) == {rule for rule, state in said.items() if state == "forbidden"}
            assert {rule for rule, state in said.items() if state == "unclear"} <= set(row["unknown_rules"])
            assert not {rule for rule, state in said.items() if state == "allowed"} & set(row["unknown_rules"])


def test_prices_with_blanks_and_commas_are_amounts_of_euros(built):
    _, release = built
    given = {(row["price_given"], row["currency_given"]) for row in _rows(release, "tripcraft_stay")}
    assert given == {(1204.5, "EUR"), (20.5, "EUR"), *((60.5 + n, "EUR") for n in range(4))}


def test_stays_of_one_name_are_counted_and_no_plan_uses_them(built):
    _, release = built
    stays = _rows(release, "tripcraft_stay")
    same = {row["place_id"] for row in stays if row["name"] == SAME_NAME}
    measures = json.loads((release / "manifest.json").read_text())["measures"]
    shared = {row["table"]: row["name_shared"] for row in measures["places_that_no_plan_can_name"]}
    assert shared == {"tripcraft_stay": 4, "tripcraft_restaurant": 0, "tripcraft_attraction": 0} and len(same) == 4
    used = {stay["place_id"] for row in _rows(release, "certificates") for stay in row["proof"]["stays"]}
    assert used and not used & same
    assert min(row["price"] for row in stays) == min(row["price"] for row in stays if row["place_id"] in same)


def test_a_trip_is_followed_to_the_rows_of_its_trains(built):
    home, release = built
    row = _rows(release, "certificates")[0]
    code, tree = command("audit", row["task_id"], home=home)
    assert code == 0
    for move in row["proof"]["moves"]:
        sources = tree["rows"][f"tripcraft_journey/{move['flight_number']}"]["source_rows"]
        assert not [source for source in sources if "problem" in source]
        raw = json.dumps(sources)
        assert raw.count("stop_times.txt:") >= 2 and "calendar.txt:" in raw and "departure_time" in raw


def test_the_published_form_has_the_trains_and_says_what_its_checker_does_not_judge(built, tmp_path):
    home, release = built
    code, _ = command("export", release, tmp_path / "out", "--format", "tripcraft", home=home)
    assert code == 0
    gold = [json.loads(line) for line in (tmp_path / "out" / "annotation_3day.jsonl").read_text().splitlines()]
    journeys = list(csv.DictReader((tmp_path / "out" / "database" / "journeys.csv").open(encoding="utf-8")))
    numbers = {row["Journey Number"]: row for row in journeys}
    infos = (tmp_path / "out" / "ref_info_3day.jsonl").read_text().splitlines()
    for task, line in zip(gold, infos, strict=True):
        for day in task["plan"]:
            if day["transportation"] == "-":
                continue
            number = day["transportation"].split(" Number: ")[1].split(",")[0]
            there = numbers[number]
            assert day["transportation"] == (
                f"{there['Mode'].capitalize()} Number: {number}, from {there['OriginCityName']} to "
                f"{there['DestCityName']}, Departure Time: {there['DepTime']}, Arrival Time: {there['ArrTime']}"
            )
            mode, way = there["Mode"].capitalize(), f"from {there['OriginCityName']} to {there['DestCityName']}"
            shown = json.loads(line)[f"{mode} {way} on {there['Date']}"]
            assert number in {row[f"{mode} Number"] for row in shown}
    measures = json.loads((release / "manifest.json").read_text())["measures"]
    unjudged = measures["moves_that_the_published_checker_does_not_judge"]
    moves = [move for row in _rows(release, "certificates") for move in row["proof"]["moves"]]
    assert sum(row["moves"] for row in unjudged) == 2 * TASKS
    assert sum(row["cost_it_does_not_count"] for row in unjudged) == sum(move["cost"] for move in moves) > 0


def test_the_published_repository_s_own_tree_holds_the_release(built, tmp_path):
    home, release = built
    code, answer = command(
        "export", release, tmp_path / "out", "--format", "tripcraft", "--layout", "upstream", home=home
    )
    assert code == 0
    database = tmp_path / "out" / "TripCraft_database"
    cities = (database / "background" / "citySet_with_states_140.txt").read_text(encoding="utf-8").split("\n")
    assert {tuple(city.split("\t")) for city in cities} == {
        end[:2] for country in COUNTRIES for end in (country.home, country.dest)
    }
    assert sum(path.startswith("TripCraft_database/") for path in answer["files"]) == 10
    assert (database / "background" / "cities.csv").is_file(), "the countries stand in ours alone"
    assert "python eval.py" in (tmp_path / "out" / "README.md").read_text(encoding="utf-8")


def test_sights_in_no_known_words_are_told_with_what_to_add(tmp_path):
    code, answer = command("build", write_world(tmp_path, labels=False), home=tmp_path / "home")
    assert code == 1
    for country in (PORTUGAL, FINLAND):
        (line,) = [line for line in answer["error"].splitlines() if city_id(country, home=False) in line]
        assert "7 of 7 attractions" in line
        assert all(f"`{label}`" in line for label in country.labels)
    assert "attraction_labels" in answer["error"]
