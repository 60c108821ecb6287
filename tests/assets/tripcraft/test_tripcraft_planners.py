"""The planners by which a release of trips says how hard it is, and the budgets that make draws harder."""

from __future__ import annotations

from typing import Any

import pytest

from assets.family import Drawn, Refused
from assets.tripcraft.draft import slots
from assets.tripcraft.planners import TIGHTER, _ids_to_take_back, by_lot, drawing, greedy, harden, passes, repair
from assets.tripcraft.scoring import score_plan
from assets.tripcraft.section import TripcraftSection
from schemas.stable import stable_hash
from tests.assets.tripcraft.witnesses import slot_of

NOTHING_ASKED = dict.fromkeys(("house_rule", "cuisine", "room_type", "transportation", "event", "attraction"))


@pytest.fixture
def dear(frames, build):
    """Return the world with tables of 10 to 32: the nearest are not the cheapest."""
    tables = frames()
    tables["restaurants"]["avg_cost"] = [10 + 2 * (n % 12) for n in range(len(tables["restaurants"]))][::-1]
    return build(tables)


@pytest.fixture
def asked(record):
    found: Any = record(3) | {"constraints": NOTHING_ASKED, "budget": 100_000}
    return found


def test_a_harder_budget_is_a_share_of_what_the_greedy_plan_costs(dear, asked):
    plan = greedy("t", asked, dear)
    assert passes(asked, plan, dear)
    cost = score_plan(asked, plan, dear).cost
    assert cost
    drawn = Drawn(asked, "xx", {"attempt": 0})
    harder = [harden(slot_of("s", 3, "hard"), attempt, drawn, plan, dear) for attempt in range(12)]
    budgets = {one.record["budget"] for one in harder if isinstance(one, Drawn)}
    assert budgets <= {int(cost * share) // dear.fine_step * dear.fine_step for share in TIGHTER}
    assert len(budgets) > 1
    for one in harder:
        assert isinstance(one, Drawn)
        assert one.drawn == {"attempt": 0, "greedy_cost": cost}
        tighter: Any = one.record
        assert not passes(tighter, greedy("t", tighter, dear), dear)
    assert isinstance(harden(slot_of("s", 3, "hard"), 0, Drawn(asked | {"budget": 10}, "xx"), plan, dear), Refused)


def test_repair_hands_the_dearest_tables_back_until_the_budget_holds(dear, asked):
    cost = score_plan(asked, greedy("t", asked, dear), dear).cost or 0
    tight: Any = asked | {"budget": cost - 1}
    assert not passes(tight, greedy("t", tight, dear), dear)
    mended = repair("t", tight, dear)
    assert passes(tight, mended, dear)
    assert (score_plan(tight, mended, dear).cost or 0) < cost
    hopeless: Any = asked | {"budget": 1}
    assert repair("t", hopeless, dear) == greedy("t", hopeless, dear)


def test_the_two_dearest_tables_of_a_plan_are_handed_back(dear, asked):
    plan = greedy("t", asked, dear)
    eaten = {
        row.place_id: row.avg_cost
        for day in plan
        for meal in ("breakfast", "lunch", "dinner")
        for row in dear.restaurants_named("amble", day[meal].rpartition(", ")[0])
    }
    back = _ids_to_take_back(asked | {"budget": 1}, dear, plan)
    assert len(back) == 2
    assert sorted(eaten[place_id] for place_id in back) == sorted(eaten.values())[-2:]
    assert sorted(eaten.values())[:2] != sorted(eaten.values())[-2:]


def test_lots_depend_on_the_task_and_keep_the_ways(dear, asked):
    plans = [by_lot(name, asked, dear) for name in ("a", "b", "a")]
    assert plans[0] == plans[2] != plans[1]
    assert [day["transportation"] for day in plans[0]] == [day["transportation"] for day in greedy("a", asked, dear)]


def test_a_recipe_s_share_is_that_of_each_length_s_level():
    section = TripcraftSection(tasks={3: 30}, baseline_at_most={"medium": 0.6, "hard": 0.3})
    assert {s.level: s.greedy_at_most for s in slots(section)} == {"easy": 1.0, "medium": 0.6, "hard": 0.3}


def test_beds_tables_and_sights_are_drawn_in_the_order_of_their_hashes_each_once(world, asked):
    city_id = asked["dest_city_id"]
    city: Any = drawing("seed").of(world, asked, city_id)

    def order(places):
        return sorted(places, key=lambda place: stable_hash("random planner", city.trip, place.place_id))

    assert city.stay == order(world.plannable_stays(city_id))[0]
    for kind, places in (
        ("restaurant", world.plannable_restaurants(city_id)),
        ("attraction", world.plannable_attractions(city_id)),
    ):
        assert [city.take(kind, set()) for _ in range(len(places) + 1)] == [*order(places), None]
