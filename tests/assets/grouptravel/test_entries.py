"""What is done in cities, and which entry is somebody's first since an arrival or last before a leg."""

from __future__ import annotations

from typing import Any

from assets.grouptravel.checks.entries import entries_of
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.plan import LEG, LOCAL, Activity, Block, Day, Plan

USERS = ("A", "B")


def move(*who: str) -> Activity:
    return Activity(LOCAL, "10:00", "10:30", origin="x", destination="y", participants=who)


def leg(start: str, end: str) -> Activity:
    return Activity(LEG, start, end, origin="Oslo", destination="Rome")


def ends(*segments: Any) -> list[tuple[bool, bool]]:
    """Return of each entry of a day whether it is a first since a leg, and a last before one."""
    plan = Plan((Day(1, "2026-03-02", segments),), ())
    return [(e.is_first_since_leg, e.is_last_before_leg) for e in entries_of(plan, USERS, Pois({}))]


def test_of_each_user_the_first_entry_after_a_leg_is_one_and_no_other():
    moves = Block("Rome", (move("A"), move("B"), move("A", "B")))
    assert [first for first, _ in ends(leg("07:00", "09:00"), moves)] == [True, True, False]


def test_of_each_user_the_last_entry_before_a_leg_is_one_and_no_other():
    moves = Block("Rome", (move("A", "B"), move("A"), move("B")))
    assert [last for _, last in ends(moves, leg("18:00", "20:00"))] == [False, True, True]


def test_on_a_day_without_a_leg_there_is_neither():
    assert ends(Block("Rome", (move("A"), move("B")))) == [(False, False)] * 2


def test_who_is_in_two_activities_at_once_is_told_of_the_users_that_are_asked_about():
    one, other, third = move("A", "B"), move("B", "C"), move("C")
    block = Block("Rome", (one, other, third))
    assert block.double_booked(USERS) == [(one, other, ["B"])]
    assert block.double_booked(("A", "C")) == [(other, third, ["C"])]
    assert block.double_booked(USERS) == [(one, other, ["B"])]
