"""Groups whose firm wishes no plan keeps: two proofs against all plans of tiny worlds, ways out, and who names them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product
from typing import Any

import pytest

from assets.core.claims import no_plan_claim
from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.facts.opening import open_spans
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Best, Choice, Trip
from assets.grouptravel.facts.world import Part, trip_of
from assets.grouptravel.firm_wishes.clashes import Bound
from assets.grouptravel.firm_wishes.wishes import record_without, unmet, wishes_of_record
from assets.grouptravel.records import record_of
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.unsolvable.program import is_infeasible
from assets.grouptravel.unsolvable.tasks import is_right, unsolvable_tasks
from assets.grouptravel.unsolvable.ways_out import plan_of
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.wishes.preferences import FIELDS, Table, empty_table, put
from assets.grouptravel.witness.as_plan import native_plan
from assets.grouptravel.world import check, world
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from tests.assets.grouptravel.province import skeleton
from tests.assets.grouptravel.weekend import ALL_WEEK, daily
from tests.recipes import command

NAMES = {"home": "Home", "a": "Aston"}
SECTION = GroupTravelSection(currency="EUR")


def table(**wanted: Any) -> Table:
    """Return a table of Aston; a field is named by its last parts."""
    made = empty_table(("Aston",))
    for name, value in wanted.items():
        field = next(field for field in FIELDS if "_".join(field.path).endswith(name))
        put(made, field, "Aston" if field.per_city else "", value)
    return made


def record(tables: dict[int, Table], able: tuple[int, ...] = ()) -> dict[str, Any]:
    """Return the record of two people who go to Aston for two days, of whom some may compromise."""
    return record_of(replace(skeleton("2-1", ("a",), 2), compromisable=able), tables, NAMES, SECTION)


def trip(asked: dict[str, Any]) -> Trip:
    tables = {int(user[4:]): entry["preference"] for user, entry in asked["user_preferences"].items()}
    able = tuple(int(user[4:]) for user in asked["metadata"]["compromise_pattern"])
    return trip_of(replace(skeleton("2-1", ("a",), 2), compromisable=able), tables, NAMES)


def sight(key: str, name: str, hours: Any) -> Poi:
    return Poi(key, name, "attractions", "museum", hours, None, 60.5, 24.0)


def place(pois: list[Poi], fares: dict[tuple[str, str], list[Service]]) -> Part:
    return Part(Pois({"Aston": pois}), Fares(fares), EN, NAMES)


def service(mode: str, price: float, departs: int, arrives: int) -> Service:
    return Service(mode, price, departs, arrives, ALL_WEEK)


def bound_of(own: Part) -> Bound:
    return Bound(own.pois, own.fares)


MUSEUM = sight("s1", "Grand Museum", daily("10:00", "12:00"))
TEMPLE = sight("s2", "Old Temple", daily("10:00", "11:30"))
BEDS = [Poi("h1", "Inn", "hotels", "comfort", None, 50.0, 60.5, 24.0)]
SUSHI = Poi("f1", "Fish Bar", "food", "sushi", daily("11:00", "21:00"), 30.0, 60.5, 24.0)
EARLY = service("train", 40.0, 480, 540)
LATE = service("train", 20.0, 900, 960)
PLANE = service("flight", 90.0, 540, 600)
BACK = service("train", 40.0, 1080, 1140)


@pytest.mark.parametrize(
    ("first", "second", "clash"),
    [
        ({"transport_must": ["train"]}, {"transport_reject": ["train"]}, 0),  # all go by one: that is to be settled
        ({"avg_budget": 200}, {}, 0),
        ({"avg_budget": 100}, {}, 1),
        ({"avg_budget": 120, "must_eat": ["sushi"]}, {}, 2),
        ({"avg_budget": 120}, {"must_eat": ["sushi"]}, 0),  # who eats pays
        ({"must_visit": ["Grand Museum", "Old Temple"]}, {"reject_visit": ["Grand Museum"]}, 0),  # apart
        ({"avg_budget": 120, "must_visit": ["Grand Museum"]}, {}, 2),  # the cheap train comes too late, day two is shut
        ({"avg_budget": 120}, {"must_visit": ["Grand Museum"]}, 2),  # the other pays for the early train too
        ({"must_visit": ["Palace of Air"]}, {}, 1),
    ],
)
def test_what_clashes_and_what_does_not(first, second, clash):
    shut = sight("s1", "Grand Museum", daily("10:00", "12:00", (1,)))
    own = place([shut, TEMPLE, SUSHI, *BEDS], {("Home", "Aston"): [EARLY, LATE, PLANE], ("Aston", "Home"): [BACK]})
    asked = record({1: table(**first), 2: table(**second)})
    found = bound_of(own).smallest_clash(trip(asked))
    assert len(found or ()) == clash
    assert is_infeasible(trip(asked), own.pois, own.fares) == bool(clash)
    if found:
        freed = [record_without(asked, wish) for wish in found]
        assert all(bound_of(own).smallest_clash(trip(one)) is None for one in freed)


@pytest.mark.parametrize(("shuts", "clash"), [("11:15", 2), ("12:10", 0)])
def test_two_sights_of_one_member_clash_where_they_fit_in_no_order_and_those_of_two_members_do_not(shuts, clash):
    monday = daily("10:00", shuts, (1,))
    both = [sight("s1", "Grand Museum", monday), sight("s2", "Old Temple", monday)]
    own = place([*both, *BEDS], {("Home", "Aston"): [EARLY], ("Aston", "Home"): [BACK]})
    alone = record({1: table(must_visit=["Grand Museum", "Old Temple"]), 2: table()})
    assert len(bound_of(own).smallest_clash(trip(alone)) or ()) == clash
    assert is_infeasible(trip(alone), own.pois, own.fares) == bool(clash)
    apart = record({1: table(must_visit=["Grand Museum"]), 2: table(must_visit=["Old Temple"])})
    assert bound_of(own).smallest_clash(trip(apart)) is None
    assert not is_infeasible(trip(apart), own.pois, own.fares)


def test_what_a_member_wants_who_may_compromise_clashes_with_nothing():
    own = place([MUSEUM, *BEDS], {("Home", "Aston"): [EARLY], ("Aston", "Home"): [BACK]})
    tables = {1: table(must_visit=["Old Temple"], avg_budget=10), 2: table()}
    assert bound_of(own).smallest_clash(trip(record(tables))) is not None
    assert bound_of(own).smallest_clash(trip(record(tables, able=(1,)))) is None
    assert wishes_of_record(record(tables, able=(1,))) == ()


def tiny(seed: int) -> tuple[Part, dict[str, Any]]:
    """Return a world of two services each way, two beds, two sights and two meals, and what two people want of it."""
    chance = random.Random(seed)

    def hours() -> Any:
        opens = chance.choice((9, 10, 13, 16))
        return daily(
            f"{opens:02d}:00", f"{opens + chance.choice((1, 2)):02d}:00", chance.choice(((1,), (2,), ALL_WEEK))
        )

    out = [service("train", 20.0, 480, chance.choice((540, 720, 900))), service("flight", 60.0, 420, 480)]
    home = [service("train", 20.0, chance.choice((600, 840, 1200)), 1260), service("flight", 60.0, 1140, 1200)]
    pois = [
        sight("s1", "Grand Museum", hours()), sight("s2", "Old Temple", hours()),
        replace(SUSHI, cost=5.0), Poi("f2", "Stove", "food", "pizza", daily("11:00", "14:00"), 15.0, 60.5, 24.0),
        *BEDS, Poi("h2", "Palace Inn", "hotels", "luxury", None, 80.0, 60.5, 24.0),
    ]  # fmt: skip
    first = table(
        must_visit=chance.sample(["Grand Museum", "Old Temple"], chance.choice((1, 2))),
        avg_budget=chance.choice((0, 90, 94, 130)), must_eat=chance.choice(([], ["sushi"])),
    )  # fmt: skip
    second = table(avg_budget=chance.choice((0, 85, 95, 135)))
    return place(pois, {("Home", "Aston"): out, ("Aston", "Home"): home}), record({1: first, 2: second})


def plans(own: Part, asked: dict[str, Any]) -> Iterator[Any]:
    """Yield plans of every choice of services and bed, days and order of what is wanted, each at its earliest."""
    of, pois = trip(asked), {poi.name: poi for poi in own.pois.in_city("Aston")}
    wanted = asked["user_preferences"]["User1"]["preference"]["city_specific_preferences"]["Aston"]
    places = [pois[name] for name in wanted["attractions"]["must_visit"]]
    places += [pois["Fish Bar"] for _ in wanted["food"]["must_eat"]]
    legs = [own.fares.services(*pair, date=of.first_date) for pair in (("Home", "Aston"), ("Aston", "Home"))]
    beds = own.pois.in_city("Aston", "hotels")
    for (out, home), bed in product(product(*legs), beds):
        for order in permutations(places):
            for days, meals in product(product((0, 1), repeat=len(order)), ((11 * 60,), (17 * 60,))):
                plan = _plan(of, (out, home), bed, order, days, meals[0], own)
                yield from () if plan is None else (plan,)


def _plan(of: Trip, legs: Any, bed: Poi, order: Any, days: Any, meal: int, own: Part) -> Any:
    free = {0: legs[0].arrives + 30, 1: 8 * 60}
    choices = []
    for poi, day in zip(order, days, strict=True):
        date = of.first_date.fromordinal(of.first_date.toordinal() + day)
        spans = open_spans(poi.hours, date) or [(0, 0)]
        start = max(free[day] + 5, spans[0][0], meal if poi.poi_type == "food" else 0)
        stay = 45 if poi.poi_type == "food" else 60
        if start + stay > spans[0][1]:
            return None  # it is shut by then
        choices.append(Choice(day, start, start + stay, "Aston", poi, ("walk", 5)))
        free[day] = start + stay
    to_bed = max(20 * 60, free[0] + 5)
    choices.append(Choice(0, to_bed, to_bed, "Aston", bed, ("walk", 5)))
    choices.sort(key=lambda choice: (choice.day, choice.start))
    return native_plan(of, Best(legs, of.leg_days, (bed,), tuple(choices), 0), EN, own.pois)


def test_no_proof_denies_a_tiny_world_the_plan_that_it_has_and_both_say_the_same():
    """Neither sees three things that fit two by two: such a world has no plan either, but no certified clash."""
    counts = {"a plan": 0, "a clash": 0, "neither": 0}
    for seed in range(24):
        own, asked = tiny(seed)
        has_plan = any(
            not unmet(asked, plan, own.pois) and not any(check(asked, plan, own)) for plan in plans(own, asked)
        )
        is_shown = bound_of(own).smallest_clash(trip(asked)) is not None
        assert (seed, is_shown) == (seed, is_infeasible(trip(asked), own.pois, own.fares))
        assert not (has_plan and is_shown), seed
        found = plan_of(asked, own)
        assert found is None or (has_plan and not unmet(asked, found, own.pois) and not any(check(asked, found, own)))
        counts["a plan" if has_plan else "a clash" if is_shown else "neither"] += 1
    assert counts["a plan"] >= 6
    assert counts["a clash"] >= 6
    assert counts["neither"] <= 3


@pytest.fixture(scope="module")
def tables(small_world):
    return release_tables(open_release(small_world.releases["grouptravel"]))


@pytest.fixture(scope="module")
def made(tables):
    return unsolvable_tasks(tables, 3, 0)


def test_groups_without_a_solution_are_near_and_certified(tables, made):
    assert len(made) == 3
    known = world(tables)
    solvable = {row["task_id"]: row for row in tables.tasks.to_dict("records")}
    for row in made:
        near, asked = solvable[row["proof"]["near"]]["record"], row["record"]
        before, after = set(wishes_of_record(near)), set(wishes_of_record(asked))
        assert len(after - before) == 1
        assert {one.kind for one in before - after} <= {"budget"}
        assert row["task_id"] not in solvable
        assert sorted(m["role"] for m in row["messages"]) == sorted(asked["user_preferences"])
        clash = [tuple(wish) for wish in row["proof"]["clash"]]
        assert next(iter(after - before)).wish in clash
        for one in row["proof"]["without"]:
            freed = record_without(asked, tuple(one["wish"]))
            assert [*check(freed, one["plan"], known)] == []
            assert unmet(freed, one["plan"], known.pois) == []
            assert unmet(asked, one["plan"], known.pois) == [tuple(one["wish"])]
        assert {tuple(one["wish"]) for one in row["proof"]["without"]} == set(clash)
    assert made[:1] == unsolvable_tasks(tables, 1, 0)


def test_who_hands_in_a_plan_or_names_no_clash_of_a_group_is_wrong(tables, made):
    row = made[0]
    clash = tuple(map(tuple, row["proof"]["clash"]))
    assert is_right(tables, row, f"We have talked.\n{no_plan_claim(clash)}", None)
    assert not is_right(tables, row, no_plan_claim(clash), {"days": []})
    assert not is_right(tables, row, "There is none.", None)
    assert not is_right(tables, row, no_plan_claim(clash[1:]), None)
    others = [one.wish for one in wishes_of_record(row["record"]) if one.wish not in clash]
    assert not is_right(tables, row, no_plan_claim((*clash, (others or [("User1.budget", "1")])[0])), None)


def test_the_careful_agent_names_the_clash_of_a_group_and_others_do_not(small_world, tmp_path):
    solved = {}
    for planner in ("random", "careful"):
        words = ("run", small_world.releases["grouptravel"], "--planner", planner, "--unsolvable", "3", "--limit", "1")
        code, told = command(*words, "--out", tmp_path / f"{planner}.jsonl", home=small_world.home)
        assert (code, told["tasks"], told["without_solution"]["tasks"]) == (0, 1, 3)
        solved[planner] = told["without_solution"]["right"]
    assert solved["random"] == 0
    assert solved["careful"] >= 2
