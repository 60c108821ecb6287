"""The worked cases of GroupTravelBench, each under its own variant."""

from __future__ import annotations

import copy
import datetime as dt
import math

import pytest

from assets.grouptravel.checks.completeness import completeness
from assets.grouptravel.checks.compromise import effective_tables, read_marker
from assets.grouptravel.checks.fairness import group_fairness
from assets.grouptravel.checks.utility import group_utility
from assets.grouptravel.checks.validity import validity
from assets.grouptravel.checks.validity_facts import Facts
from assets.grouptravel.difficulty import difficulty
from assets.grouptravel.facts.opening import is_open
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.plan import minutes, read_plan
from assets.grouptravel.variants import VARIANTS

USERS = ("User1", "User2", "User3")


@pytest.fixture
def known_places(golden_case) -> Pois:
    listed = golden_case("GTB-GU-1")["input"]["poi_db"]
    return Pois({city: [Poi(name, name, "", kind) for name, kind in named.items()] for city, named in listed.items()})


def test_difficulty_scores(golden_case):
    case = golden_case("GTB-DIFF")
    found = [difficulty(t["N"], t["days"], t["cities"]) for t in case["input"]["tasks"]]
    assert found == [(row["score"], row["label"]) for row in case["expected"]]


def test_group_utility(golden_case, known_places):
    case = golden_case("GTB-GU-1")
    plan, tables = read_plan(case["input"]["plan"]), case["input"]["preferences"]
    found = group_utility(plan, tables, USERS, known_places, VARIANTS[case["variant"]])
    assert plan.notes == ()
    assert {
        user: {"total": points.total, "breakdown": points.breakdown, "cost": points.cost}
        for user, points in found.users.items()
    } == case["expected"]["per_user"]
    assert (found.penalty, found.value) == (case["expected"]["split_penalty"], case["expected"]["GU"])


def test_group_fairness_at_its_edges(golden_case):
    case = golden_case("GTB-GF-EDGE")
    found = [group_fairness(vector, VARIANTS[case["variant"]]) for vector in case["input"]["vectors"]]
    assert found == case["expected"]
    assert [math.copysign(1, value) for value in found] == [math.copysign(1, value) for value in case["expected"]]


def test_preference_completeness(golden_case):
    case = golden_case("GTB-PC-1")
    given = case["input"]
    found = completeness(given["agent_table"], given["effective_preferences"], VARIANTS[case["variant"]])
    assert {"collected": found.collected, "possible": found.possible, "PC": found.percent} == case["expected"]


def test_a_valid_plan(golden_case, known_places):
    case = golden_case("GTB-PV-1")
    plan = read_plan(golden_case("GTB-GU-1")["input"]["plan"])
    found = validity(plan, Facts(USERS, known_places, departure_city="Origin"), VARIANTS[case["variant"]])
    assert {"issues": list(found.issues), "valid": found.is_valid} == case["expected"]


def test_a_missing_arrival_transfer(golden_case, known_places):
    case = golden_case("GTB-PV-2")
    raw = copy.deepcopy(golden_case("GTB-GU-1")["input"]["plan"])
    del raw["days"][0]["city_segments"][1]["activities"][0]
    found = validity(read_plan(raw), Facts(USERS, known_places), VARIANTS[case["variant"]])
    assert [[i.kind, i.day, i.user] for i in found.issues] == case["expected"]["issues"]
    assert found.is_valid is case["expected"]["valid"]


@pytest.mark.parametrize("variant", ["paper", "released", "ours"])
def test_opening_hours(golden_case, variant):
    case = golden_case("GTB-OPEN-1")
    hours = {"always_open": False, "rules": case["input"]["rules"]}
    found = []
    for date, start, end in case["input"]["queries"]:
        begin, finish = minutes(start), minutes(end)
        assert begin is not None and finish is not None
        found.append(is_open(hours, dt.date.fromisoformat(date), begin, finish, VARIANTS[variant]))
    assert found == case["expected"]


def test_a_compromise(golden_case):
    case = golden_case("GTB-COMP-1")
    given, expected = case["input"], case["expected"]
    table = {"preference": {"global_constraints": {"avg_budget": given["before"]}}, "compromisable": True}
    asked = {"role": "Agent", "content": "@User1 could you?"}
    earlier = {"role": "User1", "content": "[avg_budget : 1500]"}
    found = effective_tables({"User1": table}, [asked, earlier, asked, {"role": "User1", "content": given["reply"]}])
    marker = read_marker(given["reply"])
    assert marker is not None and marker.visible == expected["visible"]
    assert found.used["User1"] == expected["quota_used"]
    assert found.tables["User1"]["preference"]["global_constraints"]["avg_budget"] == expected["after"]
    assert found.tables["User1"]["compromisable"] is expected["compromisable"] is found.is_compromisable("User1")
