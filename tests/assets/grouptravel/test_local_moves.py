"""Moves inside a city: what they take, on what that rests, what they cost, and how `ours` judges them."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from assets.clean.modelled_price import PriceModel
from assets.grouptravel.checks.utility import group_utility
from assets.grouptravel.checks.validity import validity
from assets.grouptravel.derivations import ride, ticket
from assets.grouptravel.facts import ways as ways_module
from assets.grouptravel.facts.distance import distance_km
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.rides import STATION_KM, Rides, rides
from assets.grouptravel.facts.ways import SPEEDS_KMH, Served, Ways
from assets.grouptravel.plan import read_plan
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.solver import solve
from assets.grouptravel.variants import VARIANTS
from assets.grouptravel.vocabulary import EN, LOCAL_SPEED_LIMITS_KMH
from assets.grouptravel.witness.as_plan import native_plan
from assets.grouptravel.witness.schedule import Frame, Stop, eased, pleasant, quick, unpaid
from schemas.prices import BigMacPrice, CountryPriceLevel
from tests.assets.grouptravel.attacked import scorer
from tests.assets.grouptravel.real_town import HELSINKI, frame
from tests.assets.grouptravel.test_attacker import WIDE, WIDE_FARES, wide_trip
from tests.assets.grouptravel.weekend import FACTS, POIS, USERS, acts, at, good_plan, table

CITY = "Oulu"
BY_NAME = {poi.name: poi for poi in POIS.in_city(CITY)}
MUSEUM, TEMPLE, PARK, NOODLES = (BY_NAME[name] for name in ("Grand Museum", "Old Temple", "Lake Park", "Noodle House"))
ROWS = rides(cities=[HELSINKI], section=GroupTravelSection(language="en", currency="EUR"))
RIDES = Rides.of_frame(ROWS, {HELSINKI.city_id: CITY})


def ways(served: dict[str, Served] | None = None, **seconds: float) -> Ways:
    """Return ways on which every measured one by a mode takes so many seconds."""
    ids = [poi.place_id for poi in BY_NAME.values()]
    grids = [(mode, ids, np.full((len(ids), len(ids)), taken)) for mode, taken in seconds.items()]
    return Ways(grids, served, RIDES)


def stops(headway_s: int | None = None) -> dict[str, Served]:
    """Return a stop at each of two places, 100 m away."""
    return {poi.place_id: Served(f"stop-{poi.place_id}", 100.0, headway_s) for poi in (MUSEUM, TEMPLE)}


@pytest.mark.parametrize(
    ("there", "mode", "minutes", "basis"),
    [
        (ways(walk=600.0), "walk", 10, "matrix"),
        (ways(), "walk", 19, "modelled"),
        # 1.2 km at 18 km/h with the detour, 100 m with it on foot at both ends, half of a quarter of an hour's wait
        (ways(stops()), "transit", 15, "modelled"),
        (ways(stops(headway_s=240)), "transit", 10, "timetable"),
        (ways(car=420.0, taxi=420.0), "taxi", 7, "matrix"),
        (ways(), "taxi", 5, "modelled"),
    ],
)
def test_minutes_are_measured_where_they_can_be_and_say_so(there, mode, minutes, basis):
    assert (there.minutes(mode, MUSEUM, TEMPLE), there.basis(mode, MUSEUM, TEMPLE)) == (minutes, basis)


def test_transit_runs_where_two_stops_serve_the_ends_and_a_matrix_may_know_of_no_road():
    there = ways(stops())
    assert there.runs("transit", MUSEUM, TEMPLE)
    assert not there.runs("transit", MUSEUM, PARK)
    same = {place: replace(stop, stop_id="one") for place, stop in stops().items()}
    assert not ways(same).runs("transit", MUSEUM, TEMPLE)
    assert not ways(walk=float("nan")).runs("walk", MUSEUM, TEMPLE)


@pytest.mark.parametrize(
    ("there", "mode"),
    [(ways(stops(), walk=1200.0), "walk"), (ways(stops(), walk=1260.0), "transit"), (ways(walk=1260.0), "taxi")],
)
def test_people_walk_when_it_is_near_then_ride_where_stops_serve_both_ends_then_drive(there, mode):
    assert pleasant(there)(MUSEUM, TEMPLE)[0] == mode


@pytest.mark.parametrize(
    ("there", "mode"),
    [
        (ways(stops(), walk=1200.0), "walk"),
        (ways(stops(), walk=1260.0, bicycle=2700.0), "bicycle"),
        (ways(stops(), walk=1260.0, bicycle=2760.0), "transit"),
        (ways(walk=1260.0, bicycle=float("nan")), "taxi"),
    ],
)
def test_who_has_no_money_for_rides_cycles_for_up_to_three_quarters_of_an_hour(there, mode):
    assert unpaid(there)(MUSEUM, TEMPLE)[0] == mode


def test_the_quickest_move_takes_the_least_of_what_runs():
    assert quick(ways(walk=1260.0))(MUSEUM, TEMPLE) == ("taxi", 5)
    assert quick(ways(walk=600.0, taxi=660.0))(MUSEUM, TEMPLE) == ("walk", 10)


def test_no_move_is_faster_than_its_mode_can_be_though_a_matrix_says_so():
    """The matrix knows the roads beside two places, which may be one road for both shores of a harbour."""
    assert MUSEUM.point is not None
    assert TEMPLE.point is not None
    there, km = ways(walk=60.0, bicycle=60.0, taxi=60.0, transit=60.0), distance_km(MUSEUM.point, TEMPLE.point)
    for mode, limit in LOCAL_SPEED_LIMITS_KMH.items():
        least = there.minutes(mode, MUSEUM, TEMPLE)
        assert km <= limit * least / 60, mode
        assert least == ways_module.LEAST_MOVE_MIN or km > limit * (least - 1) / 60, mode
    assert there.minutes("walk", MUSEUM, TEMPLE) > ways_module.LEAST_MOVE_MIN


def test_what_is_remembered_of_a_way_is_of_these_places_however_a_city_numbers_its_own(monkeypatch):
    """Published lists number the places of each city from one; what does not fit any more is found out again."""
    near, far = replace(PARK, lat=65.0, lon=25.5), replace(PARK, lat=66.0, lon=25.5)
    expected = [ways().least(MUSEUM, place) for place in (near, far)]
    assert expected[0] < expected[1]
    for most in (ways_module.MOST_WAYS_KEPT, 1):
        monkeypatch.setattr(ways_module, "MOST_WAYS_KEPT", most)
        there = ways()
        assert [there.least(MUSEUM, place) for place in (near, far, near, far)] == 2 * expected
        assert [there.least_in([MUSEUM, place])[PARK.place_id] for place in (near, far)] == expected


@pytest.mark.parametrize(
    ("spare_min", "modes", "active"),
    [(99, ["taxi", "walk", "walk"], 20), (19, ["taxi", "walk", "taxi"], 10), (0, ["taxi", "taxi", "taxi"], 0)],
)
def test_nobody_rides_round_the_corner_where_time_and_caps_leave_room_to_walk(spare_min, modes, active):
    there = ways(walk=900.0)  # a quarter of an hour on foot, 5 minutes by taxi
    stop = lambda poi: Stop(poi, 60, ((0, 1440),), None)  # noqa: E731  (a stop of one line)
    timed = [(stop(MUSEUM), 540, 600), (stop(TEMPLE), 605, 665), (stop(PARK), 720, 780)]
    frame = Frame(None, NOODLES, 480, 1320, active_min=200 + spare_min)
    move, active_min = eased((timed, 200), frame, quick(there), pleasant(there))
    ends = [(MUSEUM, TEMPLE), (TEMPLE, PARK), (PARK, NOODLES)]
    assert ([move(*pair)[0] for pair in ends], active_min - 200) == (modes, active)
    assert move(TEMPLE, MUSEUM) == ("taxi", 5)


def test_no_move_to_a_place_takes_less_than_what_the_bound_counts_for_it():
    for there in (ways(stops(), walk=700.0), ways(), ways(walk=420.0, bicycle=420.0, car=420.0, taxi=420.0)):
        least = there.least_in(list(BY_NAME.values()))
        for one in BY_NAME.values():
            for other in BY_NAME.values():
                assert one is other or least[other.place_id] <= there.least(one, other)
    assert least[TEMPLE.place_id] == 7  # the last of these is measured by all modes


def test_a_gtfs_stop_serves_by_its_timetable_and_far_ones_nobody():
    near = {"place_id": ["p1", "p2"], "stop_id": ["a", "b"], "stop_distance_m": [120.0, 501.0]}
    nearest = pd.DataFrame(near)
    assert Ways.of_tables(None, nearest).serves(MUSEUM)
    assert not Ways.of_tables(None, nearest).serves(TEMPLE)
    served = pd.DataFrame(
        {"place_id": ["p2", "p2"], "stop_id": ["c", "c"], "stop_distance_m": [90.0, 90.0], "headway_s": [None, 600]}
    )
    timed = Ways.of_tables(None, nearest, served)
    assert (timed.serves(MUSEUM), timed.serves(TEMPLE)) == (False, True)


def priced(mode, city, one, other, people) -> float:
    """Return what each pays for a move that has a price."""
    price = RIDES.price(mode, city, one, other, people)
    assert price is not None
    return price


def test_fares_are_modelled_by_the_price_level_in_the_usual_steps():
    assert RIDES.price("walk", CITY, MUSEUM.point, TEMPLE.point, 3) == 0
    alone, shared, two_cars = (priced("taxi", CITY, MUSEUM.point, TEMPLE.point, people) for people in (1, 4, 5))
    assert alone > two_cars > shared > 0
    assert RIDES.price("car", CITY, MUSEUM.point, TEMPLE.point, 4) == shared
    model = PriceModel(*(pd.DataFrame(columns=[c.name for c in t.columns()]) for t in (CountryPriceLevel, BigMacPrice)))
    assert RIDES.price("transit", CITY, None, TEMPLE.point, 3) == pytest.approx(
        model.ride("FI", "EUR", "transit", 3).value
    )
    assert RIDES.price("taxi", CITY, None, TEMPLE.point, 1) == model.ride("FI", "EUR", "taxi", STATION_KM).value
    assert Rides().price("taxi", CITY, MUSEUM.point, TEMPLE.point, 1) is None


def test_the_derivations_give_what_the_world_says():
    row = ROWS[(ROWS["mode"] == "taxi") & (ROWS["people"] == 3)].iloc[0]
    cells = [row["first"], row["per_km"], row["step"]]
    assert MUSEUM.point is not None and TEMPLE.point is not None
    assert ride([*cells, *MUSEUM.point, *TEMPLE.point]) == RIDES.price("taxi", CITY, MUSEUM.point, TEMPLE.point, 3)
    assert ride(cells) == RIDES.price("taxi", CITY, None, TEMPLE.point, 3)
    row = ROWS[ROWS["mode"] == "transit"].iloc[0]
    assert ticket([row["first"], row["step"]]) == RIDES.price("transit", CITY, MUSEUM.point, TEMPLE.point, 3)


def judged(plan: dict[str, Any], there: Ways, variant: str = "ours") -> set[tuple[str, str]]:
    """Return the issues of a plan in the small world with these ways."""
    town = Pois({CITY: list(BY_NAME.values())}, there)
    return {(i.check, i.kind) for i in validity(read_plan(plan), replace(FACTS, pois=town), VARIANTS[variant]).issues}


def moved(**changes: Any) -> dict[str, Any]:
    """Return the good plan with its last move before the hotel changed."""
    plan = copy.deepcopy(good_plan())
    moves = [act for act in acts(plan) if act["type"] == "intracity_transport"]
    moves[1].update(changes)
    return plan


def test_nobody_takes_transit_where_no_stop_serves_both_ends():
    assert ("moves", "nothing_runs") in judged(moved(transport_mode="public transport"), ways())
    ends = [act for act in acts(good_plan()) if act["type"] == "intracity_transport"][1]
    served = {BY_NAME[ends[end]].place_id: Served(end, 50.0) for end in ("from", "to")}
    assert ("moves", "nothing_runs") not in judged(moved(transport_mode="public transport"), ways(served))


@pytest.mark.parametrize("far_first", [True, False])
def test_who_comes_from_elsewhere_needs_the_time_of_the_own_way(far_first):
    meal = BY_NAME["Spice Pot"]
    ids = [poi.place_id for poi in BY_NAME.values()]
    seconds = np.full((len(ids), len(ids)), 300.0)
    seconds[ids.index(TEMPLE.place_id), ids.index(meal.place_id)] = 2460.0
    plan = good_plan()
    there = [
        at("attraction", "09:30", "11:30", "Old Temple", ["User2"]),
        at("attraction", "09:30", "11:30", "Grand Museum", ["User1", "User3"]),
    ]
    acts(plan)[:] = [*(there if far_first else there[::-1]), at("food", "12:10", "13:10", "Spice Pot", avg_cost=80)]
    town = Pois({CITY: list(BY_NAME.values())}, Ways([(mode, ids, seconds) for mode in SPEEDS_KMH], None, RIDES))
    issues = validity(read_plan(plan), replace(FACTS, pois=town), VARIANTS["ours"]).issues
    assert [issue.user for issue in issues if (issue.check, issue.kind) == ("moves", "too_fast")] == ["User2"]


def test_what_a_move_says_it_costs_is_its_price():
    ends = [act for act in acts(good_plan()) if act["type"] == "intracity_transport"][1]
    price = priced("taxi", CITY, BY_NAME[ends["from"]].point, BY_NAME[ends["to"]].point, len(USERS))
    assert ("costs", "wrong_avg_cost") not in judged(moved(avg_cost=price), ways())
    assert ("costs", "wrong_avg_cost") in judged(moved(avg_cost=price - 0.1), ways())
    assert ("costs", "wrong_avg_cost") not in judged(moved(avg_cost=price - 0.1), ways(), "paper")


def test_moves_count_against_the_budget_in_ours_alone():
    wanted, town = table(), Pois({CITY: list(BY_NAME.values())}, ways())
    plan = read_plan(good_plan())
    costs = {
        name: group_utility(plan, {"User1": wanted}, USERS, town, VARIANTS[name]).users["User1"].cost
        for name in ("ours", "paper", "released")
    }
    ridden = [act for _, city, act in plan.visits if act.kind == "intracity_transport" and city == CITY]
    paid = 0.0
    for act in ridden:
        if "User1" in act.joined_by(USERS):
            one, other = (BY_NAME.get(name) for name in (act.origin, act.destination))
            points = (one.point, other.point) if one and other else (None, None)
            paid += RIDES.price("taxi", CITY, *points, len(act.joined_by(USERS))) or 0.0
    assert paid > 10
    assert costs["ours"] == pytest.approx(costs["paper"] + paid)
    assert costs["released"] == costs["paper"]


def test_a_table_of_fares_holds_what_it_declares():
    from assets.grouptravel.tables import GroupRide

    assert len(frame(GroupRide, ROWS.values.tolist())) == 9


def test_where_rides_would_break_a_budget_the_plan_walks_and_is_worth_what_the_solver_says():
    trip = wide_trip()
    town = Pois({CITY: WIDE.in_city(CITY)}, Ways((), None, RIDES))
    free = Pois({CITY: WIDE.in_city(CITY)}, Ways())
    unpaid = solve(trip, free, WIDE_FARES, EN)
    meals = sum(c.poi.cost or 0.0 for c in unpaid.choices if c.poi.poi_type == "food")
    spent = sum(leg.price for leg in unpaid.legs) + sum(bed.cost or 0.0 for bed in unpaid.beds) + meals
    for wanted in trip.tables.values():
        wanted["global_constraints"]["avg_budget"] = round(spent)
    best = solve(trip, town, WIDE_FARES, EN)
    plan = native_plan(trip, best, EN, town)
    assert best.total == best.bound == scorer(trip, town, WIDE_FARES)(plan)
    assert {act["avg_cost"] for act in local(plan)} == {0.0}
    richer = {
        user: {**t, "global_constraints": {**t["global_constraints"], "avg_budget": 0}}
        for user, t in trip.tables.items()
    }
    ridden = native_plan(trip, solve(replace(trip, tables=richer), town, WIDE_FARES, EN), EN, town)
    assert any(act["avg_cost"] > 0 for act in local(ridden))


def test_where_all_is_too_far_to_walk_those_without_money_for_rides_cycle():
    trip = wide_trip()
    grid = enumerate(WIDE.in_city(CITY))  # 1.5 km apart, to the north and to the east
    places = [replace(poi, lat=60 + 0.0135 * (n // 5), lon=24 + 0.027 * (n % 5)) for n, poi in grid]
    for wanted in trip.tables.values():
        wanted["global_constraints"]["intensity"]["max_poi_per_day"] = 3
    rich, town = Pois({CITY: places}, Ways()), Pois({CITY: places}, Ways((), None, RIDES))
    best = solve(trip, rich, WIDE_FARES, EN)
    meals = sum(c.poi.cost or 0.0 for c in best.choices if c.poi.poi_type == "food")
    for wanted in trip.tables.values():
        wanted["global_constraints"]["avg_budget"] = round(40 + 50 + meals)
    poor = solve(trip, town, WIDE_FARES, EN)
    plan = native_plan(trip, poor, EN, town)
    assert poor.total == poor.bound == best.total == scorer(trip, town, WIDE_FARES)(plan)
    assert {act["transport_mode"] for act in local(plan)} == {"walk", "bicycle"}  # from the station they walk


def local(plan: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a plan's moves inside cities."""
    acts = (act for day in plan["days"] for s in day["city_segments"] for act in s.get("activities", ()))
    return [act for act in acts if act["type"] == "intracity_transport"]
