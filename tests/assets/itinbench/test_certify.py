"""Certification: a witness is accepted, and every kind of violation is found, under its own rule."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from assets.itinbench.checks.certify import RULES, Checker, check_witness
from assets.itinbench.world import World, check
from tests.assets.itinbench.town import RECORD, asks, frame, place, town, town_rows, witness

INVENTED = {"name": "Zzyzx Bistro", "address": "1 Nowhere Ln"}


def days(plan):
    return plan["plan"]["itinerary"]


def broken(plan, rows=None, record=None):
    """The rules that the plan breaks."""
    pool = town() if rows is None else frame(rows)
    return {violation.rule for violation in Checker(pool).breaks(plan, record or RECORD)}


def test_a_witness_is_certified():
    assert check_witness(witness(), RECORD, town()) == []
    assert check_witness(witness()["plan"], RECORD, town()) == []
    assert Checker(town()).checks(witness(), RECORD) == [{"check": rule, "holds": True} for rule in RULES]


def changed(name, **values):
    """The town's rows with the place of that name changed."""
    return [row | (values if row["name"] == name else {}) for row in town_rows()]


@pytest.mark.parametrize(
    ("slot", "values", "rule"),
    [
        ("breakfast", {"price_level": 4}, "budget"),
        ("dinner", {"price_level": None}, "budget"),
        ("lunch", {"cuisine_1": "Irish"}, "cuisine"),
        ("lunch", {"flavor": 3}, "restaurant"),
        ("dinner", {"value": None}, "restaurant"),
        ("accommodation", {"safety": 3}, "hotel"),
        ("accommodation", {"price_level": 4}, "budget"),
        ("lunch", {"kind": "attraction", "history": 3}, "pool"),
    ],
)
def test_a_place_that_does_not_fit_breaks_its_own_rule(slot, values, rule):
    assert broken(witness(), changed(days(witness())[1][slot]["name"], **values)) == {rule}


@pytest.mark.parametrize(("values", "rule"), [({"history": 1}, "orientation"), ({"price_level": 4}, "budget")])
def test_an_attraction_that_does_not_fit(values, rule):
    visit = days(witness())[0]["afternoon_attractions"][1]["name"]
    assert broken(witness(), changed(visit, **values)) == {rule}


def test_a_day_too_few_or_too_many():
    short = witness()
    del days(short)[1]
    assert broken(short) == {"days"}
    assert broken(witness(), record=asks(RECORD, days=3)) == {"days"}


@pytest.mark.parametrize("label", ["1", "2 ", "02", 2, None])
def test_a_day_that_is_called_otherwise_than_by_its_number(label):
    plan = witness()
    days(plan)[1]["days"] = label
    assert broken(plan) == {"days"}


def test_a_restaurant_twice():
    plan = witness()
    days(plan)[1]["dinner"] = days(plan)[0]["dinner"]
    assert broken(plan) == {"distinct"}


def test_an_attraction_twice():
    plan = witness()
    days(plan)[1]["night_attractions"] = days(plan)[0]["night_attractions"]
    assert "distinct" in broken(plan)


def test_one_place_as_restaurant_and_attraction():
    meal, visit = days(witness())[0]["lunch"]["name"], days(witness())[0]["morning_attractions"][0]["name"]
    rows = changed(visit, place_id=next(r["place_id"] for r in town_rows() if r["name"] == meal))
    assert broken(witness(), rows) == {"distinct"}


def test_a_second_stay():
    plan = witness()
    used = days(plan)[0]["accommodation"]["name"]
    other = next(r for r in town_rows() if r["kind"] == "stay" and r["name"] != used)
    same_spot = next(r for r in town_rows() if r["name"] == used)
    days(plan)[1]["accommodation"] = {"name": other["name"], "address": other["address"]}
    rows = changed(other["name"], lat=same_spot["lat"], lon=same_spot["lon"])
    assert broken(plan, rows) == {"one_stay"}


@pytest.mark.parametrize("slot", ["breakfast", "accommodation"])
def test_a_place_outside_the_pool(slot):
    plan = witness()
    days(plan)[0][slot] = INVENTED
    assert "pool" in broken(plan)


def test_a_place_spelled_otherwise_than_the_pool():
    plan = witness()
    days(plan)[0]["lunch"]["name"] = days(plan)[0]["lunch"]["name"].upper()
    assert broken(plan) == {"pool"}


def test_a_place_listed_twice():
    lunch = days(witness())[0]["lunch"]
    rows = [*town_rows(), place("r99", "restaurant", 40, -75, name=lunch["name"], address=lunch["address"])]
    assert broken(witness(), rows) == {"pool"}


def test_a_place_that_the_scorer_takes_for_another():
    """The scorer ignores case, so of two places that differ in nothing else it knows neither."""
    lunch = days(witness())[0]["lunch"]
    twin = place("r00", "restaurant", 40, -75, name=lunch["name"].upper(), address=lunch["address"])
    assert broken(witness(), [*town_rows(), twin]) == {"pool"}


@pytest.mark.parametrize("slot", ["lunch", "accommodation"])
def test_a_missing_place(slot):
    plan = witness()
    days(plan)[0][slot] = {"name": "-", "address": "-"}
    assert "format" in broken(plan)


def test_a_stay_is_not_carried_forward():
    plan = witness()
    days(plan)[1]["accommodation"] = {"name": "-", "address": "-"}
    assert "format" in broken(plan)


def test_visits_in_the_wrong_part_of_the_day():
    plan = witness()
    day = days(plan)[0]
    day["afternoon_attractions"], day["night_attractions"] = (
        day["afternoon_attractions"][:1],
        [day["afternoon_attractions"][1], *day["night_attractions"]],
    )
    assert broken(plan) == {"visits"}


def walked_longer():
    """The witness with two visits of its first day exchanged."""
    plan = witness()
    day = days(plan)[0]
    day["morning_attractions"][0], day["afternoon_attractions"][0] = (
        day["afternoon_attractions"][0],
        day["morning_attractions"][0],
    )
    return plan


def test_a_day_walked_in_a_longer_order():
    assert broken(walked_longer()) == {"day_tours", "trip"}


def test_the_judge_of_a_build_looks_at_tours_only_where_nothing_else_is_broken():
    def judged(plan):
        return {violation.check for violation in check(RECORD, plan["plan"], World(town()))}

    assert judged(witness()) == set()
    assert judged(walked_longer()) == broken(walked_longer())
    spoilt = walked_longer()
    days(spoilt)[0]["lunch"] = INVENTED
    assert judged(spoilt) == {"pool"}
    assert broken(spoilt) == {"pool", "day_tours", "trip"}


def test_visits_on_the_wrong_days():
    """Each day walked as well as it can be, but the visits parted otherwise than in the optimal trip."""
    line = [(40 + i / 1000, -75.0) for i in range(9)]
    rows = [r for r in town_rows() if r["kind"] == "restaurant"]
    rows += [place("s0", "stay", *line[4])]
    spots = [line[i] for i in (0, 1, 2, 3, 5, 6, 7, 8)]
    rows += [place(f"a{i}", "attraction", *spot) for i, spot in enumerate(spots)]
    at = {r["place_id"]: {"name": r["name"], "address": r["address"]} for r in rows}
    plan = witness()
    for day, visits in zip(days(plan), ((1, 0, 4, 5), (3, 2, 6, 7)), strict=True):
        first, second, third, fourth = (at[f"a{i}"] for i in visits)
        day |= {"morning_attractions": [first], "afternoon_attractions": [second, third], "night_attractions": [fourth]}
        day["accommodation"] = at["s0"]
    assert broken(plan, rows) == {"trip", "jumps"}


@pytest.mark.parametrize(
    "plan", [None, [], {}, {"plan": {"itinerary": [None, "x"]}}, {"itinerary": [{"lunch": 3}] * 2}]
)
def test_what_is_no_plan_is_not_certified(plan):
    assert "format" in broken(plan)


@pytest.mark.parametrize(("limit", "rule"), [("most_walk_m", "walking"), ("most_signs", "price_signs")])
def test_a_limit_of_a_hard_record(limit, rule):
    """One metre, one price sign: no plan keeps that (`test_itinbench_limits.py` has the exact bounds)."""
    assert {name for name, _ in Checker(town()).breaks(witness(), asks(RECORD, **{limit: 1}))} == {rule}


def test_every_rule_can_be_broken():
    """The rules named in this file's cases are all there are."""
    named = {
        node.value
        for node in ast.walk(ast.parse(Path(__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
    }
    assert set(RULES) <= named
