"""The best plan of a group that stays together, and the bound on all that `ours` accepts (a team is such a group too).

The bound is the relaxation's (`witness/relaxed.py`, with its proof); the plan realises the relaxation's choice
(`witness/realised.py`). Where the two meet, and only there, the plan is an optimum. `scoring.py`, which knows nothing
of this, judges it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

from assets.grouptravel.facts.fares import Fares
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Best, Trip, leg_day_choices
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.witness.realised import Beside, Purse, Realiser
from assets.grouptravel.witness.relaxed import Held, Relaxation, Relaxed
from assets.grouptravel.witness.stretches import NoPlanError, beds_of, services_of
from assets.grouptravel.witness.worth import Option, options_of

__all__ = ["Beside", "Held", "NoPlanError", "beds_of", "ensure_a_plan", "legs_of", "problem_of", "solve"]

DETERMINISTIC_LIMIT = 2.0
"""Of CP-SAT, about as many seconds, for each way to spread the nights."""

AGAIN_LIMIT = 0.2
"""The same for choosing again, of which no bound comes."""

MOVE_FACTORS = (1.5, 2.5)
"""Where the relaxation's own choice cannot be realised, it chooses again with every move so many times as long; for a
team of many not, unless nothing was found."""


def solve(
    trip: Trip,
    pois: Pois,
    fares: Fares,
    vocabulary: Vocabulary,
    *,
    with_compromise: bool = False,
    held: Held | None = None,
    beside: Beside | None = None,
    limit: float = DETERMINISTIC_LIMIT,
    chosen: dict[Any, Relaxed | None] | None = None,
    known: Best | None = None,
) -> Best:
    """Return the best plan found of those that keep what is `held`, with what no plan that `ours` accepts exceeds.

    A plan that is `known` is returned where none is found that is worth more.

    All ways to spread the nights over the cities are looked at, the trip's own first. The same input gives the same
    plan. What the relaxation chose is kept in `chosen`, for a team that is planned again beside others: with the same
    trip, `held` and limit alone. Raises NoPlanError where there is no plan.
    """
    seen = held.seen if held else frozenset()
    harmless = options_of(trip, pois, vocabulary, without=seen, least_points=0)
    options = [option for option in harmless if option.points > 0]
    if with_compromise:
        options = options_of(trip, pois, vocabulary, with_compromise=True, without=seen)
    fillers = [option for option in harmless if option.kind == "food" and option.points == 0]
    spreads = [trip.leg_days]
    if held is None:
        spreads += [days for days in leg_day_choices(trip.days, len(trip.route) - 2) if days != trip.leg_days]
    best, bounds = known, []
    problem = NoPlanError("no way to spread the nights has services on every leg")
    for days in spreads:
        spread = replace(trip, leg_days=days)
        try:
            found, bound = _spread(
                spread, pois, fares, vocabulary, options, fillers, with_compromise, held, beside, limit, best, chosen
            )
        except NoPlanError as error:
            problem = error if best is None and days == trip.leg_days else problem
            continue
        bounds.append(bound)
        if found is not None:
            best = found if best is None or found.total > best.total else best
    if best is None:
        raise NoPlanError(f"no plan found within {limit} deterministic seconds") if bounds else problem
    bound = max(bounds, default=best.total)
    return replace(best, bound=max(bound, best.total))


def _spread(
    trip: Trip,
    pois: Pois,
    fares: Fares,
    vocabulary: Vocabulary,
    options: list[Option],
    fillers: list[Option],
    with_compromise: bool,
    held: Held | None,
    beside: Beside | None,
    limit: float,
    best: Best | None,
    known: dict[Any, Relaxed | None] | None,
) -> tuple[Best | None, int]:
    """Return the best plan found of one way to spread the nights, and the bound on all of them.

    No plan where none was found or none can exceed the best known, which is the bound then.
    """

    def relaxation(factor: float, put_by: float = 0.0) -> Relaxation:
        return Relaxation(
            trip, pois, fares, vocabulary, options,
            with_compromise=with_compromise, held=held, move_factor=factor, put_by=put_by,
        )  # fmt: skip

    def chosen_by(factor: float, put_by: float, within: float, above: int | None = None) -> Relaxed | None:
        key = (factor, put_by, within, above)
        if known is None:
            return relaxation(factor, put_by).solve(within, above)
        if key not in known:
            known[key] = relaxation(factor, put_by).solve(within, above)
        return known[key]

    relaxed = chosen_by(1.0, 0.0, limit, best.total if best is not None else None)
    if relaxed is None:
        return None, best.total if best is not None else 0

    def realised(chosen: Relaxed) -> Best:
        """Return the best of the plans with as much money for moves as there is, the most pleasant of equals."""
        plans: list[Best] = []
        for purse in get_args(Purse):
            realiser = Realiser(trip, pois, options, fillers, held, beside, purse=purse)
            plans.append(realiser.plan(chosen))
            if plans[-1].total >= chosen.points or not realiser.lacks_money or not any(plans[-1].rides):
                break
        return max(plans, key=lambda one: one.total)

    found = realised(relaxed) if relaxed.legs else None
    for factor in (1.0, *MOVE_FACTORS):
        if found is not None and (held is not None or found.total >= relaxed.bound):
            break
        put_by = sum(found.rides) if found is not None else 0.0
        if factor == 1.0 and not put_by:
            continue
        again = chosen_by(factor, put_by, min(limit, AGAIN_LIMIT))
        plan = realised(again) if again is not None and again.legs else None
        if plan is not None and (found is None or plan.total > found.total):
            found = plan
    return (replace(found, bound=relaxed.bound) if found is not None else None), relaxed.bound


def bound_of(
    trip: Trip,
    pois: Pois,
    fares: Fares,
    vocabulary: Vocabulary,
    *,
    with_compromise: bool = False,
    limit: float = DETERMINISTIC_LIMIT,
) -> int:
    """Return what no plan that `ours` accepts exceeds, without looking for one. Raises NoPlanError."""
    options = options_of(trip, pois, vocabulary, with_compromise=with_compromise)
    bound: int | None = None
    for days in leg_day_choices(trip.days, len(trip.route) - 2):
        try:
            relaxation = Relaxation(
                replace(trip, leg_days=days), pois, fares, vocabulary, options, with_compromise=with_compromise
            )
        except NoPlanError:
            continue
        relaxed = relaxation.solve(limit, bound)
        bound = relaxed.bound if relaxed is not None else bound
    if bound is None:
        raise NoPlanError("no way to spread the nights has services on every leg")
    return bound


def ensure_a_plan(trip: Trip, pois: Pois, fares: Fares, vocabulary: Vocabulary) -> None:
    """Raise NoPlanError unless every leg has a service, every city a bed, and some day a place to eat."""
    legs_of(trip, fares)
    for city in trip.route[1:-1]:
        beds_of(city, pois)
        if not any(o.kind == "food" and o.city == city for o in options_of(trip, pois, vocabulary, least_points=-99)):
            raise NoPlanError(f"no meals are open in {city}")


def legs_of(trip: Trip, fares: Fares) -> list[list[Any]]:
    """Return the services that each leg can mean. Raises NoPlanError where one has none."""
    return [services_of(trip, k, fares) for k in range(len(trip.leg_days))]


def problem_of(trip: Trip, pois: Pois, fares: Fares, vocabulary: Vocabulary) -> dict[str, Any]:
    """Return what the task's plans can be made of, as plain data: a certificate stands while this stays the same."""
    spreads = leg_day_choices(trip.days, len(trip.route) - 2)
    legs: dict[str, Any] = {}
    for k, day in sorted({(k, day) for days in spreads for k, day in enumerate(days)}):
        try:
            found = services_of(replace(trip, leg_days=(*trip.leg_days[:k], day, *trip.leg_days[k + 1 :])), k, fares)
        except NoPlanError:
            found = []
        legs[f"{k} {day}"] = [(s.mode, s.price, s.departs, s.arrives) for s in found]
    legs_of(trip, fares)
    options = options_of(trip, pois, vocabulary, with_compromise=True, least_points=0)
    alone = [
        options_of(replace(trip, tables={user: table}, children=()), pois, vocabulary, with_compromise=True)
        for user, table in trip.tables.items()
    ]
    return {
        "legs": legs,
        "beds": {city: [_known(poi) for poi in beds_of(city, pois)] for city in trip.route[1:-1]},
        "options": [
            [(o.city, o.kind, o.points, o.gains, o.cost, o.stay_min, o.move_min, o.spans, [*map(_known, o.members)])
             for o in listed]
            for listed in (options, *alone)
        ],
        "ways": {city: _ways_known(city, pois, (options, *alone)) for city in trip.route[1:-1]},
        "rides": {city: pois.ways.rides.known_of(city) for city in trip.route[1:-1]},
    }  # fmt: skip


def _ways_known(city: str, pois: Pois, listed: Sequence[list[Option]]) -> str:
    """Return a hash of what is measured between the places that plans can be made of."""
    members = (poi for options in listed for o in options if o.city == city for poi in o.members)
    return pois.ways.known_of([*members, *beds_of(city, pois)])


def _known(poi: Poi) -> tuple[Any, ...]:
    return poi.place_id, poi.name, poi.category, poi.cost, poi.lat, poi.lon
