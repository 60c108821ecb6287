"""Hard records: two limits that are measured, stated, read back, kept by the witness, and broken by greedy plans."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from geopy.distance import geodesic

from assets.family import Refused, Series, Slot, Solved
from assets.itinbench import rules
from assets.itinbench.baseline import Town
from assets.itinbench.checks.certify import Checker
from assets.itinbench.checks.plans import MEALS, VISITS
from assets.itinbench.draft import HARD, PUBLISHED, slots
from assets.itinbench.limits import limited_record
from assets.itinbench.planners import by_lot, greedy, repair
from assets.itinbench.section import ItinbenchSection
from assets.itinbench.solver import solve
from assets.itinbench.tables import Record
from assets.itinbench.witness.thrift import is_within
from assets.itinbench.wording import request
from assets.itinbench.words.labels import eval_info, read_eval_info
from assets.itinbench.world import World, asked, passes
from tests.assets.itinbench.town import RECORD, asks, frame, place, solved, town, town_rows, witness

SLOT = Slot("itinbench.xx.hard.00000", 0, "xx", Series(HARD, 1, HARD), 0)


def longest_m(plan: dict[str, Any]) -> float:
    """Return the longest day of a plan by geopy, which the checker does not use."""
    at = {(r["kind"], r["name"]): (r["lat"], r["lon"]) for r in town().to_dict("records")}
    ways = []
    for day in plan["itinerary"]:
        parts = ("morning_attractions", "afternoon_attractions", "night_attractions")
        visits = [at["attraction", v["name"]] for part in parts for v in day[part]]
        stay = at["stay", day["accommodation"]["name"]]
        ways.append(sum(geodesic(a, b).m for a, b in pairwise([stay, *visits, stay])))
    return max(ways)


def test_a_day_s_way_and_the_price_signs_are_what_one_counts_by_hand():
    ways_m, signs = World(town()).checker.ways_and_signs(witness()["plan"])
    assert max(way_m or 0 for way_m in ways_m) == pytest.approx(longest_m(witness()["plan"]), abs=1e-3)
    assert signs == 2 * (2 * (3 + 4) + 1)  # two signs each: two days of three meals and four visits, and one stay


@pytest.mark.parametrize("above", [True, False])
def test_a_limit_is_kept_up_to_itself_and_broken_beyond(above):
    """The witness as it is keeps a limit of its own length, rounded up, and of its own signs; one less breaks each."""
    longest, signs = longest_m(witness()["plan"]), 30
    record = asks(RECORD, most_walk_m=int(longest) + (1 if above else 0), most_signs=signs - (0 if above else 1))
    broken = {rule for rule, _ in Checker(town()).breaks(witness()["plan"], record)}
    assert broken == (set() if above else {"walking", "price_signs"})
    assert passes(record, witness()["plan"], World(town())) is above


def test_an_unknown_price_keeps_no_limit():
    rows = [
        row | ({"price_level": None} if row["place_id"] in solved().proof["place_ids"]["stay"] else {})
        for row in town_rows()
    ]
    broken = {rule for rule, _ in Checker(frame(rows)).breaks(witness()["plan"], asks(RECORD, most_signs=1_000))}
    assert "price_signs" in broken


def test_only_a_record_with_limits_is_asked_for_them():
    assert {"walking", "price_signs"} & set(asked(RECORD)) == set()
    assert {"walking", "price_signs"} <= set(asked(asks(RECORD, most_walk_m=900, most_signs=30)))


@pytest.mark.parametrize("number", range(12))
def test_limits_are_stated_once_and_read_back(number):
    record = asks(RECORD, most_walk_m=100 * (number + 7), most_signs=20 + number)
    text = request(f"task {number}", record)
    assert rules.validate(record, text) == []
    read, problems = rules.parse(text)
    assert (read, problems) == (record, [])
    assert rules.validate(RECORD, text) == [
        f"added: most_walk_m {record['most_walk_m']}", f"added: most_signs {record['most_signs']}",  # pyright: ignore
    ]  # fmt: skip
    assert {p.split(":")[0] for p in rules.validate(record, request(f"task {number}", RECORD))} == {"missing"}


@pytest.mark.parametrize(
    "sentence",
    [
        "My way should be at most 5 km.",
        "On each day, the way from the hotel to the attractions should be at most 5 km as the crow flies, or 6 km.",
        "All places should have at most 30 price signs.",
    ],
)
def test_a_limit_that_does_not_say_what_it_limits_is_unclear(sentence):
    problems = rules.validate(RECORD, f"{request('task', RECORD)} {sentence}")
    assert [p.split(":")[0] for p in problems] == ["limit_unclear"]
    assert "limit_unclear" in rules.PROBLEMS


def test_limits_stand_in_the_published_form_beside_its_keys():
    record = asks(RECORD, most_walk_m=900, most_signs=30)
    info = json.loads(json.dumps(eval_info(record)))
    assert set(info) - set(eval_info(RECORD)) == {"limits"}
    assert read_eval_info(info) == record
    assert read_eval_info(eval_info(RECORD)) == RECORD
    with pytest.raises(ValueError, match="`limits` holds 'no more than 3'"):
        read_eval_info({**info, "limits": ["no more than 3"]})


def priced_town() -> World:
    """Return the town with dear places among cheap ones: three signs for every other place."""
    rows = [row | {"price_level": 1 if number % 2 else 3} for number, row in enumerate(town_rows())]
    rows += [place(f"x{i}", "restaurant", 40.001, -75 + i / 1000, price_level=1) for i in range(4)]
    rows += [place(f"y{i}", "attraction", 40 + i / 3000, -75, price_level=1) for i in range(6)]
    return World(frame(rows))


def test_the_solver_finds_the_thrifty_plan_and_says_when_it_finds_none():
    world = priced_town()
    free = solve("t1", RECORD, world)
    assert isinstance(free, Solved)
    _, signs = world.checker.ways_and_signs(free.plan)
    assert signs is not None
    record = asks(RECORD, most_signs=signs - 4)
    found = solve("t1", record, world)
    assert isinstance(found, Solved)
    assert world.checker.breaks(found.plan, record) == []
    assert found.proof["pool"] == free.proof["pool"]  # of the whole pool, not of the cheap part
    none = solve("t1", asks(RECORD, most_signs=14), world)
    assert isinstance(none, Refused)
    assert none.kind == "limits"


def test_the_solver_s_own_measure_agrees_with_the_checker_s():
    world = World(town())
    pools = dict(list(town().groupby("kind")))
    longest = longest_m(solved().plan)
    for record in (asks(RECORD, most_walk_m=int(longest) + d, most_signs=30 + e) for d in (0, 1) for e in (-1, 0)):
        mine = is_within(record, solved().proof["place_ids"], pools)  # pyright: ignore[reportArgumentType]
        assert mine == (not world.checker.limits_broken(solved().plan, record))


def test_limits_lie_below_what_the_greedy_plan_takes_and_depend_on_the_slot_and_attempt():
    world = priced_town()
    ways_m, signs = world.checker.ways_and_signs(greedy("t", RECORD, world))
    drawn = [limited_record(SLOT, attempt, RECORD, world) for attempt in range(20)]
    records: list[Record] = [record for record in drawn if not isinstance(record, Refused)]
    assert len(records) == 20
    assert {record["most_walk_m"] % 100 for record in records} == {0}  # pyright: ignore
    assert all(record["most_walk_m"] < max(w or 0 for w in ways_m) for record in records)  # pyright: ignore
    assert signs is not None
    assert all(record["most_signs"] < signs for record in records)  # pyright: ignore
    assert len({json.dumps(record) for record in records}) > 3
    assert limited_record(SLOT, 3, RECORD, world) == drawn[3]


def test_greedy_breaks_what_repair_mends_and_lots_meet_nothing():
    """A limit just below what the greedy plan takes."""
    world = priced_town()
    _, signs = world.checker.ways_and_signs(greedy("t", RECORD, world))
    record = asks(RECORD, most_signs=(signs or 0) - 2)
    assert not passes(record, greedy("t", record, world), world)
    assert passes(record, repair("t", record, world), world)
    picky = asks(RECORD, cuisine="Greek")
    assert not passes(picky, by_lot("t", picky, world), world)


def test_repair_hands_back_the_farthest_visits_for_a_way_and_the_dearest_places_for_price_signs():
    found = Town(priced_town().places)
    plan = found.plan(RECORD)
    at = {(row["kind"], row["name"]): row for row in priced_town().places.to_dict("records")}
    visits = [v for day in plan["itinerary"] for part in VISITS for v in day[part]]
    stay = at["stay", plan["itinerary"][0]["accommodation"]["name"]]

    def apart(name: str) -> float:
        there = at["attraction", name]
        return ((there["lat"] - stay["lat"]) ** 2 + (there["lon"] - stay["lon"]) ** 2) ** 0.5

    farthest = sorted((apart(v["name"]) for v in visits), reverse=True)[:2]
    back = {found.named_places[kind][number]["name"] for kind, number in found.dearest_or_farthest(plan, {"walking"})}
    assert sorted(map(apart, back), reverse=True) == farthest
    dear = found.dearest_or_farthest(plan, {"price_signs"})
    named = [("attraction", v["name"]) for v in visits]
    named += [("restaurant", day[meal]["name"]) for day in plan["itinerary"] for meal in MEALS]
    most = sorted((at[entry]["price_level"] for entry in named), reverse=True)[:2]
    assert (
        sorted((at[kind, found.named_places[kind][n]["name"]]["price_level"] for kind, n in dear), reverse=True) == most
    )
    assert most[0] == 3
    assert found.dearest_or_farthest(plan, ()) == set()


def test_a_recipe_s_levels_are_series_of_their_own():
    both = ItinbenchSection(tasks_per_city=3, hard_tasks_per_city=2, baseline_at_most={"hard": 0.3})
    found = [(s.name, s.count, s.level, s.greedy_at_most) for s in slots(both)]
    assert found == [("", 3, PUBLISHED, 1.0), ("hard", 2, HARD, 0.3)]
    with pytest.raises(ValueError, match="no task is asked for"):
        ItinbenchSection(tasks_per_city=0)
