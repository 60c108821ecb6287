"""Witnesses of a real town, exported in either language: the published checker accepts every one, `ours` too.

Spoilt in the ways by which a planner would gain, `ours` refuses every one.
"""

from __future__ import annotations

import copy
from typing import Any

import pandas as pd
import pytest

from assets.grouptravel.checks.day_conditions import MEALS, MOVES, STAYS
from assets.grouptravel.checks.judging import Judge
from assets.grouptravel.checks.trip_conditions import PLACES
from assets.grouptravel.export import task_files
from assets.grouptravel.facts.of_release import fares_of, names_of
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.world import World, trip_of
from assets.grouptravel.published.checker import verdicts
from assets.grouptravel.records import skeleton_of, tables_of
from assets.grouptravel.solver import solve
from assets.grouptravel.tables import GroupCalendar, GroupCity, GroupFare, GroupPoi
from assets.grouptravel.vocabulary import VOCABULARIES, Language
from assets.grouptravel.witness.as_plan import native_plan
from assets.rows import ReleaseTables
from tests.assets.grouptravel.conftest import some_of_each


def _acts(plan: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    blocks = (s for day in plan["days"] for s in day["city_segments"] if "activities" in s)
    return [act for block in blocks for act in block["activities"] if act["type"] == kind]


def _later(text: str, minutes: int) -> str:
    whole = int(text[:2]) * 60 + int(text[3:]) + minutes
    return f"{whole // 60:02}:{whole % 60:02}"


def invented_place(plan: dict[str, Any]) -> None:
    """Visit what is not there."""
    for act in _acts(plan, "attraction"):
        act["location"] = "Invented Palace"


def free_moves(plan: dict[str, Any]) -> None:
    """Be everywhere in a minute."""
    for act in _acts(plan, "intracity_transport"):
        act["start_time"] = _later(act["end_time"], -1)


def five_meals(plan: dict[str, Any]) -> None:
    """Eat between meals."""
    for block in (s for day in plan["days"] for s in day["city_segments"] if "activities" in s):
        for act in [act for act in block["activities"] if act["type"] == "food"]:
            at = block["activities"].index(act)
            block["activities"].insert(at + 1, {**act, "start_time": "15:00", "end_time": "15:45"})


def ten_minutes(plan: dict[str, Any]) -> None:
    """Look in and go."""
    for act in _acts(plan, "attraction"):
        act["end_time"] = _later(act["start_time"], 10)


SPOILS = {PLACES: invented_place, MOVES: free_moves, MEALS: five_meals, STAYS: ten_minutes}
"""What a plan is spoilt by, and the condition that refuses it."""


def judged(made: ReleaseTables, language: Language) -> tuple[int, list[str], list[str], list[tuple[str, str]]]:
    """Return how many witnesses there are, those that `ours` refuses, and those that the published checker does.

    Last the spoilt ones, with the condition that they break, that are not refused by it.
    """
    words = VOCABULARIES[language]
    rows = (made[GroupCity], made[GroupPoi], made[GroupFare], made[GroupCalendar])
    pois = Pois.of_frame(made[GroupPoi], names_of(made))
    world = World(*rows, words, pois=pois, fares=fares_of(made), currency="EUR")
    plans, refused, unrefused = [], [], []
    for row in made.tasks.to_dict("records"):
        trip = trip_of(skeleton_of(row["task_id"], row["record"]), tables_of(row["record"]), world.names)
        part = world.part(trip)
        plan = native_plan(trip, solve(trip, part.pois, part.fares, words), words, part.pois)
        plans.append({"task_id": row["task_id"], "plan": plan})
        judge = Judge(row["task_id"], row["record"], part)
        refused += [row["task_id"]] if any(judge.violations(plan)) else []
        for name, spoil in SPOILS.items():
            spoilt = copy.deepcopy(plan)
            spoil(spoilt)
            if name not in {found.check for found in judge.violations(spoilt)}:
                unrefused.append((row["task_id"], name))
    files = task_files(made[GroupPoi], made[GroupCity], made.tasks, pd.DataFrame(plans))
    found = verdicts(files)
    assert set(found) == {plan["task_id"] for plan in plans}
    unpublished = [task_id for task_id, checks in found.items() if not all(checks.values())]
    return len(plans), refused, unpublished, unrefused


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_published_checker_accepts_every_witness_and_ours_refuses_each_spoilt(language, real_town):
    assert judged(some_of_each(real_town("Helsinki", language).release, 2), language) == (6, [], [], [])
