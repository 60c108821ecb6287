"""The bound on a group's utility: an integer program of which every plan that `ours` accepts is a solution.

A plan is relaxed to how many places of each option are visited in each stretch of a day (between an arrival and a
departure, or all of it), at which meal if any, by which services one rides and in which kind of bed one sleeps. Where
the places lie is forgotten but for the least move to each.

Why every accepted plan of a group that stays together satisfies all rows, after its visits of no worth become rests
(which keeps it acceptable: it frees time, money and caps, and a move past a place takes no less than the way):
- a place is visited once, so an option no oftener than it has members; a meal is in one window, once a day;
- sights a day keep the lowest cap. Active time is the sights' stays, and the moves: the last move to each visited place
  comes from another known place, so it takes at least `move_min`, all of it joined by everybody; after an arrival the
  first may come from the station, of which nothing is known but that no move takes less than LEAST_MOVE_MIN;
- time: take visits that can only lie inside [a, b]. Their stays are disjoint and lie inside it; before each but the
  first, the time since the previous visit's end is at least the way to it, hence at least `move_min`, and lies inside
  it too. So the sum of (stay + move) over them is at most b - a + the largest move;
- what lies between two services is there only where both are ridden: its meals at one window, its sights, of which a
  day has at most the highest that its lowest cap can be, and its time are counted against the service, which is 1 or 0;
- every leg is a service of its day that arrives by the latest hour, every night one hotel of the leg's city at its
  price: of a category the cheapest hotel is as good as any; of services of a mode, one that is cheaper, arrives no
  later and departs no earlier is as good as the other, in time, points and money;
- what moves inside cities cost is left out, as if all were walked: with it no budget is exceeded by fewer;
- utility is additive: points by visit, leg and night, and -2 for each user whose budget the cost exceeds; caps are
  conditions. What is given up adds at most what the gain rows count: a refusal emptied is worth at least as much as one
  shortened, and a cap is raised at most to the largest of published tables.
The solver's best bound, over all the ways to spread the nights, is therefore what no accepted plan together exceeds.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from assets.grouptravel.checks.compromise import QUOTA
from assets.grouptravel.checks.utility import hotel_points, transport_points
from assets.grouptravel.conditions import CAP_RANGES, MEAL_WINDOWS
from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.facts.money import CENTS, cents
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Trip
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.wishes.preferences import GLOBAL, STRONG
from assets.grouptravel.witness.concessions import path_of
from assets.grouptravel.witness.dominance import Known, is_better, undominated
from assets.grouptravel.witness.program import Program, Solution
from assets.grouptravel.witness.stretches import NEVER, NO_CAP, Stretch, beds_of, services_of, stretches_of
from assets.grouptravel.witness.visits import MEALS, Visit, Visits, alike, visits_of
from assets.grouptravel.witness.worth import REFUSALS, Option

Concession = str | tuple[str, str]
"""The path of what is given up, or two paths for what is gained only if both are."""


@dataclass(frozen=True)
class KeptPlan:
    """What a team keeps of the group's plan: its legs and beds, and the visits on days that are not its own.

    `spent` is what these cost each member; `visited_ids` are the places of the kept visits.
    """

    legs: tuple[Service, ...]
    beds: tuple[Poi, ...]
    own_days: frozenset[int]
    spent: float
    visited_ids: frozenset[str]


@dataclass(frozen=True)
class Relaxed:
    """The relaxation's solution and bound; `points` are what a plan that realises it all is worth."""

    legs: tuple[Service, ...]
    nights: tuple[tuple[Poi, ...], ...]
    """The beds of each city's nights."""
    visits: tuple[Visit, ...]
    given_up: tuple[tuple[str, str], ...]
    points: int
    bound: int


class Relaxation:
    """The program of one trip, its legs on their days."""

    def __init__(
        self,
        trip: Trip,
        pois: Pois,
        fares: Fares,
        vocabulary: Vocabulary,
        options: Sequence[Option],
        *,
        with_compromise: bool = False,
        kept_plan: KeptPlan | None = None,
        move_factor: float = 1.0,
        put_by: float = 0.0,
        fittings: Known | None = None,
        ceiling: float = math.inf,
    ):
        """Take the options of `worth.options_of`, and their `fittings` from other ways to spread the nights.

        A `ceiling` is a total of which it is known from elsewhere that no plan exceeds it.
        A `move_factor` above 1, or money `put_by` for moves, gives no bound, but plans that are easier to realise.
        """
        self._program = Program(ceiling)
        self._trip, self._pois, self._words, self._factor = trip, pois, vocabulary, move_factor
        self._givers = trip.compromisable if with_compromise else ()
        self._kept_plan, self._put_by = kept_plan, put_by
        self._own_days = kept_plan.own_days if kept_plan else frozenset(range(trip.days))
        self._gains: dict[tuple[str, Concession], dict[Any, list[tuple[int, int]]]] = {}
        self._concession_variables: dict[tuple[str, str], int] = {}
        self._legs = [[leg] for leg in kept_plan.legs] if kept_plan else self._services(fares)
        self._ride = [self._one_of(options) for options in self._legs]
        self._beds = [] if kept_plan else [beds_of(city, pois) for city in trip.route[1:-1]]
        self._nights = [self._counts(nights, n) for n, nights in enumerate(self._beds)]
        self._no_two_at_once()
        self._stretches: dict[str, list[Stretch]] = defaultdict(list)
        for stretch in (s for of in stretches_of(trip, self._legs) for s in of if s.day in self._own_days):
            self._stretches[trip.route[stretch.nth + 1]].append(stretch)
        self._every_stretch = [stretch for listed in self._stretches.values() for stretch in listed]
        self._fitting = undominated(options, self._stretches, self._most(), fittings)
        self._visits = self._fill()
        self._value()
        self._days()
        self._budgets()
        self._compromises()

    @property
    def top(self) -> int:
        """Return what no plan exceeds, by the linear relaxation alone."""
        return self._program.top

    def solve(self, limit: float, above: int | None = None) -> Relaxed | None:
        """Return the best solution within `limit` of CP-SAT's deterministic time; None if none is `above` a total.

        The same input gives the same answer. A team's is the best that is found, and bounds nothing.
        """
        is_for_bound = self._factor == 1 and not self._put_by
        program = self._program
        solution = program.find(limit) if self._kept_plan else program.solve(limit, above, is_for_bound=is_for_bound)
        return self._read_solution(solution) if solution is not None else None

    def _read_solution(self, solution: Solution) -> Relaxed:
        if not solution.counts:
            return Relaxed((), (), (), (), solution.points, solution.bound)
        counts = solution.counts
        legs = tuple(
            next(s for s, v in zip(options, ride, strict=True) if counts[v])
            for options, ride in zip(self._legs, self._ride, strict=True)
        )
        nights = tuple(
            tuple(bed for bed, n in zip(beds, listed, strict=True) for _ in range(counts[n]))
            for beds, listed in zip(self._beds, self._nights, strict=True)
        )
        possible_visits = self._visits
        identified = possible_visits.variable, possible_visits.option, possible_visits.stretch, possible_visits.meal
        visits = tuple(
            Visit(self._fitting[option].option, self._every_stretch[stretch], None if meal < 0 else meal)
            for variable, option, stretch, meal in zip(*(of.tolist() for of in identified), strict=True)
            for _ in range(counts[variable])
        )
        concessions = tuple(sorted(key for key, variable in self._concession_variables.items() if counts[variable]))
        return Relaxed(legs, nights, visits, concessions, solution.points, solution.bound)

    def _one_of(self, options: Sequence[Any]) -> list[int]:
        variables = [self._program.count(1) for _ in options]
        self._program.exactly(variables, 1)
        return variables

    def _counts(self, beds: Sequence[Poi], nth: int) -> list[int]:
        """Return how many nights are slept in each bed of the nth city."""
        total = self._trip.leg_days[nth + 1] - self._trip.leg_days[nth]
        counts = [self._program.count(total) for _ in beds]
        self._program.exactly(counts, total)
        return counts

    def _services(self, fares: Fares) -> list[list[Service]]:
        days = self._trip.leg_days
        services_by_leg = []
        for k in range(len(days)):
            listed = services_of(self._trip, k, fares)
            before = k > 0 or days[k] in days[k + 1 :]
            after = k < len(days) - 1 or days[k] in days[:k]
            services_by_leg.append(
                [s for s in listed if not any(is_better(o, s, listed, before, after) for o in listed)]
            )
        return services_by_leg

    def _no_two_at_once(self) -> None:
        days = self._trip.leg_days
        for k in range(len(days) - 1):
            if days[k] == days[k + 1]:
                for (one, a), (other, b) in product(
                    zip(self._legs[k], self._ride[k], strict=True),
                    zip(self._legs[k + 1], self._ride[k + 1], strict=True),
                ):
                    if other.departs < one.arrives:
                        self._program.at_most((a, b), None, 1)

    def _most(self) -> dict[str, int]:
        """Return how many visits of each kind a plan can have at most."""
        n_days = len(self._own_days)
        return {"attractions": n_days * self._most_sights(), "food": n_days * len(MEAL_WINDOWS)}

    def _most_sights(self) -> int:
        caps = [self._raised(user, "max_poi_per_day") for user in self._trip.tables]
        return int(min(caps, default=NO_CAP))

    def _cap(self, user: str, name: str) -> float:
        cap = self._trip.tables[user][GLOBAL]["intensity"][name]
        return cap if cap > 0 else NO_CAP

    def _raised(self, user: str, name: str) -> float:
        """Return the user's cap, raised where it may be."""
        cap = self._cap(user, name)
        return max(cap, CAP_RANGES[name]) if user in self._givers else cap

    def _fill(self) -> Visits:
        """Make a count for every option in every stretch that it fits, each place at most once, and each meal."""
        program, most_sights, first = self._program, self._most_sights(), {}
        for city in self._stretches:
            first[city] = sum(len(self._stretches[other]) for other in first)
        day_of = np.array([stretch.day for stretch in self._every_stretch], dtype=int)
        rides = [[self._ride[k][s] for k, s in stretch.ridden] for stretch in self._every_stretch]
        # Of a leg's only service all rows are kept by others.
        chosen_rides = [
            [self._ride[k][s] for k, s in of.ridden if len(self._ride[k]) > 1] for of in self._every_stretch
        ]
        fitting = self._fitting
        at = [first[one.option.city] + one.stretches for one in fitting]
        variable: list[int] = []
        for one, stretches in zip(fitting, at, strict=True):
            is_meal, size = one.option.kind == "food", len(one.option.members)
            most = 1 if is_meal else min(size, most_sights)
            visit_counts = program.counts([most] * len(stretches), one.option.points)
            program.at_most(visit_counts, None, size)
            variable += visit_counts
            for count, stretch in () if is_meal else zip(visit_counts, stretches.tolist(), strict=True):
                for ride in rides[stretch]:
                    program.at_most((count, ride), (1, -most), 0)
        visits = visits_of(fitting, at, day_of, variable, self._factor)
        stretch, meal = visits.stretch, visits.meal
        sights: dict[tuple[int, int], list[int]] = defaultdict(list)
        for listed in alike(stretch, meal < 0):
            stretch_number = stretch[listed[0]]
            for ride in chosen_rides[stretch_number]:
                sights[int(day_of[stretch_number]), ride] += visits.variable[listed].tolist()
        for (_, ride), counts in sights.items():
            program.at_most((*counts, ride), (*(1 for _ in counts), -most_sights), 0)
        at_meal: dict[tuple[int, int, int | None], list[int]] = defaultdict(list)
        for listed in alike(stretch * len(MEALS) + meal, meal >= 0):
            stretch_number, time = stretch[listed[0]], int(meal[listed[0]])
            for ride in (None, *rides[stretch_number]):
                at_meal[int(day_of[stretch_number]), time, ride] += visits.variable[listed].tolist()
        for (_, _, ride), counts in at_meal.items():
            if ride is None:
                program.at_most(counts, None, 1)
            else:
                program.at_most((*counts, ride), (*(1 for _ in counts), -1), 0)
        return visits

    def _value(self) -> None:
        """Add the points of visits, legs and nights, and what giving up a refusal of one of them would add."""
        visits = self._visits
        for listed in alike(visits.option):
            option = self._fitting[visits.option[listed[0]]].option
            one, other = (path_of(*field, city=option.city) for field in REFUSALS[option.kind])
            for user, gain in option.gains:
                for concession, more in zip((one, other, (one, other)), gain, strict=True):
                    for n in listed.tolist():
                        self._gain(user, concession, more, int(visits.variable[n]), (visits.day[n], visits.meal[n]))
        if self._kept_plan:
            return
        for k, (options, ride) in enumerate(zip(self._legs, self._ride, strict=True)):
            for service, variable in zip(options, ride, strict=True):
                mode = self._words.modes[service.mode]
                for user, table in self._trip.tables.items():
                    wishes = table[GLOBAL]["transport"]
                    points = transport_points(mode, wishes)
                    self._program.add(points, variable)
                    for tier in ("reject", "avoid"):
                        more = transport_points(mode, {**wishes, tier: []}) - points
                        self._gain(user, path_of("transport", tier), more, variable, ("leg", k))
        for nth, (beds, counts) in enumerate(zip(self._beds, self._nights, strict=True)):
            for bed, count in zip(beds, counts, strict=True):
                for user, table in self._trip.tables.items():
                    points = hotel_points(bed.category, table[GLOBAL]["hotel_preference"])
                    self._program.add(points, count)
                    self._gain(user, path_of("hotel_preference", "avoid"), max(0, -points), count, ("nights", nth))

    def _gain(self, user: str, concession: Concession, points: int, variable: int, where: Any) -> None:
        """Note points to be had by giving something up, together with those of one `where`."""
        if points and user in self._givers:
            self._gains.setdefault((user, concession), {}).setdefault(where, []).append((points, variable))

    def _days(self) -> None:
        """Keep each day's visits to the caps, and to the time there is between any two moments of a stretch."""
        visits = self._visits
        for listed in alike(visits.stretch):
            self._times(self._every_stretch[visits.stretch[listed[0]]], listed)
        for listed in alike(visits.day):
            day = int(visits.day[listed[0]])
            sights = listed[visits.meal[listed] < 0]
            active = visits.move[listed] + np.where(visits.meal[listed] < 0, visits.stay[listed], 0)
            slack = (int(visits.move[listed].max()) - self._pois.ways.floor) * self._trip.leg_days[:-1].count(day)
            to_bed = self._pois.ways.floor if day < self._trip.days - 1 else 0
            self._capped("max_poi_per_day", visits.variable[sights].tolist(), [1] * len(sights), 1, 0)
            self._capped("max_active_hours", visits.variable[listed].tolist(), active.tolist(), 60, to_bed - slack)

    def _capped(self, name: str, variables: list[int], factors: list[int], unit: int, already: int) -> None:
        """Keep an amount to everybody's cap: of the caps that nobody raises the lowest is enough."""
        if not variables:
            return
        caps = {user: (self._cap(user, name), self._raised(user, name)) for user in self._trip.tables}
        firm = min((cap for cap, raised in caps.values() if raised == cap), default=NO_CAP)
        if firm < NO_CAP:
            self._program.at_most(variables, factors, math.floor(unit * firm) - already)
        for user, (cap, raised) in caps.items():
            if raised > cap:
                concession = self._concedes(user, path_of("intensity", name))
                more = math.ceil(unit * (raised - cap))
                limit = math.floor(unit * cap) - already
                self._program.at_most([*variables, concession], [*factors, -more], limit)

    def _times(self, stretch: Stretch, listed: np.ndarray) -> None:
        """Add the rows of time that can bind: over what lies inside [a, b], for all starts a and ends b of a visit.

        Of moments between which the same visits lie, the nearest bind most.
        """
        visits = self._visits
        rides = [self._ride[k][s] for k, s in stretch.ridden]
        starts, ends, loads = visits.start[listed], visits.end[listed], visits.move[listed] + visits.stay[listed]
        meals, moves, most = visits.meal[listed], visits.move[listed], self._most_sights()
        begins, stops = sorted({*starts.tolist()}), sorted({*ends.tolist()})
        a, b = np.repeat(begins, len(stops)), np.tile(stops, len(begins))
        inside = (starts >= a[:, None]) & (ends <= b[:, None])
        is_nearest = (np.where(inside, starts, NEVER[0]).min(axis=1) == a) & (
            np.where(inside, ends, NEVER[1]).max(axis=1) == b
        )
        a, b, inside = a[is_nearest], b[is_nearest], inside[is_nearest]
        free = b - a + np.where(inside, moves, 0).max(axis=1, initial=0)
        n_meals = sum(((meals == meal) & inside).any(axis=1) for meal in MEALS)
        n_sights = np.minimum(np.where(inside, visits.size[listed], 0).sum(axis=1), most)
        binds = np.where(inside, loads, 0).max(axis=1, initial=0) * (n_meals + n_sights) > free
        for within, minutes in zip(inside[binds], free[binds].tolist(), strict=True):
            counts, factors = visits.variable[listed[within]].tolist(), loads[within].tolist()
            if not rides:
                self._program.at_most(counts, factors, minutes)
            for ride in rides:
                self._program.at_most([*counts, ride], [*factors, -minutes], 0)

    def _budgets(self) -> None:
        """Charge each user whose budget the plan exceeds; costs in hundredths."""
        already = cents(self._put_by + (self._kept_plan.spent if self._kept_plan else 0.0))
        spent: list[tuple[int, int]] = []
        most = already
        if not self._kept_plan:
            for options, ride in zip(self._legs, self._ride, strict=True):
                spent += [(v, cents(s.price)) for s, v in zip(options, ride, strict=True)]
                most += max(cents(s.price) for s in options)
            for beds, counts in zip(self._beds, self._nights, strict=True):
                spent += [(n, cents(bed.cost or 0.0)) for bed, n in zip(beds, counts, strict=True)]
                most += max(cents(bed.cost or 0.0) for bed in beds) * self._program.most_of(counts[0])
        visits = self._visits
        costs = np.array([cents(one.option.cost) for one in self._fitting], dtype=int)[visits.option]
        paid = np.flatnonzero(costs)
        spent += zip(visits.variable[paid].tolist(), costs[paid].tolist(), strict=True)
        for listed in alike(visits.day * (len(MEALS) + 1) + visits.meal):
            most += int(costs[listed].max()) * (1 if visits.meal[listed[0]] >= 0 else NO_CAP)
        variables, factors = zip(*spent, strict=True) if spent else ((), ())
        over: dict[float, int] = {}
        for user, table in self._trip.tables.items():
            budget = table[GLOBAL]["avg_budget"]
            if not budget:
                continue
            if budget not in over:
                within = math.floor(CENTS * budget + 0.5)
                over[budget] = self._program.count(1)
                excess = max(0, most - within)
                self._program.at_most((*variables, over[budget]), (*factors, -excess), within - already)
            self._program.add(-STRONG, over[budget])
            self._gain(user, path_of("avg_budget"), STRONG, over[budget], "")
        self._program.in_turn([over[budget] for budget in sorted(over)])  # who exceeds a budget exceeds all below it

    def _concedes(self, user: str, path: str) -> int:
        """Return whether the user gives up what is at the path."""
        if (user, path) not in self._concession_variables:
            self._concession_variables[user, path] = self._program.count(1)
        return self._concession_variables[user, path]

    def _compromises(self) -> None:
        """Add what users gain from the preferences that they give up, at most two each."""
        program = self._program
        for (user, concession), by_where in self._gains.items():
            parts = [self._concedes(user, path) for path in _paths(concession)]
            is_given = parts[0]
            if len(parts) > 1:
                is_given = program.count(1)
                for part in parts:
                    program.at_most((is_given, part), (1, -1), 0)
                program.at_most((*parts, is_given), (*(1 for _ in parts), -1), len(parts) - 1)
            for terms in by_where.values():
                self._gained(terms, is_given)
        for user in self._givers:
            concessions = [variable for (who, _), variable in self._concession_variables.items() if who == user]
            if len(concessions) > QUOTA:
                program.at_most(concessions, None, QUOTA)

    def _gained(self, terms: list[tuple[int, int]], is_given: int) -> None:
        """Add the sum of the terms to the points if it is given, else 0: at most it, and the most of it counts.

        The gain is counted from the least that the terms can be, so that it is no less than 0.
        """
        program = self._program
        most = sum(points * program.most_of(variable) for points, variable in terms if points > 0)
        least = sum(points * program.most_of(variable) for points, variable in terms if points < 0)
        gain, factors = program.count(most - least, 1), [-points for points, _ in terms]
        program.add(least)
        program.at_most((gain, is_given), (1, -most), -least)
        # Not given, the terms bound nothing.
        variables = (gain, *(variable for _, variable in terms), is_given)
        program.at_most(variables, (1, *factors, -least), -2 * least)


def _paths(concession: Concession) -> tuple[str, ...]:
    return (concession,) if isinstance(concession, str) else concession
