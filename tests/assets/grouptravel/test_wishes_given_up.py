"""What a compromise is worth in `ours`: a refusal or a cap given up; no wish that is dropped betters a plan."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assets.grouptravel.checks.compromise import tables_restored_or_emptied
from assets.grouptravel.checks.judging import Judge
from assets.grouptravel.checks.validity_facts import Facts
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Trip
from assets.grouptravel.facts.ways import SPEEDS_KMH, Ways
from assets.grouptravel.scoring import Optima, TaskCase, score_trial
from assets.grouptravel.solver import solve
from assets.grouptravel.variants import OURS, PAPER, Variant
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.witness.as_plan import native_plan
from assets.grouptravel.witness.teams import Splits
from tests.assets.grouptravel import province as world
from tests.assets.grouptravel.test_attacker import WIDE_FARES, place
from tests.assets.grouptravel.weekend import table

PLACES = [
    *(place(n, "attractions", "theatre") for n in range(3)),
    *(place(n, "food", "hotpot", 10.0) for n in range(10, 20)),
    place(20, "hotels", "comfort", 50.0),
]
NAMED = PLACES[3].name.split()[0]
"""A word of every restaurant's name, which is no category of any."""


def town(category: str) -> Pois:
    """Return places half an hour apart, the restaurants of the category."""
    places = [replace(poi, category=category) if poi.poi_type == "food" else poi for poi in PLACES]
    half_an_hour = np.full((len(places), len(places)), 1800.0)
    ids = [poi.place_id for poi in places]
    return Pois({"Oulu": places}, Ways([(mode, ids, half_an_hour) for mode in SPEEDS_KMH if mode != "transit"]))


def case_of(pois: Pois, **wished: Any) -> tuple[TaskCase, dict[str, Any]]:
    """Return two users' task with what is reachable in it, and the best plan."""
    wishes = table(positive=["theatre"], **wished)
    tables = {user: copy.deepcopy(wishes) for user in ("User1", "User2")}
    first_date = world.skeleton("2-1", ("a",), 2).first_date
    trip = Trip(("Home", "Oulu", "Home"), (0, 1), first_date, tables, compromisable=tuple(tables))
    best = solve(trip, pois, WIDE_FARES, EN, with_compromise=True)
    bound = Splits(trip, best, pois, WIDE_FARES, EN, with_compromise=True).bound(best.total) / 2
    reached, together = best.total / 2, best.bound / 2
    entries = {user: {"role": "friend", "preference": of, "compromisable": True} for user, of in tables.items()}
    facts = Facts(tuple(tables), pois, EN, "Home", first_date, WIDE_FARES, days=2, cities=("Oulu",))
    optima = Optima(reached, together, reached, bound, reached, together, reached, bound)
    return TaskCase("t1", entries, facts, optima), native_plan(trip, best, EN)


def agreed(field: str, value: str = "[]") -> list[dict[str, str]]:
    """Return a conversation in which both set a field of their city."""
    said = ((user, f"Yes.\n[city_specific_preferences.Oulu.{field} : {value}]") for user in ("User1", "User2"))
    return [
        {"role": role, "content": text}
        for user, yes in said
        for role, text in (("Agent", f"@{user}, could you?"), (user, yes))
    ]


def scored(case: TaskCase, plan: Any, history: list[dict[str, str]], variant: Variant = OURS) -> dict[str, Any]:
    row = score_trial({"plan": plan, "conversation_history": history}, case, variant)
    assert row["compromises"] == (2 if history else 0)
    return row


def test_a_weak_wish_that_hid_a_strong_one_is_dropped_for_nothing():
    case, plan = case_of(town("sichuan"), prefer_eat=[NAMED], must_eat=["sichuan"])
    kept, dropped = (scored(case, plan, said) for said in ([], agreed("food.prefer_eat")))
    assert (kept["pv"], kept["gu_share_bound"]) == (100.0, 100.0)
    assert dropped["gu"] == kept["gu"] > 0
    assert dropped["gu_share"] == dropped["gu_share_bound"] == 100.0
    published = [scored(case, plan, said, PAPER)["gu"] for said in ([], agreed("food.prefer_eat"))]
    assert published[1] > published[0], "published, it pays"


def test_a_certificate_s_plan_with_compromises_is_worth_no_more_than_a_planner_s():
    case, plan = case_of(town("sichuan"), prefer_eat=[NAMED], must_eat=["sichuan"])
    judge = object.__new__(Judge)
    vars(judge)["_case"] = case
    path = "city_specific_preferences.Oulu.food.prefer_eat"
    markers = [{"user": user, "path": path, "items": [], "number": None} for user in case.entries]
    kept, dropped = (judge._other({"plan": plan, "compromises": made}) for made in ([], markers))
    assert (dropped.problems, dropped.utility) == ((), kept.utility)
    assert kept.utility == 2 * scored(case, plan, [])["gu_per_table"]


def test_a_refusal_that_is_given_up_counts():
    case, plan = case_of(town("sichuan"), prefer_eat=[NAMED], avoid_eat=[])
    for tables in case.entries.values():
        tables["preference"]["city_specific_preferences"]["Oulu"]["food"] |= {
            "prefer_eat": [],
            "avoid_eat": ["sichuan"],
        }
    kept, dropped = (scored(case, plan, said) for said in ([], agreed("food.avoid_eat")))
    assert dropped["gu"] > kept["gu"]


def test_a_refusal_in_part_betters_no_more_than_all_of_it_or_none():
    """A name that is avoided hides that its kind is refused: who gives up the other names alone keeps it hidden."""
    food = table(must_eat=["noodles"], reject_eat=["sichuan"], avoid_eat=["A", "B"])
    tables = list(
        tables_restored_or_emptied(food, table(must_eat=["noodles"], reject_eat=["sichuan"], avoid_eat=["A"]))
    )
    lists = [one["city_specific_preferences"]["Oulu"]["food"]["avoid_eat"] for one in tables]
    assert lists == [["A", "B"], []]


@pytest.mark.parametrize(("field", "held", "lists"), [("prefer_eat", ["x"], [["x"]]), ("must_eat", ["x"], [["x"]])])
def test_a_wish_counts_as_it_was(field, held, lists):
    tables = tables_restored_or_emptied(table(**{field: held}), table())
    assert [one["city_specific_preferences"]["Oulu"]["food"][field] for one in tables] == lists


def test_caps_stay_as_conceded():
    conceded = table(max_poi_per_day=4)
    assert list(tables_restored_or_emptied(table(max_poi_per_day=2), conceded)) == [conceded]
