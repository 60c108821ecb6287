"""Certificates, their lineage and the published files, from tasks of the invented world."""

from __future__ import annotations

import ast
import csv
import io
import json
from itertools import pairwise

import pandas as pd
import pytest
from assets.tripcraft.certificates import certificates

from assets.tripcraft.checks.commonsense import COMMONSENSE
from assets.tripcraft.checks.hard import HARD
from assets.tripcraft.checks.soundness import SOUNDNESS
from assets.tripcraft.export import export, persona_text, published_record
from assets.tripcraft.lineage import lineage
from assets.tripcraft.lineage_rules import RULES
from assets.tripcraft.scoring import METRICS, score_plan
from assets.tripcraft.tables import (
    TripcraftAttraction,
    TripcraftCity,
    TripcraftCityDistance,
    TripcraftEvent,
    TripcraftFlight,
    TripcraftNearestStop,
    TripcraftRestaurant,
    TripcraftStay,
)
from schemas.rejection import Reason
from tests.assets.tripcraft.witnesses import drafts_of

DATABASE = (
    "accommodations", "attractions", "cities", "distance_matrix", "events", "flights", "nearest_stops", "restaurants",
)  # fmt: skip

NO_WAYS = pd.DataFrame(columns=["city_id", "place_id"])


def certify(tasks, reference):
    """Return the certificates of the tasks by the solver's own witnesses."""
    return certificates(tasks, drafts_of(tasks, reference), reference)


@pytest.fixture
def tasks(record):
    """Return three tasks."""
    rows = []
    for days, budget in ((3, 5000), (5, 5000), (7, 5000)):
        asked = record(days) | {"budget": budget}
        task_id = f"tripcraft-{days}d-{budget:04d}"
        rows.append(
            {
                "task_id": task_id,
                "city_id": "amble",
                "query": f'Ünder {budget}, "go"\r\n',
                "record_json": json.dumps(asked),
                "generation_ids": [],
            }
        )
    return pd.DataFrame(rows)


def test_every_task_is_certified(world, tasks):
    outcome = certify(tasks, world)
    assert outcome.rows["task_id"].tolist() == ["tripcraft-3d-5000", "tripcraft-5d-5000", "tripcraft-7d-5000"]
    assert (outcome.rejections, outcome.rows_in) == ([], 3)


def test_a_certificate_holds_the_plan_the_remark_the_metrics_the_money_and_the_verdicts(world, tasks):
    row = certify(tasks, world).rows.iloc[0]
    asked = json.loads(tasks["record_json"][0])
    values = json.loads(row["values_json"])
    score = score_plan(asked, json.loads(row["witness_json"]), world)
    assert set(values["metrics"]) == set(METRICS)
    assert values["metrics"]["temporal_meal"] == pytest.approx((score.metrics or {})["temporal_meal"])
    assert values["metrics"]["persona"] is None and values["metrics"]["ordering"] is None
    assert values["cost"] == score.cost and values["budget_slack"] == 5000 - values["cost"]
    assert values["remark"].endswith("less than the budget.")
    assert values["ways_in_town"]["routed"] == 0 < values["ways_in_town"]["estimated"]
    checks = [*COMMONSENSE, *HARD, *SOUNDNESS]
    assert json.loads(row["checks_json"]) == [{"check": name, "holds": True} for name in checks]


def test_a_way_that_a_router_found_rests_on_its_row_and_an_estimate_on_none(tasks, world):
    found = certify(tasks, world).rows
    days = [json.loads(row["values_json"])["days"] for row in found.to_dict("records")]
    used = {(item["city_id"], item["place_id"]) for day in days for items in day for item in items}
    one, *_ = sorted(used)
    for known in (used, used - {one}):
        ways = pd.DataFrame(sorted(known), columns=["city_id", "place_id"])
        edges = lineage(tasks[tasks["task_id"].isin(found["task_id"])], found, ways)
        expected = {
            (row["task_id"], f"witness_json/{day}/point_of_interest_list", "/".join(("tripcraft_town_ways", *a)))
            for row, plan in zip(found.to_dict("records"), days, strict=True)
            for day, items in enumerate(plan)
            for a, b in pairwise((item["city_id"], item["place_id"]) for item in items)
            if a != b and a[0] == b[0] and {a, b} <= known
        }
        mine = edges[edges["ref"].str.startswith("tripcraft_town_ways/")]
        assert expected
        listed = mine[mine["field"].str.startswith("witness_json")]
        assert set(listed[["task_id", "field", "ref"]].itertuples(index=False, name=None)) == expected
        counted = mine[mine["field"] == "values_json/ways_in_town/routed"]
        assert {(t, r) for t, _, r in expected} == set(zip(counted["task_id"], counted["ref"], strict=True))


def test_every_place_of_a_witness_has_its_row_and_every_rule_its_text(frames, world, tasks):
    found = certify(tasks, world).rows
    edges = lineage(tasks[tasks["task_id"].isin(found["task_id"])], found, NO_WAYS)
    assert not edges.duplicated().any()
    assert set(edges.loc[edges["kind"] == "rule", "ref"]) <= set(RULES)
    tables = frames()
    keys = {
        TripcraftCity: ("cities", ["city_id"]),
        TripcraftFlight: ("flights", ["flight_number"]),
        TripcraftRestaurant: ("restaurants", ["city_id", "place_id"]),
        TripcraftAttraction: ("attractions", ["city_id", "place_id"]),
        TripcraftStay: ("stays", ["city_id", "place_id"]),
        TripcraftEvent: ("events", ["city_id", "event_id"]),
        TripcraftNearestStop: ("nearest_stops", ["city_id", "place_id"]),
        TripcraftCityDistance: ("city_distances", ["origin_city_id", "dest_city_id"]),
    }
    known = {
        "/".join([table.table_name(), *map(str, row)])
        for table, (name, columns) in keys.items()
        for row in tables[name][columns].itertuples(index=False)
    }
    assert set(edges.loc[edges["kind"] == "row", "ref"]) <= known
    for row in found.to_dict("records"):
        explained = set(edges.loc[edges["task_id"] == row["task_id"], "field"])
        mine = edges[(edges["task_id"] == row["task_id"]) & (edges["kind"] == "row")]
        refs = mine.groupby("field")["ref"].agg(list).to_dict()
        for day, fields in enumerate(json.loads(row["witness_json"])):
            for key in ("breakfast", "lunch", "dinner", "accommodation", "event"):
                where = f"witness_json/{day}/{key}"
                assert (where in refs) == (fields[key] != "-"), where
            assert f"witness_json/{day}/current_city" in explained
            assert (f"witness_json/{day}/transportation" in explained) == (fields["transportation"] != "-")
            listed = refs[f"witness_json/{day}/point_of_interest_list"]
            items = set(fields["point_of_interest_list"].split("; "))
            places = {ref for ref in listed if not ref.startswith(TripcraftNearestStop.table_name())}
            names = {item.split(", visit")[0].split(", stay")[0] for item in items}
            assert len(places) == len(names) == len(listed) - len(places)


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_the_published_files_hold_queries_reference_information_and_gold_plans(frames, world, tasks):
    found = certify(tasks, world).rows
    files = export(tasks, found, frames(), world)
    assert sorted(files) == [
        *(f"annotation_{d}day.jsonl" for d in (3, 5, 7)),
        *(
            f"database/{name}.csv"
            for name in sorted(
                DATABASE
            )
        ),
        *(f"ref_info_{d}day.jsonl" for d in (3, 5, 7)),
        *(f"tripcraft_{d}day.csv" for d in (3, 5, 7)),
    ]  # fmt: skip
    assert files == export(tasks.iloc[::-1], found.iloc[::-1], frames(), world)
    for days, cities in ((3, 1), (5, 2), (7, 3)):
        (query,) = rows_of(files[f"tripcraft_{days}day.csv"].decode())
        (info,) = map(json.loads, files[f"ref_info_{days}day.jsonl"].decode().splitlines())
        (gold,) = map(json.loads, files[f"annotation_{days}day.jsonl"].decode().splitlines())
        asked = json.loads(tasks["record_json"][(days - 3) // 2])
        assert query["query"] == tasks["query"][0]
        assert query["org"] == "Harbour" and query["dest"] == ("Amble" if days == 3 else "Eastfold")
        assert ast.literal_eval(query["date"]) == asked["dates"]
        assert ast.literal_eval(query["local_constraint"])["event"] == "Music"
        columns = (
            ["reference_information"] if cities == 1 else [f"reference_information_{i + 1}" for i in range(cities)]
        )
        assert [name for name in query if name.startswith("reference")] == columns
        given = [part for column in columns for part in json.loads(query[column])]
        assert [part["Description"] for part in given] == list(info)
        assert len(info) == 4 * cities + 3 * (cities + 1)
        assert score_plan(asked, gold["plan"], world).passes_hard
        assert gold["remarks"] and gold["persona"].startswith("Traveler Type: Adventure Seeker; Purpose of Travel: ")


def test_reference_information_is_travelplanners_shape_and_says_where_there_is_nothing(frames, build, tasks):
    tables = frames()
    tables["events"] = tables["events"].iloc[:0]
    tables["flights"] = tables["flights"].query("origin_city_id == 'harbour'")
    reference = build(tables)
    asked = json.loads(tasks["record_json"][0])
    asked["constraints"] |= {"event": None, "transportation": None}
    one = tasks.iloc[:1].assign(record_json=json.dumps(asked))
    files = export(one, certify(one, reference).rows, tables, reference)
    info = json.loads(files["ref_info_3day.jsonl"])
    date = asked["dates"][-1]
    assert info[f"Flight from Amble to Harbour on {date}"] == f"There is no flight from Amble to Harbour on {date}."
    assert info["Events in Amble"] == "There is no information on events in Amble."
    assert (
        info["Taxi from Harbour to Amble"]
        == "Taxi, from Harbour to Amble, duration: 200.5, distance: 310.25, cost: 310"
    )
    flight = info[f"Flight from Harbour to Amble on {asked['dates'][0]}"][0]
    assert flight["ActualElapsedTime"] == "2 hours 0 minutes" and flight["Distance"] == 261.0
    assert info["Restaurants in Amble"][0]["cuisines"] == "Chinese, Cafe"


def test_hostile_text_survives_the_csv_files(frames, build, tasks):
    tables = frames()
    tables["attractions"].loc[0, "address"] = "1\r2"
    name = 'a,"b"\r\n<script>\u202e, 😀'
    tables["restaurants"].loc[0, "name"] = name
    reference = build(tables)
    files = export(tasks, certify(tasks, reference).rows, tables, reference)
    rows = rows_of(files["database/restaurants.csv"].decode())
    shown = next(row["name"] for row in rows if row["place_id"] == "amble-r00")
    assert shown == reference.restaurants_in("amble")[0].name
    assert len(rows) == len(tables["restaurants"])
    assert {row["address"] for row in rows_of(files["database/attractions.csv"].decode())} == {"unknown", "1\r2"}


def test_no_field_of_the_database_is_empty_since_published_loaders_drop_such_rows(frames, world, tasks):
    tables = frames()
    tables["stays"]["rating"] = tables["stays"]["rating"].where(tables["stays"]["city_id"] != "amble")
    files = export(tasks, certify(tasks, world).rows, tables, world)
    for name in (name for name in files if name.startswith("database/")):
        assert not [row for row in rows_of(files[name].decode()) if "" in row.values()], name
    stays = {row["place_id"]: row for row in rows_of(files["database/accommodations.csv"].decode())}
    assert (stays["amble-s2"]["house_rules"], stays["amble-s2"]["rating"]) == ("none", "unknown")


def test_tasks_are_numbered_by_their_ids_in_all_files_alike(frames, world, tasks):
    two = pd.concat([tasks.iloc[:1].assign(task_id=task_id, query=task_id) for task_id in ("b", "a")])
    files = export(two, certify(two, world).rows, frames(), world)
    gold = [json.loads(line) for line in files["annotation_3day.jsonl"].decode().splitlines()]
    assert [(line["idx"], line["task_id"]) for line in gold] == [(1, "a"), (2, "b")]
    assert [row["query"] for row in rows_of(files["tripcraft_3day.csv"].decode())] == ["a", "b"]


def spoilt(drafts, key, text):
    plan = json.loads(drafts["witness_json"].iloc[0])
    plan[1][key] = text(plan[1][key])
    return drafts.assign(witness_json=[json.dumps(plan), *drafts["witness_json"].iloc[1:]])


@pytest.mark.parametrize(
    ("key", "text", "check"),
    [
        ("dinner", lambda _: "-", "complete_information"),
        ("point_of_interest_list", lambda text: text.replace("visit from 14:", "visit from 10:", 1), "ways_kept"),
    ],
)
def test_a_witness_that_the_checker_refuses_is_no_certificate(world, tasks, key, text, check):
    drafts = spoilt(drafts_of(tasks, world), key, text)
    outcome = certificates(tasks, drafts, world)
    (rejected,) = pd.DataFrame(outcome.rejections).to_dict("records")
    assert len(outcome.rows) == 2 and outcome.rows_in == 3
    assert (rejected["row"], rejected["reason"]) == ("tripcraft-3d-5000", Reason.UNSATISFIABLE.value)
    assert rejected["detail"].startswith("the checker does not accept the witness: ") and check in rejected["detail"]


def test_a_witness_in_a_place_that_is_closed_is_no_certificate(frames, build, world, tasks):
    tables = frames()
    tables["attractions"]["opening_hours"] = "Mo-Su off"
    outcome = certificates(tasks, drafts_of(tasks, world), build(tables))
    assert set(pd.DataFrame(outcome.rejections)["detail"].str.split(": ").str[1]) == {"open_when_visited"}


def test_the_published_record_has_the_published_keys(world, record):
    asked = record(5)
    shown = published_record(asked, world)
    assert list(shown) == [
        "org", "dest", "days", "visiting_city_number", "date", "people_number", "local_constraint", "budget", "level",
    ]  # fmt: skip
    assert shown["local_constraint"] == {
        "house rule": "pets",
        "cuisine": ["Chinese", "American"],
        "room type": "private room",
        "transportation": "no self-driving",
        "event": "Music",
        "attraction": "Classes & Workshops",
    }
    assert persona_text(asked["persona"]) == (
        "Traveler Type: Adventure Seeker; Purpose of Travel: Nature; "
        "Spending Preference: Economical Traveler; Location Preference: Cities"
    )
