"""Witnesses: the independent checker accepts them, and what they are made of is what was asked for."""

from __future__ import annotations

from itertools import pairwise

import pandas as pd
import pytest

from assets.tripcraft import solver
from assets.tripcraft.checks.commonsense import COMMONSENSE
from assets.tripcraft.checks.hard import HARD
from assets.tripcraft.entities import Restaurant
from assets.tripcraft.facts.travel import TownWays, table
from assets.tripcraft.persona import taste_of
from assets.tripcraft.plan import Item, read_item, read_plan
from assets.tripcraft.scoring import score_plan
from assets.tripcraft.solver import Unsolvable, Witness, solve
from assets.tripcraft.variants import OURS, PAPER
from assets.tripcraft.witness.hours import (
    open_windows,
)
from assets.tripcraft.witness.spots import Spot, city_spots, meal_worth, shortlist
from tests.assets.tripcraft.witnesses import free, persona, spread, visits, witness


@pytest.mark.parametrize("variant", [OURS, PAPER], ids=lambda v: v.name)
def test_the_checker_accepts_a_witness_that_was_asked_for_everything(world, record, days, variant):
    found = witness(record(days), world)
    score = score_plan(record(days), found.plan, world, variant=variant)
    verdicts = {name: r.holds for name, r in {**(score.commonsense or {}), **(score.hard or {})}.items()}
    assert verdicts == dict.fromkeys([*COMMONSENSE, *HARD], True)
    assert score.cost == found.values["cost"] <= record(days)["budget"]


def test_meals_score_nearly_one(world, record, days):
    score = score_plan(record(days), witness(record(days), world).plan, world)
    values = score.metrics or {}
    assert (values["temporal_meal"] or 0) >= 0.95
    assert (values["spatial"] or 0) >= 0.95


@pytest.mark.parametrize("seed", range(4))
def test_in_a_scattered_city_with_opening_hours_ways_and_hours_are_kept(frames, build, record, days, seed):
    reference = build(spread(frames(), seed))
    asked = record(days)
    asked["constraints"] |= {"cuisine": ["Italian"], "attraction": ["Museums"]}
    found = solve(asked, reference, task_id=f"scattered-{seed}")
    assert not isinstance(found, Unsolvable), found
    score = score_plan(asked, found.plan, reference)
    assert score.passes_commonsense and score.passes_hard
    places = {
        p.place_id: p
        for city in reference.cities
        for of_kind in (reference.restaurants_in, reference.attractions_in, reference.stays_in)
        for p in of_kind(city)
    }
    ways = table([places[item["place_id"]] for items in found.values["days"] for item in items], TownWays())
    for date, items in zip(asked["dates"], found.values["days"], strict=True):
        for before, after in pairwise(items):
            if before["city_id"] == after["city_id"]:
                way = ways[before["place_id"], after["place_id"]]
                assert after["start_min"] - before["end_min"] >= way
        for item in items:
            assert item["end_min"] > item["start_min"]
            assert item["slot"] == "stay" or any(
                opens <= item["start_min"] and item["end_min"] <= closes
                for opens, closes in open_windows(places[item["place_id"]], date)
            )
    nights = [(a[-1], b[0]) for a, b in pairwise(found.values["days"])]
    assert all(night["end_min"] - 1440 == morning["start_min"] for night, morning in nights)


def test_a_meal_s_name_stands_in_no_other_entry_of_its_day(frames, build, record, days):
    """Of three families of names each stands in all longer ones; the released evaluator takes the first entry."""
    tables = frames()
    names = ["MNO"[n % 3] * (n // 3 + 1) for n in range(len(tables["restaurants"]))]
    tables["restaurants"] = tables["restaurants"].assign(name=names)
    plan = witness(record(days), build(tables)).plan
    eaten = 0
    for day in plan:
        entries = [read_item(entry) for entry in day["point_of_interest_list"].split(";")]
        for meal in ("breakfast", "lunch", "dinner"):
            name = day[meal].rpartition(",")[0]
            if name:
                first = next(item for item in entries if isinstance(item, Item) and name in item.text)
                assert first.name == name
                eaten += 1
    assert eaten >= 3


def test_nothing_but_the_task_decides(frames, build, world, record, days):
    shuffled = {name: frame.sample(frac=1, random_state=7) for name, frame in frames().items()}
    first, again = (solve(record(days), reference, task_id="t") for reference in (world, build(shuffled)))
    assert first == again
    assert solve(record(days), world, task_id="t") == first


def test_equals_are_chosen_by_task(world, record):
    asked = record(7)
    asked["persona"] = {}
    routes = {tuple(witness.values["cities"]) for t in range(6) if (witness := _solved(asked, world, f"t{t}"))}
    assert len(routes) > 1


def _solved(asked, reference, task_id):
    found = solve(asked, reference, task_id=task_id)
    assert isinstance(found, Witness)
    return found


def test_a_party_takes_and_pays_as_many_rooms_as_it_fills(world, record):
    asked = record(3)
    asked["people"] = 5
    found = witness(asked, world)
    stay = found.values["stays"][0]
    place = next(s for s in world.stays_in("amble") if s.place_id == stay["place_id"])
    assert stay["rooms"] == -(-5 // place.max_occupancy) == 3
    assert stay["cost_per_night"] == 3 * place.price
    assert score_plan(asked, found.plan, world).cost == found.values["cost"]


def test_flights_are_not_taken_where_they_are_not_wanted(world, record, days):
    asked = record(days)
    asked["constraints"]["transportation"] = "no flight"
    assert "flight" not in {move["mode"] for move in witness(asked, world).values["moves"]}


def test_the_own_car_is_left_at_home_where_it_cannot_make_the_whole_round(frames, build, record):
    tables = frames()
    roads = tables["city_distances"]
    tables["city_distances"] = roads[(roads["origin_city_id"] != "amble") | (roads["dest_city_id"] != "harbour")]
    tables["flights"] = tables["flights"].query("origin_city_id == 'amble'")
    asked = record(3)
    asked["constraints"]["transportation"] = None
    assert [move["mode"] for move in witness(asked, build(tables)).values["moves"]] == ["taxi", "flight"]


def test_places_outside_the_shortlist_are_used_where_nothing_else_will_do(frames, build, record):
    tables = frames()
    meals = tables["restaurants"]
    first = meals[meals["place_id"] == "amble-r00"].iloc[0].to_dict()
    many = [
        first
        | {"place_id": f"amble-x{i:02d}", "name": f"Late {i}", "rating": 5.0, "opening_hours": "Mo-Su 12:00-23:00"}
        for i in range(40)
    ]
    dull = first | {"place_id": "amble-y", "name": "Dull", "rating": 0.0, "avg_cost": 60}
    tables["restaurants"] = pd.DataFrame([*many, dull])
    stops = [{"city_id": "amble", "place_id": row["place_id"], "stop_name": "S", "distance_m": 1.0} for row in many]
    stops.append({"city_id": "amble", "place_id": "amble-y", "stop_name": "S", "distance_m": 4000.0})
    tables["nearest_stops"] = pd.concat([tables["nearest_stops"], pd.DataFrame(stops)])
    asked = record(3)
    asked["constraints"]["cuisine"] = None
    reference = build(tables)
    spots = city_spots(reference, asked, taste_of(asked["persona"]), "amble", "t")
    assert "amble-y" not in {spot.place_id for spot in shortlist(spots, asked).restaurants}
    assert witness(asked, reference).plan[1]["breakfast"] == "Dull, Amble"


def test_equal_places_are_ordered_by_task(frames, build, record):
    tables = frames()
    tables["restaurants"]["avg_cost"] = 10
    tables["nearest_stops"]["distance_m"] = 1.0
    reference, asked = build(tables), record(3)
    orders = [
        [s.place_id for s in city_spots(reference, asked, taste_of({}), "amble", task_id).restaurants]
        for task_id in ("t1", "t2")
    ]
    assert orders[0] != orders[1] and sorted(orders[0]) == sorted(orders[1])


def test_of_a_city_over_the_antimeridian_the_same_places_are_looked_at(frames, build, record):
    spots = []
    for shifted in (False, True):
        tables, asked = spread(frames(), 1), record(3)
        eaten = tables["restaurants"]
        middle = eaten.loc[eaten["city_id"] == "amble", "lon"].median()
        for kind in ("restaurants", "attractions", "stays"):
            east = tables[kind]["lon"] - middle + 180.0
            tables[kind]["lon"] = (east + 180.0) % 360.0 - 180.0 if shifted else east - 90.0
        spots.append(city_spots(build(tables), asked, taste_of({}), "amble", "t"))
    inland, over = ([[s.place_id for s in of] for of in (s.stays, s.restaurants, s.attractions)] for s in spots)
    assert over == inland and all(inland)


def test_on_the_day_of_arrival_nobody_hurries_from_a_far_stay_to_lunch(frames, build, record):
    tables = frames()
    tables["flights"]["arr_time"] = "11:55"
    tables["flights"]["dep_time"] = "10:00"
    tables["stays"]["lat"] += 0.18
    for asked in (record(3), record(5)):
        asked["constraints"]["transportation"] = "no self-driving"
        found = witness(asked, build(tables))
        assert found.plan[0]["lunch"] == "-"
        assert all(item["start_min"] < item["end_min"] for items in found.values["days"] for item in items)


def test_without_flights_the_trip_drives_in_one_way_or_the_other(frames, build, record, days):
    tables = frames()
    tables["flights"] = tables["flights"].iloc[:0]
    reference = build(tables)
    for request, wanted in (("no flight", {"self_driving", "taxi"}), ("no self-driving", {"taxi"})):
        asked = record(days)
        asked["constraints"]["transportation"] = request
        modes = {move["mode"] for move in witness(asked, reference).values["moves"]}
        assert len(modes) == 1 and modes <= wanted


def test_no_name_is_used_that_would_not_read_back_or_that_another_place_of_the_plan_bears(frames, build, record):
    tables = frames()
    here = tables["restaurants"]["city_id"] == "amble"
    hostile = [
        "X, visit from 08:00 to 09:00, nearest transit: Y, 1m away",
        "Rest 0 Amble",
        "<script>",
        "a,b;c",
        "x" * 999,
    ]
    names = [*hostile, *tables["restaurants"].loc[here, "name"].tolist()[len(hostile) :]]
    tables["restaurants"].loc[here, "name"] = names
    reference, asked = build(tables), record(3)
    asked["constraints"]["cuisine"] = None
    found = witness(asked, reference)
    assert score_plan(asked, found.plan, reference).failed() == []
    used = {meal.name for day in read_plan(found.plan).days for meal in day.meals.values()}
    assert used.isdisjoint({hostile[0], hostile[1], hostile[4]})


def test_what_is_looked_at_of_a_city_is_made_once_for_all_routes_over_it(world, record, monkeypatch):
    asked, made = record(7), []
    monkeypatch.setattr(solver, "table", lambda places, ways: made.append(places) or table(places, ways))
    cities = world.cities_in(asked["dest_region"], asked["dest_country"])[:3]
    spots = [city_spots(world, asked, taste_of(asked["persona"]), city, "once") for city in cities]
    there, back = (solver._Route(tuple(cities), [], order, []) for order in (spots, spots[::-1]))
    shortlists = solver._Shortlists(world, asked)
    for scale in (0, 1):  # of the first nothing is listed
        ways = shortlists.minutes(there, scale)
        assert [id(way) for way in shortlists.minutes(back, scale)] == [id(way) for way in reversed(ways)]
        shown = [shortlist(found, asked, scale) for found in spots]
        assert shortlists.spots(there, scale) == shown
        assert ways == [
            table([spot.place for spot in (*one.stays, *one.restaurants, *one.attractions)], world.town_ways)
            for one in shown
        ]
    assert len(made) == 2 * len(cities) == 6


@pytest.mark.parametrize(
    ("column", "value", "is_visited"),
    [("wikidata", "Q1", True), ("is_passed_by", True, False)],
    ids=["noted", "passed"],
)
def test_of_like_sights_those_that_wikidata_knows_come_first_and_sculptures_last(
    frames, build, record, column, value, is_visited
):
    tables = frames()
    sights = tables["attractions"]
    sights["categories"] = [["Sights & Landmarks"]] * len(sights)
    sights["visit_duration_h"] = 3.0
    marked = sights["place_id"].str[-1].isin([*"1356"])
    sights[column] = marked.map({True: value, False: False if column == "is_passed_by" else None})
    reference = build(tables)
    seen = {place.place_id[-1] for place in visits(witness(free(record, 3, persona()), reference), reference)}
    assert len(seen) == 3 and (seen <= {*"1356"} if is_visited else seen.isdisjoint("1356"))


def test_breakfast_is_had_where_people_breakfast_and_dinner_is_no_coffee(frames, build, record):
    tables = frames()
    tables["restaurants"]["opening_hours"] = None
    ids = tables["restaurants"]["place_id"]
    tables["restaurants"]["cuisines"] = [["Coffee Shop"] if n % 4 == 0 else ["Sushi"] for n in range(len(ids))]
    reference = build(tables)
    served = dict(zip(ids, tables["restaurants"]["cuisines"], strict=True))
    for number in range(3):
        found = witness(free(record, 3, persona()), reference, task_id=f"tripcraft-t-{number}")
        stops = [item for items in found.values["days"] for item in items if item["place_id"] in served]
        meals = {(stop["slot"], *served[stop["place_id"]]) for stop in stops}
        assert ("breakfast", "Sushi") not in meals and ("dinner", "Coffee Shop") not in meals
        assert ("breakfast", "Coffee Shop") in meals


@pytest.mark.parametrize(
    ("cuisines", "breakfast", "dinner"),
    [
        ((), -150, 0), (("Regional",), -150, 0), (("Sushi", "Sandwich"), -300, 0), (("Tea", "Chinese"), 0, 0),
        (("Cafe",), 0, 0), (("Coffee Shop", "Ice Cream"), 0, -300), (("Ice Cream",), -300, -300),
        (("Bakeries", "Vegan options"), 0, -300),
    ],
)  # fmt: skip
def test_what_a_place_serves_says_which_meals_are_had_there(cuisines, breakfast, dinner):
    spot = Spot(Restaurant("r", "c", "R", 10, cuisines, None, 0.0, 0.0, None, None), cost=10, worth=0, order=0)
    assert [meal_worth(spot, meal) for meal in ("breakfast", "lunch", "dinner")] == [breakfast, 0, dinner]
