"""Utility, splits, fairness, completeness, the judge and the aggregation: hand cases, laws, and a test per defect."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.grouptravel.checks.completeness import completeness
from assets.grouptravel.checks.fairness import group_fairness
from assets.grouptravel.checks.judge import judge_score
from assets.grouptravel.checks.splits import split_penalty
from assets.grouptravel.checks.utility import group_utility
from assets.grouptravel.plan import read_plan
from assets.grouptravel.scoring import METRICS, SHARES, Optima, TaskCase, score, score_trial
from assets.grouptravel.variants import OURS, PAPER, RELEASED, VARIANTS
from tests.assets.grouptravel.weekend import FACTS, POIS, USERS, acts, at, good_plan, table


def points(plan: dict[str, Any], wanted: dict[str, Any], variant=OURS, user: str = "User1") -> dict[str, int]:
    found = group_utility(read_plan(plan), {user: wanted}, USERS, POIS, variant).users[user].breakdown
    return {dimension: value for dimension, value in found.items() if value}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"must_visit": ["Grand Museum"]}, {"attractions": 2}),
        ({"reject_visit": ["Grand Museum"]}, {"attractions": -2}),
        ({"positive": ["park", "temple"]}, {"attractions": 2}),
        ({"negative": ["park"]}, {"attractions": -1}),
        ({"positive": ["museum"], "must_visit": ["Grand Museum"]}, {"attractions": 2}),
        ({"must_eat": ["hotpot"]}, {"food": 2}),
        ({"reject_eat": ["Spice Pot"], "prefer_eat": ["hotpot"]}, {"food": -2}),
        ({"prefer_eat": ["noodles"], "avoid_eat": ["hotpot"]}, {}),
        ({"transport_must": ["train"]}, {"transport": 4}),
        ({"transport_avoid": ["train"]}, {"transport": -2}),
        ({"hotel_prefer": ["comfort"]}, {"hotel": 1}),
        ({"hotel_avoid": ["comfort"]}, {"hotel": -1}),
        ({"max_poi_per_day": 1}, {"intensity": -2}),
        ({"max_poi_per_day": 2}, {}),
        ({"max_active_hours": 5}, {"intensity": -2}),
        ({"avg_budget": 659}, {"budget": -2}),
        ({"avg_budget": 660}, {}),
    ],
)
def test_points_by_tier(wanted, expected):
    assert points(good_plan(), table(**wanted)) == expected


@pytest.mark.parametrize(("variant", "value"), [(RELEASED, 2.0), (OURS, 2.0), (PAPER, 0.67)])
def test_the_paper_divides_by_all_participants(variant, value):
    found = group_utility(read_plan(good_plan()), {"User1": table(must_visit=["Grand Museum"])}, USERS, POIS, variant)
    assert (found.value, found.per_table, found.per_participant) == (value, 2.0, 0.67)


def test_going_twice_pays_once_in_ours():
    plan = good_plan()
    acts(plan, 1)[1]["location"] = "Old Temple"
    wanted = table(positive=["temple"])
    assert points(plan, wanted, RELEASED) == {"attractions": 2}
    assert points(plan, wanted, OURS) == {"attractions": 1}


def test_a_name_inside_another_is_another_place_in_ours():
    plan, wanted = good_plan(), table(must_visit=["Temple"])
    assert points(plan, wanted, RELEASED) == {"attractions": 2}
    assert points(plan, wanted, OURS) == {}, "no place of that name"
    acts(plan, 1)[1]["location"] = "Old Temple Garden"
    acts(plan)[5]["location"] = "Grand Museum"
    wanted = table(must_visit=["Old Temple"])
    assert points(plan, wanted, RELEASED) == {"attractions": 2}
    assert points(plan, wanted, OURS) == {}
    wanted = table(must_visit=["Lake Park"])
    acts(plan, 1)[1]["location"] = "Lake Park Museum of Nowhere"
    assert points(plan, wanted, RELEASED) == {"attractions": 2}
    assert points(plan, wanted, OURS) == {}


def test_a_rest_at_noon_is_no_night_in_ours():
    plan, wanted = good_plan(), table(hotel_prefer=["comfort"])
    acts(plan).insert(5, at("hotel", "13:00", "13:30", "Comfort Inn", avg_cost=150))
    assert points(plan, wanted, RELEASED) == {"hotel": 2}
    assert points(plan, wanted, OURS) == {"hotel": 1}


def test_a_double_booking_hides_no_loss_in_ours():
    """Released voids both activities for everybody, losses too; ours takes the gain from who is double-booked alone."""
    plan = good_plan()
    acts(plan)[1]["participants"] = ["User1", "User2"]
    acts(plan).insert(2, at("attraction", "10:00", "11:00", "Lake Park", ["User2", "User3"]))
    likes, rejects = table(must_visit=["Grand Museum"]), table(reject_visit=["Grand Museum"])
    assert points(plan, likes, RELEASED) == points(plan, rejects, RELEASED, "User2") == {}
    assert points(plan, likes, OURS) == {"attractions": 2}
    assert points(plan, likes, OURS, "User2") == {}
    assert points(plan, rejects, OURS, "User2") == {"attractions": -2}


def penalty(entries: list[tuple[str, str, list[str]]], variant=OURS, users=("User1", "User2", "User3", "User4")) -> int:
    listed = [at("attraction", start, end, f"Place {n}", who) for n, (start, end, who) in enumerate(entries)]
    return split_penalty(
        read_plan({"days": [{"city_segments": [{"city": "Oulu", "activities": listed}]}]}), users, variant
    )


A, B, C, D = ["User1"], ["User2"], ["User3"], ["User4"]


@pytest.mark.parametrize(
    ("entries", "released", "ours"),
    [
        ([("09:00", "11:00", [*A, *B]), ("09:00", "11:00", [*C, *D])], 1, 1),
        ([("09:00", "11:00", [*A, *B]), ("09:00", "11:00", C), ("10:00", "11:00", D)], 2, 2),
        ([("09:00", "11:00", ["All"]), ("11:00", "12:00", ["All"])], 0, 0),
        # two splits after each other are two
        ([("09:00", "11:00", [*A, *B]), ("09:00", "11:00", [*C, *D]),
          ("11:00", "12:00", [*A, *B]), ("11:00", "12:00", [*C, *D])], 2, 2),
        # G7: one team dividing further while the other still bridges the gap made both splits free
        ([("09:00", "11:00", [*A, *B]), ("09:00", "11:30", [*C, *D]),
          ("11:00", "12:00", A), ("11:00", "12:00", B)], 0, 3),
        # leaving the others without an entry, or listing a stranger in both teams, was free too
        ([("09:00", "11:00", [*A, *B])], 0, 1),
        ([("09:00", "11:00", [*A, *B, "X"]), ("09:00", "11:00", [*C, *D, "X"])], 0, 1),
        # a list of everybody is everybody
        ([("09:00", "11:00", [*A, *B, *C, *D])], 0, 0),
    ],
)  # fmt: skip
def test_split_penalties(entries, released, ours):
    assert (penalty(entries, RELEASED), penalty(entries, OURS)) == (released, ours)


def test_teams_in_two_blocks_of_one_city_are_a_split_in_ours():
    plan = {"days": [{"city_segments": [
        {"city": "Oulu", "activities": [at("attraction", "09:00", "11:00", "Grand Museum", ["User1"])]},
        {"city": "Oulu", "activities": [at("attraction", "09:00", "11:00", "Lake Park", ["User2"])]},
    ]}]}  # fmt: skip
    assert (split_penalty(read_plan(plan), USERS, RELEASED), split_penalty(read_plan(plan), USERS, OURS)) == (0, 2)


spans = st.tuples(st.integers(9, 15), st.integers(1, 4))
teams = st.lists(st.sampled_from(["User1", "User2", "User3", "User4"]), min_size=1, max_size=3, unique=True)


@given(st.lists(st.tuples(spans, teams), max_size=5))
def test_no_split_is_cheaper_in_ours_than_as_released(drawn):
    """Whatever the released rule sees, ours sees: no plan escapes by our reading."""
    entries = [(f"{start:02d}:00", f"{start + length:02d}:00", who) for (start, length), who in drawn]
    assert penalty(entries, OURS) >= penalty(entries, RELEASED)


@given(st.lists(st.tuples(spans, teams), max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_entries_changes_no_penalty(drawn, shuffled):
    entries = [(f"{start:02d}:00", f"{start + length:02d}:00", who) for (start, length), who in drawn]
    other = list(entries)
    shuffled.shuffle(other)
    assert penalty(entries, OURS) == penalty(other, OURS)


@pytest.mark.parametrize(
    ("utilities", "released", "ours"),
    [([5, 5], 100.0, 100.0), ([8, 2], 25.0, 25.0), ([6, -1], 0.0, 0.0), ([0, 0], 100.0, 0.0), ([-2, -2], 100.0, 0.0),
     ([-2, -8], 25.0, 0.0), ([], 100.0, 0.0)],
)  # fmt: skip
def test_nobody_gaining_is_not_fair_in_ours(utilities, released, ours):
    """G8: equal misery scored 100."""
    assert (group_fairness(utilities, RELEASED), group_fairness(utilities, OURS)) == (released, ours)


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=6), st.sampled_from(list(VARIANTS.values())))
def test_fairness_is_a_percentage_whatever_the_order(utilities, variant):
    assert 0 <= group_fairness(utilities, variant) <= 100
    assert group_fairness(utilities, variant) == group_fairness(sorted(utilities), variant)


def test_padding_is_not_free_in_ours():
    """G8: stating everything there is gives full recall, and released precision does not see most of it."""
    wanted = table(must_visit=["Grand Museum"], avg_budget=500)
    padded = copy.deepcopy(wanted)
    padded["city_specific_preferences"]["Oulu"]["food"]["must_eat"] = ["hotpot", "noodles"]
    padded["city_specific_preferences"]["Kemi"] = {"attractions": {"must_visit": ["Snow Castle"]}}
    stated = {"User1": padded, "User9": table(avg_budget=1)}
    before, after = (completeness(stated, {"User1": wanted}, variant) for variant in (RELEASED, OURS))
    assert (before.recall, before.precision, after.recall) == (1.0, 1.0, 1.0)
    assert (after.right, after.stated) == (2, 6)
    assert after.precision == pytest.approx(1 / 3)
    assert after.f1 == pytest.approx(0.5)


def test_an_item_stated_twice_counts_once_in_ours():
    wanted, stated = table(must_eat=["hotpot", "noodles"]), table(must_eat=["hotpot", "hotpot"])
    found = completeness({"User1": stated}, {"User1": wanted}, OURS)
    assert (found.collected, found.possible, found.right, found.stated) == (1, 2, 1, 1)


@pytest.mark.parametrize("stated", [None, [], "x", {"User1": None}, {"User1": {"global_constraints": [1]}}])
def test_no_stated_table_is_an_error(stated):
    for variant in VARIANTS.values():
        assert completeness(stated, {"User1": table(must_eat=["hotpot"])}, variant).recall == 0


def test_the_judge_s_formula():
    assert judge_score([5, 5, 5, 5, 5]) == 100
    assert judge_score([1, 1, 1, 1, 1]) == 0
    assert judge_score([3, 4, 5, 2, 1], 4) == 40
    with pytest.raises(ValueError, match="expected 5 from 1 to 5"):
        judge_score([5, 5, 5, 5, 6])


def entry(wanted: dict[str, Any]) -> dict[str, Any]:
    return {"role": "friend", "preference": wanted, "compromisable": True}


OPTIMA = Optima(3.0, 4.0, 5.0, 10.0, 7.0, 8.0, 16.0, 20.0)
TASK = TaskCase(
    "t1", {user: entry(table(must_visit=["Grand Museum"], avg_budget=600)) for user in USERS}, FACTS, OPTIMA
)
OTHER = TaskCase("t2", TASK.entries, FACTS)


def test_a_trial_is_scored_against_the_effective_tables():
    trial = {
        "task_id": "t1",
        "plan": good_plan(),
        "agent_preference_table": {user: table(avg_budget=700) for user in USERS},
        "ratings": [5, 5, 5, 5, 5],
        "conversation_history": [
            {"role": "Agent", "content": "@User1 could you spend 700?"},
            {"role": "User1", "content": "Fine.\n[global_constraints.avg_budget : 700]"},
        ],
    }
    row = score_trial(trial, TASK, OURS)
    assert row["users"] == {"User1": 2, "User2": 0, "User3": 0}
    assert {metric: row[metric] for metric in METRICS} == {
        "pc": 16.67, "pc_precision": 33.33, "pc_f1": 22.22, "gu": 0.67, "gu_per_participant": 0.67,
        "gu_per_table": 0.67,
        "gf": 0.0, "pv": 100.0, "gu_share": 8.38, "gu_share_best": 4.19, "gu_share_bound": 3.35, "judge": 100.0,
    }  # fmt: skip
    assert (row["compromises"], row["issues"]) == (1, [])
    nobody_gave_way = score_trial({**trial, "conversation_history": []}, TASK, OURS)
    reached = nobody_gave_way["gu_per_table"]
    assert [nobody_gave_way[share] for share in SHARES] == [round(100 * reached / n, 2) for n in (4, 5, 10)]
    assert [score_trial(trial, OTHER, OURS)[share] for share in SHARES] == [None, None, None]


def test_means_are_over_trials_and_then_over_all_tasks():
    spoilt = good_plan()
    acts(spoilt).pop()
    trials = [
        {"task_id": "t1", "plan": good_plan()},
        {"task_id": "t1", "plan": spoilt},
        {"task_id": "t1"},
        {"task_id": "nowhere", "plan": good_plan()},
        "not even a trial",
    ]
    rich = {user: entry(table(must_visit=["Grand Museum"], avg_budget=900)) for user in USERS}
    tasks = {"t1": TaskCase("t1", rich, FACTS, OPTIMA), "t2": OTHER}
    ours, released = (score(trials, tasks, variant=name)["aggregate"] for name in ("ours", "released"))
    assert (ours["tasks"], ours["trials"], ours["trials_of_no_task"]) == (2, 3, 2)
    # a failed trial is 0 in ours, and dropped as released; a task without trials is 0 in both
    shares = [row["gu_share"] or 0 for row in score(trials, tasks)["trials"]]
    assert any(shares)
    assert ours["gu_share"] == round(sum(shares) / 3, 2), "of t2 nobody knows what is possible"
    assert (ours["pv"], released["pv"]) == (round(100 / 3 / 2, 2), 25.0)
    with pytest.raises(ValueError, match="expected one of ours, paper, released"):
        score([], tasks, variant="mine")
