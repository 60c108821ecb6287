"""Drives take their road and their time, by the clocks of both cities, whatever their text says."""

from __future__ import annotations

from typing import Any

import pytest

from assets.tripcraft.scoring import score_plan
from tests.assets.tripcraft.poi_lists import move

H, A, B = "Harbour", "Amble", "Birch"


def driven(plan: Any, *, first: str = "", last: str = "") -> None:
    """Go there and back by car, which takes 200.5 minutes; the first day may name another way."""
    plan[0]["transportation"] = first or f"Self-driving, from {H} to {A}, duration: 200.5, distance: 310.25, cost: 1"
    plan[2]["transportation"] = last or f"Self-driving, from {A} to {H}, duration: 200.5, distance: 310.25, cost: 1"


def test_a_drive_needs_a_road(frames, build, record, trip):
    tables = frames()
    tables["city_distances"] = tables["city_distances"].iloc[:0]
    world = build(tables)
    writer = trip(record(3), world)
    plan = writer.plan()
    plan[0]["transportation"] = writer.drive("taxi", "harbour", "amble")
    assert score_plan(record(3), plan, world).failed() == ["within_sandbox"]


def test_a_drive_takes_the_time_that_it_takes(reasons):
    """What stands in its text does not shorten it."""
    assert reasons(3, "poi_list", driven) == ""

    def early(plan):
        driven(plan)
        move(0, "stay from 11:00 to 12:00", "stay from 02:00 to 02:30")(plan)
        move(0, "14:10 to 15:10", "03:00 to 04:00")(plan)

    def late(plan):
        driven(plan, last=f"Self-driving, from {A} to {H}, duration: 1, distance: 1, cost: 0")
        move(2, "14:10 to 15:10", "20:10 to 21:20")(plan)

    assert reasons(3, "poi_list", early) == (
        "day 1: 180 min are left between 00:00 in `Harbour` and 03:00 in `Amble`, the drive takes 200.5 by their clocks"
    )
    assert reasons(3, "poi_list", late) == (
        "day 3: 160 min are left between 21:20 in `Amble` and 00:00 in `Harbour`, the drive takes 200.5 by their clocks"
    )


@pytest.mark.parametrize(
    ("home", "there", "hour", "said"),
    [
        ("America/Chicago", "America/New_York", "04:21", ""),
        ("America/Chicago", "America/New_York", "04:20", "260 min are left between 00:00 in `Harbour` and 04:20"),
        ("America/New_York", "America/Chicago", "02:21", ""),
        ("America/New_York", "America/Chicago", "02:20", "140 min are left between 00:00 in `Harbour` and 02:20"),
        ("", "America/Chicago", "03:21", ""),
        (float("nan"), float("nan"), "03:21", ""),
    ],
)
def test_a_drive_is_timed_by_the_clocks_of_both_cities(frames, build, record, trip, home, there, hour, said):
    tables = frames()
    tables["cities"]["time_zone"] = [home if city == "harbour" else there for city in tables["cities"]["city_id"]]
    world = build(tables)
    plan = trip(record(3), world).plan()
    plan[0]["transportation"] = f"Self-driving, from {H} to {A}, duration: 200.5, distance: 310.25, cost: 1"
    move(0, "stay from 11:00 to 12:00", "stay from 00:30 to 01:00")(plan)
    move(0, "14:10 to 15:10", f"{hour} to 05:30")(plan)
    found = score_plan(record(3), plan, world).commonsense
    assert found is not None and said in "; ".join(found["poi_list"].reasons)
    assert found["poi_list"].holds == (not said)


def test_a_drive_takes_its_time_before_a_meal_at_a_table_of_the_stay_s_name(frames, build, record, trip):
    tables = frames()
    tables["restaurants"].loc[tables["restaurants"]["place_id"] == "amble-r00", "name"] = "Rest 0 Amble"
    world = build(tables)
    plan = trip(record(3), world).plan()
    driven(plan)
    found = score_plan(record(3), plan, world).commonsense
    assert found is not None and found["poi_list"].holds
    move(0, "stay from 11:00 to 12:00", "stay from 02:00 to 02:30")(plan)
    move(0, "14:10 to 15:10", "03:00 to 04:00")(plan)
    found = score_plan(record(3), plan, world).commonsense
    assert found is not None
    assert "120 min are left between 00:00 in `Harbour` and 02:00 in `Amble`" in found["poi_list"].reasons[0]


def test_a_night_in_the_old_city_does_not_hold_a_drive_to_a_table_of_its_name_in_the_new(frames, build, record, trip):
    tables = frames()
    tables["restaurants"].loc[tables["restaurants"]["place_id"] == "birch-r00", "name"] = "Rest 0 Amble"
    world = build(tables)
    plan = trip(record(5), world).plan()
    plan[2]["transportation"] = f"Self-driving, from {A} to {B}, duration: 200.5, distance: 310.25, cost: 1"
    assert plan[2]["dinner"] == "Rest 0 Amble, Birch"
    found = score_plan(record(5), plan, world).commonsense
    assert found is not None and found["poi_list"].holds


def test_a_drive_leads_where_the_day_does(reasons):
    found = reasons(3, "within_sandbox", lambda plan: driven(plan, last="Self-driving, from Nowhere to Atlantis"))
    assert found == "day 3: the transport `Self-driving, from Nowhere to Atlantis` leads elsewhere than the day"
    assert reasons(3, "within_sandbox", lambda plan: driven(plan, last="Self-driving")) == ""
