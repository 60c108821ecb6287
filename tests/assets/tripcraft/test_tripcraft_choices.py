"""The greedy planner's choices and the soundness checks' limits, each with the change that would go unnoticed."""

from __future__ import annotations

import pytest

from assets.tripcraft.baseline import City, plan_of
from assets.tripcraft.checks import metrics, soundness
from assets.tripcraft.checks.case import Case
from assets.tripcraft.plan import read_plan
from assets.tripcraft.variants import OURS

NOTHING_ASKED = dict.fromkeys(("house_rule", "cuisine", "room_type", "transportation", "event", "attraction"))


@pytest.fixture
def greedy(frames, build, record):
    """Return a function from a length, a change of the tables and constraints to the greedy planner's days."""

    def make(days=3, change=lambda tables: None, **asked):
        tables = frames()
        change(tables)
        return plan_of(build(tables), record(days) | {"constraints": NOTHING_ASKED | asked}, City)

    return make


def put(table, rows, **values):
    """Return a change that sets columns of the rows whose id or key is one of those named."""

    def change(tables):
        frame = tables[table]
        for column, value in values.items():
            frame.loc[rows(frame), column] = value

    return change


def test_it_sleeps_in_the_cheapest_bed_that_meets_the_record(greedy):
    assert greedy()[0]["accommodation"] == "Rest 2 Amble, Amble"  # 20 a head in a shared room, against 50 for two
    assert greedy(room_type="private room")[0]["accommodation"] == "Rest 0 Amble, Amble"
    cheaper = put("stays", lambda f: f["place_id"] == "amble-s3", price=10)
    assert greedy(change=cheaper)[0]["accommodation"] == "Rest 3 Amble, Amble"
    # Two rooms of 30 for a party of two cost more than one of 50.
    dearer = put("stays", lambda f: f["place_id"] == "amble-s2", price=30)
    assert greedy(change=dearer)[0]["accommodation"] == "Rest 0 Amble, Amble"


@pytest.mark.parametrize(("hour", "leaves"), [("12:00", "12:00"), ("18:00", "18:00"), ("08:00", "08:00")])
def test_it_takes_the_cheapest_flight_and_of_equals_the_first(greedy, hour, leaves):
    days = greedy(change=put("flights", lambda f: f["dep_time"] == hour, price=1), transportation="no self-driving")
    assert f"Departure Time: {leaves}" in days[0]["transportation"]
    assert (
        "Departure Time: 08:00"
        in greedy(change=put("flights", lambda f: f["price"] > 0, price=2), transportation="no self-driving")[0][
            "transportation"
        ]
    )


def test_it_goes_by_car_or_by_flights_and_taxis_whichever_costs_less(greedy):
    assert greedy()[0]["transportation"].startswith("Self-driving, ")
    flown = greedy(change=put("flights", lambda f: f["price"] > 0, price=1))
    assert flown[0]["transportation"].startswith("Flight Number: ")
    assert greedy(transportation="no flight")[0]["transportation"].startswith("Self-driving, ")
    dear = put("flights", lambda f: f["price"] > 0, price=900)
    assert greedy(change=dear, transportation="no self-driving")[0]["transportation"].startswith("Taxi, ")


def test_each_next_city_is_the_cheapest_to_reach(greedy):
    near = put(
        "city_distances",
        lambda f: (f["origin_city_id"] + f["dest_city_id"]).isin(["harbourcorran", "corrandunmere"]),
        distance_km=100.0,
    )
    assert [day["current_city"] for day in greedy(5, change=near)[::2]] == [
        "from Harbour to Corran", "from Corran to Dunmere", "from Dunmere to Harbour",
    ]  # fmt: skip


def test_it_eats_and_looks_at_what_is_nearest_and_first_at_what_is_asked_for(greedy):
    def move(tables):
        for table, near in (("restaurants", "amble-r05"), ("attractions", "amble-a6")):
            rows = tables[table]["place_id"] == near
            tables[table].loc[~rows, "lat"] = 10.5
            tables[table].loc[tables[table]["place_id"].isin(["amble-r07", "amble-a4"]), "lat"] = 10.2

    days = greedy(change=move)
    full = days[1]
    assert days[0]["dinner"] == "Table 5, Amble Street, Amble"
    assert full["breakfast"] == "Table 7, Amble Street, Amble"
    seen = "; ".join(day["attraction"] for day in days if day["attraction"] != "-").split("; ")
    assert seen[:2] == ["Sight 6 Amble, Amble", "Sight 4 Amble, Amble"]
    asked = greedy(change=move, cuisine=["Chinese"], attraction=["Boat Tours & Water Sports"])
    assert asked[0]["dinner"] in {"Table 0, Amble Street, Amble", "Table 7, Amble Street, Amble"}
    assert next(day["attraction"] for day in asked if day["attraction"] != "-").startswith("Sight 0 Amble")


def test_it_attends_the_first_event_of_each_kind_once(greedy):
    attended = [day["event"] for day in greedy(event=["Music", "Film"]) if day["event"] != "-"]
    assert len(attended) == 1 and len(attended[0].split("; ")) == 2


@pytest.mark.parametrize(("needed", "told"), [(39, 0), (40, 0), (41, 1)])
def test_the_way_takes_no_more_than_the_time_between_two_entries(monkeypatch, world, record, trip, needed, told):
    """The stay ends at 08:30, breakfast begins at 09:10: forty minutes, to the minute."""
    asked = record(3)
    plan = trip(asked).plan()
    days = read_plan(plan).days
    assert days[1].items[1].start_min - days[1].items[0].end_min == 40
    ends = (days[1].items[0].name, days[1].items[1].name)
    monkeypatch.setattr(soundness, "way_min", lambda a, b, _: (needed if (a.name, b.name) == ends else 0, False))
    found = soundness.ways_kept(Case(asked, read_plan(plan), world, OURS))
    assert [text for text in found if text.startswith("day 2")] == [
        f"day 2: 40 min from `{ends[0]}` to `{ends[1]}`, the way takes {needed}"
    ] * told


def test_it_walks_on_from_where_it_is(greedy):
    """From the stay the one table is nearer, from the sight it sees first the other."""

    def move(tables):
        tables_and_spots = {"restaurants": {"amble-r05": 10.05, "amble-r07": 9.96}, "attractions": {"amble-a6": 10.03}}
        for table, spots in tables_and_spots.items():
            tables[table]["lat"] = tables[table]["place_id"].map(spots).fillna(11.0)

    days = greedy(change=move)
    assert (days[0]["attraction"], days[0]["dinner"]) == ("Sight 6 Amble, Amble", "Table 5, Amble Street, Amble")


def test_the_released_ordering_is_divided_by_the_longer_of_the_two_second_days():
    """One place of day 3 is of another kind: cost 1, over 5 pairs of days, over 4 places (not day 3's 5, not 3)."""

    def days(*lengths, meal="-"):
        lists = ["; ".join(f"Place {n}" for n in range(length)) for length in lengths]
        plan = [{"point_of_interest_list": text, "lunch": "-"} for text in lists]
        plan[2]["lunch"] = meal
        return read_plan(plan).days

    gold, tested = days(2, 3, 5), days(2, 4, 5, meal="Place 2, Amble")
    assert metrics._released_ordering(tested, gold) == pytest.approx(1 - 1 / 5 / 4)
