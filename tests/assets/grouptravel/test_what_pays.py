"""What does not pay in `ours`: plans with faults, a group parted to pass the bound together, ratings of the best."""

from __future__ import annotations

import random
from typing import Any

import pytest

from assets.grouptravel.checks.utility import group_utility
from assets.grouptravel.plan import read_plan
from assets.grouptravel.scoring import METRICS, Optima, TaskCase, score, score_trial
from assets.grouptravel.variants import OURS, PAPER, RELEASED
from tests.assets.grouptravel.weekend import FACTS, POIS, USERS, acts, at, good_plan, table

BOUND = 3.0
OPTIMA = Optima(2.0, 2.0, 3.0, BOUND, 2.0, 2.0, 3.0, BOUND)
WISHES = table(must_visit=["Grand Museum"], must_eat=["hotpot", "noodles"], positive=["temple", "garden", "park"])
ENTRIES = {user: {"role": "friend", "preference": WISHES, "compromisable": True} for user in USERS}
TASK = TaskCase("t1", ENTRIES, FACTS, OPTIMA)
WORTH = ("gu", "gu_per_participant", "gu_per_table", "gf")


def everything_at_once() -> dict[str, Any]:
    """Return a plan that lists all that anybody likes, a minute each."""
    plan = good_plan()
    likes = [poi for poi in POIS.in_city("Oulu") if poi.poi_type == "attractions"]
    acts(plan)[:0] = [at("attraction", f"08:0{n}", f"08:0{n + 1}", poi.name) for n, poi in enumerate(likes)]
    return plan


def test_a_plan_with_a_fault_is_worth_nothing_in_ours_however_much_it_lists():
    plan = everything_at_once()
    assert group_utility(read_plan(plan), ENTRIES, USERS, POIS, OURS).per_table > BOUND, "more than any plan reaches"
    row = score_trial({"plan": plan}, TASK, OURS)
    assert (row["pv"], [row[metric] for metric in WORTH]) == (0.0, [0.0] * len(WORTH))
    assert set(row["users"]) == set(USERS), "what it lists is told all the same"


@pytest.mark.parametrize("variant", [PAPER, RELEASED], ids=["paper", "released"])
def test_published_a_plan_earns_what_it_lists(variant):
    row = score_trial({"plan": everything_at_once()}, TASK, variant)
    assert row["pv"] == 0.0
    assert row["gu"] > BOUND
    assert row["gf"] == 100.0


def test_a_plan_without_a_fault_keeps_its_worth():
    row = score_trial({"plan": good_plan()}, TASK, OURS)
    assert (row["pv"], row["gf"]) == (100.0, 100.0)
    assert row["gu"] == group_utility(read_plan(good_plan()), ENTRIES, USERS, POIS, OURS).per_table > 0


def test_a_plan_that_parts_the_group_has_no_share_of_the_bound_together():
    plan = good_plan()
    acts(plan, 1)[-1]["participants"] = acts(plan, 1)[-2]["participants"] = ["User1", "User2"]
    together, apart = (score_trial({"plan": one}, TASK, OURS) for one in (good_plan(), plan))
    assert (together["pv"], apart["pv"], apart["split_penalty"] > 0) == (100.0, 100.0, True)
    assert together["gu_share"] > 0
    assert apart["gu_share"] == 0.0
    assert apart["gu_share_bound"] == round(100 * apart["gu"] / BOUND, 2)


TASKS = {"t1": TASK, "t2": TaskCase("t2", ENTRIES, FACTS)}
RATED = {"task_id": "t1", "plan": good_plan(), "ratings": [5] * 5}


def test_a_task_without_a_trial_is_rated_0_in_ours_and_left_out_as_published():
    ours, released = (score([RATED], TASKS, variant=name)["aggregate"] for name in ("ours", "released"))
    assert (ours["judge"], ours["trials_rated"]) == (50.0, 1)
    assert released["judge"] == 100.0


def test_a_trial_that_no_judge_could_rate_is_left_out_and_told():
    unrated = {"task_id": "t2", "plan": good_plan()}
    aggregate = score([RATED, unrated], TASKS)["aggregate"]
    assert (aggregate["judge"], aggregate["trials"], aggregate["trials_rated"]) == (100.0, 2, 1)


def test_without_any_rating_there_is_none():
    aggregate = score([{"task_id": "t2", "plan": good_plan()}], TASKS)["aggregate"]
    assert aggregate["judge"] is None
    assert "trials_rated" not in aggregate


def test_trials_in_any_order_have_one_score():
    trials = [{"task_id": task_id, "plan": plan} for task_id in TASKS for plan in (good_plan(), {}, good_plan())]
    aggregates = []
    for seed in range(4):
        random.Random(seed).shuffle(trials)
        aggregates.append(score(trials, TASKS)["aggregate"])
    assert all(aggregate == aggregates[0] for aggregate in aggregates)
    assert set(METRICS) <= set(aggregates[0])
