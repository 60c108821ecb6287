"""The statistics of a release beside the paper's, of two tasks counted by hand."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from assets.grouptravel.gaps import GAPS, gaps
from assets.grouptravel.measures import measures
from assets.grouptravel.tables import GroupCity, GroupPoi, GroupRide
from assets.rows import ReleaseTables
from schemas.spatial import DistanceMatrix, PlaceNearestStop, PlaceServedStop
from tests.assets.grouptravel.weekend import table


def record(level: str, tables: list[dict[str, Any]], children: int = 0) -> dict[str, Any]:
    return {
        "difficulty_type": level,
        "days": 3,
        "metadata": {"child_members": [{"user": f"Child{n}"} for n in range(children)], "cities": ["Oulu"]},
        "user_preferences": {f"User{n}": {"preference": held} for n, held in enumerate(tables, 1)},
    }


EASY = record("easy", [table(avg_budget=100, must_eat=["hotpot"]), table(avg_budget=200, avoid_eat=["hotpot"])])
HARD = record("hard", [table(avg_budget=600, must_eat=["hotpot", "noodles"], transport_must=["train"])] * 3, 1)


def found() -> dict[str, Any]:
    names = [column.name for column in GroupPoi.columns()]
    held = {"poi_type": "attractions", "category": "museum", "is_cost_modelled": False}
    pois = [
        dict.fromkeys(names) | held | {"city_id": "x", "place_id": f"p{n}", "name": f"Museum {n}"} for n in range(2)
    ]
    frames = {
        "tasks": pd.DataFrame({"task_id": ["t1", "t2"], "record": [EASY, HARD]}),
        "certificates": pd.DataFrame(
            {"task_id": ["t2", "t1"], "plan": [{"days": []}] * 2, "proof": [proof(540), proof(80)]}
        ),
        GroupPoi.table_name(): pd.DataFrame(pois),
        GroupCity.table_name(): pd.DataFrame({"city_id": ["x"], "name": ["Oulu"]}),
    }
    for of_ways in (GroupRide, DistanceMatrix, PlaceNearestStop, PlaceServedStop):
        frames[of_ways.table_name()] = of_ways.frame(of_ways.arrow_schema().empty_table())
    return measures(ReleaseTables(frames, {"language": "en", "currency": "EUR"}), {})


def proof(cost: float) -> dict[str, Any]:
    reachable = {name: 90.0 for pair in GAPS.values() for name in pair} | {"split_bound": 150.0 - cost / 9}
    return {"per_table": {"together_utility": 1.0}, "cost": cost, "reachable": reachable}


def test_sizes_preferences_and_budgets_stand_by_difficulty_beside_the_published():
    easy, hard, every, published = found()["by_difficulty"]
    assert easy == {
        "difficulty": "easy", "tasks": 1, "people": 2.0, "users": 2.0, "preferences": 2.0, "budget_mean": 150,
        "budget_median": 150,
    }  # fmt: skip
    assert (hard["people"], hard["users"], hard["preferences"], hard["budget_median"]) == (4.0, 3.0, 4.0, 600)
    assert (every["difficulty"], every["tasks"], every["people"], every["users"]) == ("all", 2, 3.0, 2.5)
    assert (every["budget_mean"], every["preferences"]) == (420, 3.2)
    assert published == {
        "difficulty": "published", "tasks": 650, "people": 4.41, "users": 4.23, "preferences": 22.93,
        "budget_mean": 3265, "budget_median": 3000,
    }  # fmt: skip


def test_preferences_are_counted_by_tier():
    counted = {(row["of"], row["tier"]): row["here"] for row in found()["preferences_per_user_and_tier"]}
    assert counted["food", "must_eat"] == 1.4
    assert counted["food", "avoid_eat"] == 0.2
    assert counted["transport", "must"] == 0.6
    assert counted["budget", "avg_budget"] == 1.0
    assert counted["visits", "must_visit"] == 0.0
    by_kind = {row["of"]: row["here"] for row in found()["preferences_per_user"]}
    assert by_kind["food"] == pytest.approx(sum(share for (kind, _), share in counted.items() if kind == "food"))


def test_conflicts_stand_by_difficulty():
    by_level = {row["difficulty"]: row for row in found()["conflicts"]}
    assert (by_level["easy"]["mean"], by_level["easy"]["food"], by_level["hard"]["mean"]) == (1.0, 1.0, 0.0)
    assert (by_level["all"]["share_with_any"], by_level["published"]["share_with_any"]) == (0.5, 0.774)


def test_trips_costs_must_visits_and_what_nobody_would_do_are_counted():
    said = found()
    trips = {(row["of"], row["number"]): row["tasks"] for row in said["shape_of_trips"]}
    assert (trips["days", 3], trips["days", 2], trips["cities", 1], trips["cities", 3]) == (2, 0, 2, 0)
    costs = [row["here"] for row in said["budgets_and_costs"]]
    assert costs == [0.8, 0.85, 0.9, 0.5]  # 80 of 100, and 540 of 600
    assert sum(row["must_visits"] for row in said["must_visits"]) == 0
    planted = {row["what"]: row["found"] for row in said["implausible"]}
    assert planted["kinds_that_there_is_one_of"] == 8  # the town has nothing to eat
    assert {name: count for name, count in planted.items() if count} == {"kinds_that_there_is_one_of": 8}


def test_gaps_are_shares_of_the_bound_that_the_best_plans_lack():
    by_plans = {row["plans"]: row for row in found()["gaps_to_the_bounds"]}
    assert by_plans["with splits"] == {
        "plans": "with splits", "median": 0.181, "nine_of_ten": 0.362, "worst": 0.362,
        "share_that_meets_the_bound": 0.5,
    }  # fmt: skip
    assert (by_plans["together"]["worst"], by_plans["together"]["share_that_meets_the_bound"]) == (0, 1)
    tasks = [dict.fromkeys((n for pair in GAPS.values() for n in pair), 100.0) | {"split_utility": 100.0 - n}
             for n in range(1, 11)]  # fmt: skip
    [row] = [row for row in gaps(tasks) if row["plans"] == "with splits"]
    assert (row["median"], row["nine_of_ten"], row["worst"]) == (0.055, 0.09, 0.1)
    assert gaps([]) == []
