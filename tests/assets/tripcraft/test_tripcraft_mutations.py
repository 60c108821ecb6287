"""A plan that satisfies everything passes all seventeen checks; broken in one way, it fails exactly that check."""

from __future__ import annotations

from typing import Any

import pytest

from assets.tripcraft.checks.commonsense import COMMONSENSE
from assets.tripcraft.checks.hard import HARD
from assets.tripcraft.plan import name_city
from assets.tripcraft.scoring import score_plan
from assets.tripcraft.variants import OURS, PAPER


@pytest.fixture(params=[3, 5, 7])
def days(request: Any) -> int:
    return request.param


@pytest.mark.parametrize("variant", [OURS, PAPER], ids=lambda v: v.name)
def test_the_plan_before_it_is_broken_passes_all_seventeen(world, record, trip, days, variant):
    score = score_plan(record(days), trip(record(days)).plan(), world, variant=variant)
    results = {**(score.commonsense or {}), **(score.hard or {})}
    assert list(results) == [*COMMONSENSE, *HARD]
    assert {name: result.reasons for name, result in results.items() if not result.holds} == {}


def swap_text(day: dict[str, Any], old: str, new: str) -> None:
    """Replace a place's name in the day's fields and PoI list."""
    for key, value in day.items():
        if isinstance(value, str):
            day[key] = value.replace(old, new)


def swap_place(world: Any, day: dict[str, Any], old: Any, new: Any) -> None:
    """Replace a place by another of the same city, with its stop."""
    before, after = world.stop(old.place_id), world.stop(new.place_id)
    swap_text(day, old.name, new.name)
    swap_text(
        day,
        f"nearest transit: {before.name}, {before.distance_m:.2f}m away",
        f"nearest transit: {after.name}, {after.distance_m:.2f}m away",
    )


def break_reasonable_city_route(plan, world, record, trip):
    """Go to a city of another region (3 days: to another city than the one asked for)."""
    cities = ("amble", "birch", "corran")[: record["visiting_city_number"] - 1]
    plan[:] = type(trip)(world, record).plan((*cities, "edge") if record["days"] > 3 else ("birch",))


def break_diverse_restaurants(plan, world, record, trip):
    """Eat on day 2, at noon, where day 1 ate at noon."""
    old, again = (world.restaurants_named("amble", plan[i]["lunch"].rpartition(",")[0])[0] for i in (1, 0))
    swap_place(world, plan[1], old, again)


def break_diverse_attractions(plan, world, record, trip):
    """Visit on day 1 what day 2 visits."""
    visited = plan[1]["attraction"]
    item = next(part for part in plan[1]["point_of_interest_list"].split("; ") if part.startswith("Sight"))
    plan[0]["attraction"] = visited
    parts = plan[0]["point_of_interest_list"].split("; ")
    item = item.replace("10:30 to 13:00", "15:30 to 18:00")
    plan[0]["point_of_interest_list"] = "; ".join([*parts[:2], item, *parts[2:]])


def break_diverse_events(plan, world, record, trip):
    plan[1]["event"] = f"{plan[1]['event']}; {plan[1]['event']}"


def break_non_conflicting_transport(plan, world, record, trip):
    record["constraints"]["transportation"] = None
    plan[-1]["transportation"] = trip.drive("self_driving", world.city_named(last_city(plan)).city_id, "harbour")


def last_city(plan: list[dict[str, Any]]) -> str:
    return plan[-1]["current_city"].removeprefix("from ").split(" to ")[0]


def break_meal_gaps(plan, world, record, trip):
    swap_text(plan[1], "visit from 14:10 to 15:10", "visit from 13:59 to 15:10")


def break_poi_list(plan, world, record, trip):
    plan[1]["point_of_interest_list"] = plan[1]["point_of_interest_list"].split("; ", 1)[1]


def break_within_sandbox(plan, world, record, trip):
    swap_text(plan[1], "100.25m away", "94.25m away")


def break_within_current_city(plan, world, record, trip):
    here = world.restaurants_named("amble", plan[1]["dinner"].rpartition(",")[0])[0]
    elsewhere = world.restaurants_in("dunmere")[int(here.place_id[-2:])]
    swap_place(world, plan[1], here, elsewhere)
    plan[1]["dinner"] = name_city(elsewhere.name, "Dunmere")


def break_complete_information(plan, world, record, trip):
    name = plan[1]["dinner"].rpartition(",")[0]
    plan[1]["dinner"] = "-"
    parts = plan[1]["point_of_interest_list"].split("; ")
    plan[1]["point_of_interest_list"] = "; ".join(part for part in parts if not part.startswith(name))


def sleep_elsewhere(plan, world, wanted: int) -> None:
    """Spend the nights of the last city in another of its stays; both nights, on all days that name it."""
    city = world.city_named(last_city(plan)).city_id
    old, new = world.stays_in(city)[0], world.stays_in(city)[wanted]
    for day in plan:
        swap_place(world, day, old, new)


def break_room_rule(plan, world, record, trip):
    sleep_elsewhere(plan, world, 1)


def break_room_type(plan, world, record, trip):
    sleep_elsewhere(plan, world, 2)


def break_cuisine(plan, world, record, trip):
    for day in plan:
        for city in ("amble", "birch", "corran"):
            swap_place(world, day, world.restaurants_in(city)[1], world.restaurants_in(city)[10])


def break_attraction_type(plan, world, record, trip):
    for day in plan:
        for city in ("amble", "birch", "corran"):
            swap_place(world, day, world.attractions_in(city)[2], world.attractions_in(city)[7])


def break_event_type(plan, world, record, trip):
    for day in plan:
        day["event"] = day["event"].replace("Music Night", "Film Night")


def break_transportation(plan, world, record, trip):
    for day in plan:
        if day["current_city"].startswith("from "):
            origin, dest = day["current_city"].removeprefix("from ").split(" to ")
            day["transportation"] = trip.drive("self_driving", origin.lower(), dest.lower())


def break_budget(plan, world, record, trip):
    old = world.restaurants_named("amble", plan[1]["dinner"].rpartition(",")[0])[0]
    swap_place(world, plan[1], old, world.restaurants_in("amble")[11])


BREAKS = {name.removeprefix("break_"): value for name, value in globals().items() if name.startswith("break_")}


def test_every_check_has_its_break():
    assert sorted(BREAKS) == sorted([*COMMONSENSE, *HARD])


@pytest.mark.parametrize("check", sorted(BREAKS))
def test_a_plan_broken_in_one_way_fails_exactly_that_check(world, record, trip, days, check):
    asked = record(days)
    writer = trip(asked)
    plan = writer.plan()
    BREAKS[check](plan, world, asked, writer)
    score = score_plan(asked, plan, world)
    assert score.failed() == [check]
    reasons = {**(score.commonsense or {}), **(score.hard or {})}[check].reasons
    assert reasons and all(reasons)
