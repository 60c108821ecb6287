"""Certificates, where their values come from and the published files, from tasks of the invented world."""

from __future__ import annotations

import ast
import csv
import datetime as dt
import io
import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pandas as pd
import pytest

from assets.core.certifying import certificates
from assets.core.worlds import task_views
from assets.family import Drawn, Solved
from assets.named import load
from assets.tripcraft.checks.case import Case
from assets.tripcraft.checks.commonsense import COMMONSENSE
from assets.tripcraft.checks.hard import HARD
from assets.tripcraft.checks.soundness import SOUNDNESS
from assets.tripcraft.export import as_text, export_files, persona_text, published_record
from assets.tripcraft.family import FAMILY
from assets.tripcraft.plan import read_plan
from assets.tripcraft.published.database import database
from assets.tripcraft.published.ref_info import ref_info
from assets.tripcraft.scoring import METRICS, score_plan
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.tables import (
    TripcraftAttraction,
    TripcraftCity,
    TripcraftCityDistance,
    TripcraftEvent,
    TripcraftFlight,
    TripcraftNearestStop,
    TripcraftRestaurant,
    TripcraftStay,
    TripcraftTownWays,
)
from assets.tripcraft.variants import OURS
from assets.tripcraft.world import DELIVERY
from schemas.rejection import Reason
from tests.arrow import arrow
from tests.assets.tripcraft.witnesses import drafted, drafts_of, step_of, witness

DATABASE = (
    "accommodations", "attractions", "cities", "distance_matrix", "events", "flights", "nearest_stops", "restaurants",
)  # fmt: skip

KEYS = {
    TripcraftCity: ("cities", ["city_id"]),
    TripcraftFlight: ("flights", ["flight_number"]),
    TripcraftRestaurant: ("restaurants", ["city_id", "place_id"]),
    TripcraftAttraction: ("attractions", ["city_id", "place_id"]),
    TripcraftStay: ("stays", ["city_id", "place_id"]),
    TripcraftEvent: ("events", ["city_id", "event_id"]),
    TripcraftNearestStop: ("nearest_stops", ["city_id", "place_id"]),
    TripcraftCityDistance: ("city_distances", ["origin_city_id", "dest_city_id"]),
}
"""The tables of the invented world, and the columns of their keys."""


def certify(tasks, reference):
    """Return the certificates of the tasks by the solver's own witnesses."""
    step, uses = step_of(FAMILY.tables.certificate)
    given = (arrow(table, rows) for table, rows in zip(step.tables, (tasks, drafts_of(tasks, reference)), strict=True))
    made = certificates(*given, step=step, uses=uses, checks=list(FAMILY.checks))
    return replace(made, rows=step.output.frame(made.rows))


@pytest.fixture
def tasks(record):
    """Return three tasks."""
    rows = []
    for days, budget in ((3, 5000), (5, 5000), (7, 5000)):
        rows.append(
            {
                "task_id": f"tripcraft-{days}d-{budget:04d}",
                "city_id": "amble",
                "slot": 0,
                "level": "hard",
                "query": f'Ünder {budget}, "go"\r\n',
                "messages": [],
                "record": record(days) | {"budget": budget},
                "drawn": {"attempt": 0},
                "repairs": [],
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
    asked, proof = tasks["record"][0], row["proof"]
    score = score_plan(asked, row["plan"], world)
    assert set(proof["metrics"]) == set(METRICS)
    assert proof["metrics"]["temporal_meal"] == pytest.approx((score.metrics or {})["temporal_meal"])
    assert proof["metrics"]["persona"] is None and proof["metrics"]["ordering"] is None
    assert proof["cost"] == score.cost and proof["budget_slack"] == 5000 - proof["cost"]
    assert proof["remark"].endswith("less than the budget.")
    assert proof["ways_in_town"]["routed"] == 0 < proof["ways_in_town"]["estimated"]
    checks = [DELIVERY, *COMMONSENSE, *HARD, *SOUNDNESS]
    assert row["checks"] == [{"check": name, "holds": True} for name in checks]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda dates: dates[:-1], "3 days planned for 2 dates"),
        (lambda dates: [*dates, "2026-01-01"], "3 days planned for 4 dates"),
        (lambda dates: [dates[0], dates[2], dates[1]], "does not follow"),
    ],
)
def test_dates_that_are_not_the_days_of_the_plan_are_told(world, tasks, change, told):
    row = certify(tasks.iloc[:1], world).rows.iloc[0]
    asked = tasks["record"][0]
    case = Case(asked | {"dates": change(asked["dates"])}, read_plan(row["plan"]), world, OURS)
    assert any(told in text for text in SOUNDNESS["dates_are_the_days"](case))
    assert SOUNDNESS["dates_are_the_days"](Case(asked, read_plan(row["plan"]), world, OURS)) == []


def test_a_check_of_which_the_record_asks_nothing_is_said_neither_to_hold_nor_to_be_broken(world, tasks):
    one = tasks.iloc[:1]
    one["record"].iloc[0]["constraints"] |= {"event": None, "cuisine": None}
    said = {check["check"]: check["holds"] for check in certify(one, world).rows["checks"].iloc[0]}
    score = score_plan(one["record"].iloc[0], witness(one["record"].iloc[0], world).plan, world)
    assert {name for name, holds in said.items() if holds is None} == {"event_type", "cuisine"}
    assert {name: said[name] for name in HARD} == {name: result.holds for name, result in (score.hard or {}).items()}


def test_what_is_said_of_a_witness_and_is_not_so_is_found(world, tasks):
    draft = drafts_of(tasks.iloc[:1], world).iloc[0]
    asked, proof = tasks["record"][0], draft["proof"]
    elsewhere = [[{**item, "place_id": "birch-r00", "city_id": "birch"} for item in day] for day in proof["days"]]
    for key, value in (("cost", proof["cost"] + 1), ("budget_slack", 0), ("metrics", {}), ("days", elsewhere)):
        assert FAMILY.call("verify", asked, draft["plan"], proof | {key: value}, world), key


def test_a_task_uses_the_row_of_every_way_that_a_router_may_have_found(tasks, world):
    used = 0
    for view in task_views(tasks, certify(tasks, world).rows):
        rows = FAMILY.call("uses", view, world)
        for items in view.proof["days"]:
            for here, there in pairwise((item["city_id"], item["place_id"]) for item in items):
                if here != there and here[0] == there[0]:
                    assert (TripcraftTownWays.table_name(), "/".join(here)) in rows
                    used += 1
    assert used


def derived(origin, view, tables):
    """Return what the origin's derivation makes of its cells."""
    values = []
    for name, key, column in origin.cells:
        if name == "task":
            part, *path = column.split("/")
            value = getattr(view, part)
            for step in path:
                value = value[int(step)] if isinstance(value, list) else value[step]
            values.append(value)
        else:
            values.append(tables[name].loc[key, column])
    if origin.by == "equal":
        (value,) = values
        return value
    return load(FAMILY.derivations[origin.by])(values)


def test_every_place_of_a_witness_has_its_row_and_every_rule_its_text(frames, world, tasks):
    made, tables = frames(), {}
    for table, (name, columns) in KEYS.items():
        tables[table.table_name()] = made[name].set_index(made[name][columns].agg("/".join, axis=1))
    for view in task_views(tasks, certify(tasks, world).rows):
        origins = {origin.field: origin for origin in FAMILY.call("trace", view, world)}
        assert len(origins) == len(list(FAMILY.call("trace", view, world)))
        rules = {origin.by for origin in origins.values() if origin.kind != "cells"}
        assert rules <= set(FAMILY.rules)
        rows = {cell[:2] for origin in origins.values() for cell in origin.cells if cell[0] != "task"}
        assert rows <= FAMILY.call("uses", view, world)
        for day, fields in enumerate(view.plan):
            for key in ("breakfast", "attraction", "lunch", "dinner", "accommodation", "event", "transportation"):
                where = f"plan/{day}/{key}"
                assert (where in origins) == (fields[key] != "-"), where
            for key in ("current_city", "point_of_interest_list"):
                assert origins[f"plan/{day}/{key}"].kind == "cells"
            for key, shown in fields.items():
                origin = origins.get(f"plan/{day}/{key}")
                assert origin is None or derived(origin, view, tables) == shown
            listed = {cell[:2] for cell in origins[f"plan/{day}/point_of_interest_list"].cells if cell[0] != "task"}
            items = set(fields["point_of_interest_list"].split("; "))
            places = {row for row in listed if row[0] != TripcraftNearestStop.table_name()}
            names = {item.split(", visit")[0].split(", stay")[0] for item in items}
            assert len(places) == len(names) == len(listed) - len(places)


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_the_published_files_hold_queries_reference_information_and_gold_plans(frames, world, tasks):
    found = certify(tasks, world).rows
    files = export_files(tasks, found, database(frames(), world), world)
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
    assert files == export_files(tasks.iloc[::-1], found.iloc[::-1], database(frames(), world), world)
    for days, cities in ((3, 1), (5, 2), (7, 3)):
        (query,) = rows_of(files[f"tripcraft_{days}day.csv"].decode())
        (info,) = map(json.loads, files[f"ref_info_{days}day.jsonl"].decode().splitlines())
        (gold,) = map(json.loads, files[f"annotation_{days}day.jsonl"].decode().splitlines())
        asked = tasks["record"][(days - 3) // 2]
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
    one = tasks.iloc[:1]
    asked = one["record"].iloc[0]
    asked["constraints"] |= {"event": None, "transportation": None}
    files = export_files(one, certify(one, reference).rows, database(tables, reference), reference)
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


def test_each_task_is_given_its_own_reference_information_though_a_citys_places_are_written_once(frames, build, tasks):
    tables = frames()
    tables["restaurants"].loc[0, "name"] = 'a,"b" \\ 😀'
    reference = build(tables)
    later = tasks.assign(task_id=tasks["task_id"] + "z", record=[moved(record) for record in tasks["record"]])
    both: Any = pd.concat([tasks, later])
    found = certify(tasks, reference).rows
    files = export_files(
        both, pd.concat([found, found.assign(task_id=found["task_id"] + "z")]), database(tables, reference), reference
    )
    proofs = dict(zip(found["task_id"], found["proof"], strict=True))
    for days in (3, 5, 7):
        lines, seen = files[f"ref_info_{days}day.jsonl"].decode().splitlines(), set()
        queries = rows_of(files[f"tripcraft_{days}day.csv"].decode())
        of_length = both[[record["days"] == days for record in both["record"]]]
        asked = of_length.sort_values("task_id").to_dict("records")
        for task, line, query in zip(asked, lines, queries, strict=True):
            cities = proofs[task["task_id"].removesuffix("z")]["cities"]
            infos = ref_info(reference, task["record"], cities)
            assert line == json.dumps({what: content for info in infos for what, content in info.items()})
            shown = [
                json.dumps([{"Description": what, "Content": as_text(content)} for what, content in info.items()])
                for info in infos
            ]
            assert [text for name, text in query.items() if name.startswith("reference_information")] == shown
            seen.add(line)
        assert len(seen) == len(asked) == 2


def moved(record):
    """Return the record a week later."""
    dates = [str(dt.date.fromisoformat(date) + dt.timedelta(days=7)) for date in record["dates"]]
    return {**record, "dates": dates}


def test_hostile_text_survives_the_csv_files(frames, build, tasks):
    tables = frames()
    tables["attractions"].loc[0, "address"] = "1\r2"
    name = 'a,"b"\r\n<script>\u202e, 😀'
    tables["restaurants"].loc[0, "name"] = name
    reference = build(tables)
    files = export_files(tasks, certify(tasks, reference).rows, database(tables, reference), reference)
    rows = rows_of(files["database/restaurants.csv"].decode())
    shown = next(row["name"] for row in rows if row["place_id"] == "amble-r00")
    assert shown == reference.restaurants_in("amble")[0].name
    assert len(rows) == len(tables["restaurants"])
    assert {row["address"] for row in rows_of(files["database/attractions.csv"].decode())} == {"unknown", "1\r2"}


def test_no_field_of_the_database_is_empty_since_published_loaders_drop_such_rows(frames, world, tasks):
    tables = frames()
    tables["stays"]["rating"] = tables["stays"]["rating"].where(tables["stays"]["city_id"] != "amble")
    files = export_files(tasks, certify(tasks, world).rows, database(tables, world), world)
    for name in (name for name in files if name.startswith("database/")):
        assert not [row for row in rows_of(files[name].decode()) if "" in row.values()], name
    stays = {row["place_id"]: row for row in rows_of(files["database/accommodations.csv"].decode())}
    assert (stays["amble-s2"]["house_rules"], stays["amble-s2"]["rating"]) == ("none", "unknown")


def test_tasks_are_numbered_by_their_ids_in_all_files_alike(frames, world, tasks):
    two = pd.concat([tasks.iloc[:1].assign(task_id=task_id, query=task_id) for task_id in ("b", "a")])
    files = export_files(two, certify(two, world).rows, database(frames(), world), world)
    gold = [json.loads(line) for line in files["annotation_3day.jsonl"].decode().splitlines()]
    assert [(line["idx"], line["task_id"]) for line in gold] == [(1, "a"), (2, "b")]
    assert [row["query"] for row in rows_of(files["tripcraft_3day.csv"].decode())] == ["a", "b"]


def spoilt(days, key, text):
    """Return the solver whose witness of a trip that long is written over on its second day."""
    solve = load(FAMILY.solve)

    def solve_and_spoil(task_id, record, world, section):
        found = solve(task_id, record, world, section)
        if record["days"] == days:
            found.plan[1][key] = text(found.plan[1][key])
        return Solved(found.plan, found.proof)

    return solve_and_spoil


def drafts_with(record, reference, **functions) -> Any:
    """Return the outcome of drafting one trip of each length that asks for everything, each drawn once."""
    section = TripcraftSection(counts={days: {"hard": 1} for days in (3, 5, 7)})
    given = {"draft": lambda slot, *_: Drawn(record(slot.series.about["days"]), "amble")}
    return drafted(reference, section, 1, most_unsolved=1, **given, **functions)


@pytest.mark.parametrize(
    ("key", "text", "check"),
    [
        ("dinner", lambda _: "-", "complete_information"),
        ("point_of_interest_list", lambda text: text.replace("visit from 14:", "visit from 10:", 1), "ways_kept"),
    ],
)
def test_a_witness_that_the_checker_refuses_is_no_draft(world, record, key, text, check):
    outcome = drafts_with(record, world, solve=spoilt(3, key, text))
    (rejected,) = outcome.rejections
    assert len(outcome.rows) == 2 and outcome.rows_in == 3
    assert (rejected["row"], rejected["reason"]) == ("tripcraft.xx.3d-hard.00000", Reason.UNSATISFIABLE.value)
    assert rejected["detail"].startswith("the checker does not accept the plan: ") and check in rejected["detail"]


def test_a_witness_in_a_place_that_is_closed_is_no_draft(frames, build, world, record):
    tables = frames()
    tables["attractions"]["opening_hours"] = "Mo-Su off"
    closed, check = build(tables), load(FAMILY.check)
    outcome = drafts_with(record, world, check=lambda asked, plan, _: check(asked, plan, closed))
    assert outcome.rows.empty and len(outcome.rejections) == 3
    assert {lost["detail"].split(": ")[1] for lost in outcome.rejections} == {"open_when_visited"}
    for asked, lost in zip(map(record, (3, 5, 7)), outcome.rejections, strict=True):
        broken = check(asked, witness(asked, world, lost["row"]).plan, closed)
        assert {violation.check for violation in broken} == {"open_when_visited"}


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
