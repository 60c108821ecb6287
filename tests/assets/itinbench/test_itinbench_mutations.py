"""Changes of one constant or one choice that no other test would notice: each of these goes red for one of them."""

from __future__ import annotations

import pandas as pd
import pytest

from assets.itinbench.baseline import Town
from assets.itinbench.checks.matching import OUT_OF_POOL, VARIANTS, Matcher
from assets.itinbench.checks.metrics import _passes, score_plan
from assets.itinbench.checks.ratios import Pool
from tests.assets.itinbench.town import RECORD, frame, place, town, town_rows, witness

NOTHING = {"name": "-", "address": "-"}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("street", "found"), [("bbxxxxxxxx", "r1"), ("bbxxxxxxxxx", OUT_OF_POOL)])
def test_a_match_needs_a_name_and_an_address_of_120_together(variant, street, found):
    """The name is equal, 100; of 20 letters of address 4 agree, 20; of 21 letters 4, 19."""
    pool = pd.DataFrame([("restaurant", "r1", "Zahav", "bbbbbbbbbb")], columns=["kind", "place_id", "name", "address"])
    assert Matcher(pool, variant).resolve("restaurant", "zahav", street) == found


@pytest.mark.parametrize(("met", "asked", "holds"), [(3, 4, True), (75, 100, True), (74, 100, False), (0, 0, True)])
def test_a_category_passes_at_three_quarters(met, asked, holds):
    assert _passes(met, asked) is holds


@pytest.mark.parametrize(("variant", "visits", "has_trip"), [("released", [], False), ("paper", [4], True)])
@pytest.mark.parametrize("first", [NOTHING, {"name": "Zzyzx Inn", "address": "1 Nowhere Ln"}])
def test_as_released_a_plan_without_a_first_stay_is_not_walked(variant, visits, has_trip, first):
    plan = witness()
    plan["plan"]["itinerary"][0]["accommodation"] = first
    score = score_plan("t1", plan, RECORD, Pool(town()), Matcher(town(), variant))
    assert (score.visits, score.trip is not None, score.jumps is not None) == (visits, has_trip, has_trip)
    assert len(score.days) == 1  # day 2 has a stay, and is measured on its own


@pytest.mark.parametrize(("variant", "pays"), [("ours", False), ("paper", True)])
def test_in_ours_days_that_nobody_asked_for_make_a_lost_plan_no_better(variant, pays):
    """A plan that eats nowhere and sleeps nowhere on its first days, and then a good one's days after them."""
    good = witness()["plan"]["itinerary"]
    lost = [{**day, **dict.fromkeys(("breakfast", "lunch", "dinner"), NOTHING)} for day in good]
    padded = [*lost, *good]
    short, long = (
        score_plan("t1", {"plan": {"itinerary": days}}, RECORD, Pool(town()), Matcher(town(), variant))
        for days in (lost, padded)
    )
    assert short.ratios is not None
    assert long.ratios is not None
    met = [sum(met for name, (met, _) in ratios.items() if name != "day") for ratios in (short.ratios, long.ratios)]
    assert (met[1] > met[0], short.valid, long.valid) == (pays, False, False)
    assert (len(long.visits) > len(short.visits)) is pays


def named(place_id):
    return f"The {place_id} house"


def of_town(*changed, **values):
    """Return the greedy plan of a town with some places changed."""
    rows = [row | values if row["place_id"] in changed else row for row in town_rows()]
    return Town(frame(rows)).plan(RECORD)["itinerary"]


def test_the_greedy_planner_sleeps_at_the_best_rated_stay_that_matches():
    assert of_town()[0]["accommodation"]["name"] == named("s0")  # of equals the first
    assert of_town("s1", stars=5.0)[0]["accommodation"]["name"] == named("s1")
    assert of_town("s0", stars=5.0, safety=1)[0]["accommodation"]["name"] == named("s1")


def test_the_greedy_planner_goes_to_the_nearest_place_that_matches_and_to_none_twice():
    def nearest(rows, kind, near, without=()):
        free = [r for r in rows if r["kind"] == kind and r["place_id"] not in without]
        return min(free, key=lambda r: (r["lat"] - near["lat"]) ** 2 + ((r["lon"] - near["lon"]) * 0.766) ** 2)

    rows = town_rows()
    stay = next(row for row in rows if row["place_id"] == "s0")
    days = of_town()
    breakfast = nearest(rows, "restaurant", stay)
    assert days[0]["breakfast"]["name"] == breakfast["name"]
    assert days[0]["morning_attractions"][0]["name"] == nearest(rows, "attraction", breakfast)["name"]
    second = nearest(rows, "restaurant", stay, {breakfast["place_id"]})
    avoided = of_town(breakfast["place_id"], flavor=1)
    assert avoided[0]["breakfast"]["name"] == second["name"]
    meals = [day[meal]["name"] for day in days for meal in ("breakfast", "lunch", "dinner")]
    assert len(set(meals)) == 6


def test_the_greedy_planner_takes_what_does_not_match_when_nothing_does():
    rows = [row for row in town_rows() if row["kind"] != "restaurant"]
    rows += [place("far", "restaurant", 40.5, -75.5), place("near", "restaurant", 40.0, -75.0, cuisine_1="Irish")]
    day = Town(frame(rows)).plan(RECORD)["itinerary"][0]
    assert [day[meal]["name"] for meal in ("breakfast", "lunch", "dinner")] == [named("far"), named("near"), "-"]


def test_the_greedy_planner_walks_on_from_where_it_is():
    """From the stay the one sight is nearer, from the table where it breakfasts the other."""
    rows = [row for row in town_rows() if row["kind"] == "stay"]
    rows += [place("table", "restaurant", 40.003, -75.0)]
    rows += [place("ahead", "attraction", 40.005, -75.0), place("behind", "attraction", 39.996, -75.0)]
    day = Town(frame(rows)).plan(RECORD)["itinerary"][0]
    assert day["morning_attractions"][0]["name"] == named("ahead")
