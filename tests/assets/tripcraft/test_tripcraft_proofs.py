"""What a certificate says that a trip is made of, edited beside a plan that stays as it was: each edit is named."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from assets.families import families
from assets.promises.certified import opened_once
from assets.tripcraft.world import verify

Proof = dict[str, Any]


@pytest.fixture(scope="module")
def trips(small_world):
    """Return each trip of the small world with its world."""
    opened = opened_once(small_world.releases["tripcraft"])
    return [(view, opened.world(families()["tripcraft"], view)) for view in opened.views.values()]


def other_stay(proof: Proof, world: Any) -> None:
    """Sleep elsewhere than the plan says."""
    stay = proof["stays"][0]
    others = world.stays_in(stay["city_id"])
    stay["place_id"] = next(other.place_id for other in others if other.place_id != stay["place_id"])


def other_flight(proof: Proof, world: Any) -> None:
    """Take another flight than the plan says."""
    move = proof["moves"][0]
    ends = move["origin_city_id"], move["dest_city_id"], move["date"]
    others = [service.flight_number for service in world.flights_between(*ends)]
    move.update(mode="flight", flight_number=next((n for n in others if n != move["flight_number"]), "F9999999"))


def an_event(proof: Proof, world: Any) -> None:
    """Attend what the plan does not name."""
    (city,) = {stay["city_id"] for stay in proof["stays"]}
    proof["events"][1].append({"city_id": city, "event_id": world.events_in(city)[0].event_id})


EDITS: tuple[tuple[Callable[[Proof, Any], Any], str], ...] = (
    (other_stay, "day 1: accommodation is "),
    (other_flight, ""),
    (an_event, "day 2: event is "),
    (lambda proof, _: proof["stays"][0].update(rooms=9), "takes 9 rooms in "),
    (lambda proof, _: proof["stays"].append(proof["stays"][0]), "has 2 stays, expected 1"),
    (lambda proof, _: proof["moves"][1].update(date="2020-02-02"), "2020-02-02"),
    (lambda proof, _: proof["days"][1][0].update(slot="brunch"), "'brunch' is no part of a day"),
    (lambda proof, _: proof["days"][1][0].update(start_min=1), "day 2: point_of_interest_list is "),
    (lambda proof, _: proof["cities"].append(proof["cities"][0]), "expected 2"),
    (lambda proof, _: proof["days"].pop(), "names no day, place or service that is there"),
)


def test_nothing_is_said_of_honest_trips(trips):
    assert [verify(view.record, view.plan, view.proof, world) for view, world in trips] == [[]] * len(trips)


@pytest.mark.parametrize(("edit", "expected"), EDITS)
def test_parts_that_are_not_the_plan_s_are_named(trips, edit, expected):
    for view, world in trips:
        proof = copy.deepcopy(view.proof)
        edit(proof, world)
        said = [violation.text for violation in verify(view.record, view.plan, proof, world)]
        assert any(expected in text for text in said), (view.task_id, said)


def test_a_plan_that_numbers_its_days_otherwise_is_not_what_its_parts_say(trips):
    view, world = trips[0]
    plan = copy.deepcopy(view.plan)
    plan[1].update(days=7, event=None)
    said = [violation.text for violation in verify(view.record, plan, view.proof, world)]
    assert [
        "day 2: days is 7; what it is made of says 2" in said,
        "day 2: event is None; what it is made of says '-'" in said,
    ] == [True, True], said
