"""Files of plans for every family: no order of lines changes a score, and no line is left out without being counted."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from assets.families import families
from assets.release.reading import ReleaseError, open_release
from assets.release.scoring import BASELINE, read_plans, score_release

FAMILIES = sorted(families())
all_families = pytest.mark.parametrize("family", FAMILIES)
all_readings = pytest.mark.parametrize(
    ("family", "variant"), [(name, variant) for name in FAMILIES for variant in families()[name].variants]
)


@pytest.fixture
def score(small_world, tmp_path):
    """Return the aggregate of a file of these plans."""

    def scored(family: str, plans: list[dict[str, Any]], variant: str = "ours") -> dict[str, Any]:
        release, path = open_release(small_world.releases[family]), tmp_path / "plans.jsonl"
        path.write_text("".join(json.dumps(plan) + "\n" for plan in plans))
        return score_release(release, read_plans(release, str(path)), variant)["aggregate"]

    return scored


@pytest.fixture
def plans_of(small_world):
    """Return a family's plans that differ in what they score: the greedy planner's, or else the witnesses turned."""

    def made(family: str) -> list[dict[str, Any]]:
        release = open_release(small_world.releases[family])
        if BASELINE in families()[family].baselines:
            return read_plans(release, BASELINE)
        witnesses = read_plans(release, "witness")
        turned = [{**plan, "task_id": after["task_id"]} for plan, after in pairwise(witnesses)]
        return [*turned, {**witnesses[-1], "task_id": witnesses[0]["task_id"]}]

    return made


@all_readings
def test_the_order_of_lines_changes_no_score(family, variant, score, plans_of):
    plans = plans_of(family)
    whole = score(family, plans, variant)
    for seed in range(5):
        random.Random(seed).shuffle(plans)
        assert score(family, plans, variant) == whole


COUNTED_AGAIN = {"itinbench": "second_plans_ignored", "tripcraft": "second_plans_ignored", "grouptravel": "trials"}
"""The count by which a family says that a task has several plans: of groups each is a trial, as published."""


@all_families
def test_a_task_s_further_plans_are_counted_and_better_nothing(family, score, plans_of):
    plans = plans_of(family)
    once, again = score(family, plans[:1]), score(family, [plans[0]] * 3)
    assert again.pop(COUNTED_AGAIN[family]) - once.pop(COUNTED_AGAIN[family]) == 2
    assert again == once


OF_NO_TASK = {"tripcraft": "plans_of_no_task", "grouptravel": "trials_of_no_task"}


@pytest.mark.parametrize("family", OF_NO_TASK)
def test_every_plan_that_names_no_task_is_counted(family, score, plans_of):
    plans = plans_of(family)
    nameless = [{"plan": plan["plan"], "task_id": name} for plan, name in zip(plans, (None, None, 5), strict=False)]
    aggregate = score(family, [*plans, *nameless])
    assert aggregate[OF_NO_TASK[family]] == len(nameless) > 1


@all_families
def test_a_file_of_which_no_line_names_a_task_is_refused(family, score, plans_of):
    nameless = [{"plan": plan["plan"]} for plan in plans_of(family)[:2]]
    with pytest.raises(ReleaseError, match=r"no line of it names a task; expected `task_id`, such as '"):
        score(family, nameless)


@all_families
@pytest.mark.parametrize("key", ["plan", "text"])
def test_texts_are_not_scored_as_plans_that_failed(family, key, score, plans_of):
    task_id = plans_of(family)[0]["task_id"]
    with pytest.raises(ReleaseError, match=r"plans as text in all 2 lines .* extract-plans"):
        score(
            family,
            [{"task_id": task_id, key: "Day 1"}, {"task_id": task_id, key: "{}"}, {"task_id": task_id, key: None}],
        )
    assert score(family, [{"task_id": task_id, "plan": None}])


@all_families
def test_a_plan_of_a_task_that_is_retired_is_refused_and_it_is_said_why(family, small_world, tmp_path):
    release, path = open_release(small_world.releases[family]), tmp_path / "plans.jsonl"
    gone = {"task_id": f"{family}.us-x.00003", "city_id": "us-x", "reason": "its museum is closed"}
    manifest = release.manifest.model_copy(update={"retired": [gone]})
    path.write_text("".join(json.dumps({"task_id": name, "plan": []}) + "\n" for name in (gone["task_id"], "other")))
    with pytest.raises(ReleaseError) as refused:
        read_plans(replace(release, manifest=manifest), str(path))
    assert f"found no task '{gone['task_id']}', which is retired: its museum is closed" in str(refused.value)
    assert "found no task 'other'\n" in str(refused.value)


def test_every_family_is_looked_at():
    assert set(COUNTED_AGAIN) == set(FAMILIES)
