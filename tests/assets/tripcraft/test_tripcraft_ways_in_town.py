"""Ways between a city's places: the router's where there is one, else the declared estimate; both are kept."""

from __future__ import annotations

import json
from itertools import pairwise

import pandas as pd
import pytest

from assets.tripcraft.checks.case import Case
from assets.tripcraft.checks.soundness import open_when_visited, ways_in_town, ways_kept
from assets.tripcraft.facts.town_ways import town_ways
from assets.tripcraft.facts.travel import UNREACHABLE_MIN, TownWays, estimate_min, table, way_min
from assets.tripcraft.plan import read_plan
from assets.tripcraft.tables import TripcraftTownWays
from assets.tripcraft.variants import OURS
from tests.assets.tripcraft.witnesses import spread, witness


def case(record, plan, world):
    return Case(record, read_plan(plan), world, OURS)


def routed(reference, seconds, city="amble"):
    """Return the rows of a matrix of the city in which every way takes so long, and `seconds` overrides some."""
    ids = sorted(
        p.place_id
        for find in (reference.restaurants_in, reference.attractions_in, reference.stays_in)
        for p in find(city)
    )
    times = [[0.0 if a == b else seconds.get((a, b), 300.0) for b in ids] for a in ids]
    return pd.DataFrame({"city_id": city, "place_id": ids, "times_s": times, "router": "r"})


def test_ways_are_walked_when_near_and_ridden_when_far():
    assert estimate_min(0) == 0
    assert estimate_min(800) == 13
    assert estimate_min(8000) == 31
    assert (estimate_min(1230), estimate_min(1240)) == (20, 20)


def test_the_matrix_counts_before_the_estimate(frames, build, world, record):
    asked = record(3)
    plain = witness(asked, world).values["days"][1]
    used = [item["place_id"] for item in plain]
    slow = build(frames() | {"town_ways": routed(world, {(used[1], used[2]): 3000.0})})
    changed = witness(asked, slow).values["days"][1]
    for before, after in pairwise(changed):
        way = 50 if (before["place_id"], after["place_id"]) == (used[1], used[2]) else 5
        assert before["place_id"] == after["place_id"] or after["start_min"] - before["end_min"] >= way
    assert changed != plain


def test_a_place_to_which_no_road_leads_is_not_gone_to(frames, build, world, record):
    asked = record(3)
    asked["constraints"]["attraction"] = None
    visit = next(i["place_id"] for i in witness(asked, world).values["days"][1] if i["slot"] == "afternoon")
    ids = routed(world, {})["place_id"]
    cut = {pair: float("nan") for other in ids for pair in ((visit, other), (other, visit)) if other != visit}
    found = witness(asked, build(frames() | {"town_ways": routed(world, cut)}))
    assert visit not in {item["place_id"] for items in found.values["days"] for item in items}


def test_the_checker_refuses_a_plan_that_the_matrix_leaves_no_time_for(frames, build, world, record, days):
    asked = record(days)
    plan = witness(asked, world).plan
    assert ways_kept(case(asked, plan, world)) == []
    counted = ways_in_town(case(asked, plan, world))
    assert counted["routed"] == 0 and counted["estimated"] > 2 * days
    slow = pd.concat(routed(world, {}, city) for city in ("amble", "birch", "corran", "dunmere"))
    slow["times_s"] = [[s * 60 for s in row] for row in slow["times_s"]]
    reference = build(frames() | {"town_ways": slow})
    assert ways_kept(case(asked, plan, reference))
    assert ways_in_town(case(asked, plan, reference))["routed"] > 0


def test_the_checker_refuses_visits_to_closed_places(frames, build, world, record, days):
    asked = record(days)
    plan = witness(asked, world).plan
    assert open_when_visited(case(asked, plan, world)) == []
    for kind in ("restaurants", "attractions"):
        tables = frames()
        tables[kind]["opening_hours"] = "Mo-Su 02:00-03:00"
        found = open_when_visited(case(asked, plan, build(tables)))
        assert len(found) >= days
        tables[kind]["opening_hours"] = "when the owner is in"
        assert open_when_visited(case(asked, plan, build(tables))) == []


def test_the_checker_keeps_the_holidays_of_the_place_s_country(frames, build, record):
    asked = record(3) | {"dates": ["2024-12-05", "2024-12-06", "2024-12-07"]}
    tables = frames()
    plan = witness(record(3), build(tables)).plan
    tables["restaurants"]["opening_hours"] = "Mo-Su 00:00-24:00; PH off"
    assert open_when_visited(case(asked, plan, build(tables))) == []
    tables["cities"]["country"] = "FI"
    found = open_when_visited(case(asked, plan, build(tables)))
    assert len(found) == 3 and all(problem.startswith("day 2: ") for problem in found)


def test_witnesses_keep_hours_and_routed_ways_in_a_scattered_town(frames, build, record, days):
    tables = spread(frames(), 5)
    plain = build(tables)
    slow = [routed(plain, {}, city) for city in ("amble", "birch", "corran", "dunmere")]
    for rows in slow:
        rows["times_s"] = [[s * (1 + (i * j) % 4) for j, s in enumerate(r)] for i, r in enumerate(rows["times_s"])]
    reference = build(tables | {"town_ways": pd.concat(slow)})
    asked = record(days)
    asked["constraints"] |= {"cuisine": ["Italian"], "attraction": ["Museums"]}
    told = case(asked, witness(asked, reference).plan, reference)
    assert (ways_kept(told), open_when_visited(told)) == ([], [])
    assert ways_in_town(told)["estimated"] == 0


@pytest.mark.parametrize("n", range(4))
def test_a_sight_that_bears_a_restaurant_s_name_is_not_gone_to_for_a_meal(frames, build, record, n):
    tables = spread(frames(), 8)
    own = tables["attractions"]
    for city in set(own["city_id"]):
        meals_there = tables["restaurants"].loc[tables["restaurants"]["city_id"] == city, "name"].tolist()
        here = own["city_id"] == city
        own.loc[here, "name"] = [meals_there[(i + n) % len(meals_there)] for i in range(int(here.sum()))]
    reference, asked = build(tables), record(3)
    asked["constraints"]["attraction"] = None
    assert ways_kept(case(asked, witness(asked, reference).plan, reference)) == []


def test_pairs_outside_the_matrix_are_estimated_and_say_so(world):
    a, b, c = world.restaurants_in("amble")[:3]
    rows = pd.DataFrame(
        {"city_id": "amble", "place_id": [a.place_id, b.place_id], "times_s": [[0.0, 90.0], [None, 0.0]]}
    )
    ways = TownWays(rows)
    assert way_min(a, b, ways) == (2, True)
    assert way_min(b, a, ways) == (UNREACHABLE_MIN, True)
    assert way_min(a, c, ways) == (0, False)
    assert table([a, b, c], ways)[a.place_id, b.place_id] == UNREACHABLE_MIN


MATRIX = pd.DataFrame(
    {
        "city_id": "t",
        "mode": ["foot"] * 3 + ["car"] * 3,
        "place_id": ["a", "b", "z"] * 2,
        "times_s": [[0, 600, 9], [600, 0, 9], [9, 9, 0], [0, 100, 9], [None, 0, 9], [9, 9, 0]],
        "distances_m": [[0, 1, 1]] * 6,
        "router": ["osrm foot"] * 3 + ["osrm car"] * 3,
    }
)


@pytest.mark.parametrize(
    ("modes", "times"),
    [
        (["foot"], [[0.0, 600.0], [600.0, 0.0]]),
        (["car"], [[0.0, 400.0], [None, 0.0]]),
        (["foot", "car"], [[0.0, 400.0], [600.0, 0.0]]),
    ],
)
def test_town_ways_are_those_of_the_fastest_mode_with_the_wait_for_a_ride(modes, times):
    places = pd.DataFrame({"place_id": ["b", "a", "x"], "source_rows": [["s#b"], ["s#a"], ["s#x"]]})
    made = town_ways(places, places, places, MATRIX[MATRIX["mode"].isin(modes)])
    rows = TripcraftTownWays.validate(TripcraftTownWays.arrow(made)).to_pylist()
    assert [row["place_id"] for row in rows] == ["a", "b"]
    assert [row["times_s"] for row in rows] == times
    assert rows[0]["router"] == "; ".join(sorted(f"osrm {mode}" for mode in modes))


def test_ways_of_places_that_one_mode_alone_reaches_stay_with_their_places():
    foot = MATRIX[MATRIX["mode"] == "foot"]
    car = MATRIX[MATRIX["mode"] == "car"].assign(place_id=["b", "c", "z"])
    places = pd.DataFrame({"place_id": ["b", "a", "c"], "source_rows": [["s#b"], ["s#a"], ["s#c"]]})
    made = town_ways(places, places.iloc[:0], places.iloc[:0], pd.concat([foot, car]))
    rows = TripcraftTownWays.validate(TripcraftTownWays.arrow(made)).to_pylist()
    assert [row["place_id"] for row in rows] == ["a", "b", "c"]
    assert [row["times_s"] for row in rows] == [[0.0, 600.0, None], [600.0, 0.0, 400.0], [None, None, 0.0]]


def test_a_city_without_a_matrix_has_no_town_ways():
    place = pd.DataFrame({"place_id": ["a"], "source_rows": [["s#a"]]})
    assert town_ways(place, place, place, MATRIX.iloc[:0]).empty
    assert json.dumps(TownWays(None).of("a")) == "[]"
