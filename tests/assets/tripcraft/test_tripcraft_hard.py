"""The seven hard checks and the cost of a trip, by hand."""

from __future__ import annotations

import pandas as pd
import pytest

from assets.tripcraft.checks.case import Case
from assets.tripcraft.checks.hard import HARD, attraction_type, event_type, total_cost
from assets.tripcraft.facts.itinerary import matching_stays
from assets.tripcraft.plan import read_plan
from assets.tripcraft.published.database import database, rules_text
from assets.tripcraft.scoring import score_plan
from assets.tripcraft.variants import OURS
from assets.tripcraft.vocabulary import CONSTRAINTS


def cost(world, asked, plan) -> int:
    return total_cost(Case(asked, read_plan(plan), world, OURS))


# Day 1: tables 0, 1; day 2: tables 2, 3, 4; day 3: tables 5, 6. Table i costs 10 + i a head.
MEALS = sum(10 + i for i in range(7))


@pytest.mark.parametrize(("people", "rooms"), [(1, 1), (2, 1), (3, 2), (8, 4)])
def test_a_trip_costs_seats_meals_and_rooms(world, record, trip, people, rooms):
    asked = record(3)
    asked["people"] = people
    assert cost(world, asked, trip(asked).plan()) == 2 * 90 * people + MEALS * people + 2 * 50 * rooms


@pytest.mark.parametrize(
    ("mode", "people", "cars", "each"),
    [("self_driving", 5, 1, 15), ("self_driving", 6, 2, 15), ("taxi", 4, 1, 310), ("taxi", 5, 2, 310)],
)
def test_a_drive_costs_as_many_cars_as_the_party_fills(world, record, trip, mode, people, cars, each):
    asked = record(3)
    asked["people"] = people
    writer = trip(asked)
    plan = writer.plan()
    flown = cost(world, asked, plan)
    for day, origin, dest in ((plan[0], "harbour", "amble"), (plan[2], "amble", "harbour")):
        day["transportation"] = writer.drive(mode, origin, dest)
    assert flown - cost(world, asked, plan) == 2 * 90 * people - 2 * cars * each


def test_the_budget_may_be_spent_to_the_last_unit(world, record, trip):
    asked = record(3)
    plan = trip(asked).plan()
    for left, holds in ((0, True), (-1, False)):
        asked["budget"] = cost(world, asked, plan) + left
        score = score_plan(asked, plan, world)
        assert score.hard is not None and score.hard["budget"].holds is holds
    assert "XXC" in score.hard["budget"].reasons[0]


def test_what_is_not_asked_is_not_judged_and_does_not_fail(world, record, trip):
    asked = record(3)
    asked["constraints"] = dict.fromkeys(CONSTRAINTS)
    score = score_plan(asked, trip(asked).plan(), world)
    assert score.hard is not None
    assert {name: result.holds for name, result in score.hard.items()} == {
        name: True if name == "budget" else None for name in HARD
    }
    assert score.passes_hard


def test_a_plan_of_two_days_is_not_delivered(world, record, trip):
    score = score_plan(record(3), trip(record(3)).plan()[:2], world)
    assert not score.delivered
    assert score.problems == ("the plan has 2 days; one counts as delivered from 3",)


def test_kinds_are_met_at_the_destinations_not_at_home(frames, build, record, trip):
    tables = frames()
    for name, row in (("attractions", "amble-a2"), ("events", "amble-Music-2024-11-05")):
        key = "place_id" if name == "attractions" else "event_id"
        home = tables[name][tables[name][key] == row].assign(city_id="harbour", name="At Home", **{key: "home"})
        tables[name] = pd.concat([tables[name], home], ignore_index=True)
    world, asked = build(tables), record(3)
    plan = trip(asked, world).plan()
    for day in plan:
        day |= {"attraction": "At Home, Harbour", "event": "At Home, Harbour"}
    case = Case(asked, read_plan(plan), world, OURS)
    assert attraction_type(case) == ["no visit to Classes & Workshops"]
    assert event_type(case) == ["no event of Music"]


@pytest.mark.parametrize(
    ("asked_type", "index", "holds"),
    [
        ("shared room", 2, True), ("shared room", 0, False),
        ("not shared room", 2, False), ("not shared room", 0, True), ("not shared room", 3, True),
        ("private room", 0, True), ("private room", 3, False), ("entire room", 3, True), ("entire room", 0, False),
    ],
)  # fmt: skip
def test_which_stays_meet_a_room_type(world, record, trip, asked_type, index, holds):
    asked = record(3)
    asked["constraints"]["room_type"] = asked_type
    plan = trip(asked).plan()
    for day in plan:
        for key, value in day.items():
            if isinstance(value, str):
                moved = value.replace("Rest 0 Amble", f"Rest {index} Amble").replace("amble-s0", f"amble-s{index}")
                day[key] = moved.replace(f"amble-s{index}, 100.25m", f"amble-s{index}, {100.25 + index:.2f}m")
    score = score_plan(asked, plan, world)
    assert score.hard is not None and score.hard["room_type"].holds is holds


@pytest.mark.parametrize("rule", ["parties", "smoking", "children under 10", "visitors", "pets"])
def test_a_rule_forbids_only_its_own_request(frames, build, record, trip, rule):
    tables = frames()
    tables["stays"]["house_rules"] = [[f"No {rule}"]] * len(tables["stays"])
    world = build(tables)
    for request in ("parties", "smoking", "children under 10", "visitors", "pets"):
        asked = record(3)
        asked["constraints"]["house_rule"] = request
        score = score_plan(asked, trip(asked, world).plan(), world)
        assert score.hard is not None and score.hard["room_rule"].holds is (request != rule)


@pytest.mark.parametrize(("unknown", "holds"), [(["No pets"], False), (["No smoking"], True), (None, True)])
def test_a_rule_of_which_too_little_is_said_permits_nothing(frames, build, record, trip, unknown, holds):
    tables = frames()
    tables["stays"]["house_rules"] = [[]] * len(tables["stays"])
    tables["stays"]["unknown_rules"] = [unknown] * len(tables["stays"])
    world, asked = build(tables), record(3)
    asked["constraints"]["house_rule"] = "pets"
    score = score_plan(asked, trip(asked, world).plan(), world)
    assert score.hard is not None and score.hard["room_rule"].holds is holds
    assert bool(matching_stays(world, asked, "amble")) is holds


def test_unknown_rules_are_told_in_the_published_files(frames, build):
    tables = frames()
    tables["stays"]["house_rules"] = [["No smoking"]] * len(tables["stays"])
    tables["stays"]["unknown_rules"] = [["No pets"]] * len(tables["stays"])
    rows = database(tables, build(tables))["accommodations.csv"].decode().splitlines()
    assert all('"No smoking & others unknown"' in row for row in rows[1:])
    assert rules_text([], ["No pets"]) == "others unknown"
    assert (rules_text([], None), rules_text(None, None)) == ("none", "unknown")
