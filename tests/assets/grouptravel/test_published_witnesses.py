"""Witnesses of a real town, exported in either language: the published checker accepts every one, `ours` too."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from assets.grouptravel.checks.judging import Judge
from assets.grouptravel.difficulty import Difficulty
from assets.grouptravel.export import task_files
from assets.grouptravel.facts.world import World, trip_of
from assets.grouptravel.published.checker import verdicts
from assets.grouptravel.records import skeleton_of, tables_of
from assets.grouptravel.solver import solve
from assets.grouptravel.tables import GroupCalendar, GroupCity, GroupFare, GroupPoi
from assets.grouptravel.vocabulary import VOCABULARIES, Language
from assets.grouptravel.witness.as_plan import native_plan
from tests.assets.grouptravel.real_town import HELSINKI, town


def judged(folder: Path, language: Language, counts: dict[Difficulty, int]) -> tuple[int, list[str], list[str]]:
    """Return how many witnesses there are, those that `ours` refuses, and those that the published checker does."""
    made = town(HELSINKI, folder, language, counts).release
    words = VOCABULARIES[language]
    world = World(made[GroupCity], made[GroupPoi], made[GroupFare], made[GroupCalendar], words, currency="EUR")
    plans, refused = [], []
    for row in made.tasks.to_dict("records"):
        trip = trip_of(skeleton_of(row["task_id"], row["record"]), tables_of(row["record"]), world.names)
        part = world.part(trip)
        plan = native_plan(trip, solve(trip, part.pois, part.fares, words), words)
        plans.append({"task_id": row["task_id"], "plan": plan})
        if Judge(row["task_id"], row["record"], part).violations(plan):
            refused.append(row["task_id"])
    files = task_files(made[GroupPoi], made[GroupCity], made.tasks, pd.DataFrame(plans))
    found = verdicts(files)
    assert set(found) == {plan["task_id"] for plan in plans}
    return len(plans), refused, [task_id for task_id, checks in found.items() if not all(checks.values())]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_published_checker_accepts_every_witness(language, shared_data):
    assert judged(shared_data, language, {"easy": 2, "medium": 2, "hard": 2}) == (6, [], [])
