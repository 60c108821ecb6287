"""The witness: a complete plan that meets a record, for the checks that never import this (`scoring.py`) to accept.

What a witness may do is a declared subset of what the checks allow: two nights in each city; meals and visits in the
slots of `hours.py`; ways as in `moves.py` and `travel.py`; places as in `spots.py`; no name twice. Within it, choosing
is exact: `Unsolvable` says that no choice exists on any route, unless it says that not every possibility was tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, permutations
from typing import Any, Literal

from assets.tripcraft.entities import Event
from assets.tripcraft.facts.itinerary import MEALS_PER_DAY, MOST_ROUTES
from assets.tripcraft.facts.moves import Move, moves_of
from assets.tripcraft.facts.obstacles import Obstacle
from assets.tripcraft.facts.travel import table
from assets.tripcraft.facts.ways import legs_of
from assets.tripcraft.persona import Taste, taste_of
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.vocabulary import VISITED_CITIES
from assets.tripcraft.witness.occasions import choose_events
from assets.tripcraft.witness.remark import Story, remark
from assets.tripcraft.witness.selection import Choice, Effort, Minutes, choose
from assets.tripcraft.witness.spots import CitySpots, city_spots, shortlist
from assets.tripcraft.witness.timetable import native_plan, timetable
from schemas.stable import stable_hash

LONGEST_DRIVE_MIN = 720
"""Longest drive that a witness makes in a day; the recipe's default."""

SCALES = (1, 12)
"""Sizes of the shortlists tried one after another; what the last leaves out of a very large city is not looked at."""


@dataclass(frozen=True)
class Unsolvable:
    """No witness was found. `reasons` in words; `is_proven` is False where a search was cut short."""

    task_id: str
    reasons: tuple[Obstacle, ...]
    is_proven: bool = True


@dataclass(frozen=True)
class Witness:
    """A native plan, and what it is made of and why it is as it is (JSON-able)."""

    task_id: str
    plan: list[dict[str, Any]]
    values: dict[str, Any]

    @property
    def remark(self) -> str:
        """Return the reasons for the plan."""
        return self.values["remark"]


@dataclass(frozen=True)
class _Route:
    """One order of cities with all that can be chosen there."""

    cities: tuple[str, ...]
    moves: list[list[Move]]
    spots: list[CitySpots]
    events: list[list[Event]]


class _Shortlists:
    """What is looked at of each city, and the minutes between: made once for all routes over it."""

    def __init__(self, reference: Reference, record: Record) -> None:
        self._ways, self._record = reference.town_ways, record
        self._spots: dict[tuple[str, int], CitySpots] = {}
        self._minutes: dict[tuple[str, int], Minutes] = {}

    def spots(self, route: _Route, scale: int) -> list[CitySpots]:
        """Return the shortlist of each of the route's cities."""
        for offer in route.spots:
            if (offer.city_id, scale) not in self._spots:
                self._spots[offer.city_id, scale] = shortlist(offer, self._record, scale)
        return [self._spots[offer.city_id, scale] for offer in route.spots]

    def minutes(self, route: _Route, scale: int) -> list[Minutes]:
        """Return the minutes between all spots of the shortlist of each of the route's cities."""
        for offer in self.spots(route, scale):
            if (offer.city_id, scale) not in self._minutes:
                places = [spot.place for spot in (*offer.stays, *offer.restaurants, *offer.attractions)]
                self._minutes[offer.city_id, scale] = table(places, self._ways)
        return [self._minutes[offer.city_id, scale] for offer in route.spots]


def solve(
    record: Record,
    reference: Reference,
    *,
    task_id: str,
    longest_drive_min: int = LONGEST_DRIVE_MIN,
) -> Witness | Unsolvable:
    """Return a witness for the record and its persona, or why there is none.

    Depends on the arguments alone.
    """
    taste = taste_of(record["persona"])
    reasons: dict[Obstacle, None] = {}
    failed: list[_Route] = []
    spots_by_city: dict[str, CitySpots] = {}
    shortlists = _Shortlists(reference, record)
    is_proven, effort = True, Effort()
    orders = _orders(reference, record, task_id)
    for cities in islice(orders, MOST_ROUTES):
        route = _route(reference, record, taste, cities, task_id, longest_drive_min, spots_by_city)
        if not isinstance(route, _Route):
            reasons.update(dict.fromkeys(route))
            continue
        outcome = _try(reference, record, taste, route, task_id, shortlists, SCALES[0], effort)
        if isinstance(outcome, Witness):
            return outcome
        is_proven &= outcome == "infeasible"
        failed.append(route)
    is_proven &= next(orders, None) is None
    for route in failed:
        outcome = _try(reference, record, taste, route, task_id, shortlists, SCALES[-1], effort)
        if isinstance(outcome, Witness):
            return outcome
        is_proven &= outcome == "infeasible"
    if not is_proven:
        reasons[Obstacle("undecided", "not every possibility was tried")] = None
    elif failed:
        reasons[_why(record, taste, failed[0], shortlists, effort)] = None
    return Unsolvable(task_id, tuple(reasons) or (Obstacle("nowhere", "there is nowhere to go"),), is_proven)


def _try(
    reference: Reference,
    record: Record,
    taste: Taste,
    route: _Route,
    task_id: str,
    shortlists: _Shortlists,
    scale: int,
    effort: Effort,
) -> Witness | Literal["infeasible", "unknown"]:
    """Return the route's witness from shortlists of the scale, else whether it is shown that they hold none.

    For the last scale, what it leaves out of a very large city counts as unknown.
    """
    if effort.time_left <= 0:
        return "unknown"
    spots = shortlists.spots(route, scale)
    if scale > SCALES[0] and spots == shortlists.spots(route, SCALES[0]):
        return "infeasible"
    minutes = shortlists.minutes(route, scale)
    choice = choose(record, taste, route.moves, spots, minutes, effort)
    if isinstance(choice, Choice):
        return _witness(reference, record, taste, route, choice, minutes, task_id)
    return choice if scale < SCALES[-1] or spots == route.spots else "unknown"


def _orders(reference: Reference, record: Record, task_id: str) -> Iterator[tuple[str, ...]]:
    if record["dest_city_id"] is not None:
        return iter([(record["dest_city_id"],)])
    cities = sorted(
        reference.cities_in(record["dest_region"], record["dest_country"]),
        key=lambda city_id: (stable_hash(task_id, city_id), city_id),
    )
    return permutations(cities, VISITED_CITIES[record["days"]])


def _route(
    reference: Reference,
    record: Record,
    taste: Taste,
    cities: tuple[str, ...],
    task_id: str,
    longest_drive_min: int,
    spots_by_city: dict[str, CitySpots],
) -> _Route | list[Obstacle]:
    """Return the route with what it offers, or what it lacks, in words."""
    for city in cities:
        if city not in spots_by_city:
            spots_by_city[city] = city_spots(reference, record, taste, city, task_id)
    legs = legs_of(record["origin_city_id"], cities)
    moves = [moves_of(reference, record, leg, longest_drive_min) for leg in legs]
    spots = [spots_by_city[city] for city in cities]
    lacking = [
        Obstacle("no_way", f"no way from {leg.origin} to {leg.dest} on {record['dates'][leg.day]}")
        for leg, offer in zip(legs, moves, strict=True)
        if not offer
    ]
    for offer in spots:
        where = offer.city_id
        lacking += [Obstacle("no_stay", f"no stay in {where} meets the request")] if not offer.stays else []
        if len(offer.restaurants) < MEALS_PER_DAY:
            lacking.append(Obstacle("few_restaurants", f"fewer than three restaurants in {where}"))
        lacking += [Obstacle("no_attraction", f"no attraction in {where}")] if not offer.attractions else []
    where = ", ".join(cities)
    constraints = record["constraints"]
    cuisines = {kind for offer in spots for spot in offer.restaurants for kind in spot.place.cuisines}
    lacking += [
        Obstacle("no_cuisine", f"no {kind} food in {where}")
        for kind in constraints["cuisine"] or ()
        if kind not in cuisines
    ]
    categories = {kind for offer in spots for spot in offer.attractions for kind in spot.place.categories}
    lacking += [
        Obstacle("no_category", f"no {kind} in {where}")
        for kind in constraints["attraction"] or ()
        if kind not in categories
    ]
    events = choose_events(reference, record, cities, task_id)
    lacking += [what for what in events if isinstance(what, Obstacle)]
    if lacking:
        return lacking
    cheapest = sum(min(m.cost for m in offer) for offer in moves)
    cheapest += sum(2 * min(s.cost for s in offer.stays) for offer in spots)
    cheapest += sum(sum(sorted(s.cost for s in offer.restaurants)[:3]) for offer in spots)
    if cheapest > record["budget"]:
        says = f"a trip to {where} costs at least {cheapest}, the budget is {record['budget']}"
        return [Obstacle("over_budget", says)]
    return _Route(cities, moves, spots, [list(day) for day in events if not isinstance(day, Obstacle)])


def _why(record: Record, taste: Taste, route: _Route, shortlists: _Shortlists, effort: Effort) -> Obstacle:
    """Return why the route has no witness: money, one request, the places themselves, or that it was not found out."""
    spots, minutes = shortlists.spots(route, SCALES[-1]), shortlists.minutes(route, SCALES[-1])
    where = ", ".join(route.cities)
    cheapest = choose(record, taste, route.moves, spots, minutes, effort, aim="cheapest")
    if isinstance(cheapest, Choice):
        says = f"a trip to {where} that meets the request costs {cheapest.cost}, the budget is {record['budget']}"
        return Obstacle("over_budget", says)
    constraints = record["constraints"]
    for key, kinds in (("cuisine", constraints["cuisine"]), ("attraction", constraints["attraction"])):
        relaxed_record: Any = record | {"constraints": constraints | {key: None}}
        if kinds and isinstance(
            choose(relaxed_record, taste, route.moves, spots, minutes, effort, aim="cheapest"), Choice
        ):
            says = f"no choice of places in {where} offers {', '.join(kinds)} while they are open and the trip is there"
            return Obstacle("closed", says)
    if effort.time_left <= 0:
        return Obstacle("undecided", f"a trip to {where} was shown to have no plan, but not why")
    return Obstacle(
        "closed", f"no choice of places in {where} meets the request while they are open and the trip is there"
    )


def _witness(
    reference: Reference,
    record: Record,
    taste: Taste,
    route: _Route,
    choice: Choice,
    minutes: list[Minutes],
    task_id: str,
) -> Witness:
    days = timetable(record, taste, choice, minutes)
    plan = native_plan(reference, record, route.cities, choice, days, route.events)
    values = {
        "cities": list(route.cities),
        "moves": [
            {
                "mode": move.mode,
                "origin_city_id": leg.origin,
                "dest_city_id": leg.dest,
                "date": record["dates"][leg.day],
                "flight_number": move.flight_number,
                "cost": move.cost,
            }
            for leg, move in zip(legs_of(record["origin_city_id"], route.cities), choice.moves, strict=True)
        ],
        "stays": [
            {
                "city_id": spot.place.city_id,
                "place_id": spot.place_id,
                "rooms": spot.place.rooms(record["people"]),
                "cost_per_night": spot.cost,
            }
            for spot in choice.stays
        ],
        "days": [
            [
                {
                    "city_id": item.spot.place.city_id,
                    "place_id": item.spot.place_id,
                    "slot": item.slot.name if item.slot is not None else "stay",
                    "start_min": item.start,
                    "end_min": item.end,
                }
                for item in items
            ]
            for items in days
        ],
        "events": [
            [{"city_id": event.city_id, "event_id": event.event_id} for event in day_events]
            for day_events in route.events
        ],
        "cost": choice.cost,
        "is_proven_best": choice.is_proven_best,
    }
    story = Story(reference, record, taste, route.cities, choice, [list(items) for items in days], route.events)
    return Witness(task_id, plan, values | {"remark": remark(story)})
