"""The second proof that firm wishes clash: an integer program of which every plan that keeps them all is a solution.

Each leg is one service, each night one priced hotel, each must-visit and each meal that must be eaten one stretch that
it fits in, whose services must then be those taken; of two must-visits of a member in a city one begins when the other
and the way from it are over; nobody pays more than the budget. It knows no reasons, leaves out no service or hotel and
looks through no ways: if the solver finds it infeasible for each way to spread the nights, no plan keeps the wishes.
That each plan is a solution follows as in `clashes.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise, product
from typing import Any

from assets.core.cp_sat import deterministic_solver
from assets.grouptravel.facts.fares import Fares
from assets.grouptravel.facts.money import cents
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Trip, leg_day_choices
from assets.grouptravel.firm_wishes.clashes import Bound, places_of
from assets.grouptravel.firm_wishes.wishes import wishes_of
from assets.grouptravel.plan import MINUTES_PER_DAY
from assets.grouptravel.witness.stretches import NoPlanError, fit, services_of, stretches_of
from assets.grouptravel.witness.worth import Option

NIGHT_MIN = 600
"""From the end of one day's visits to the next day's: on two days no way is too long."""

LIMIT = 5.0
"""Of CP-SAT's deterministic time, for each way to spread the nights."""


def is_infeasible(trip: Trip, pois: Pois, fares: Fares) -> bool:
    """Return whether it is proved that no plan keeps the trip's firm wishes; False too where nothing is decided."""
    from ortools.sat.python import cp_model

    for days in leg_day_choices(trip.days, len(trip.route) - 2):
        try:
            model = _model(replace(trip, leg_days=days, children=()), pois, fares)
        except NoPlanError:
            continue
        if deterministic_solver(LIMIT).solve(model) != cp_model.INFEASIBLE:
            return False
    return True


def _model(trip: Trip, pois: Pois, fares: Fares) -> Any:
    from ortools.sat.python import cp_model

    model, bound, days = cp_model.CpModel(), Bound(pois, fares), trip.leg_days
    legs = [services_of(trip, k, fares) for k in range(len(days))]
    rides = [[model.new_bool_var("") for _ in listed] for listed in legs]
    paid: list[Any] = []
    for listed, ride in zip(legs, rides, strict=True):
        model.add_exactly_one(ride)
        paid += [cents(s.price) * is_taken for s, is_taken in zip(listed, ride, strict=True)]
    for k, (one, other) in enumerate(pairwise(days)):
        if one == other:
            for (a, s), (b, t) in product(enumerate(legs[k]), enumerate(legs[k + 1])):
                if t.departs < s.arrives:
                    model.add_at_most_one(rides[k][a], rides[k + 1][b])
    for city, (one, other) in zip(trip.route[1:-1], pairwise(days), strict=True):
        for _ in range(other - one):
            beds = [poi for poi in pois.distinct(city, "hotels") if poi.cost is not None]
            slept = [model.new_bool_var("") for _ in beds]
            model.add_exactly_one(slept)
            paid += [cents(bed.cost or 0.0) * is_taken for bed, is_taken in zip(beds, slept, strict=True)]
    stretches = [stretch for of in stretches_of(trip, legs) for stretch in of]
    wishes = wishes_of(trip.tables, trip.compromisable)
    for user in dict.fromkeys(one.user for one in wishes):
        user_wishes = [one for one in wishes if one.user == user]
        eaten: list[Any] = []
        sight_visits: list[tuple[Option, Any]] = []
        for one in user_wishes:
            if one.kind.startswith("must"):
                options = bound.sights(one, trip) if one.kind == "must_visit" else bound.meals(one, trip)
                cost, begins = _visit(model, options, trip, stretches, rides)
                eaten.append(cost)
                sight_visits += [(option, begins) for option in options if one.kind == "must_visit"]
        for (a, first), (b, second) in combinations(sight_visits, 2):
            if a.city == b.city:
                _in_turn(model, (a, first), (b, second), pois)
        for budget in (one for one in user_wishes if one.kind == "budget"):
            # One meal may be of several kinds: the dearest of those eaten is paid at least.
            most = cents(float(budget.value))
            model.add(sum(paid) <= most)
            for cost in eaten:
                model.add(sum(paid) + cost <= most)
    return model


def _visit(
    model: Any, options: Sequence[Option], trip: Trip, stretches: Sequence[Any], rides: Sequence[Any]
) -> tuple[Any, Any]:
    """Have one of the options visited, and return what it costs and when it begins, in minutes of the trip."""
    every, cost, begins = [], [], model.new_int_var(0, trip.days * MINUTES_PER_DAY, "")
    for option in options:
        for stretch, meal in places_of(option, trip, stretches):
            is_visited = model.new_bool_var("")
            for k, s in stretch.ridden:
                model.add_implication(is_visited, rides[k][s])
            earliest, latest = fit(option, stretch, meal) or (0, 0)
            morning = stretch.day * MINUTES_PER_DAY
            model.add(begins >= morning + earliest).only_enforce_if(is_visited)
            model.add(begins <= morning + latest - option.stay_min).only_enforce_if(is_visited)
            every.append(is_visited)
            cost.append(cents(option.cost) * is_visited)
    if every:
        model.add_exactly_one(every)
    else:
        model.add_bool_or([])
    return sum(cost), begins


def _in_turn(model: Any, one: tuple[Option, Any], other: tuple[Option, Any], pois: Pois) -> None:
    """Have two visits of one member lie one after the other."""
    is_first = model.new_bool_var("")
    for (a, start), (b, following), order in ((one, other, is_first), (other, one, is_first.negated())):
        way = min(pois.ways.least(a.members[0], b.members[0]), NIGHT_MIN)
        model.add(following >= start + a.stay_min + way).only_enforce_if(order)
