"""Moving days: what is worth seeing is seen, and nobody waits in a room for hours without need."""

from __future__ import annotations

import pytest

from assets.tripcraft.facts.travel import TownWays, table
from assets.tripcraft.scoring import score_plan
from tests.assets.tripcraft.witnesses import free, persona, spread, visits, witness

ADVENTURE = persona(Traveler_Type="Adventure Seeker")


def _flown(tables, dep_time, arr_time):
    """Let all flights leave and arrive at these times."""
    tables["flights"] = tables["flights"].drop_duplicates(["origin_city_id", "dest_city_id", "flight_date"])
    tables["flights"][["dep_time", "arr_time"]] = dep_time, arr_time
    return tables


@pytest.fixture
def early(frames):
    """Return a world whose flights arrive before breakfast is over."""
    return _flown(frames(), "06:00", "07:30")


@pytest.mark.parametrize(("traveller", "count"), [(ADVENTURE, 2), (persona(), 1)], ids=["adventure", "laid-back"])
def test_a_day_of_early_arrival_has_as_many_visits_as_the_persona_makes(early, build, record, traveller, count):
    reference = build(early)
    plan = witness(free(record, 3, traveller), reference)
    assert len(visits(plan, reference, 0)) == count


def test_without_a_meal_two_visits_have_the_way_and_an_hour_between_them(early, build, record):
    tables = spread(early, 1)
    tables["restaurants"]["opening_hours"] = "We 00:00-24:00"
    tables["attractions"]["opening_hours"] = None
    reference, asked = build(tables), free(record, 3, ADVENTURE)
    plan = witness(asked, reference)
    first, second = visits(plan, reference, 0)
    items = {item["place_id"]: item for item in plan.values["days"][0]}
    way = table([first, second], TownWays())[first.place_id, second.place_id]
    assert items[second.place_id]["start_min"] - items[first.place_id]["end_min"] >= way + 60
    assert score_plan(asked, plan.plan, reference).failed() == []


def test_no_visit_is_planned_that_the_one_before_leaves_no_time_for(frames, build, record):
    tables = _flown(frames(), "21:30", "23:00")
    tables["restaurants"]["opening_hours"] = "We 00:00-24:00"
    sights = tables["attractions"]
    sights["visit_duration_h"] = 1.0
    is_far = sights["place_id"].str[-1].astype(int) < 4
    sights.loc[is_far, "lat"] += 0.2
    sights["opening_hours"] = is_far.map({True: "09:00-14:05", False: "15:30-16:20"})
    reference, asked = build(tables), free(record, 3, ADVENTURE)
    plan = witness(asked, reference)
    assert len(visits(plan, reference, 2)) == 1
    assert score_plan(asked, plan.plan, reference).failed() == []


def test_who_drives_sets_out_after_the_night_where_an_earlier_start_gains_nothing(frames, build, record):
    tables = frames()
    tables["flights"] = tables["flights"].iloc[:0]
    plan = witness(free(record, 3, persona()), build(tables))
    arrived = plan.values["days"][0][0]["start_min"]
    assert arrived == 480 + 200, "at eight, for 200 minutes: in time for lunch"


def test_the_one_visit_of_a_day_that_leaves_late_is_made_in_its_morning(frames, build, record):
    reference = build(_flown(frames(), "21:30", "23:00"))
    plan = witness(free(record, 3, persona()), reference)
    slots = [item["slot"] for item in plan.values["days"][2]]
    assert "morning" in slots and "afternoon" not in slots
