"""What the core asks of the solver, on a real town's groups: judged by the checks, which know nothing of the search."""

from __future__ import annotations

import copy
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from assets.family import Solved
from assets.grouptravel import planning
from assets.grouptravel.checks.day_conditions import CAPS
from assets.grouptravel.checks.judging import OTHER_PLANS
from assets.grouptravel.facts.of_release import fares_of, names_of
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Best
from assets.grouptravel.facts.world import Part, World, trip_of
from assets.grouptravel.records import skeleton_of, tables_of
from assets.grouptravel.tables import GroupCalendar, GroupCity, GroupFare, GroupPoi
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.wishes.preferences import GLOBAL
from assets.grouptravel.witness.teams import Division
from assets.grouptravel.world import check, prove, verify
from tests.assets.grouptravel.conftest import some_of_each


@pytest.fixture(scope="module")
def groups(real_town) -> list[tuple[str, dict[str, Any], Part]]:
    """Return six groups of Helsinki: id, record, and what its plans are made of."""
    made = some_of_each(real_town("Helsinki", "en").release, 2)
    rows = (made[GroupCity], made[GroupPoi], made[GroupFare], made[GroupCalendar])
    pois = Pois.of_frame(made[GroupPoi], names_of(made))
    world = World(*rows, EN, pois=pois, fares=fares_of(made), currency="EUR")
    found = []
    for row in made.tasks.to_dict("records"):
        trip = trip_of(skeleton_of(row["task_id"], row["record"]), tables_of(row["record"]), world.names)
        found.append((row["task_id"], row["record"], world.part(trip)))
    return found


def test_what_is_said_of_plans_holds_and_nobody_gives_up_anything_for_nothing(groups):
    gains = []
    for task_id, record, part in groups:
        solved = planning.solve(task_id, record, part)
        assert isinstance(solved, Solved)
        proof = prove(record, solved.plan, solved.proof, part)
        assert [*check(record, solved.plan, part), *verify(record, solved.plan, proof, part)] == []
        reachable, compromise = solved.proof["reachable"], solved.proof["plans"]["compromise"]
        capped = copy.deepcopy(record)
        for entry in capped["user_preferences"].values():
            entry["preference"][GLOBAL]["intensity"]["max_poi_per_day"] = 1
        days = [[act for s in day["city_segments"] for act in s.get("activities", ())] for day in solved.plan["days"]]
        is_capped = any(sum(act["type"] == "attraction" for act in day) > 1 for day in days)
        assert {v.check for v in check(capped, solved.plan, part)} == ({CAPS} if is_capped else set())
        gains.append(reachable["compromise_utility"] - reachable["together_utility"])
        assert bool(gains[-1]) == bool(compromise and compromise["compromises"])
    assert min(gains) == 0 < max(gains)


def test_what_is_said_of_the_plans_beside_the_witness_and_is_not_so_is_told_of_each(groups):
    tried: Counter[str] = Counter()
    for task_id, record, part in groups:
        solved = planning.solve(task_id, record, part)
        assert isinstance(solved, Solved)
        proof = prove(record, solved.plan, solved.proof, part)
        reachable, plans = proof["reachable"], proof["plans"]

        def told(about: str, text: str, *, lie: Any, record=record, part=part, plan=solved.plan, proof=proof) -> None:
            found = [v.text for v in verify(record, plan, {**proof, **lie}, part) if v.check == f"{about}_plan_holds"]
            assert any(text in said for said in found), (about, text, found)
            tried[text] += 1

        for name, column in OTHER_PLANS.items():
            told(
                name,
                f"the certificate says {reachable[column] + 1}",
                lie={"reachable": {**reachable, column: reachable[column] + 1}},
            )
        if reachable["split_utility"] > reachable["together_utility"]:
            told("compromise", "the group is apart", lie={"plans": {**plans, "compromise": plans["split"]}})
            late = copy.deepcopy(plans["split"])
            del late["plan"]["days"][0]["city_segments"][-1]["activities"][-1]
            for name in ("split", "compromise_split"):  # one plan for both
                told(name, "hotel", lie={"plans": {**plans, "split": late, "compromise_split": late}})
        if plans["compromise"] and plans["compromise"]["compromises"]:
            told("split", "somebody compromises", lie={"plans": {**plans, "split": plans["compromise"]}})
    assert {"the group is apart", "hotel", "somebody compromises"} < {*tried}


def test_a_plan_that_gives_up_something_for_nothing_is_not_kept(groups, monkeypatch):
    task_id, record, part = groups[0]
    best_of, sought = planning.best_of, []

    def for_nothing(*given: Any, **how: Any) -> Best:
        sought.append(how.get("giving"))
        found = best_of(*given, **how)
        if not how["with_compromise"]:
            return found
        total = best_of(*given, with_compromise=False).total
        given_up = (("User1", "global_constraints.hotel_preference.avoid"),)
        return replace(found, given_up=given_up, total=total, bound=total)

    monkeypatch.setattr(planning, "best_of", for_nothing)
    solved = planning.solve(task_id, record, part)
    assert isinstance(solved, Solved)
    assert len(sought) == 2 and sought[0] is None and sought[1] is not None, "the one without is sought too"
    held = solved.proof["plans"]["compromise"]
    assert held is None or held["compromises"] == []


@pytest.mark.parametrize(
    ("gained", "is_accepted", "planned"),
    [
        (7, True, [9, 8]),
        (6, True, [9, 5, 8]),
        (5, True, [9, 5, 4, 8]),
        (7, False, [9, 5, 4, 8]),
        (-1, True, [9, 5, 4, 8]),
    ],
)
def test_a_division_that_is_estimated_to_gain_less_than_is_found_is_not_planned_and_one_after_it_may_be(
    gained, is_accepted, planned
):
    assert planning.ABOVE_ESTIMATE == 2
    asked: list[int] = []

    def plans(division: Division) -> list[dict[str, int]]:
        asked.append(division.gain)
        return [{"utility": 10 + gained if division.gain == 9 else 0}]

    estimated = [Division((("A",), ("B",)), frozenset([0]), gain) for gain in (9, 5, 4, 8)]
    search: Any = SimpleNamespace(_reached=lambda plan: plan, _issues=lambda _: [] if is_accepted else ["a cap"])
    splits: Any = SimpleNamespace(divisions=lambda: estimated, plans=plans)
    together = {"utility": 10}
    found = planning._Search._best_apart(search, together, splits)
    assert asked == planned
    assert found == ({"utility": 10 + gained} if is_accepted and gained > 0 else together)
