"""A plan that keeps all firm wishes of a record: what shows that a task can be solved.

Everybody together visits what any member insists on and eats where any member must, by one of the ways to travel that
have no reason against them; the relaxation chooses when, the realiser orders it. `ours` and the wishes judge the plan,
so that a search that is only a try proves what it finds.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from typing import Any, get_args

from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.facts.trips import Trip
from assets.grouptravel.facts.world import Part, trip_of
from assets.grouptravel.firm_wishes.clashes import Bound, Way, places_of
from assets.grouptravel.firm_wishes.wishes import Firm, is_meant, unmet, wishes_of
from assets.grouptravel.plausibility import Places, implausible_in
from assets.grouptravel.records import skeleton_of, tables_of
from assets.grouptravel.wishes.preferences import GLOBAL, Table, empty_table
from assets.grouptravel.witness.as_plan import native_plan
from assets.grouptravel.witness.parts import Purse
from assets.grouptravel.witness.realisation import Realiser
from assets.grouptravel.witness.relaxed import Relaxation
from assets.grouptravel.witness.stretches import NoPlanError, stretches_of
from assets.grouptravel.witness.worth import Option
from assets.grouptravel.world import check

TRIED = 3
"""Ways to travel that are tried of those cheapest, and of those that leave most time."""

LIMIT = 0.3
"""Of CP-SAT's deterministic time, for a way."""

NEEDED = 100
"""Points of a visit that somebody insists on: more than any budget's."""


class _FaresOfWay(Fares):
    """The services of one way to travel alone."""

    def __init__(self, trip: Trip, way: Way):
        super().__init__({})
        dates = [trip.first_date + dt.timedelta(days=day) for day in way.leg_days]
        pairs = zip(trip.route, trip.route[1:], dates, way.legs, strict=False)
        self._legs = {(origin, dest, date): leg for origin, dest, date, leg in pairs}

    def services(
        self, origin: str, dest: str, *, mode: str | None = None, date: dt.date | None = None
    ) -> list[Service]:
        leg = self._legs.get((origin, dest, date)) if date is not None else None
        return [leg] if leg is not None and mode in (None, leg.mode) else []


def plan_of(record: dict[str, Any], world: Part) -> Any | None:
    """Return a plan that `ours` accepts and that keeps every firm wish of the record; None where none is found."""
    trip = trip_of(skeleton_of("", record), tables_of(record), world.names)
    bound = Bound(world.pois, world.fares)
    free = [way for way in bound.ways(trip) if not way.reasons]
    places = Places(world.pois, world.vocabulary)
    for way in _ways_to_try(free):
        for plan in _plans(trip, way, bound, world):
            is_accepted = not any(check(record, plan, world)) and not implausible_in(record, [plan], places)
            if is_accepted and not unmet(record, plan, world.pois):
                return plan
    return None


def _ways_to_try(free: list[Way]) -> Iterator[Way]:
    cheapest = sorted(free, key=lambda way: (way.cost, way.leg_days, [(s.departs, s.arrives) for s in way.legs]))
    longest = sorted(free, key=lambda way: (way.legs[0].arrives - way.legs[-1].departs, way.cost, way.leg_days))
    return chain(islice(cheapest, TRIED), islice(longest, TRIED))


def _plans(trip: Trip, way: Way, bound: Bound, world: Part) -> Iterator[Any]:
    """Yield plans of a way, the more money for moves the earlier; none where one refuses what another insists on."""
    spread = replace(trip, leg_days=way.leg_days)
    options = _options(spread, way, bound, world)
    if options is None:
        return
    merged = _merged(trip)
    alike = replace(spread, tables=dict.fromkeys(trip.tables, merged), compromisable=())
    try:
        relaxed = Relaxation(alike, world.pois, _FaresOfWay(trip, way), world.vocabulary, options).solve(LIMIT)
    except NoPlanError:
        return
    if relaxed is None or not relaxed.legs:
        return
    for purse in get_args(Purse):
        best = Realiser(alike, world.pois, options, [], purse=purse).plan(relaxed)
        yield native_plan(spread, best, world.vocabulary, world.pois)


def _options(trip: Trip, way: Way, bound: Bound, world: Part) -> list[Option] | None:
    """Return what has to be visited: each must-visit, and the cheapest place for each meal that has none yet."""
    wishes = wishes_of(trip.tables, trip.compromisable)
    refused = [one for one in wishes if one.kind in ("reject_visit", "reject_eat")]
    stretches = [stretch for of in stretches_of(trip, [[leg] for leg in way.legs]) for stretch in of]
    options_by_place: dict[str, Option] = {}
    for one in wishes:
        if one.kind not in ("must_visit", "must_eat") or any(
            _meets(one, option, world) for option in options_by_place.values()
        ):
            continue
        options = bound.sights(one, trip) if one.kind == "must_visit" else bound.meals(one, trip)
        allowed = (option for option in options if places_of(option, trip, stretches))
        allowed = (o for o in allowed if not any(_meets(other, o, world) for other in refused))
        option = next(allowed, None)
        if option is None:
            return None
        poi = option.members[0]
        least = world.pois.ways.least_in(world.pois.in_city(one.city))[poi.place_id]
        options_by_place[poi.place_id] = replace(option, points=NEEDED, move_min=least)
    return list(options_by_place.values())


def _meets(one: Firm, option: Option, world: Part) -> bool:
    return option.city == one.city and is_meant(one, option.members[0].name, world.pois)


def _merged(trip: Trip) -> Table:
    """Return one table for all: nothing but the lowest budget that is firm, and the lowest caps."""
    merged = empty_table(tuple(dict.fromkeys(trip.route[1:-1])))
    firm = (one for one in wishes_of(trip.tables, trip.compromisable) if one.kind == "budget")
    merged[GLOBAL]["avg_budget"] = min((float(one.value) for one in firm), default=0)
    for cap in merged[GLOBAL]["intensity"]:
        merged[GLOBAL]["intensity"][cap] = _lowest(trip.tables, cap)
    return merged


def _lowest(tables: Mapping[str, Table], cap: str) -> float:
    caps = (table[GLOBAL]["intensity"][cap] for table in tables.values())
    return min((value for value in caps if value > 0), default=0)
