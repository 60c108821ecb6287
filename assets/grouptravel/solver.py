"""The best plan of a group that stays together, and the bound on all that `ours` accepts (a team is such a group too).

The bound is the relaxation's (`witness/relaxed.py`, with its proof); the plan realises the relaxation's choice
(`witness/realisation.py`). Where the two meet, and only there, the plan is an optimum. `scoring.py`, which knows
nothing of this, judges it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, get_args

from assets.grouptravel.facts.fares import Fares
from assets.grouptravel.facts.kinds import manner
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Best, Trip, leg_day_choices
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.witness.dominance import Known
from assets.grouptravel.witness.parts import Beside, Purse
from assets.grouptravel.witness.realisation import Realiser
from assets.grouptravel.witness.relaxed import KeptPlan, Relaxation, Relaxed
from assets.grouptravel.witness.stretches import NoPlanError, beds_of, services_of
from assets.grouptravel.witness.worth import Option, options_of, worth_something

__all__ = ["Beside", "KeptPlan", "NoPlanError", "beds_of", "ensure_a_plan", "legs_of", "problem_of", "solve"]

DETERMINISTIC_LIMIT = 0.15
"""Of CP-SAT's deterministic time, for the best of one way to spread the nights and the proof together
(`witness/program.py`): the same work on every machine, two to four seconds for each unit on those measured
(`perf/README.md`)."""

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
    kept_plan: KeptPlan | None = None,
    beside: Beside | None = None,
    limit: float = DETERMINISTIC_LIMIT,
    relaxed_plans: dict[Any, Relaxed | None] | None = None,
    giving: Best | None = None,
) -> Best:
    """Return the best plan found of those that keep `kept_plan`, with what no plan that `ours` accepts exceeds.

    `giving` is the best plan with compromise, if it is known: nothing without exceeds its bound, and where its nights
    are spread alike may be the best without.

    All ways to spread the nights over the cities are looked at. The same input gives the same plan. What the relaxation
    chose is kept in `relaxed_plans`, for a team that is planned again beside others: with the same trip, `kept_plan`
    and limit alone. Raises NoPlanError where there is no plan.
    """
    visited_ids = kept_plan.visited_ids if kept_plan else frozenset()
    harmless = options_of(trip, pois, vocabulary, excluded_ids=visited_ids, least_points=0)
    options = [option for option in harmless if option.points > 0]
    if with_compromise:
        options = options_of(trip, pois, vocabulary, with_compromise=True, excluded_ids=visited_ids)
    fillers = list(_fillers(harmless))
    ceiling = giving.bound if giving is not None else math.inf
    spreads = [trip.leg_days]
    if kept_plan is None:
        spreads += [days for days in leg_day_choices(trip.days, len(trip.route) - 2) if days != trip.leg_days]
    first = [giving.leg_days] if giving is not None else []
    problem = NoPlanError("no way to spread the nights has services on every leg")
    best: Best | None = None
    bounds: list[int] = []
    fitting: Known = {}
    for group in (first, [days for days in spreads if days not in first]):
        if best is not None and best.total >= ceiling:
            break
        searches: list[_Spread] = []
        for days in group:
            try:
                searches.append(
                    _Spread(
                        replace(trip, leg_days=days), pois, fares, vocabulary, options, fillers, with_compromise,
                        kept_plan, beside, limit, relaxed_plans if relaxed_plans is not None else {}, fitting, ceiling,
                    )
                )  # fmt: skip
            except NoPlanError as error:
                problem = error if days == trip.leg_days else problem
        if len(searches) > 1:
            # What can be worth most comes first: its plan shows of others that they are not worth a search.
            searches.sort(key=lambda spread: -spread.top)
        for search in searches:
            plan, bound = search.plan_and_bound(best)
            bounds.append(bound)
            if plan is not None:
                best = plan if best is None or plan.total > best.total else best
    if best is None:
        raise NoPlanError(f"no plan found within {limit} deterministic seconds") if bounds else problem
    return replace(best, bound=max(*bounds, best.total))


def _fillers(options: Sequence[Option]) -> Iterator[Option]:
    """Yield what is worth nothing: meals, and of the sights those that people go to for themselves."""
    for option in options:
        is_food = option.kind == "food"
        members = tuple(poi for poi in option.members if is_food or manner(poi.category).is_destination)
        if option.points == 0 and members:
            yield replace(option, members=members)


class _Spread:
    """The search for the best plan of one way to spread the nights, and the bound on all of them."""

    def __init__(
        self,
        trip: Trip,
        pois: Pois,
        fares: Fares,
        vocabulary: Vocabulary,
        options: list[Option],
        fillers: list[Option],
        with_compromise: bool,
        kept_plan: KeptPlan | None,
        beside: Beside | None,
        limit: float,
        relaxed_plans: dict[Any, Relaxed | None],
        fitting: Known,
        ceiling: float,
    ):
        """Raise NoPlanError where there is no plan."""
        self._trip, self._pois, self._options, self._fillers = trip, pois, options, fillers
        self._kept_plan, self._beside, self._limit, self._relaxed_plans = kept_plan, beside, limit, relaxed_plans
        self._relaxations: dict[tuple[float, float], Relaxation] = {}
        self._relaxation = partial(
            Relaxation,
            trip,
            pois,
            fares,
            vocabulary,
            options,
            with_compromise=with_compromise,
            kept_plan=kept_plan,
            fittings=fitting,
            ceiling=ceiling,
        )
        if kept_plan is None:
            self._relaxations[1.0, 0.0] = self._relaxation()

    @property
    def top(self) -> int:
        """Return what no plan exceeds, by the linear relaxation alone."""
        return self._relaxations[1.0, 0.0].top

    def plan_and_bound(self, best: Best | None) -> tuple[Best | None, int]:
        """Return the best plan found, and the bound.

        No plan where none was found or none can exceed the best known, which is the bound then.
        """
        relaxed = self._choose(1.0, 0.0, self._limit, best.total if best is not None else None)
        if relaxed is None:
            return None, best.total if best is not None else 0
        own_best = self._realised(relaxed) if relaxed.legs else None
        for factor in (1.0, *MOVE_FACTORS):
            if own_best is not None and (self._kept_plan is not None or own_best.total >= relaxed.points):
                break
            put_by = sum(own_best.rides) if own_best is not None else 0.0
            if factor == 1.0 and not put_by:
                continue
            least = own_best.total if own_best is not None else None
            again = self._choose(factor, put_by, min(self._limit, AGAIN_LIMIT), least)
            plan = self._realised(again) if again is not None and again.legs else None
            if plan is not None and (own_best is None or plan.total > own_best.total):
                own_best = plan
        return (replace(own_best, bound=relaxed.bound) if own_best is not None else None), relaxed.bound

    def _choose(self, factor: float, put_by: float, within: float, above: int | None) -> Relaxed | None:
        key = (factor, put_by, within, above)
        if key not in self._relaxed_plans:
            relaxation = self._relaxations.get((factor, put_by)) or self._relaxation(move_factor=factor, put_by=put_by)
            self._relaxed_plans[key] = relaxation.solve(within, above)
        return self._relaxed_plans[key]

    def _realised(self, relaxed: Relaxed) -> Best:
        """Return the best of the plans with as much money for moves as there is, the most pleasant of equals."""
        plans: list[Best] = []
        for purse in get_args(Purse):
            realiser = Realiser(
                self._trip, self._pois, self._options, self._fillers, self._kept_plan, self._beside, purse=purse
            )
            plans.append(realiser.plan(relaxed))
            if plans[-1].total >= relaxed.points or not realiser.lacks_money or not any(plans[-1].rides):
                break
        return max(plans, key=lambda one: one.total)


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
    relaxations = []
    fitting: Known = {}
    for days in leg_day_choices(trip.days, len(trip.route) - 2):
        with suppress(NoPlanError):
            spread = replace(trip, leg_days=days)
            relaxations.append(
                Relaxation(spread, pois, fares, vocabulary, options, with_compromise=with_compromise, fittings=fitting)
            )
    bound: int | None = None
    for relaxation in sorted(relaxations, key=lambda one: -one.top):
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


def problem_of(trip: Trip, pois: Pois, fares: Fares) -> dict[str, Any]:
    """Return what the task's plans can be made of, as plain data: a certificate stands while this stays the same."""
    spreads = leg_day_choices(trip.days, len(trip.route) - 2)
    legs: dict[str, Any] = {}
    for k, day in sorted({(k, day) for days in spreads for k, day in enumerate(days)}):
        try:
            services = services_of(replace(trip, leg_days=(*trip.leg_days[:k], day, *trip.leg_days[k + 1 :])), k, fares)
        except NoPlanError:
            services = []
        legs[f"{k} {day}"] = [(s.mode, s.price, s.departs, s.arrives) for s in services]
    legs_of(trip, fares)
    cities = trip.route[1:-1]
    places = list(worth_something(trip, pois))
    return {
        "legs": legs,
        "beds": {city: [_poi_fields(poi) for poi in beds_of(city, pois)] for city in cities},
        "places": [(city, kind, move_min, spans, *_poi_fields(poi)) for city, kind, move_min, spans, poi in places],
        "ways": {city: _ways_known(city, pois, [poi for of, *_, poi in places if of == city]) for city in cities},
        "rides": {city: pois.ways.rides.known_of(city) for city in cities},
    }


def _ways_known(city: str, pois: Pois, places: Sequence[Poi]) -> str:
    """Return a hash of what is measured between the places that plans can be made of."""
    return pois.ways.known_of([*places, *beds_of(city, pois)])


def _poi_fields(poi: Poi) -> tuple[Any, ...]:
    return poi.place_id, poi.name, poi.category, poi.cost, poi.lat, poi.lon
