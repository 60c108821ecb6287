"""Plans of anybody's making: whatever stands in them, they are scored, by every variant."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import pytest

from assets.families import families
from assets.grouptravel.checks.refusals import refusal
from assets.release.difficulty import witness_plans
from assets.release.exporting import release_tables
from assets.release.reading import open_release

TASKS = 4
PLANS = {"grouptravel": 40, "itinbench": 30, "tripcraft": 300}
"""How many are tried: a few seconds of each family."""

VALUES = (
    None, 0, -1, 1e308, float("nan"), "", "-", "All", [], {}, [None], [[]], {"a": 1}, True, "25:61", "2025-02-30",
    "x" * 300, "\u202e", ["User1", "User1"], ["User9"], 10**30, "1,2", "$", "\x00",
)  # fmt: skip


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_of_anything_is_scored_by_every_variant(small_world, name):
    family, tables = families()[name], release_tables(open_release(small_world.releases[name]))
    tables = tables.only(sorted(tables.tasks["task_id"])[:TASKS])
    draw, plans = Random(name), witness_plans(tables)
    for _ in range(PLANS[name]):
        witness = draw.choice(plans)
        plan = changed(draw, witness["plan"])
        for variant in family.variants:
            scores = family.call("score", tables, [{"task_id": witness["task_id"], "plan": plan}], variant)
            assert scores["aggregate"], (variant, plan)


@pytest.mark.parametrize(("activities", "stops"), [(183.0, None), ("x", None), (None, None), ([1], "AttributeError")])
def test_what_a_leg_between_cities_holds_stops_the_published_code_only_where_it_is_a_list(activities, stops):
    leg = {"type": "intercity_transport", "avg_cost": 1.0, "activities": activities}
    assert refusal({"days": [{"city_segments": [leg]}]}) == stops


def changed(draw: Random, plan: Any) -> Any:
    """Return the plan with some parts of it gone, there twice, elsewhere, in another order, or something else."""
    plan = copy.deepcopy(plan)
    for _ in range(draw.choice((1, 1, 2, 3, 8))):
        places = list(places_of(plan))
        if not places:
            return draw.choice(VALUES)
        parent, key = draw.choice(places)
        kind = draw.randrange(5)
        if kind == 0:
            del parent[key]
        elif kind == 1 and isinstance(parent, list):
            parent.insert(key, copy.deepcopy(parent[key]))
        elif kind == 2 and isinstance(parent, list):
            draw.shuffle(parent)
        elif kind == 3:
            other, at = draw.choice(places)
            parent[key] = copy.deepcopy(other[at])
        else:
            parent[key] = copy.deepcopy(draw.choice(VALUES))
    return plan


def places_of(value: Any) -> Any:
    """Yield every place of a plan: the list or object that holds it, and its index or key."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from places_of(value[key])
