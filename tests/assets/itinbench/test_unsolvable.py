"""Requests that no plan meets: two proofs that agree with trying everything, smallest clashes, and who names them."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.core.claims import claim_in, no_plan_claim
from assets.itinbench.checks.clashes import clash_holds, wishes_of, with_wishes
from assets.itinbench.unsolvable.clashes import Town, is_clash, smallest_clash
from assets.itinbench.unsolvable.tasks import changes, is_right, unsolvable_tasks
from assets.itinbench.world import World, check
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from schemas.reviews import ATTRACTION_ORIENTATIONS, RESTAURANT_ATTRIBUTES, STAY_ATTRIBUTES
from tests.recipes import command

RECORD: Any = {
    "days": 2,
    "price": "cheap",
    "orientation": "food",
    "cuisine": "US",
    "restaurant": ["flavor"],
    "hotel": ["safety"],
}


def town(seed: int, per_kind: int = 14) -> pd.DataFrame:
    """Return a small pool by lot: enough of everything for some requests and too little for others."""
    chance = random.Random(seed)
    rows = []
    for kind in ("stay", "restaurant", "attraction"):
        for number in range(1 if kind == "stay" and chance.random() < 0.5 else per_kind):
            row = {
                "city_id": "c", "kind": kind, "place_id": f"{kind}{number}", "name": f"{kind} {number}",
                "address": f"{number} {kind} street", "lat": 40 + number / 1e4, "lon": -80 + number / 2e4,
                "price_level": chance.choice([1, 1, 2, 3]), "stars": 3.0,
                "cuisine_1": chance.choice(["American", "American", "Thai"]), "cuisine_2": None,
            }  # fmt: skip
            names = {*ATTRACTION_ORIENTATIONS, *RESTAURANT_ATTRIBUTES, *STAY_ATTRIBUTES}
            row |= {name: chance.choice([None, 2, 3, 4, 4, 5]) for name in sorted(names)}
            rows.append(row)
    return pd.DataFrame(rows)


def brute(places: pd.DataFrame, wishes) -> bool:
    """Return whether a plan of two days meets the wishes, by looking at every place alone: the obvious slow way."""
    prices = {"cheap": {1, 2}, "moderate": {1, 2, 3}, "expensive": {2, 3, 4}}
    count = dict.fromkeys(("stay", "restaurant", "attraction"), 0)
    for row in places.to_dict("records"):
        fits = True
        for name, value in wishes:
            if name == "price":
                fits &= row["price_level"] in prices[value]
            if name == "cuisine" and row["kind"] == "restaurant":
                fits &= row["cuisine_1"] == "American"
            if name == "orientation" and row["kind"] == "attraction":
                fits &= (row[value] or 0) >= 2
            if (name, row["kind"]) in (("restaurant", "restaurant"), ("hotel", "stay")):
                fits &= (row[value] or 0) >= 4
        count[row["kind"]] += fits
    return count["stay"] >= 1 and count["restaurant"] >= 6 and count["attraction"] >= 8


@settings(max_examples=12)
@given(st.integers(0, 10_000))
def test_both_proofs_agree_with_looking_at_every_place(seed):
    places = town(seed)
    known, world = Town(places), World(places)
    for size in range(len(wishes_of(RECORD)) + 1):
        for some in itertools.combinations(wishes_of(RECORD), size):
            expected = brute(places, some)
            assert (not known.lacking(2, some)) is expected
            assert bool(clash_holds(RECORD, some, None, world)) is expected


@settings(max_examples=40)
@given(st.integers(0, 10_000))
def test_a_smallest_clash_is_a_clash_of_which_every_wish_is_needed(seed):
    places = town(seed)
    known = Town(places)
    clash = smallest_clash(known, RECORD)
    assert (clash is None) is brute(places, wishes_of(RECORD))
    if clash is None:
        return
    assert is_clash(known, RECORD, clash.wishes)
    assert not brute(places, clash.wishes)
    assert all(brute(places, [w for w in clash.wishes if w != one]) for one in clash.wishes)
    more = next((wish for wish in wishes_of(RECORD) if wish not in clash.wishes), None)
    if more is not None:
        assert not is_clash(known, RECORD, [*clash.wishes, more])
    assert not is_clash(known, RECORD, [*clash.wishes, clash.wishes[0]] if clash.wishes else [("price", "none")])


def test_a_place_of_two_kinds_is_refused():
    places = town(1)
    with pytest.raises(ValueError, match="two kinds"):
        Town(pd.concat([places, places[:1].assign(kind="attraction")]))


def test_a_clash_said_is_read_back():
    wishes = (("price", "cheap"), ("restaurant", "flavor"))
    assert claim_in(f"I am sorry.\n**{no_plan_claim(wishes)}**") == list(wishes)
    assert claim_in("Day 1: …") is None
    assert claim_in("NO PLAN MEETS:") == []


@pytest.fixture(scope="module")
def tables(small_world):
    return release_tables(open_release(small_world.releases["itinbench"]))


def test_tasks_without_a_solution_are_near_and_certified(tables):
    made = unsolvable_tasks(tables, 6, 0)
    assert len(made) == 6
    assert made == unsolvable_tasks(tables, 6, 0)
    solvable = {row["task_id"]: row for row in tables.tasks.to_dict("records")}
    for row in made:
        near = solvable[row["proof"]["near"]]["record"]
        assert row["record"] in list(changes(near))
        places = tables.tables["itinbench_place"]
        places = places[places["city_id"] == row["city_id"]]
        known = Town(places)
        clash = [tuple(wish) for wish in row["proof"]["clash"]]
        assert is_clash(known, row["record"], clash)
        assert {tuple(one["wish"]) for one in row["proof"]["without"]} == set(clash)
        for one in row["proof"]["without"]:
            kept = [wish for wish in wishes_of(row["record"]) if wish != tuple(one["wish"])]
            assert check(with_wishes(row["record"], kept), one["plan"], World(places)) == []
            broken = {violation.check for violation in check(row["record"], one["plan"], World(places))}
            assert broken == {{"price": "budget"}.get(one["wish"][0], one["wish"][0])}


def test_who_hands_in_a_plan_or_names_no_clash_is_wrong(tables):
    row = unsolvable_tasks(tables, 1, 0)[0]
    clash = tuple(map(tuple, row["proof"]["clash"]))
    assert is_right(tables, row, no_plan_claim(clash), None)
    assert not is_right(tables, row, no_plan_claim(clash), {"itinerary": []})
    assert not is_right(tables, row, "There is none.", None)
    assert not is_right(tables, row, no_plan_claim(()), None)
    assert not is_right(tables, row, no_plan_claim(clash[1:]), None)
    assert not is_right(tables, row, no_plan_claim((*clash, ("price", "free"))), None)


def test_the_careful_planner_names_the_clash_and_others_do_not(small_world, tmp_path):
    release = small_world.releases["itinbench"]
    solved = {}
    for planner in ("random", "careful"):
        words = ("run", release, "--planner", planner, "--unsolvable", "2", "--out", tmp_path / f"{planner}.jsonl")
        code, told = command(*words, home=small_world.home)
        assert (code, told["tasks"], told["without_solution"]["tasks"]) == (0, 6, 2)
        solved[planner] = told["solved"], told["without_solution"]["right"]
    assert solved == {"random": (0, 0), "careful": (6, 2)}


def test_as_many_as_are_asked_for_are_run_or_none(small_world, tmp_path):
    words = ("run", small_world.releases["itinbench"], "--planner", "greedy", "--unsolvable", "99")
    code, told = command(*words, "--out", tmp_path / "run.jsonl", home=small_world.home)
    assert (code, "Ask for at most 6" in told["error"]) == (1, True), told
    assert not (tmp_path / "run.jsonl").exists()
