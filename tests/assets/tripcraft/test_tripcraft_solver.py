"""Witnesses: the independent checker accepts them, times and ways are kept, the persona is respected."""

from __future__ import annotations

import copy
import random
from itertools import pairwise

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets.tripcraft.commonsense import COMMONSENSE
from assets.tripcraft.hard import HARD
from assets.tripcraft.hours import (
    GAP_WINDOW,
    MEAL_WINDOW,
    least_visit_min,
    meal_time,
    open_windows,
    reach_min,
    wanted_visit_min,
)
from assets.tripcraft.metrics import meal_score, visit_score
from assets.tripcraft.parameters import TABLE_10
from assets.tripcraft.persona import LOCATION_CATEGORIES, PURPOSE_CATEGORIES, taste_of
from assets.tripcraft.plan import read_plan
from assets.tripcraft.scoring import score_plan
from assets.tripcraft.solver import Unsolvable, Witness, solve
from assets.tripcraft.spots import city_spots, shortlist
from assets.tripcraft.tables import CATEGORY_DURATION_H, PERSONA
from assets.tripcraft.travel import Travel, estimate_min
from assets.tripcraft.variants import OURS, PAPER

HOURS = ("Mo-Su 07:00-22:00", "Mo-Fr 08:00-16:00", "Tu-Su 17:00-23:30", "24/7", "not hours at all", "Mo-Su 06:30-11:00")


@pytest.fixture(params=[3, 5, 7])
def days(request):
    return request.param


def spread(frames, seed):
    """Scatter the places over some kilometres, with prices, capacities and opening hours of all sorts."""
    rng = random.Random(seed)
    for kind in ("restaurants", "attractions", "stays"):
        n = len(frames[kind])
        frames[kind]["lat"] = [60 + rng.uniform(-0.05, 0.05) for _ in range(n)]
        frames[kind]["lon"] = [25 + rng.uniform(-0.1, 0.1) for _ in range(n)]
    for kind in ("restaurants", "attractions"):
        frames[kind]["opening_hours"] = [rng.choice([*HOURS, None, None, None]) for _ in frames[kind].index]
    frames["restaurants"]["avg_cost"] = [rng.randint(5, 60) for _ in frames["restaurants"].index]
    return frames


def witness(record, reference, **more):
    found = solve(record, reference, task_id="tripcraft-t-0001", **more)
    assert isinstance(found, Witness), found
    return found


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
    ways = Travel().table([places[item["place_id"]] for items in found.values["days"] for item in items])
    for date, items in zip(asked["dates"], found.values["days"], strict=True):
        for before, after in pairwise(items):
            if before["city_id"] == after["city_id"]:
                way = ways[before["place_id"], after["place_id"]]
                assert after["start_min"] - before["end_min"] >= way
        for item in items:
            assert item["end_min"] > item["start_min"]
            hours = getattr(places[item["place_id"]], "opening_hours", None)
            assert item["slot"] == "stay" or any(
                opens <= item["start_min"] and item["end_min"] <= closes for opens, closes in open_windows(hours, date)
            )
    nights = [(a[-1], b[0]) for a, b in pairwise(found.values["days"])]
    assert all(night["end_min"] - 1440 == morning["start_min"] for night, morning in nights)


def test_a_matrix_counts_before_the_estimate(world, record):
    asked = record(3)
    plain = witness(asked, world)
    used = [item["place_id"] for item in plain.values["days"][1]]
    far = {(used[1], used[2]): 3000.0}
    changed = witness(asked, world, matrix_s=far)
    items = changed.values["days"][1]
    for before, after in pairwise(items):
        if {before["place_id"], after["place_id"]} == {used[1], used[2]}:
            assert after["start_min"] - before["end_min"] >= 50
    assert plain.values["days"][1] != items


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


def test_visits_last_as_long_as_the_metric_expects_where_there_is_room(world, record):
    asked = record(3)
    found = witness(asked, world)
    for items in found.values["days"]:
        seen = [item for item in items if item["slot"] in GAP_WINDOW]
        for item in seen:
            place = next(a for a in world.attractions_in("amble") if a.place_id == item["place_id"])
            wanted = wanted_visit_min(3, place.visit_duration_h, len(seen), is_adventurous=True)
            length = item["end_min"] - item["start_min"]
            assert length == 5 * round(wanted / 5) or (length < wanted and length >= 220)


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


def test_a_tight_budget_is_kept_and_a_smaller_one_is_refused_with_the_least_cost(world, record):
    asked = record(3)
    asked["budget"] = 0
    refused = solve(asked, world, task_id="t")
    assert isinstance(refused, Unsolvable) and refused.is_proven
    low, high = 0, 5000
    while high - low > 1:
        asked["budget"] = (low + high) // 2
        low, high = (
            (low, asked["budget"]) if isinstance(solve(asked, world, task_id="t"), Witness) else (asked["budget"], high)
        )
    asked["budget"] = high
    assert score_plan(asked, witness(asked, world).plan, world).cost == high
    asked["budget"] = low
    refused = solve(asked, world, task_id="t")
    assert isinstance(refused, Unsolvable) and f"{high}, the budget is {low}" in refused.reasons[0]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda t, r: _forbid(t), "no stay in amble"),
        (lambda t, r: _empty(t, "flights") or _empty(t, "city_distances"), "no way from harbour to amble"),
        (lambda t, r: _empty(t, "events"), "no event of Music"),
        (lambda t, r: _empty(t, "attractions"), "no attraction in amble"),
        (lambda t, r: _open(t, "Mo-Su 17:00-23:00"), "no choice of places in amble"),
        (lambda t, r: _close_workshops(t), "no choice of places in amble offers Classes & Workshops"),
        (lambda t, r: r["constraints"].update(cuisine=["Thai"]), "no Thai food in amble"),
        (lambda t, r: t["nearest_stops"].__setitem__("stop_name", " "), "no stay in amble"),
    ],
)  # fmt: skip
def test_what_cannot_be_planned_is_refused_with_the_reason(frames, build, record, change, reason):
    tables, asked = frames(), record(3)
    change(tables, asked)
    refused = solve(asked, build(tables), task_id="t")
    assert isinstance(refused, Unsolvable) and refused.is_proven
    assert any(text.startswith(reason) for text in refused.reasons), refused.reasons


def _empty(tables, name):
    tables[name] = tables[name].iloc[:0]


def _open(tables, hours):
    tables["restaurants"]["opening_hours"] = hours


def _close_workshops(tables):
    sights = tables["attractions"]
    sights.loc[["Classes & Workshops" in kinds for kinds in sights["categories"]], "opening_hours"] = "Mo-Su off"


def _forbid(tables):
    tables["stays"]["house_rules"] = [["No pets"] for _ in tables["stays"].index]


def persona(**changed):
    base = {
        "Traveler Type": "Laidback Traveler",
        "Purpose of Travel": "Relaxation",
        "Spending Preference": "Economical Traveler",
        "Location Preference": "Cities",
    }
    return base | {key.replace("_", " "): value for key, value in changed.items()}


def free(record, days, chosen):
    """Return a record that asks for nothing but the persona."""
    asked = copy.deepcopy(record(days))
    asked["constraints"] = dict.fromkeys(asked["constraints"])
    return asked | {"persona": chosen, "budget": 100_000}


def visits(found, reference, day=None):
    by_id = {a.place_id: a for city in reference.cities for a in reference.attractions_in(city)}
    days = found.values["days"] if day is None else [found.values["days"][day]]
    return [by_id[item["place_id"]] for items in days for item in items if item["place_id"] in by_id]


def test_the_adventurous_see_more_on_a_full_day_than_the_laid_back(world, record, days):
    calm = witness(free(record, days, persona()), world)
    keen = witness(free(record, days, persona(**{"Traveler_Type": "Adventure Seeker"})), world)
    for day in range(1, days, 2):
        assert (len(visits(calm, world, day)), len(visits(keen, world, day))) == (1, 2)


@pytest.mark.parametrize("days", [3, 5])
@pytest.mark.parametrize(
    ("component", "value", "categories"),
    [("Purpose_of_Travel", value, kinds) for value, kinds in PURPOSE_CATEGORIES.items()]
    + [("Location_Preference", value, kinds) for value, kinds in LOCATION_CATEGORIES.items()],
)
def test_visits_serve_the_purpose_and_the_location_where_the_city_can(
    world, record, days, component, value, categories
):
    nothing = persona(**{"Purpose_of_Travel": "-", "Location_Preference": "-"})
    plain = solve(free(record, days, nothing), world, task_id="t")
    found = solve(free(record, days, nothing | {component.replace("_", " "): value}), world, task_id="t")
    assert isinstance(plain, Witness) and isinstance(found, Witness)
    fitting, by_chance = (
        sum(not set(seen.categories).isdisjoint(categories) for seen in visits(w, world)) for w in (found, plain)
    )
    assert fitting >= max(by_chance, 2 * (days // 2) if len(categories) > 2 else days // 2)


def test_luxury_costs_more_than_economy_in_stays_and_in_meals(world, record, days):
    cheap = witness(free(record, days, persona()), world)
    dear = witness(free(record, days, persona(**{"Spending_Preference": "Luxury Traveler"})), world)
    assert dear.values["stays"][0]["cost_per_night"] > cheap.values["stays"][0]["cost_per_night"]
    assert dear.values["cost"] > cheap.values["cost"]


def test_the_map_of_personas_names_published_values_and_categories():
    assert set(PURPOSE_CATEGORIES) == set(PERSONA["Purpose of Travel"])
    assert set(LOCATION_CATEGORIES) == set(PERSONA["Location Preference"])
    named = {kind for found in (PURPOSE_CATEGORIES, LOCATION_CATEGORIES) for kinds in found.values() for kind in kinds}
    assert named <= set(CATEGORY_DURATION_H)


def test_the_remark_gives_the_reason_for_every_constraint_and_the_money(world, record, days):
    asked = record(days)
    found = witness(asked, world)
    kinds = [*asked["constraints"]["cuisine"], *asked["constraints"]["attraction"], *asked["constraints"]["event"]]
    for said in (*kinds, "pets", "private room", "no self-driving", *asked["persona"].values()):
        assert said in found.remark
    assert f"costs {found.values['cost']} of 5000 XXC" in found.remark


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


@given(st.sampled_from([3, 5, 7]), st.sampled_from(list(MEAL_WINDOW)), st.integers(0, 1300), st.integers(10, 600))
def test_a_meal_s_time_is_the_best_of_all_that_fit(days, meal, opens, length):
    first, last = MEAL_WINDOW[meal]
    closes = min(1440, opens + length)
    fits = [
        (a, b)
        for a in range(first, last + 1, 5)
        for b in range(a + 30, last + 1, 5)
        if opens <= a and b <= closes
    ]  # fmt: skip
    found = meal_time(days, meal, ((opens, closes),))
    if not fits:
        assert found is None
        return
    mean = TABLE_10[days].meal(meal)
    assert found is not None and (found[1], found[2]) in fits
    assert found[0] == max(meal_score(mean, a / 60, b / 60) for a, b in fits)


def test_meal_windows_keep_four_hours_whatever_is_chosen():
    for first, second in pairwise(MEAL_WINDOW.values()):
        assert second[0] - first[1] >= 240


@given(
    st.sampled_from(list(GAP_WINDOW)),
    st.integers(6, 40).map(lambda n: 5 * n),
    st.integers(0, 1300),
    st.integers(1, 700),
)
def test_a_visit_fits_between_any_two_places_within_its_reach(gap, least, opens, length):
    windows = ((opens, min(1440, opens + length)),)
    reach = reach_min(gap, least, windows)
    begins, ends = GAP_WINDOW[gap]
    if reach < 0:
        return
    start = -(-max(begins + reach, opens) // 5) * 5
    end = min(ends - reach, windows[0][1]) // 5 * 5
    assert end - start >= least


def test_a_whole_gap_gives_half_of_what_is_left_less_the_grid():
    assert reach_min("morning", 100, ((0, 1440),)) == (240 - 100) // 2 - 5
    assert reach_min("morning", 250, ((0, 1440),)) < 0


@given(
    st.sampled_from([3, 5, 7]), st.sampled_from(sorted(CATEGORY_DURATION_H.values())), st.integers(1, 3), st.booleans()
)
def test_the_wanted_visit_scores_best(days, mean_h, n, keen):
    parameters = TABLE_10[days]
    wanted = wanted_visit_min(days, mean_h, n, is_adventurous=keen) / 60
    best = visit_score(parameters, wanted, mean_h, n, is_adventurous=keen)
    for other in (wanted - 0.2, wanted + 0.2):
        assert visit_score(parameters, other, mean_h, n, is_adventurous=keen) < best
    assert least_visit_min(mean_h) >= max(30, mean_h * 30)


def test_ways_are_walked_when_near_and_ridden_when_far():
    assert estimate_min(0) == 0
    assert estimate_min(800) == 13
    assert estimate_min(8000) == 31
    walk, ride = estimate_min(1230), estimate_min(1240)
    assert (walk, ride) == (20, 20)
