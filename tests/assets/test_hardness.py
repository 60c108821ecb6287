"""Hardness that a recipe asks for: which slots must resist, what is drawn for them, and planners that take back."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from assets.core.drafting import _Loop
from assets.core.hardness import MOST_REPAIRS, hardened, repaired, that_must_resist
from assets.family import Drawn, Refused, Series, Slot, Solved


def slots(count: int, share: float, name: str = "hard") -> list[Slot]:
    series = Series(name, count, name, greedy_at_most=share)
    return [Slot(f"f.xx.{name}.{n:05d}", n, "xx", series, 0) for n in range(count)]


@pytest.mark.parametrize(
    ("count", "share", "resisting"), [(10, 0.3, 7), (9, 0.3, 7), (5, 0, 5), (5, 1, 0), (1, 0.9, 1), (100, 0.29, 71)]
)
def test_all_but_the_share_of_a_series_must_resist_rounded_down(count, share, resisting):
    assert len(that_must_resist(slots(count, share))) == resisting


def test_every_series_has_its_own_share_and_the_order_of_slots_decides_nothing():
    all_slots = [*slots(10, 0.3), *slots(10, 0.6, "medium"), *slots(10, 1.0, "easy")]
    resisting = that_must_resist(all_slots)
    assert {name: sum(f".{name}." in task for task in resisting) for name in ("hard", "medium", "easy")} == {
        "hard": 7, "medium": 4, "easy": 0,
    }  # fmt: skip
    assert that_must_resist(all_slots[::-1]) == resisting


def passing_below(limit: int) -> dict[str, Any]:
    """Return the functions of a family whose greedy plan is 10 and passes where the record asks for no less."""
    return {
        "greedy": lambda task_id, record, world: 10,
        "passes": lambda record, plan, world: plan <= record["limit"],
        "harden": lambda slot, attempt, drawn, plan, world: Drawn({"limit": plan - limit}, "xx"),
    }


def test_a_draw_that_the_greedy_planner_fails_stays_as_it_is():
    drawn = Drawn({"limit": 9}, "xx")
    assert hardened(passing_below(1), slots(1, 0)[0], 0, drawn, None) is drawn


def test_a_draw_that_it_passes_asks_more_and_one_that_it_still_passes_is_refused():
    easy, slot = Drawn({"limit": 10}, "xx"), slots(1, 0)[0]
    assert hardened(passing_below(1), slot, 0, easy, None) == Drawn({"limit": 9}, "xx")
    still = hardened(passing_below(0), slot, 0, easy, None)
    assert isinstance(still, Refused)
    assert still.kind == "too_easy"
    without = {name: each for name, each in passing_below(1).items() if name != "harden"}
    assert isinstance(hardened(without, slot, 0, easy, None), Refused)


def test_why_nothing_harder_is_asked_is_said_by_the_family_that_was_asked_for_it():
    refused = Refused("no price is lower", "unsatisfiable")
    uses = {**passing_below(1), "harden": lambda *_: refused}
    assert hardened(uses, slots(1, 0)[0], 0, Drawn({"limit": 10}, "xx"), None) is refused


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5])
def test_the_loop_fills_its_slots_with_no_more_easy_tasks_than_the_share(share):
    """Of this family's draws every one is easy at first; the third attempt of a slot is hard."""
    asked = slots(10, share)
    uses = {
        "draft": lambda slot, attempt, drafting, taken: Drawn(
            {"limit": 10 if attempt < 2 else 9, "id": slot.task_id}, "xx"
        ),
        "solve": lambda task_id, record, world, section: Solved([]),
        "check": lambda record, plan, world: [],
        "greedy": passing_below(1)["greedy"],
        "passes": passing_below(1)["passes"],
    }
    loop = _Loop(uses, None, SimpleNamespace(), None, asked, 5, None, {}, None)
    loop.run(None)
    rows = loop.rows()
    assert len(rows) == 10
    assert sum(row["record"]["limit"] == 10 for row in rows) == int(share * 10)
    assert {row["attempt"] for row in rows} <= {0, 2}


def test_the_first_draw_is_solved_before_the_last_is_drawn_and_equal_ones_are_the_lowest_slot_s():
    happened: list[str] = []

    def drawn(slot, attempt, drafting, taken):
        happened.append(f"draw {slot.number}")
        return Drawn({"id": max(1, slot.number) + 10 * attempt}, "xx")

    def solve(task_id, record, world, section):
        happened.append(f"solve {record['id']}")
        return Solved([])

    uses = {"draft": drawn, "solve": solve, "check": lambda record, plan, world: []}
    loop = _Loop(uses, None, SimpleNamespace(), None, slots(3, 1), 5, None, {}, None)
    loop.run(None)
    assert happened == ["draw 0", "solve 1", "draw 1", "draw 2", "solve 2", "draw 1", "solve 11"]
    assert [row["record"]["id"] for row in loop.rows()] == [1, 11, 2]
    assert loop.draws == 4


def test_what_is_taken_back_stays_away_until_nothing_has_to_go():
    asked: list[frozenset[int]] = []

    def plan(gone: frozenset[int]) -> list[int]:
        asked.append(gone)
        return [n for n in range(6) if n not in gone][:3]

    assert repaired(plan, lambda made: min(made) > 2, lambda made: made[:1]) == [3, 4, 5]
    assert asked == [frozenset(range(n)) for n in range(4)]


def test_a_plan_that_repairs_do_not_mend_is_the_first_one():
    made: list[int] = []

    def plan(gone: frozenset[int]) -> int:
        made.append(len(gone))
        return len(gone)

    assert repaired(plan, lambda plan: False, lambda plan: [plan]) == 0
    assert made == list(range(MOST_REPAIRS + 1))
    assert repaired(plan, lambda plan: False, lambda plan: []) == 0
    assert repaired(plan, lambda plan: plan == MOST_REPAIRS, lambda plan: [plan]) == MOST_REPAIRS


def test_a_planner_that_takes_back_only_what_is_gone_is_not_asked_again():
    made: list[frozenset[int]] = []

    def plan(gone: frozenset[int]) -> int:
        made.append(gone)
        return len(gone)

    assert repaired(plan, lambda plan: False, lambda plan: [0]) == 0
    assert made == [frozenset(), frozenset({0})]
