"""Planners of one task by which a release measures how hard it is. No solver is known.

`greedy` is the one of `baseline.py`; `by_lot` draws every place; `repair` hands back the visits that lie farthest from
the stay, or the places with most price signs, and plans again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from assets.core.hardness import repaired
from assets.itinbench.baseline import DAY, NOBODY, Town
from assets.itinbench.checks.plans import MEALS
from assets.itinbench.tables import Record
from assets.itinbench.world import World, passes
from schemas.stable import stable_rng

_TOWNS: WeakKeyDictionary[World, Town] = WeakKeyDictionary()


def greedy(_: str, record: Record, world: World) -> dict[str, Any]:
    """Return the greedy planner's plan."""
    return _town(world).plan(record)


def by_lot(task_id: str, record: Record, world: World) -> dict[str, Any]:
    """Return a plan of the right length and shape, every place drawn by the task's id."""
    return drawn_plan(_town(world).named_places, record["days"], "random planner", task_id)


def repair(_: str, record: Record, world: World) -> dict[str, Any]:
    """Return the greedy plan, or one without what made it break a limit."""
    town = _town(world)
    return repaired(
        lambda gone: town.plan(record, gone),
        lambda plan: passes(record, plan, world),
        lambda plan: town.dearest_or_farthest(plan, world.checker.limits_broken(plan, record)),
    )


def drawn_plan(places_by_kind: Mapping[str, Sequence[Any]], days: int, *seed: Any) -> dict[str, Any]:
    """Return a plan whose places are drawn by the seed from those of each kind."""
    chance = stable_rng(*seed)

    def some(kind: str, count: int) -> list[Any]:
        places = places_by_kind.get(kind, [])
        positions = chance.choice(len(places), min(count, len(places)), replace=False) if places else []
        return [places[int(n)] for n in positions] + [NOBODY] * (count - len(positions))

    stay = some("stay", 1)[0]
    drawn = {kind: some(kind, days * 8) for kind in ("restaurant", "attraction")}
    itinerary = []
    for number in range(days):
        day: dict[str, Any] = {"days": str(number + 1)}
        for slot, count in DAY:
            kind = "restaurant" if slot in MEALS else "attraction"
            places = [drawn[kind].pop(0) for _ in range(count)]
            day[slot] = places[0] if slot in MEALS else places
        itinerary.append({**day, "accommodation": stay})
    return {"itinerary": itinerary}


def _town(world: World) -> Town:
    if world not in _TOWNS:
        _TOWNS[world] = Town(world.places)
    return _TOWNS[world]
