"""Planners of one trip by which a release measures how hard it is, and what makes a draw harder. No solver is known.

`greedy` is the one of `baseline.py`; `by_lot` keeps its ways and hours and draws the rest; `repair` hands its dearest
tables back, two at a time, and plans again, and where no table helps it takes another city of the region.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter
from typing import Any

from assets.core.hardness import TOO_EASY, repaired
from assets.core.nearby import Nearby
from assets.family import Drawn, Refused, Slot
from assets.tripcraft.baseline import City, Place, plan_of
from assets.tripcraft.checks.case import Case
from assets.tripcraft.draws import Draws
from assets.tripcraft.plan import read_plan
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.scoring import score_plan
from assets.tripcraft.variants import OURS
from schemas.stable import stable_hashes

TABLES_AT_ONCE = 2

TIGHTER = (0.8, 0.85, 0.9, 0.95)
"""Shares of what the greedy plan costs, of which a harder budget is one; our choice."""

OF_THE_PLACES = {"cuisine", "attraction_type", "event_type", "room_rule", "room_type"}
"""Checks that another city may meet."""


def greedy(_: str, record: Record, world: Reference) -> list[dict[str, Any]]:
    """Return the greedy planner's plan."""
    return plan_of(world, record)


def by_lot(task_id: str, record: Record, world: Reference) -> list[dict[str, Any]]:
    """Return a plan of the right shape, its beds, tables and sights drawn by hashes of the task's id."""
    return plan_of(world, record, drawing(task_id))


def repair(_: str, record: Record, world: Reference) -> list[dict[str, Any]]:
    """Return the greedy plan, or one without what made it fail."""
    return repaired(
        lambda gone: plan_of(world, record, city_kind_without(gone)),
        lambda plan: passes(record, plan, world),
        partial(_ids_to_take_back, record, world),
    )


def passes(record: Record, plan: Any, world: Reference) -> bool:
    """Return whether the plan passes every commonsense and every hard check (the published final pass)."""
    score = score_plan(record, plan, world)
    return score.passes_commonsense and score.passes_hard


def harden(slot: Slot, attempt: int, drawn: Drawn, plan: Any, world: Reference) -> Drawn | Refused:
    """Return the draw with a budget below what the plan costs, or that there is none."""
    cost = score_plan(drawn.record, plan, world).cost or 0  # type: ignore[arg-type]
    share = Draws(slot.seed, slot.task_id, attempt).one("tighter", TIGHTER)
    budget = int(cost * share) // world.fine_step * world.fine_step
    if not 0 < budget < drawn.record["budget"]:
        return TOO_EASY
    return replace(drawn, record={**drawn.record, "budget": budget}, drawn={**drawn.drawn, "greedy_cost": cost})


def city_kind_without(gone: Collection[str]) -> type[City]:
    """Return the greedy planner's cities, and in them its tables and sights, without those of these ids."""

    @dataclass
    class RemainingCity(City):
        """A city without what was taken back."""

        @classmethod
        def of(cls, reference: Reference, record: Record, city_id: str) -> City | None:
            """Return the city, None if it was taken back itself."""
            city = None if city_id in gone else City.of(reference, record, city_id)
            if city is not None and gone:
                city.restaurants = tuple(r for r in city.restaurants if r.place_id not in gone)
                city.free["restaurant"] = Nearby([(r.lat, r.lon) for r in city.restaurants])
            return city

    return RemainingCity


def drawing(seed: Any) -> type[City]:
    """Return cities in which beds, tables and sights are drawn by lot, the same for the same seed and trip."""

    @dataclass
    class ByLot(City):
        """A city in which beds, tables and sights are drawn by lot."""

        trip: str = ""
        lots: dict[str, Iterator[Place]] = field(default_factory=dict)
        """By kind, the places that are still to be drawn."""

        @classmethod
        def of(cls, reference: Reference, record: Record, city_id: str) -> ByLot | None:
            """Return the city with any of its beds."""
            city = super().of(reference, record, city_id)
            if not isinstance(city, ByLot):
                return None
            city.trip = json.dumps([seed, record["origin_city_id"], record["dates"], record["budget"]])
            city.stay = city.in_drawn_order(reference.plannable_stays(city_id))[0]
            return city

        def take(self, kind: str, wishes: set[str]) -> Place | None:  # noqa: ARG002  (it is drawn, whatever is asked)
            """Return any restaurant or attraction that is free."""
            if kind not in self.lots:
                self.lots[kind] = iter(
                    self.in_drawn_order(self.restaurants if kind == "restaurant" else self.attractions)
                )
            return next(self.lots[kind], None)

        def in_drawn_order(self, places: Sequence[Any]) -> list[Any]:
            """Return the places in the order in which they are drawn."""
            hashes = stable_hashes(("random planner", self.trip), (place.place_id for place in places))
            return [place for _, place in sorted(zip(hashes, places, strict=True), key=itemgetter(0))]

    return ByLot


def _ids_to_take_back(record: Record, world: Reference, plan: Any) -> set[str]:
    """Return what a plan that does not pass had better be without; nothing if it fails otherwise.

    Its dearest tables if it costs too much; its last city if that lacks something.
    """
    score = score_plan(record, plan, world)
    failed = set(score.failed())
    if not failed or not score.passes_commonsense:
        return set()
    case = Case(record, read_plan(plan), world, OURS)
    if failed & OF_THE_PLACES:
        return {case.city_ids(case.days[-2])[-1]} if record["dest_city_id"] is None else set()
    eaten = {r for day in case.days for place_name in day.meals.values() for r in case.restaurants(place_name)}
    dearest = sorted(eaten, key=lambda r: (-r.avg_cost, r.place_id))
    return {restaurant.place_id for restaurant in dearest[:TABLES_AT_ONCE]}
