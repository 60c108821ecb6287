"""The best plan in which the group stays together, proven optimal over a declared feasible set (DESIGN 6).

The set: every day has the slots of `SLOTS`, three of them meals; each slot in a city that the group is in (an hour
after an arrival, an hour before a departure) holds at most one place, open for all of it, a meal exactly one; a place
is visited once; each city has one hotel; each leg runs on its day and arrives by 22:30; a move takes half
an hour. Utility is that of `ours`. `witness.py` writes the plan; `scoring.py`, which knows nothing of this, judges it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from itertools import product
from typing import Any

from assets.grouptravel.fares import Fares, Service
from assets.grouptravel.pois import Poi, Pois
from assets.grouptravel.preferences import GLOBAL, STRONG
from assets.grouptravel.trips import (
    LATEST_ARRIVAL,
    MOVE_MINUTES,
    SLOTS,
    TRANSFER_MINUTES,
    Best,
    Choice,
    Group,
    Trip,
    groups_of,
    stays_of,
)
from assets.grouptravel.utility import hotel_points, transport_points
from assets.grouptravel.vocabulary import Vocabulary

DETERMINISTIC_LIMIT = 20.0
CENTS = 100


class NoPlanError(ValueError):
    """No plan of the declared set exists; the message says what is missing."""


def solve(trip: Trip, pois: Pois, fares: Fares, vocabulary: Vocabulary) -> Best:
    """Return the plan of greatest total utility, proven optimal. Raises NoPlanError where there is none.

    CP-SAT with one worker under a deterministic limit; the same input gives the same plan.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    legs = [_services(trip, k, fares) for k in range(len(trip.leg_days))]
    ride = [[model.new_bool_var(f"leg{k}_{i}") for i in range(len(options))] for k, options in enumerate(legs)]
    for k in range(len(legs) - 1):
        if trip.leg_days[k] == trip.leg_days[k + 1]:
            for (first, taking), (second, then) in product(*(zip(legs[i], ride[i], strict=True) for i in (k, k + 1))):
                if second.departs < first.arrives + TRANSFER_MINUTES:
                    model.add_at_most_one(taking, then)
    hotels = {city: _beds(city, pois) for city in trip.route[1:-1]}
    bed = {city: [model.new_bool_var(f"bed_{city}_{i}") for i in range(len(found))] for city, found in hotels.items()}
    for options in (*ride, *bed.values()):
        model.add_exactly_one(options)
    groups = groups_of(trip, pois)
    taken = {
        (g, day, slot): model.new_bool_var(f"x{g}_{day}_{slot}")
        for g, group in enumerate(groups)
        for day, slot in group.fits
    }
    by_slot: dict[tuple[int, int, str], list[Any]] = {}
    for (g, day, slot), var in taken.items():
        by_slot.setdefault((day, slot, groups[g].city), []).append(var)
    for g, group in enumerate(groups):
        model.add(sum(taken[g, day, slot] for day, slot in group.fits) <= len(group.members))
    for day, slot, city in stays_of(trip):
        barred = _barred(trip, legs, ride, day, slot, city)
        variables = by_slot.get((day, slot, city), [])
        for variable in variables:
            for ridden in barred:
                model.add_implication(ridden, variable.negated())
        if SLOTS[slot][0] == "food":
            model.add(sum(variables) + sum(barred) >= 1)
        model.add(sum(variables) <= 1)
    objective: list[Any] = [groups[g].worth * var for (g, _, _), var in taken.items()]
    for options, variables in zip(legs, ride, strict=True):
        modes = [vocabulary.modes[service.mode] for service in options]
        objective += [_sum(trip, "transport", mode) * var for mode, var in zip(modes, variables, strict=True)]
    for city, found in hotels.items():
        nights = _nights(trip, city)
        kinds = [poi.category for poi in found]
        objective += [nights * _sum(trip, "hotel", kind) * var for kind, var in zip(kinds, bed[city], strict=True)]
    objective += _intensity(model, trip, taken)
    objective += _budgets(model, trip, legs, ride, hotels, bed, groups, taken)
    model.maximize(sum(objective))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = DETERMINISTIC_LIMIT
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        raise NoPlanError("no meals are open, or no services leave time for them, on every day of the trip")
    if status != cp_model.OPTIMAL:
        raise NoPlanError(f"not proven optimal within {DETERMINISTIC_LIMIT} deterministic seconds")
    left = [list(group.members) for group in groups]
    picked = [
        Choice(day, slot, groups[g].city, left[g].pop(0)) for (g, day, slot), var in taken.items() if solver.value(var)
    ]
    return Best(
        legs=tuple(options[_index(solver, variables)] for options, variables in zip(legs, ride, strict=True)),
        hotels={city: found[_index(solver, bed[city])] for city, found in hotels.items()},
        choices=tuple(sorted(picked, key=lambda c: (c.day, c.slot))),
        total=round(solver.objective_value),
    )


def _services(trip: Trip, k: int, fares: Fares) -> list[Service]:
    """Return the services of a leg that arrive on their day, not too late, for a known price."""
    date = trip.first_date + dt.timedelta(days=trip.leg_days[k])
    running = fares.services(trip.route[k], trip.route[k + 1], date=date)
    found = [
        service for service in running if service.price > 0 and service.departs < service.arrives <= LATEST_ARRIVAL
    ]
    if not found:
        raise NoPlanError(f"nothing runs from {trip.route[k]} to {trip.route[k + 1]} on {date}")
    return found


def _beds(city: str, pois: Pois) -> list[Poi]:
    """Return the cheapest hotel of each category: others of it are worth no more."""
    best: dict[str, Poi] = {}
    for poi in pois.in_city(city, "hotels"):
        if pois.named(poi.name, city, "hotels") is not poi:
            continue
        kept = best.get(poi.category)
        if kept is None or (poi.cost or 0.0, poi.place_id) < (kept.cost or 0.0, kept.place_id):
            best[poi.category] = poi
    if not best:
        raise NoPlanError(f"{city} has no hotel")
    return [best[category] for category in sorted(best)]


def _barred(trip: Trip, legs: list[list[Service]], ride: list[list[Any]], day: int, slot: int, city: str) -> list[Any]:
    """Return the rides under which the group is not in the city for the slot."""
    k = trip.route.index(city, 1) - 1
    _, start, end = SLOTS[slot]
    barred = []
    if trip.leg_days[k] == day:
        barred += [v for s, v in zip(legs[k], ride[k], strict=True) if s.arrives + TRANSFER_MINUTES > start]
    if trip.leg_days[k + 1] == day:
        barred += [v for s, v in zip(legs[k + 1], ride[k + 1], strict=True) if s.departs < end + TRANSFER_MINUTES]
    return barred


def _sum(trip: Trip, what: str, word: str) -> int:
    tables = [table[GLOBAL] for table in trip.tables.values()]
    if what == "transport":
        return sum(transport_points(word, table["transport"]) for table in tables)
    return sum(hotel_points(word, table["hotel_preference"]) for table in tables)


def _nights(trip: Trip, city: str) -> int:
    k = trip.route.index(city, 1) - 1
    return trip.leg_days[k + 1] - trip.leg_days[k]


def _intensity(model: Any, trip: Trip, taken: dict[tuple[int, int, int], Any]) -> list[Any]:
    """Return the penalties of days with too many attractions or active hours, a variable for each set of filled slots.

    Active are the visits and the moves: one before each filled slot, and one to the hotel on all days but the last.
    """
    terms = []
    caps = [table[GLOBAL]["intensity"] for table in trip.tables.values()]
    for day in range(trip.days):
        filled: list[list[Any]] = [[] for _ in SLOTS]
        for (_, when, slot), var in taken.items():
            if when == day:
                filled[slot].append(var)
        is_full = day not in trip.leg_days
        options = [(1,) if is_full and kind == "food" else (0, 1) for kind, _, _ in SLOTS]
        patterns = list(product(*options))
        chosen = [model.new_bool_var(f"day{day}_{n}") for n in range(len(patterns))]
        model.add_exactly_one(chosen)
        for slot, variables in enumerate(filled):
            model.add(sum(c for c, pattern in zip(chosen, patterns, strict=True) if pattern[slot]) == sum(variables))
        for variable, pattern in zip(chosen, patterns, strict=True):
            seen = [slot for slot, is_in in zip(SLOTS, pattern, strict=True) if is_in and slot[0] == "attractions"]
            active = sum(end - start for _, start, end in seen)
            active += MOVE_MINUTES * (sum(pattern) + (day < trip.days - 1))
            broken = sum(0 < cap["max_poi_per_day"] < len(seen) for cap in caps)
            broken += sum(0 < cap["max_active_hours"] < active / 60 for cap in caps)
            terms.append(-STRONG * broken * variable)
    return terms


def _budgets(
    model: Any,
    trip: Trip,
    legs: Iterable[list[Service]],
    ride: Iterable[list[Any]],
    hotels: dict[str, list[Poi]],
    bed: dict[str, list[Any]],
    groups: list[Group],
    taken: dict[tuple[int, int, int], Any],
) -> list[Any]:
    """Return the penalties of budgets that the plan exceeds, one variable for each budget; costs in hundredths."""
    cost: list[Any] = []
    for options, variables in zip(legs, ride, strict=True):
        cost += [round(CENTS * s.price) * v for s, v in zip(options, variables, strict=True)]
    for city, found in hotels.items():
        nights = _nights(trip, city)
        cost += [nights * round(CENTS * (p.cost or 0.0)) * v for p, v in zip(found, bed[city], strict=True)]
    meals = [(groups[g], var) for (g, _, _), var in taken.items() if groups[g].kind == "food"]
    cost += [round(CENTS * group.cost) * var for group, var in meals]
    budgets = [table[GLOBAL]["avg_budget"] for table in trip.tables.values()]
    terms = []
    for budget in sorted({b for b in budgets if b > 0}):
        over = model.new_bool_var(f"budget{budget}")
        model.add(sum(cost) <= int(CENTS * budget)).only_enforce_if(over.negated())
        terms.append(-STRONG * budgets.count(budget) * over)
    return terms


def _index(solver: Any, variables: list[Any]) -> int:
    return next(i for i, variable in enumerate(variables) if solver.value(variable))
