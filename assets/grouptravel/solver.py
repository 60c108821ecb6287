"""The best plan of a group that stays together, over a declared feasible set (DESIGN 6); a team is such a group too.

The set: every day has the slots of `SLOTS`, three of them meals; each slot in a city that the group is in (an hour
after an arrival, an hour before a departure) holds at most one place, open for all of it, a meal exactly one; a place
is visited once; each city has one hotel; each leg runs on its day and arrives by 22:30; a move takes half an hour; no
small child comes to a place of adults. With compromise, each member who may compromise gives up at most two
preferences (`concessions.py`). Utility is that of `ours`. `witness.py` writes the plan; `scoring.py`, which knows
nothing of this, judges it.
"""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from itertools import product
from typing import Any

from assets.grouptravel.checks.compromise import QUOTA
from assets.grouptravel.checks.utility import hotel_points, transport_points
from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.facts.pois import Poi, Pois
from assets.grouptravel.facts.trips import (
    LATEST_ARRIVAL,
    MOVE_MINUTES,
    SLOTS,
    TRANSFER_MINUTES,
    Best,
    Choice,
    Trip,
    nights,
    stays_of,
)
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.wishes.preferences import GLOBAL, STRONG
from assets.grouptravel.witness.concessions import path_of
from assets.grouptravel.witness.worth import REFUSALS, kept_option, options_of

DETERMINISTIC_LIMIT = 20.0
"""Of CP-SAT, about as many seconds; for the proof of the together optimum."""

CENTS = 100


Concession = str | tuple[str, str]
"""The path of what is given up, or two paths for what is gained only if both are."""


class NoPlanError(ValueError):
    """No plan of the declared set exists; the message says what is missing."""


def solve(
    trip: Trip,
    pois: Pois,
    fares: Fares,
    vocabulary: Vocabulary,
    *,
    with_compromise: bool = False,
    held: Held | None = None,
    limit: float = DETERMINISTIC_LIMIT,
) -> Best:
    """Return the plan of greatest total utility, of those that keep what is `held`.

    CP-SAT with one worker under a deterministic limit: the same input gives the same plan. It is proven optimal where
    `total` equals `bound`. Raises NoPlanError where there is no plan, or none was found within the limit.
    """
    from ortools.sat.python import cp_model

    model = _Model(trip, pois, fares, vocabulary, with_compromise, held)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    solver.parameters.max_deterministic_time = limit
    status = solver.solve(model.model)
    if status == cp_model.INFEASIBLE:
        raise NoPlanError("no meals are open, or no services leave time for them, on every day of the trip")
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise NoPlanError(f"no plan found within {limit} deterministic seconds")
    return model.best(solver)


def ensure_a_plan(trip: Trip, pois: Pois, fares: Fares, vocabulary: Vocabulary) -> None:
    """Raise NoPlanError unless the trip has a plan.

    It has one where every meal of every day could be had whatever the legs, each at another place, which matching
    tells at once; where not, the solver is asked.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    legs_of(trip, fares)
    for city in trip.route[1:-1]:
        beds_of(city, pois)
    meals = [seat for seat in stays_of(trip) if SLOTS[seat[1]][0] == "food"]
    fits = [
        [(day, slot) in option.fits and city == option.city for day, slot, city in meals]
        for option in options_of(trip, pois, vocabulary, with_compromise=False)
        if option.kind == "food"
        for _ in option.members
    ]
    if fits and len(set(trip.leg_days)) == len(trip.leg_days):
        matched = maximum_bipartite_matching(csr_array(fits), perm_type="row")
        if (matched >= 0).all():
            return
    solve(trip, pois, fares, vocabulary)


def problem_of(trip: Trip, pois: Pois, fares: Fares, vocabulary: Vocabulary) -> dict[str, Any]:
    """Return what the task's plans can be made of, as plain data: a certificate stands while this stays the same.

    Legs, beds, and the places that can fill a slot for any of the users; not what others are always as good as.
    """
    lates = sorted({0, len(trip.tables) - 1})
    return {
        "legs": [[(s.mode, s.price, s.departs, s.arrives) for s in options] for options in legs_of(trip, fares)],
        "beds": {city: [_known(poi) for poi in beds_of(city, pois)] for city in trip.route[1:-1]},
        "options": [
            [(o.city, o.kind, o.points, o.gains, o.cost, o.fits, [_known(poi) for poi in o.members])
             for o in options_of(trip, pois, vocabulary, with_compromise=True, late=late, apart=True)]
            for late in lates
        ],
    }  # fmt: skip


def legs_of(trip: Trip, fares: Fares) -> list[list[Service]]:
    """Return the services that each leg can mean. Raises NoPlanError where one has none."""
    return [_services(trip, k, fares) for k in range(len(trip.leg_days))]


def beds_of(city: str, pois: Pois) -> list[Poi]:
    """Return the cheapest hotel of each category, since others of it are worth no more. Raises NoPlanError."""
    best: dict[str, Poi] = {}
    for poi in pois.distinct(city, "hotels"):
        kept = best.get(poi.category)
        if kept is None or (poi.cost or 0.0) < (kept.cost or 0.0):
            best[poi.category] = poi
    if not best:
        raise NoPlanError(f"{city} has no hotel")
    return [best[category] for category in sorted(best)]


@dataclass(frozen=True)
class Held:
    """What a team keeps of the group's plan: its legs, hotels, and all of the days that are not its own.

    On its own days the team is up to `late` minutes later than the slots.
    """

    plan: Best
    own_days: frozenset[int]
    late: int

    @property
    def kept(self) -> list[Choice]:
        """Return what fills the slots of the days that are not its own."""
        return [choice for choice in self.plan.choices if choice.day not in self.own_days]

    @property
    def key(self) -> tuple[Any, ...]:
        """Return all that a model takes of it, in one world."""
        hotels = tuple((city, poi.place_id) for city, poi in self.plan.hotels.items())
        kept = tuple((choice.day, choice.slot, choice.city, choice.poi.place_id) for choice in self.kept)
        return self.plan.legs, hotels, kept, self.own_days, self.late


Seat = tuple[int, int, str]
"""Day, slot, city."""


class _Model:
    """The model of one trip and its variables."""

    def __init__(
        self, trip: Trip, pois: Pois, fares: Fares, vocabulary: Vocabulary, with_compromise: bool, held: Held | None
    ):
        from ortools.sat.python import cp_model

        self.model = cp_model.CpModel()
        self._trip, self._words = trip, vocabulary
        self._givers = trip.compromisable if with_compromise else ()
        self._points: list[Any] = []
        self._gains: dict[tuple[str, Concession], dict[Any, list[tuple[int, Any]]]] = {}
        self._kept = held.kept if held else []
        self._own_days = held.own_days if held else frozenset(range(trip.days))
        self._legs = [[leg] for leg in held.plan.legs] if held else legs_of(trip, fares)
        self._ride = [[self._bool() for _ in options] for options in self._legs]
        self._hotels = {city: [held.plan.hotels[city]] if held else beds_of(city, pois) for city in trip.route[1:-1]}
        self._bed = {city: [self._bool() for _ in found] for city, found in self._hotels.items()}
        for variables in (*self._ride, *self._bed.values()):
            self.model.add_exactly_one(variables)
        self._transfers()
        seen = [choice.poi for choice in self._kept]
        self._options = options_of(
            trip, pois, vocabulary, with_compromise=with_compromise, without=seen, late=held.late if held else 0
        )
        first = len(self._options)
        self._options += [kept_option(trip, choice, with_compromise) for choice in self._kept]
        self._taken: dict[tuple[int, Seat], Any] = {}
        self._fill(first)
        self._value()
        self._intensity()
        self._budgets()
        self._compromises()
        self.model.maximize(sum(self._points))

    def best(self, solver: Any) -> Best:
        """Return what the solver found."""
        left = [list(option.members) for option in self._options]
        picked = [
            Choice(*seat, left[n].pop(0)) for (n, seat), variable in self._taken.items() if solver.value(variable)
        ]
        given_up: dict[str, set[str]] = {user: set() for user in self._givers}
        for (user, concession), gains in self._given.items():
            if any(solver.value(gain) for gain in gains):
                given_up[user] |= set(_paths(concession))
        return Best(
            legs=tuple(o[_index(solver, v)] for o, v in zip(self._legs, self._ride, strict=True)),
            hotels={city: found[_index(solver, self._bed[city])] for city, found in self._hotels.items()},
            choices=tuple(sorted(picked, key=lambda c: (c.day, c.slot))),
            total=round(solver.objective_value),
            bound=math.floor(solver.best_objective_bound + 1e-6),
            given_up=tuple((user, path) for user, paths in given_up.items() for path in sorted(paths)),
        )

    def _bool(self) -> Any:
        return self.model.new_bool_var("")

    def _transfers(self) -> None:
        """Forbid two legs of one day between which there is no time."""
        for k in range(len(self._legs) - 1):
            if self._trip.leg_days[k] == self._trip.leg_days[k + 1]:
                pairs = (zip(self._legs[i], self._ride[i], strict=True) for i in (k, k + 1))
                for (first, taking), (second, then) in product(*pairs):
                    if second.departs < first.arrives + TRANSFER_MINUTES:
                        self.model.add_at_most_one(taking, then)

    def _fill(self, first_kept: int) -> None:
        """Make a variable for every option at every seat that it fits, and fill each seat at most once, each meal.

        Options from `first_kept` on are what the days that are not one's own keep.
        """
        seats = stays_of(self._trip)
        by_seat: dict[Seat, list[Any]] = {seat: [] for seat in seats}
        for n, option in enumerate(self._options):
            taken = []
            for day, slot in option.fits:
                if n >= first_kept or day in self._own_days:
                    seat = (day, slot, option.city)
                    taken.append(self._taken.setdefault((n, seat), self._bool()))
                    by_seat[seat].append(taken[-1])
            if n >= first_kept:
                self.model.add_exactly_one(taken)
            elif len(taken) > len(option.members):
                self.model.add(sum(taken) <= len(option.members))
        for seat in seats:
            barred, variables = self._barred(*seat), by_seat[seat]
            for variable in variables:
                for ridden in barred:
                    self.model.add_implication(ridden, variable.negated())
            if SLOTS[seat[1]][0] == "food":
                self.model.add_bool_or([*variables, *barred])
            if len(variables) > 1:
                self.model.add_at_most_one(variables)

    def _barred(self, day: int, slot: int, city: str) -> list[Any]:
        """Return the rides under which the group is not in the city for the slot."""
        trip, k = self._trip, self._trip.route.index(city, 1) - 1
        _, start, end = SLOTS[slot]
        barred = []
        if trip.leg_days[k] == day:
            rides = zip(self._legs[k], self._ride[k], strict=True)
            barred += [v for s, v in rides if s.arrives + TRANSFER_MINUTES > start]
        if trip.leg_days[k + 1] == day:
            rides = zip(self._legs[k + 1], self._ride[k + 1], strict=True)
            barred += [v for s, v in rides if s.departs < end + TRANSFER_MINUTES]
        return barred

    def _value(self) -> None:
        """Add the points of places, legs and nights, and what giving up a refusal of one of them would add."""
        for (n, seat), variable in self._taken.items():
            option = self._options[n]
            self._points.append(option.worth * variable)
            one, other = (path_of(*field, city=option.city) for field in REFUSALS[option.kind])
            for user, gain in option.gains:
                for concession, more in zip((one, other, (one, other)), gain, strict=True):
                    self._gain(user, concession, more, variable, seat)
        for k, (options, variables) in enumerate(zip(self._legs, self._ride, strict=True)):
            for service, variable in zip(options, variables, strict=True):
                mode = self._words.modes[service.mode]
                for user, table in self._trip.tables.items():
                    wanted = table[GLOBAL]["transport"]
                    points = transport_points(mode, wanted)
                    self._points.append(points * variable)
                    for tier in ("reject", "avoid"):
                        more = transport_points(mode, {**wanted, tier: []}) - points
                        self._gain(user, path_of("transport", tier), more, variable, k)
        for city, found in self._hotels.items():
            for poi, variable in zip(found, self._bed[city], strict=True):
                for user, table in self._trip.tables.items():
                    points = nights(self._trip, city) * hotel_points(poi.category, table[GLOBAL]["hotel_preference"])
                    self._points.append(points * variable)
                    self._gain(user, path_of("hotel_preference", "avoid"), max(0, -points), variable, city)

    def _gain(self, user: str, concession: Concession, points: int, variable: Any, where: Any) -> None:
        """Note points to be had by giving something up; of one `where` at most one variable is true."""
        if points and user in self._givers:
            self._gains.setdefault((user, concession), {}).setdefault(where, []).append((points, variable))

    def _intensity(self) -> None:
        """Charge days with too many attractions or active hours, by a variable for each set of filled slots.

        Active are the visits and the moves: one before each filled slot, and one to the hotel on all days but the last.
        """
        filled: dict[int, list[list[Any]]] = {day: [[] for _ in SLOTS] for day in range(self._trip.days)}
        for (_, (day, slot, _)), variable in self._taken.items():
            filled[day][slot].append(variable)
        for day, slots in filled.items():
            is_full = day not in self._trip.leg_days
            options = [
                (1,) if is_full and kind == "food" else (0, 1) if held else (0,)
                for (kind, _, _), held in zip(SLOTS, slots, strict=True)
            ]
            patterns = list(product(*options))
            chosen = [self._bool() for _ in patterns]
            self.model.add_exactly_one(chosen)
            for slot, variables in enumerate(slots):
                self.model.add(sum(c for c, p in zip(chosen, patterns, strict=True) if p[slot]) == sum(variables))
            for variable, pattern in zip(chosen, patterns, strict=True):
                self._strain(day, pattern, variable)

    def _strain(self, day: int, pattern: tuple[int, ...], variable: Any) -> None:
        seen = [slot for slot, is_in in zip(SLOTS, pattern, strict=True) if is_in and slot[0] == "attractions"]
        active = sum(end - start for _, start, end in seen)
        active += MOVE_MINUTES * (sum(pattern) + (day < self._trip.days - 1))
        for user, table in self._trip.tables.items():
            caps = table[GLOBAL]["intensity"]
            for cap, amount in (("max_poi_per_day", len(seen)), ("max_active_hours", active / 60)):
                if 0 < caps[cap] < amount:
                    self._points.append(-STRONG * variable)
                    self._gain(user, path_of("intensity", cap), STRONG, variable, day)

    def _budgets(self) -> None:
        """Charge budgets that the plan exceeds, for each user costs in hundredths."""
        spent: list[Any] = []
        for options, variables in zip(self._legs, self._ride, strict=True):
            spent += [round(CENTS * s.price) * v for s, v in zip(options, variables, strict=True)]
        for city, found in self._hotels.items():
            stay = nights(self._trip, city)
            spent += [stay * round(CENTS * (p.cost or 0.0)) * v for p, v in zip(found, self._bed[city], strict=True)]
        for (n, _), variable in self._taken.items():
            if self._options[n].kind == "food":
                spent.append(round(CENTS * self._options[n].cost) * variable)
        over: dict[float, Any] = {}
        for user, table in self._trip.tables.items():
            budget = table[GLOBAL]["avg_budget"]
            if not budget:
                continue
            if budget not in over:
                over[budget] = self._bool()
                within = self.model.add(sum(spent) <= math.floor(CENTS * budget))
                within.only_enforce_if(over[budget].negated())
            self._points.append(-STRONG * over[budget])
            self._gain(user, path_of("avg_budget"), STRONG, over[budget], "")

    def _compromises(self) -> None:
        """Add what users gain from the preferences that they give up, at most two each."""
        self._given: dict[tuple[str, Concession], list[Any]] = {}
        given: dict[tuple[str, str], Any] = {}
        for user in self._givers:
            paths = sorted({path for who, concession in self._gains if who == user for path in _paths(concession)})
            given |= {(user, path): self._bool() for path in paths}
            if len(paths) > QUOTA:
                self.model.add(sum(given[user, path] for path in paths) <= QUOTA)
        for (user, concession), by_where in self._gains.items():
            parts = [given[user, path] for path in _paths(concession)]
            is_given = parts[0]
            if len(parts) > 1:
                is_given = self._bool()
                self.model.add_bool_and(parts).only_enforce_if(is_given)
                self.model.add_bool_or([*(part.negated() for part in parts), is_given])
            for terms in by_where.values():
                least, most = (f(0, *(points for points, _ in terms)) for f in (min, max))
                gain = self.model.new_int_var(least, most, "")
                here = sum(points * variable for points, variable in terms)
                self.model.add(gain <= most * is_given)
                if least < 0:
                    self.model.add(gain == here).only_enforce_if(is_given)
                    self.model.add(gain == 0).only_enforce_if(is_given.negated())
                else:
                    self.model.add(gain <= here)
                self._points.append(gain)
                self._given.setdefault((user, concession), []).append(gain)


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


def _known(poi: Poi) -> tuple[Any, ...]:
    return poi.place_id, poi.name, poi.category, poi.cost, poi.lat, poi.lon


def _paths(concession: Concession) -> tuple[str, ...]:
    return (concession,) if isinstance(concession, str) else concession


def _index(solver: Any, variables: list[Any]) -> int:
    return next(i for i, variable in enumerate(variables) if solver.value(variable))
