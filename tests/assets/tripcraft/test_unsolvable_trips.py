"""Trips that no plan meets: a bound that no accepted plan beats, smallest clashes, ways out, and who names them."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest

from assets.core.claims import no_plan_claim
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from assets.tripcraft.checks.clashes import least_cost, wishes_of, with_wishes
from assets.tripcraft.plan import MEALS, Mode, drive_text, item_text, name_city
from assets.tripcraft.scoring import score_plan
from assets.tripcraft.unsolvable.clashes import Bound
from assets.tripcraft.unsolvable.tasks import changes, is_right, unsolvable_tasks
from assets.tripcraft.world import check, world
from tests.assets.tripcraft.test_tripcraft_exhaustive import exists, tiny
from tests.recipes import command

HOME, AWAY = "Harbour", "Amble"
MODES: tuple[Mode, ...] = ("self_driving", "taxi")
ROUTES = {HOME: (HOME,), AWAY: (AWAY,), f"from {HOME} to {AWAY}": (HOME, AWAY), f"from {AWAY} to {HOME}": (AWAY, HOME)}


@pytest.mark.parametrize("seed", range(12))
def test_no_plan_of_a_tiny_world_costs_less_than_the_bound(frames, build, record, seed):
    tables, constraints, _ = tiny(frames, seed)
    asked = record(3)
    asked["constraints"] = dict.fromkeys(asked["constraints"]) | constraints
    reference = build(tables)
    least, bound = exists(reference, asked), Bound(reference).least_cost(asked)
    assert least is None or (bound is not None and bound <= least)
    assert least_cost(asked, reference) == bound


def at_home(tables) -> None:
    """Give Harbour a bed, four tables and a sight, all cheaper than elsewhere, so that staying at home would pay."""
    for name, keep in (("restaurants", 4), ("attractions", 1), ("stays", 2), ("nearest_stops", None)):
        rows = tables[name].query("city_id == 'amble'") if "city_id" in tables[name] else tables[name]
        rows = rows.iloc[:keep].copy() if keep else rows[rows["place_id"].str.startswith("amble")].copy()
        rows["place_id"] = rows["place_id"].str.replace("amble", "harbour")
        if "city_id" in rows:
            rows["city_id"] = "harbour"
        if "name" in rows:
            rows["name"] = rows["name"].str.replace("Amble", "Harbour")
        for price in {"avg_cost", "price"} & set(rows):
            rows[price] = 1
        tables[name] = type(rows)([*tables[name].to_dict("records"), *rows.to_dict("records")])


def shapes(reference, record) -> Any:
    """Yield a plan for every choice of three days' cities, of one way of travelling and of the beds, meals cheapest."""
    ids = {HOME: "harbour", AWAY: "amble"}
    drive = reference.drive("harbour", "amble")
    for cities in product(ROUTES, repeat=3):
        ends = [ROUTES[city][-1] for city in cities]
        beds = [reference.stays_in(ids[end]) for end in ends[:2]]
        for mode, first, second in product(MODES, *beds):
            stays: list[Any] = [first, second]
            eaten: set[str] = set()
            plan = []
            for n, city in enumerate(cities):
                route = ROUTES[city]
                way = route if len(route) == 2 else (HOME, AWAY) if n == 0 else ()
                cost = reference.car_rates.cost(mode, drive.distance_km, record["people"])
                text = drive_text(mode, way[0], way[-1], drive.duration_min, drive.distance_km, cost) if way else "-"
                tables = sorted(reference.restaurants_in(ids[route[0]]), key=lambda r: r.avg_cost)
                tables = [r for r in tables if r.name not in eaten][:3] if len(route) == 1 else []
                eaten |= {r.name for r in tables}
                sights = reference.attractions_in(ids[route[0]])[n : n + 1] if len(route) == 1 else ()
                places: list[Any] = [*([stays[n - 1]] if n else stays[:1]), *tables, *sights, *stays[n : n + 1]]
                hours = [60 * hour for hour in (8, 9, 14, 19, 20, 21)[: len(places)]]
                hours[1:] = [*hours[1:-1], 21 * 60] if len(places) > 1 else []
                items = [
                    item_text(p.name, "visit", start, start + 30, reference.stop(p.place_id).name,
                              reference.stop(p.place_id).distance_m)
                    for p, start in zip(places, hours, strict=True)
                ]  # fmt: skip
                plan.append(
                    {
                        "days": n + 1, "current_city": city, "transportation": text,
                        **{m: name_city(t.name, route[0]) for m, t in zip(MEALS, tables, strict=False)},
                        **dict.fromkeys(MEALS[len(tables) :], "-"),
                        "attraction": "; ".join(name_city(s.name, route[0]) for s in sights) or "-",
                        "accommodation": name_city(stays[n].name, ends[n]) if n < 2 else "-", "event": "-",
                        "point_of_interest_list": "; ".join(items) + ".",
                    }
                )  # fmt: skip
            yield plan


def test_no_shape_of_a_short_trip_that_is_accepted_costs_less_than_the_bound(frames, build, record):
    """A night at home, no way back, a leap between two days: what is cheaper than the bound is refused."""
    tables = frames()
    at_home(tables)
    reference = build(tables)
    asked = record(3) | {"budget": 10**6}
    asked["constraints"] = dict.fromkeys(asked["constraints"])
    least = Bound(reference).least_cost(asked)
    scores = [score_plan(asked, plan, reference) for plan in shapes(reference, asked)]
    accepted = [score.cost or 0 for score in scores if score.passes_commonsense and score.passes_hard]
    assert least is not None and accepted and least <= min(accepted) <= 1.25 * least
    refused = [score for score in scores if (score.cost or 0) < least]
    assert len(refused) > 50
    # But for the leaps, that `ours` refuses, some would be cheaper than the bound.
    assert any(
        "begins in" in reason for s in refused for reason in (s.commonsense or {})["reasonable_city_route"].reasons
    )


def test_who_names_no_budget_may_spend_any_amount_of_any_currency(frames, build, record):
    """A trip of a thousand dollars costs more than a thousand million of some."""
    tables = frames()
    tables["restaurants"]["avg_cost"] *= 10**9
    reference = build(tables)
    freed = with_wishes(record(3) | {"budget": 1}, ())
    costs = [
        plan.cost for plan in (score_plan(freed, p, reference) for p in shapes(reference, freed)) if plan.passes_hard
    ]
    assert max(cost or 0 for cost in costs) > 10**10


@pytest.mark.parametrize(("step", "fine"), [(100, 10), (100_000_000, 10_000_000), (10, 1), (5, 1)])
def test_a_budget_just_below_the_least_is_a_round_one_of_its_currency(tables, step, fine):
    known = world(replace(tables, section={**tables.section, "budget_step": step}, product_by_maker={}))
    asked = tables.tasks["record"].iloc[0]
    bound: Any = SimpleNamespace(least_cost=lambda _: 7 * fine + fine // 2 + 1, can_be_looked_through=lambda _: True)
    (lower,) = (one for one in changes(asked, bound, known.fine_step) if one["budget"] != asked["budget"])
    assert lower["budget"] == 7 * fine


def test_fewer_wishes_never_bind_more(frames, build, record):
    reference = build(frames())
    bound, chance = Bound(reference), random.Random(3)
    for days in (3, 5):
        asked = record(days)
        wishes = wishes_of(asked)
        assert with_wishes(asked, wishes) == asked
        for _ in range(20):
            some = [wish for wish in wishes if chance.random() < 0.6]
            fewer = [wish for wish in some if chance.random() < 0.6]
            many, few = (bound.least_cost(with_wishes(asked, kept)) for kept in (some, fewer))
            assert many is None or (few is not None and few <= many)
            again = [least_cost(with_wishes(asked, kept), reference) for kept in (some, fewer)]
            assert again == [many, few]


@pytest.fixture(scope="module")
def tables(small_world):
    return release_tables(open_release(small_world.releases["tripcraft"]))


@pytest.fixture(scope="module")
def made(tables):
    return unsolvable_tasks(tables, 4, 0)


def test_trips_without_a_solution_are_near_and_certified(tables, made):
    assert len(made) == 4
    known = world(tables)
    bound = Bound(known)
    solvable = {row["task_id"]: row for row in tables.tasks.to_dict("records")}
    for row in made:
        near = solvable[row["proof"]["near"]]["record"]
        assert row["record"] in list(changes(near, bound, known.fine_step))
        assert row["task_id"] not in solvable
        clash = [tuple(wish) for wish in row["proof"]["clash"]]
        assert bound.is_clash(row["record"], clash)
        assert {tuple(one["wish"]) for one in row["proof"]["without"]} == set(clash)
        for one in row["proof"]["without"]:
            kept = [wish for wish in wishes_of(row["record"]) if wish != tuple(one["wish"])]
            assert not list(check(with_wishes(row["record"], kept), one["plan"], known))
            assert list(check(row["record"], one["plan"], known))
    assert made[:2] == unsolvable_tasks(tables, 2, 0)


def test_who_hands_in_a_plan_or_names_no_clash_is_wrong(tables, made):
    row = made[0]
    clash = tuple(map(tuple, row["proof"]["clash"]))
    assert is_right(tables, row, no_plan_claim(clash), None)
    assert not is_right(tables, row, no_plan_claim(clash), [])
    assert not is_right(tables, row, "There is none.", None)
    assert not is_right(tables, row, no_plan_claim(clash[1:]), None)
    assert not is_right(tables, row, no_plan_claim((*clash, ("cuisine", "Martian"))), None)
    others = [wish for wish in wishes_of(row["record"]) if wish not in clash]
    if others:
        assert not is_right(tables, row, no_plan_claim((*clash, others[0])), None)


def test_the_careful_planner_names_the_clash_and_others_do_not(small_world, tmp_path):
    solved = {}
    for planner in ("random", "careful"):
        words = ("run", small_world.releases["tripcraft"], "--planner", planner, "--unsolvable", "4")
        code, told = command(*words, "--out", tmp_path / f"{planner}.jsonl", home=small_world.home)
        assert (code, told["tasks"], told["without_solution"]["tasks"]) == (0, 4, 4)
        solved[planner] = told["without_solution"]["right"]
    assert solved == {"random": 0, "careful": 4}
