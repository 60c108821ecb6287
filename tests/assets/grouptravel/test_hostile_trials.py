"""Nothing in a trial is an error: ratings, markers, tables, dates and costs that no computer adds up or reads."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from typing import Any

import pytest

from assets.grouptravel.checks.judge import judge_score
from assets.grouptravel.facts.opening import open_spans
from assets.grouptravel.scoring import TaskCase, score_trial
from assets.grouptravel.variants import VARIANTS
from assets.grouptravel.wishes.preferences import read_table
from tests.assets.grouptravel.weekend import FACTS, USERS, acts, daily, good_plan, table

HUGE, DEEP = 10**400, "[" * 1_900
ENTRIES = {user: {"role": "friend", "preference": table(), "compromisable": True} for user in USERS}
TASK = TaskCase("t1", ENTRIES, FACTS)

all_variants = pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))


def with_marker(value: str) -> dict[str, Any]:
    """Return a trial whose transcript ends with a marker of the value."""
    said = [{"role": "Agent", "content": "@User1 ok?"}, {"role": "User1", "content": f"yes\n[avg_budget : {value}]"}]
    return {"plan": good_plan(), "conversation_history": said}


def with_table(key: str) -> dict[str, Any]:
    """Return a trial that states tables with a number that is larger than any double."""
    return {"plan": good_plan(), key: {user: {"preference": table(avg_budget=HUGE)} for user in USERS}}


def dated(*dates: str) -> dict[str, Any]:
    """Return a trial whose plan has these dates."""
    plan = good_plan()
    for day, date in zip(plan["days"], dates, strict=False):
        day["date"] = date
    return {"plan": plan}


def with_cost(cost: Any) -> dict[str, Any]:
    """Return a trial in which everything costs this."""
    plan = good_plan()
    for act in (*acts(plan), *plan["days"][0]["city_segments"]):
        act["avg_cost"] = cost
    return {"plan": plan}


TRIALS = {
    "marker of a huge number": with_marker("1" + "0" * 400),
    "marker of more digits than Python reads": with_marker("9" * 1_900),
    "marker of brackets": with_marker(DEEP),
    "marker of brackets that end": with_marker("[" * 950 + "]" * 950),
    "marker of objects": with_marker('{"a":' * 380),
    "marker that is infinite": with_marker("1e999"),
    "tables of a huge number": with_table("effective_preferences"),
    "agent's tables of a huge number": with_table("agent_preference_table"),
    "first date there is": dated("0001-01-01", "0001-01-02"),
    "last date there is": dated("9999-12-30", "9999-12-31"),
    "huge cost": with_cost(HUGE),
    "huge cost below nothing": with_cost(-HUGE),
    "cost that is not a number": with_cost(float("nan")),
    "cost of brackets": with_cost(json.loads("[" * 300 + "]" * 300)),
    "cost of many digits": with_cost("9" * 5_000),
    "half a surrogate pair": {"plan": json.loads(json.dumps(good_plan()).replace("Grand Museum", r"\ud800"))},
}


@all_variants
@pytest.mark.parametrize("trial", TRIALS.values(), ids=list(TRIALS))
def test_nothing_in_a_trial_is_an_error(trial, variant):
    row = score_trial(trial, TASK, variant)
    assert row["has_plan"]
    json.dumps(row)


@all_variants
@pytest.mark.parametrize("first_date", [dt.date.min, dt.date.max])
def test_a_task_at_an_end_of_the_calendar_is_scored(first_date, variant):
    task = replace(TASK, facts=replace(FACTS, first_date=first_date))
    assert score_trial({"plan": good_plan()}, task, variant)["has_plan"]


@pytest.mark.parametrize(("depth", "agreed"), [(90, 1), (110, 0)])
def test_a_marker_nested_too_deep_changes_no_table(depth, agreed):
    row = score_trial(with_marker("[" * depth + "]" * depth), TASK, VARIANTS["released"])
    assert row["compromises"] == agreed


RATINGS = {
    "texts": (["a"] * 5, None),
    "nulls": ([None] * 5, None),
    "lists": ([[]] * 5, None),
    "true": ([True] * 5, None),
    "no number": ([float("nan")] * 5, None),
    "two": ([1, 2], None),
    "six": ([1] * 6, None),
    "above five": ([9, 1, 1, 1, 1], None),
    "huge": ([HUGE] * 5, None),
    "a meta of text": ([3] * 5, "x"),
    "a meta of 9": ([3] * 5, 9),
}


@all_variants
@pytest.mark.parametrize(("ratings", "meta"), RATINGS.values(), ids=list(RATINGS))
def test_ratings_that_are_none_give_no_rating_and_are_noted(ratings, meta, variant):
    row = score_trial({"plan": good_plan(), "ratings": ratings, "meta": meta}, TASK, variant)
    assert row["judge"] is None
    assert any("expected 5 from 1 to 5" in note for note in row["notes"])
    assert score_trial({"plan": good_plan(), "ratings": [3] * 5, "meta": 5}, TASK, variant)["judge"] == 50.0


@pytest.mark.parametrize(("ratings", "meta"), RATINGS.values(), ids=list(RATINGS))
def test_the_judge_s_formula_names_what_is_no_rating(ratings, meta):
    with pytest.raises(ValueError, match="expected 5 from 1 to 5"):
        judge_score(ratings, meta)


@pytest.mark.parametrize("number", [HUGE, 10**309, float("inf"), float("nan"), -HUGE, -1])
def test_a_number_that_no_double_holds_is_left_out_of_a_table(number):
    found, problems = read_table(table(avg_budget=number))
    assert found is not None and found["global_constraints"]["avg_budget"] == 0
    assert [problem.partition(" is ")[0] for problem in problems] == ["global_constraints.avg_budget"]


def test_the_first_date_of_the_calendar_has_no_night_before():
    late = daily("18:00", "02:00")
    assert open_spans(late, dt.date.min) == [(18 * 60, 26 * 60)]
    assert open_spans(late, dt.date(2, 1, 1)) == [(0, 2 * 60), (18 * 60, 26 * 60)]
