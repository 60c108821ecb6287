"""Trains and coaches as ways of a trip: what the checks let pass, what they say of the rest, and what is chosen."""

from __future__ import annotations

import copy
import datetime as dt

import pandas as pd
import pytest

from assets.tripcraft.baseline import plan_of
from assets.tripcraft.facts.ways import Leg
from assets.tripcraft.plan import read_transport, scheduled_text
from assets.tripcraft.published.checker import cost_of, judge
from assets.tripcraft.published.query import published_record
from assets.tripcraft.published.ref_info import leg_info
from assets.tripcraft.published.reference_world import reference_world
from assets.tripcraft.reference import Reference
from assets.tripcraft.scoring import score_plan
from assets.tripcraft.solver import Unsolvable, Witness, solve
from assets.tripcraft.tools import Searches
from assets.tripcraft.world import check

LEGS = {("harbour", "amble"): ("08:00", "10:00", 120), ("amble", "harbour"): ("18:00", "19:40", 100)}
PRICES = {"train": 40, "coach": 25}


def journeys() -> pd.DataFrame:
    """Return a train and a coach each way between Harbour and Amble on every day of the month."""
    rows = [
        {
            "journey_number": f"{mode[0].upper()}{day * 10 + way:07d}", "mode": mode, "origin_city_id": origin,
            "dest_city_id": dest, "journey_date": dt.date(2024, 11, day), "dep_time": dep, "arr_time": arr,
            "arr_day_offset": 0, "elapsed_min": elapsed, "distance_km": 300.0, "price": PRICES[mode],
            "is_modelled": True,
        }
        for day in range(1, 31)
        for mode in PRICES
        for way, ((origin, dest), (dep, arr, elapsed)) in enumerate(LEGS.items())
    ]  # fmt: skip
    return pd.DataFrame(rows)


@pytest.fixture
def railways(frames):
    """Return the invented world with trains and coaches; without its flights or roads where they are named."""

    def make(*without: str) -> Reference:
        tables = {name: frame.iloc[:0] if name in without else frame for name, frame in frames().items()}
        return Reference(**tables, journeys=journeys(), currency="XXC")

    return make


@pytest.fixture
def asked(record):
    """Return a record of three days that asks for nothing but its budget."""
    made = copy.deepcopy(record(3))
    made["constraints"] = dict.fromkeys(made["constraints"])
    return made


def by(plan, reference, record, *modes, **changed):
    """Return the plan with its ways by the modes, and what is changed of their texts."""
    plan = copy.deepcopy(plan)
    for index, mode in zip((0, 2), modes, strict=True):
        origin, dest = ("harbour", "amble") if index == 0 else ("amble", "harbour")
        (way,) = [
            journey
            for journey in reference.journeys_between(origin, dest, record["dates"][changed.get("day", index)])
            if journey.mode == mode
        ]
        names = reference.cities[origin].name, reference.cities[dest].name
        word = changed.get("word", mode)
        plan[index]["transportation"] = scheduled_text(word, way.flight_number, *names, way.dep_min, way.arr_min)
    return plan


def said(record, plan, reference) -> str:
    """Return what our checks say of the plan, the published ones and ours."""
    return "; ".join(f"{violation.check}: {violation.text}" for violation in check(record, plan, reference))


def test_a_trip_by_train_and_coach_holds_and_costs_its_seats(railways, asked, trip):
    world = railways()
    flown = trip(asked).plan()
    plan = by(flown, world, asked, "train", "coach")
    assert said(asked, plan, world) == ""
    cost, by_air = (score_plan(asked, made, world).cost or 0 for made in (plan, flown))
    assert by_air - cost == (90 + 90 - 40 - 25) * asked["people"]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"day": 1}, "train T0000060 does not leave on 2024-11-05"),
        ({"word": "coach"}, "there is no coach T0000050 from harbour to amble"),
        ({"word": "flight"}, "there is no flight T0000050 from harbour to amble"),
    ],
)
def test_a_train_of_another_day_or_under_another_name_is_no_way(railways, asked, trip, changed, why):
    world = railways()
    plan = by(trip(asked).plan(), world, asked, "train", "train", **changed)
    assert why in said(asked, plan, world)


def test_the_times_stated_are_the_train_s(railways, asked, trip):
    world = railways()
    plan = by(trip(asked).plan(), world, asked, "train", "train")
    plan[0]["transportation"] = plan[0]["transportation"].replace("10:00", "09:50")
    told = said(asked, plan, world)
    assert "does not leave and arrive at the times stated" in told and "transport_is_as_offered" in told


def test_visits_keep_half_an_hour_from_a_train(railways, asked, trip):
    world = railways()
    plan = by(trip(asked).plan(), world, asked, "train", "train")
    plan[0]["point_of_interest_list"] = plan[0]["point_of_interest_list"].replace("11:00", "10:20", 1)
    assert "does not keep 30 min from the train" in said(asked, plan, world)


def test_who_goes_by_train_has_left_the_car_at_home(railways, asked, trip):
    world = railways()
    plan = by(trip(asked).plan(), world, asked, "train", "coach")
    plan[2]["transportation"] = trip(asked).drive("self_driving", "amble", "harbour")
    assert "self-driving is mixed with train" in said(asked, plan, world)


@pytest.mark.parametrize(("request_", "holds"), [("no flight", True), ("no self-driving", True), ("no vehicle", False)])
def test_requests_for_no_flight_and_no_car_leave_the_train(railways, asked, trip, request_, holds):
    world = railways()
    asked["constraints"]["transportation"] = request_
    plan = by(trip(asked).plan(), world, asked, "train", "train")
    assert ("transportation" not in said(asked, plan, world)) is holds


def test_where_nothing_flies_and_no_road_leads_the_witness_goes_by_rail(railways, asked):
    world = railways("flights", "city_distances")
    found = solve(asked, world, task_id="t")
    assert isinstance(found, Witness)
    assert {move["mode"] for move in found.values["moves"]} <= {"train", "coach"}
    assert said(asked, found.plan, world) == ""
    assert "there is no road" in found.remark
    assert isinstance(solve(asked | {"dest_city_id": "birch"}, world, task_id="t"), Unsolvable)


def test_the_greedy_planner_takes_the_cheapest_seat(railways, asked):
    plan = plan_of(railways("city_distances"), asked)
    assert [read_transport(day["transportation"]).mode for day in plan if day["transportation"] != "-"] == [
        "coach", "coach",
    ]  # fmt: skip


def test_the_published_checker_lets_a_train_pass_unjudged_and_unpaid(railways, asked, trip):
    world = railways()
    query = published_record(asked, world)
    flown = trip(asked).plan()
    plan = by(flown, world, asked, "train", "train")
    published = reference_world(world)
    before, after = ({n: v.holds for n, v in judge(query, made, published).items()} for made in (flown, plan))
    assert before == after
    costs = cost_of(query, flown, published), cost_of(query, plan, published)
    assert costs[0] is not None and costs[1] == costs[0] - 2 * 90 * asked["people"]
    nowhere = plan[0]["transportation"].replace("T0000050", "T9999999")
    unreal = [{**plan[0], "transportation": nowhere}, *plan[1:]]
    assert {n: v.holds for n, v in judge(query, unreal, published).items()} == after
    assert "there is no train T9999999" in said(asked, unreal, world)


def test_a_planner_is_told_of_trains_in_the_words_of_flights(railways, asked):
    world = railways()
    date = asked["dates"][0]
    info = leg_info(world, asked, Leg("harbour", "amble", 0))
    assert [row["Train Number"] for row in info[f"Train from Harbour to Amble on {date}"]] == ["T0000050"]
    (coach,) = info[f"Coach from Harbour to Amble on {date}"]
    assert (coach["Price"], coach["DepTime"], coach["Date"]) == (25, "08:00", date)
    assert leg_info(world, asked, Leg("harbour", "birch", 0))[f"Train from Harbour to Birch on {date}"] == (
        f"There is no train from Harbour to Birch on {date}."
    )
    ends = {"Departure City": "Harbour", "Destination City": "Amble", "Date": date}
    answer = Searches(world).journeys(ends)
    assert {ref.split("/")[-1] for ref in map(str, answer.rows)} >= {"T0000050"} or len(answer.rows) == 2


def test_a_world_without_trains_says_nothing_of_them(world, asked):
    assert not [key for key in leg_info(world, asked, Leg("harbour", "amble", 0)) if key.startswith(("Train", "Coach"))]
    assert not Searches(world).has_journeys
