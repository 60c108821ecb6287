"""The solver's own witnesses, broken on purpose: for each of the seventeen constraints, exactly that check fails."""

from __future__ import annotations

import copy
import re

import pytest

from assets.tripcraft.checks.commonsense import COMMONSENSE
from assets.tripcraft.checks.hard import HARD
from assets.tripcraft.plan import drive_text, item_text, name_city, read_plan
from assets.tripcraft.scoring import score_plan
from assets.tripcraft.solver import Witness, solve

FULL_DAY = 1


@pytest.fixture(params=[3, 5, 7])
def days(request):
    return request.param


@pytest.fixture
def made(world, record, days):
    """Return the record, its witness's plan (both free to change) and the ids of its places by day and slot."""
    asked = record(days)
    found = solve(asked, world, task_id="tripcraft-t-0001")
    assert isinstance(found, Witness)
    assert score_plan(asked, found.plan, world).failed() == []
    return asked, copy.deepcopy(found.plan), found.values


def place(world, place_id):
    city = place_id.partition("-")[0]
    every = (*world.restaurants_in(city), *world.attractions_in(city), *world.stays_in(city))
    return next(p for p in every if p.place_id == place_id)


def put(world, day, old, new):
    """Write another place of the same kind where the day has the old one, with its stop in the PoI list."""
    for key in ("breakfast", "lunch", "dinner", "attraction", "accommodation"):
        names = {name_city(p.name, world.cities[p.city_id].name): p for p in (old, new)}
        parts = day[key].split("; ")
        wanted = name_city(new.name, world.cities[new.city_id].name)
        day[key] = "; ".join(wanted if names.get(part) is old else part for part in parts)
    stop = world.stop(new.place_id)
    items = []
    for part in day["point_of_interest_list"].removesuffix(".").split("; "):
        item = read_plan([{"point_of_interest_list": part}]).days[0].items[0]
        same = item.name == old.name
        items.append(
            item_text(new.name, item.verb, item.start_min, item.end_min, stop.name, stop.distance_m) if same else part
        )
    day["point_of_interest_list"] = "; ".join(items) + "."


def used(values, day, slot):
    return next(item["place_id"] for item in values["days"][day] if item["slot"] == slot)


def kind_ids(values, slots):
    return [(day, i["place_id"]) for day, items in enumerate(values["days"]) for i in items if i["slot"] in slots]


MEALS = ("breakfast", "lunch", "dinner")
GAPS = ("morning", "afternoon")


def break_reasonable_city_route(world, asked, plan, values):
    """Go where nobody asked to go."""
    if asked["days"] == 3:
        asked["dest_city_id"] = "birch"
    else:
        asked["dest_region"] = "Northdale"


def break_diverse_restaurants(world, asked, plan, values):
    again = place(world, used(values, 0, "dinner"))
    options = [s for s in MEALS if not set(place(world, used(values, FULL_DAY, s)).cuisines) & {"Chinese", "American"}]
    put(world, plan[FULL_DAY], place(world, used(values, FULL_DAY, options[0])), again)


def break_diverse_attractions(world, asked, plan, values):
    wanted = asked["constraints"]["attraction"]
    seen = [
        (day, place(world, i)) for day, i in kind_ids(values, GAPS) if day <= 2 and i.startswith(values["cities"][0])
    ]
    (day, old), (_, again) = next(
        (a, b) for a in seen for b in seen if a[0] != b[0] and not set(a[1].categories) & set(wanted)
    )
    put(world, plan[day], old, again)


def break_diverse_events(world, asked, plan, values):
    day = next(day for day in plan if day["event"] != "-")
    day["event"] = f"{day['event']}; {day['event']}"


def break_non_conflicting_transport(world, asked, plan, values):
    asked["constraints"]["transportation"] = None
    drive_last(world, plan, values)


def drive_last(world, plan, values):
    move = values["moves"][-1]
    origin, dest = (world.cities[move[key]].name for key in ("origin_city_id", "dest_city_id"))
    plan[-1]["transportation"] = drive_text("self_driving", origin, dest, 200.5, 310.25, 15)


def break_meal_gaps(world, asked, plan, values):
    name = re.escape(place(world, used(values, FULL_DAY, "lunch")).name)
    late = next(i for i in values["days"][FULL_DAY] if i["slot"] == "breakfast")["end_min"]
    start = late + 239
    plan[FULL_DAY]["point_of_interest_list"] = re.sub(
        rf"({name}, visit from )\d\d:\d\d",
        lambda m: f"{m[1]}{start // 60:02d}:{start % 60:02d}",
        plan[FULL_DAY]["point_of_interest_list"],
    )


def break_poi_list(world, asked, plan, values):
    plan[FULL_DAY]["point_of_interest_list"] = plan[FULL_DAY]["point_of_interest_list"].split("; ", 1)[1]


def break_within_sandbox(world, asked, plan, values):
    stop = world.stop(used(values, FULL_DAY, "lunch"))
    text = plan[FULL_DAY]["point_of_interest_list"]
    plan[FULL_DAY]["point_of_interest_list"] = text.replace(
        f"{stop.name}, {stop.distance_m:.2f}m", f"{stop.name}, {stop.distance_m + 5.25:.2f}m"
    )


def break_within_current_city(world, asked, plan, values):
    away = next(c for c in ("amble", "birch", "corran", "dunmere") if c not in values["cities"])
    old = place(world, used(values, FULL_DAY, "dinner"))
    put(world, plan[FULL_DAY], old, world.restaurants_in(away)[int(old.place_id[-2:])])


def break_complete_information(world, asked, plan, values):
    slot = next(s for s in MEALS if not set(place(world, used(values, FULL_DAY, s)).cuisines) & {"Chinese", "American"})
    name = place(world, used(values, FULL_DAY, slot)).name
    plan[FULL_DAY][slot] = "-"
    kept = [p for p in plan[FULL_DAY]["point_of_interest_list"].split("; ") if not p.startswith(name)]
    plan[FULL_DAY]["point_of_interest_list"] = "; ".join(kept)


def sleep_elsewhere(world, plan, values, wanted):
    old = place(world, values["stays"][-1]["place_id"])
    for day in plan[-3:]:
        put(world, day, old, world.stays_in(old.city_id)[wanted])


def break_room_rule(world, asked, plan, values):
    sleep_elsewhere(world, plan, values, 1)


def break_room_type(world, asked, plan, values):
    sleep_elsewhere(world, plan, values, 2)


def break_cuisine(world, asked, plan, values):
    eaten = {i for _, i in kind_ids(values, MEALS)}
    for day, place_id in kind_ids(values, MEALS):
        old = place(world, place_id)
        if "American" in old.cuisines:
            spare = next(
                r
                for r in world.restaurants_in(old.city_id)
                if r.place_id not in eaten and r.avg_cost < 100 and "American" not in r.cuisines
            )
            eaten.add(spare.place_id)
            put(world, plan[day], old, spare)


def break_attraction_type(world, asked, plan, values):
    (wanted,) = asked["constraints"]["attraction"]
    seen = {i for _, i in kind_ids(values, GAPS)}
    for day, place_id in kind_ids(values, GAPS):
        old = place(world, place_id)
        if wanted in old.categories:
            spare = next(
                a
                for a in world.attractions_in(old.city_id)
                if a.place_id not in seen and wanted not in a.categories
            )  # fmt: skip
            seen.add(spare.place_id)
            put(world, plan[day], old, spare)


def break_event_type(world, asked, plan, values):
    for day in plan:
        day["event"] = day["event"].replace("Music Night", "Film Night")


def break_transportation(world, asked, plan, values):
    for day, move in zip(plan[::2], values["moves"], strict=True):
        origin, dest = (world.cities[move[key]].name for key in ("origin_city_id", "dest_city_id"))
        day["transportation"] = drive_text("self_driving", origin, dest, 200.5, 310.25, 15)


def break_budget(world, asked, plan, values):
    slot = next(s for s in MEALS if not set(place(world, used(values, FULL_DAY, s)).cuisines) & {"Chinese", "American"})
    old = place(world, used(values, FULL_DAY, slot))
    put(world, plan[FULL_DAY], old, world.restaurants_in(old.city_id)[11])


BREAKS = {name.removeprefix("break_"): value for name, value in globals().items() if name.startswith("break_")}


def test_all_seventeen_are_broken():
    assert sorted(BREAKS) == sorted([*COMMONSENSE, *HARD])


@pytest.mark.parametrize("check", sorted(BREAKS))
def test_a_witness_broken_in_one_way_fails_exactly_that_check(world, made, check):
    asked, plan, values = made
    BREAKS[check](world, asked, plan, values)
    assert score_plan(asked, plan, world).failed() == [check]
