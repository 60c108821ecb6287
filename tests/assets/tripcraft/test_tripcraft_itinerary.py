"""Solvability and budgets of a draft, against slow looks at every place."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from itertools import permutations

import pytest

from assets.tripcraft.checks.budget import Modes, our_budget, published_budget
from assets.tripcraft.checks.case import Case
from assets.tripcraft.checks.hard import total_cost
from assets.tripcraft.draft import destinations, draw_record
from assets.tripcraft.draws import Draws
from assets.tripcraft.facts.itinerary import find_itinerary
from assets.tripcraft.plan import read_plan
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.variants import OURS
from assets.tripcraft.vocabulary import ROOM_TYPES_MEETING
from tests.assets.tripcraft.witnesses import roughly, slot_of

SMALL = TripcraftSection(counts={3: {"easy": 2, "hard": 4}, 5: {"medium": 4, "hard": 4}, 7: {"hard": 4}})


@pytest.fixture(scope="module")
def drafts(world):
    return roughly(world, SMALL, 3)


def draw(world, section, slot, draws):
    return draw_record(world, section, slot, draws, destinations(world, section, slot.series.about["days"]))


def slow_least_cost(world, record, itinerary) -> int:
    """Return the least cost of the rough trip by trying every way, stay and set of restaurants in turn."""
    people = record["people"]
    rooms = sum(min(2 * s.price * -(-people // s.max_occupancy) for s in stays) for stays in itinerary.stays)
    own = world.car_rates.cost("self_driving", 310.25, people)
    fly = min(90 * people, world.car_rates.cost("taxi", 310.25, people))
    own = own if record["constraints"]["transportation"] != "no self-driving" else fly
    if record["constraints"]["transportation"] == "no flight":
        fly = world.car_rates.cost("taxi", 310.25, people)
    legs = len(itinerary.cities) + 1
    meals = sorted(r.avg_cost for r in itinerary.restaurants)[: 3 * record["days"]]
    return min(own, fly) * legs + rooms + sum(meals) * people


def test_a_budget_covers_a_trip_that_meets_everything(world, drafts):
    for draft in drafts:
        record = draft.record
        itinerary, obstacles = find_itinerary(world, record, Draws(3, draft.task_id, draft.attempt), 720)
        assert itinerary is not None and not obstacles
        assert itinerary.cheapest(record) >= slow_least_cost(world, record, itinerary)
        assert record["budget"] >= 1.1 * itinerary.cheapest(record) - 1e-9
        assert record["budget"] == our_budget(record, itinerary, SMALL)


def test_a_budget_covers_a_plan_the_scorer_accepts(world, record, trip):
    """The invented world's plan, priced by the scorer, fits the least budget that a record of its kind can have."""
    least = TripcraftSection(budget_factor={"easy": 0.0, "medium": 0.0, "hard": 0.0})
    for days in (3, 5, 7):
        asked = record(days)
        itinerary, _ = find_itinerary(world, asked, Draws(1, "t", 0), 720)
        assert itinerary is not None
        asked["budget"] = our_budget(asked, itinerary, least)
        assert total_cost(Case(asked, read_plan(trip(asked).plan()), world, OURS)) <= asked["budget"]


def slow_obstacles(world, record) -> bool:
    """Return whether no route meets the record, by looking at every route and place anew."""
    asked = record["constraints"]
    names = [record["dest_city_id"]] if record["dest_city_id"] else world.cities_in(record["dest_region"], "XX")
    for cities in permutations(names, record["visiting_city_number"]):
        if any(not world.restaurants_in(city) for city in cities):
            continue
        rules = {"pets": "No pets", "smoking": "No smoking", "parties": "No parties", "visitors": "No visitors"}
        rules["children under 10"] = "No children under 10"
        ok = all(
            any(
                (asked["room_type"] is None or s.room_type in ROOM_TYPES_MEETING[asked["room_type"]])
                and (asked["house_rule"] is None or rules[asked["house_rule"]] not in s.house_rules)
                for s in world.stays_in(city)
            )
            for city in cities
        )
        ok &= all(any(k in r.cuisines for c in cities for r in world.restaurants_in(c)) for k in asked["cuisine"] or ())
        ok &= all(
            any(k in a.categories for c in cities for a in world.attractions_in(c)) for k in asked["attraction"] or ()
        )
        if ok:
            return False
    return True


def test_solvability_is_what_a_slow_look_at_every_place_says(frames, build):
    tables = frames()
    keep = tables["attractions"]["place_id"].str.slice(-1).astype(int) < 3
    tables["attractions"] = tables["attractions"][keep]
    tables["stays"] = tables["stays"][~tables["stays"]["place_id"].isin(["amble-s2", "birch-s2", "edge-s3"])]
    world = build(tables)
    section, verdicts = TripcraftSection(), Counter()
    for i in range(300):
        draws = Draws(11, f"t{i}", 0)
        record = draw(world, section, slot_of(f"t{i}", (3, 5, 7)[i % 3], ("medium", "hard")[i % 2]), draws)
        if isinstance(record, str):
            continue
        itinerary, obstacles = find_itinerary(world, record, draws, 720)
        assert (itinerary is None) == bool(obstacles) == slow_obstacles(world, record)
        verdicts[itinerary is None] += 1
    assert min(verdicts.values()) > 20


def test_an_event_counts_only_while_the_trip_is_there(frames, build, record):
    tables = frames()
    events = tables["events"]
    only = (events["city_id"] == "birch") & (events["date"] == dt.date(2024, 11, 8)) | (events["segment"] != "Music")
    tables["events"] = events[only]
    world, asked = build(tables), record(5)
    asked["constraints"]["event"] = ["Music"]
    # The trip is from 5 to 9 November: the second city is lived in from the 7th, the first until the 7th.
    itinerary, _ = find_itinerary(world, asked, Draws(1, "t", 0), 720)
    assert itinerary is not None and itinerary.cities[1] == "birch"
    asked["constraints"]["event"] = ["Music", "Film"]
    assert find_itinerary(world, asked, Draws(1, "t", 0), 720)[0] is not None


def test_own_car_and_flights_do_not_mix(frames, build, record):
    """A road there and a flight back, but neither both ways: there is no way round without a taxi."""
    tables = frames()
    roads, flights = tables["city_distances"], tables["flights"]
    tables["city_distances"] = roads[roads["origin_city_id"] == "harbour"]
    tables["flights"] = flights[flights["dest_city_id"] == "harbour"]
    asked = record(3)
    asked["constraints"]["transportation"] = None
    itinerary, _ = find_itinerary(build(tables), asked, Draws(1, "t", 0), 720)
    assert itinerary is not None
    # A taxi for two at a unit a kilometre, and two seats home: never one's own car at 15.
    assert itinerary.ways.cheapest == 310 + 2 * 90


def change_stays(tables):
    tables["stays"]["min_nights"] = 3


def few_restaurants(tables):
    tables["restaurants"] = tables["restaurants"][tables["restaurants"]["place_id"].str.slice(-2).astype(int) < 2]


def late_flights(tables):
    tables["city_distances"] = tables["city_distances"].iloc[:0]
    tables["flights"].loc[:, ["arr_time", "arr_day_offset"]] = ["00:30", 1]


def early_flights(tables):
    tables["city_distances"] = tables["city_distances"].iloc[:0]
    tables["flights"]["dep_time"] = "05:59"


def no_roads(tables):
    tables["city_distances"] = tables["city_distances"].iloc[:0]


@pytest.mark.parametrize(
    ("change", "request_", "obstacle"),
    [
        (change_stays, None, "no stay in amble meets the request"),
        (few_restaurants, None, "fewer than three restaurants in amble"),
        (late_flights, None, "no way from harbour to amble on 2024-11-05"),
        (early_flights, None, "no way from harbour to amble on 2024-11-05"),
        (no_roads, "no flight", "no way from harbour to amble on 2024-11-05"),
    ],
)
def test_what_stands_in_the_way_of_a_trip_is_named(frames, build, record, change, request_, obstacle):
    tables = frames()
    change(tables)
    asked = record(3)
    asked["constraints"]["transportation"] = request_
    itinerary, obstacles = find_itinerary(build(tables), asked, Draws(1, "t", 0), 720)
    assert itinerary is None
    assert obstacles[0] == obstacle


def test_the_seven_day_base_is_rounded_once_before_the_party_counts():
    modes = Modes(lowest=1000.0, highest=1400.0, average=1098.0)
    assert modes.base(7) == 1249.0
    # 1249 is 1200, times 4 people and a half; unrounded it would be 2498, so 2500.
    assert published_budget(modes, 7, "hard", 4) == 2400
