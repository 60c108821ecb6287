"""The witness: strict, compact, as many breakfasts as can be, the same whatever the order of the pool."""

from __future__ import annotations

import itertools

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.family import Refused, Solved
from assets.itinbench.checks.certify import Checker, check_witness
from assets.itinbench.scoring import score
from assets.itinbench.solver import cluster_map, matching, shortages, solve, solve_from
from assets.itinbench.tables import Record
from assets.itinbench.witness.meals import assign_meals
from assets.itinbench.world import World
from tests.assets.itinbench.town import RECORD, asks, frame, place, solved, town, town_rows

US_RECORD: Record = {
    "days": 4,
    "price": "expensive",
    "orientation": "history",
    "cuisine": "US",
    "restaurant": ["flavor"],
    "hotel": ["location"],
}


def test_a_witness_says_what_it_is():
    proof = solved().proof
    assert proof["pool"] == {"stay": 2, "restaurant": 9, "attraction": 10}
    assert proof["breakfast"] == {"days": 2, "served": 2, "offered_by": 2, "statement": "served"}
    assert proof["meals_known_as_served"] == {"breakfast": 2, "lunch": 2, "dinner": 2}
    assert sum(proof["scorer"]["days_optimum"]) == pytest.approx(proof["scorer"]["trip_optimum"])
    assert proof["geodesic"]["trip_optimum_m"] <= proof["geodesic"]["trip_m"]
    assert proof["geodesic"]["differs"] == (proof["geodesic"]["trip_optimum_m"] < proof["geodesic"]["trip_m"])
    assert [len(day) for day in proof["place_ids"]["attractions"]] == [4, 4]
    assert [len(day) for day in proof["place_ids"]["restaurants"]] == [3, 3]
    assert proof["clusters"] == cluster_map(town())


def test_the_native_plan_has_the_published_keys_in_order():
    first = solved().plan["itinerary"][0]
    assert list(first) == [
        "days",
        "breakfast",
        "morning_attractions",
        "lunch",
        "afternoon_attractions",
        "dinner",
        "night_attractions",
        "accommodation",
    ]
    assert first["days"] == "1"
    assert list(first["lunch"]) == ["name", "address"]


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(21)))
def test_the_order_of_the_pool_changes_nothing(order):
    shuffled = town().iloc[list(order)].reset_index(drop=True)
    assert solve("t1", RECORD, World(shuffled)) == solved()


def test_a_place_that_does_not_match_changes_nothing():
    rows = [*town_rows(), place("r98", "restaurant", 40.001, -75.001, cuisine_1="Irish")]
    assert solve("t1", RECORD, World(frame(rows))) == solved()
    assert solve_from(RECORD, matching(town(), RECORD), task_id="t1") == solved()


def refusal(short):
    """The refusal that names these kinds, each with the number found and the number needed."""
    parts = [f"{found} matching of kind {kind}, {needed} needed" for kind, (found, needed) in short.items()]
    return Refused("; ".join(parts), "shortage")


@pytest.mark.parametrize(
    ("kind", "kept", "short"),
    [
        ("stay", 0, {"stay": (0, 1)}),
        ("restaurant", 5, {"restaurant": (5, 6), "all": (15, 14)}),
        ("attraction", 7, {"attraction": (7, 8)}),
    ],
)
def test_too_few_places_are_named(kind, kept, short):
    rows = town_rows()
    others = [r for r in rows if r["kind"] != kind]
    found = solve("t1", RECORD, World(frame([*others, *[r for r in rows if r["kind"] == kind][:kept]])))
    assert found == refusal({k: v for k, v in short.items() if v[0] < v[1]})


def as_double(rows, restaurant, attraction):
    """The rows, with the attraction being the restaurant's business too (defect I4)."""
    return [r | ({"place_id": restaurant} if r["place_id"] == attraction else {}) for r in rows]


def test_a_place_of_two_kinds_is_used_once():
    rows = town_rows()[:2] + town_rows()[2:8] + town_rows()[11:19]  # 6 restaurants, 8 attractions: none to spare
    assert check_witness(solve_plan(frame(rows)), RECORD, frame(rows)) == []
    doubled = frame(as_double(rows, "r3", "a2"))
    found = solve("t1", RECORD, World(doubled))
    assert found == refusal({"all": (13, 14)})


def test_doubles_are_visited_only_when_they_must_and_then_not_the_breakfast_places():
    rows = town_rows()[:11] + town_rows()[11:19]  # 9 restaurants, 8 attractions, of which 2 are restaurants too
    pool = frame([*as_double(as_double(rows, "r0", "a2"), "r5", "a3"), town_rows()[20]])
    found = solve("t1", RECORD, World(pool))
    assert isinstance(found, Solved)
    visited = {v for day in found.proof["place_ids"]["attractions"] for v in day}
    assert "r5" in visited
    assert "r0" not in visited
    assert found.proof["breakfast"]["served"] == 2
    assert check_witness(found.plan, RECORD, pool) == []


def test_a_stay_that_is_a_restaurant_too_is_taken_last():
    rows = town_rows()
    for double, single in (("s0", "s1"), ("s1", "s0")):
        rows = [r | ({"place_id": "r4"} if r["place_id"] == double else {}) for r in town_rows()]
        found = solve("t1", RECORD, World(frame(rows)))
        assert isinstance(found, Solved)
        assert found.proof["place_ids"]["stay"] == single
    alone = frame([r for r in rows if r["place_id"] != "s0"])
    assert check_witness(solve_plan(alone), RECORD, alone) == []


def solve_plan(pool):
    found = solve("t1", RECORD, World(pool))
    assert isinstance(found, Solved)
    return found.plan


def test_breakfast_that_nobody_offers_is_said():
    rows = [r | ({"meals": ["dinner"]} if r["place_id"] in ("r0", "r1") else {}) for r in town_rows()]
    found = solve("t1", RECORD, World(frame([*rows, place("r9", "restaurant", 40, -75, meals=["breakfast"])])))
    assert isinstance(found, Solved)
    assert found.proof["breakfast"]["statement"] == "not offered by 1 of 2 days"
    assert (found.proof["breakfast"]["served"], found.proof["breakfast"]["offered_by"]) == (1, 1)


meals = st.sampled_from([["breakfast"], ["brunch", "lunch"], ["lunch", "dinner"], ["dinner"], ["dessert"], []])


@settings(max_examples=40, deadline=None)
@given(st.lists(meals, min_size=6, max_size=7))
def test_as_many_breakfasts_as_can_be_then_as_few_desserts(served):
    """Against every choice of different restaurants for the six meals of two days."""
    rows = frame([place(f"r{i}", "restaurant", 40, -75 + i / 1000, meals=m) for i, m in enumerate(served)])
    here = [(40.0, -75.0)]

    def worth(choice):
        breakfasts = sum(bool({"breakfast", "brunch"} & set(served[choice[slot]])) for slot in (0, 3))
        return breakfasts, -sum(served[row] == ["dessert"] for row in choice)

    found = assign_meals(rows, [here] * 6)
    assert len(set(found.rows)) == 6
    assert worth(found.rows) == max(worth(c) for c in itertools.permutations(range(len(served)), 6))
    assert found.served_counts["breakfast"] == worth(found.rows)[0]


def test_a_dessert_place_next_door_is_left_for_a_meal_far_away():
    served = [["breakfast"], ["lunch"], ["dessert"], ["dinner"], ["dinner"], ["dinner"], ["dinner"]]
    rows = frame([place(f"r{i}", "restaurant", 40, -75 + i / 1000, meals=m) for i, m in enumerate(served)])
    assert 2 not in assign_meals(rows, [[(40.0, -74.998)]] * 6).rows


def test_places_that_plans_cannot_tell_apart_are_left_out():
    rows = town_rows()
    twin = place("r91", "restaurant", 40, -75, name=rows[2]["name"].upper(), address=rows[2]["address"])
    upstairs = place("r92", "restaurant", 40, -75, name=rows[3]["name"], address="9 Side St, Fl 2")
    nameless = [place("r93", "restaurant", 40, -75, name=" "), place("r94", "restaurant", 40, -75, name="-")]
    found = matching(frame([*rows, twin, upstairs, *nameless]), RECORD)["restaurant"]
    assert list(found["place_id"]) == [f"r{i}" for i in range(1, 9)]


def test_shortages_of_the_whole_record():
    assert shortages(matching(town(), RECORD), 2) == {}
    assert shortages(matching(town(), RECORD), 3) == {"attraction": (10, 12), "all": (19, 21)}


def test_clusters_are_of_attractions_and_stays_only():
    found = cluster_map(town())
    assert sorted(found) == ["Cluster_0", "Cluster_1"]
    assert sorted(p for members in found.values() for p in members) == sorted(
        r["place_id"] for r in town_rows() if r["kind"] != "restaurant"
    )
    assert len(found["Cluster_0"]) >= len(found["Cluster_1"])
    assert cluster_map(town().iloc[::-1]) == found
    assert cluster_map(town()[town()["kind"] == "restaurant"]) == {}
    assert list(cluster_map(town().iloc[[0, 1]])) == ["Cluster_0"]


def test_philadelphia_witnesses_are_certified_and_score_full_marks(philadelphia):
    """One task of each cuisine that three days of Philadelphia can feed, in all three variants."""
    checker, plans, records = Checker(philadelphia), [], {}
    for cuisine, days in (("US", 4), ("Italian", 3), ("Chinese", 3), ("Mexican", 2), ("Japanese", 2)):
        record = asks(US_RECORD, cuisine=cuisine, days=days)
        found = solve(f"t-{cuisine}", record, World(philadelphia))
        assert isinstance(found, Solved), cuisine
        assert checker.violations(found.plan, record) == []
        plans.append({"task_id": cuisine, "plan": found.plan})
        records[cuisine] = record
    for variant in ("ours", "paper", "released"):
        aggregate = score(plans, records, philadelphia, variant=variant).aggregate
        assert {m: aggregate[m] for m in ("oop", "mi", "macro", "vr", "micro")} == {
            "oop": 0,
            "mi": 0,
            "macro": 100,
            "vr": 100,
            "micro": 100,
        }
        assert [aggregate[m] for m in ("arg", "dg", "total_dg", "ecj")] == pytest.approx([0, 0, 0, 0], abs=1e-9)


def test_irish_food_cannot_be_had_in_philadelphia(philadelphia):
    found = solve("t", asks(US_RECORD, cuisine="Irish"), World(philadelphia))
    assert isinstance(found, Refused)
    assert (found.kind, "matching of kind restaurant" in found.detail) == ("shortage", True)


def test_a_null_rating_meets_nothing():
    rows = [r | {"flavor": None, "price_level": pd.NA} for r in town_rows() if r["kind"] == "restaurant"]
    assert matching(frame(rows), RECORD)["restaurant"].empty
