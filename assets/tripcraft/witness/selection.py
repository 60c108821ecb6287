"""Phase one of the witness: which moves, stays, meals and visits, by CP-SAT (exact, one worker, deterministic limit).

A trip's slots are the meals and gaps of its days in the cities where they can be spent. Chosen so that the second
phase, the times, always succeeds: see `hours.py` for why meals and gaps do not depend on each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from assets.core.cp_sat import deterministic_solver
from assets.tripcraft.facts.itinerary import NIGHTS_PER_CITY
from assets.tripcraft.facts.moves import FROM_STAY_MIN, Move
from assets.tripcraft.persona import Taste
from assets.tripcraft.records import Record
from assets.tripcraft.witness.hours import MEAL_WINDOW, SLOT_NAMES
from assets.tripcraft.witness.spots import (
    MEAL_TIME,
    VISIT_LENGTH,
    CitySpots,
    Spot,
    meal_in,
    meal_worth,
    visit_length,
    visit_reach,
)

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

DETERMINISTIC_LIMIT = 2.0
"""CP-SAT's deterministic time for all searches of one task, in its own units (about seconds): never wall time."""

GAP = 0.01
"""Relative optimality gap at which the search may stop; what must hold, holds exactly."""

MEAL_ON_THE_WAY, VISIT, VISIT_ON_THE_WAY, TOO_MANY = 400, 500, 250, -600
"""What a meal or visit of a moving day, a visit up to the persona's pace, and one beyond it are worth [I]."""

BEFORE_LEAVING = 50
"""What a visit is worth more before the lunch of a day that leaves the city: no hours in the room before it [I]."""

LATER_PER_H = 10
"""What an hour later is worth that the first leg sets out: less of the night lost, less waiting on arrival [I]."""

SLOWER_PER_H, DEARER = 60, 600
"""What an hour less on the way is worth, and the whole range of a leg's prices to those who save [I]."""

LONGEST_WAY_MIN = 120
"""Farthest way from the stay to a meal, and between the meals of a day [I]; meals lie four hours apart."""

Minutes = dict[tuple[str, str], int]


@dataclass(frozen=True, order=True)
class Slot:
    """One meal or gap of one day (0 the first) in one city of the route (0 the first)."""

    day: int
    order: int
    name: str
    city: int

    @property
    def is_full_day(self) -> bool:
        """Return whether the day is spent in one city."""
        return self.day % 2 == 1

    @property
    def is_meal(self) -> bool:
        """Return whether something is eaten."""
        return self.name in MEAL_WINDOW


@dataclass(frozen=True)
class Choice:
    """What phase one chose: a move for each leg, a stay for each city, a spot for each slot used."""

    moves: tuple[Move, ...]
    stays: tuple[Spot, ...]
    spots: dict[Slot, Spot]
    cost: int
    is_proven_best: bool


@dataclass
class Effort:
    """What the searches of one task have left of their deterministic time."""

    time_left: float = DETERMINISTIC_LIMIT


def trip_slots(cities: int) -> list[Slot]:
    """Return every slot of a trip over so many cities, two nights in each."""
    slots = []
    for day in range(2 * cities + 1):
        day_cities = [day // 2] if day % 2 else [city for city in (day // 2 - 1, day // 2) if 0 <= city < cities]
        slots += [Slot(day, i, name, city) for city in day_cities for i, name in enumerate(SLOT_NAMES)]
    return slots


def choose(
    record: Record,
    taste: Taste,
    moves: Sequence[Sequence[Move]],
    spots: Sequence[CitySpots],
    minutes: Sequence[Minutes],
    effort: Effort,
    *,
    aim: Literal["best", "cheapest"] = "best",
) -> Choice | Literal["infeasible", "unknown"]:
    """Return the best choice for the record; `cheapest` leaves the budget out and looks for the least cost.

    `moves` for each leg; `spots` and `minutes` (between all spots) for each city of the route. What the search takes
    is taken from `effort`; it is `unknown` when that ends before there is a choice, or a proof that there is none.
    """
    from ortools.sat.python import cp_model

    model = _Model(cp_model.CpModel(), record, taste, moves, spots, minutes)
    cost = model.build()
    if aim == "best":
        model.cp.add(cost <= record["budget"])
        model.cp.maximize(_weighted_sum(model.worth))
    else:
        model.cp.minimize(cost)
    solver = deterministic_solver(max(0.0, effort.time_left))
    solver.parameters.random_seed = 0
    solver.parameters.relative_gap_limit = GAP
    # Meals in slots are an assignment, which the linear relaxation all but solves: 1000 times faster than without.
    solver.parameters.linearization_level = 2
    status = solver.solve(model.cp)
    effort.time_left -= solver.response_proto.deterministic_time
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return "infeasible" if status == cp_model.INFEASIBLE else "unknown"
    return model.choice_of(solver, is_proven_best=status == cp_model.OPTIMAL)


class _Model:
    """The variables of one choice and what must hold of them."""

    def __init__(
        self,
        cp: cp_model.CpModel,
        record: Record,
        taste: Taste,
        moves: Sequence[Sequence[Move]],
        spots: Sequence[CitySpots],
        minutes: Sequence[Minutes],
    ) -> None:
        self.cp, self.record, self.taste = cp, record, taste
        self.moves, self.spots, self.minutes = moves, spots, minutes
        self.farthest = [max(ways.values(), default=0) for ways in minutes]
        self.worth: list[tuple[int, Any]] = []
        self.move: dict[tuple[int, int], Any] = {}
        self.stay: dict[tuple[int, int], Any] = {}
        self.use: dict[Slot, list[tuple[Spot, Any]]] = {}
        self.reach: dict[tuple[Slot, str], int] = {}

    def build(self) -> Any:
        """State everything and return the cost."""
        self._moves()
        self._stays()
        self._uses()
        self._full_days()
        self._kinds("cuisine", "cuisines")
        self._kinds("attraction", "categories")
        self._once_each()
        self._meals_in_no_other_entry()
        self._ways()
        costs = [(self.moves[leg][i].cost, var) for (leg, i), var in self.move.items()]
        costs += [(self.spots[city].stays[i].cost * NIGHTS_PER_CITY, var) for (city, i), var in self.stay.items()]
        costs += [(spot.cost, var) for uses in self.use.values() for spot, var in uses]
        return _weighted_sum(costs)

    def choice_of(self, solver: cp_model.CpSolver, *, is_proven_best: bool) -> Choice:
        """Return what the solver chose."""
        moves = tuple(self.moves[leg][i] for (leg, i), var in self.move.items() if solver.value(var))
        stays = tuple(self.spots[city].stays[i] for (city, i), var in self.stay.items() if solver.value(var))
        spots = {slot: s for slot, uses in self.use.items() for s, var in uses if solver.value(var)}
        cost = sum(m.cost for m in moves) + sum(s.cost * NIGHTS_PER_CITY for s in stays)
        return Choice(moves, stays, spots, cost + sum(s.cost for s in spots.values()), is_proven_best)

    def _moves(self) -> None:
        own_car = self.cp.new_bool_var("own car")
        for leg, options in enumerate(self.moves):
            dearest, cheapest = max(m.cost for m in options), min(m.cost for m in options)
            for i, move in enumerate(options):
                var = self.move[leg, i] = self.cp.new_bool_var(f"move {leg} {i}")
                self.cp.add_implication(var, own_car if move.mode == "self_driving" else ~own_car)
                share = (move.cost - cheapest) / max(1, dearest - cheapest)
                worth = -round(SLOWER_PER_H * move.duration_min / 60)
                worth -= round(DEARER * share) if self.taste.price_sign < 0 else 0
                worth += round(LATER_PER_H * move.leave_by / 60) if leg == 0 else 0
                self.worth.append((worth, var))
            self.cp.add_exactly_one(self.move[leg, i] for i in range(len(options)))

    def _stays(self) -> None:
        for city, offer in enumerate(self.spots):
            for i, spot in enumerate(offer.stays):
                self.stay[city, i] = self.cp.new_bool_var(f"stay {city} {i}")
                self.worth.append((2 * spot.worth, self.stay[city, i]))
            self.cp.add_exactly_one(self.stay[city, i] for i in range(len(offer.stays)))

    def _uses(self) -> None:
        """Make a variable for every spot in every slot where it is open, and tie moving days' slots to their move."""
        days, dates = self.record["days"], self.record["dates"]
        for slot in trip_slots(len(self.spots)):
            spots = self.spots[slot.city]
            open_by = self._movers(slot)
            if open_by == []:
                continue
            uses: list[tuple[Spot, Any]] = []
            for spot in spots.restaurants if slot.is_meal else spots.attractions:
                if slot.is_meal:
                    time = meal_in(spot, days, slot.name, dates[slot.day])
                    if time is None:
                        continue
                    worth = spot.worth + meal_worth(spot, slot.name) + round(MEAL_TIME * (time[0] - 1))
                    worth += 0 if slot.is_full_day else MEAL_ON_THE_WAY
                else:
                    reach = visit_reach(spot, slot.name, dates[slot.day])
                    if reach < 0:
                        continue
                    self.reach[slot, spot.place_id] = reach
                    pace = self.taste.visits_per_day
                    length = visit_length(spot, days, slot.name, dates[slot.day], pace, self.taste)
                    worth = spot.worth + round(VISIT_LENGTH * (length - 1))
                    worth += BEFORE_LEAVING if slot.city < slot.day // 2 and slot.name == "morning" else 0
                var = self.cp.new_bool_var("")
                uses.append((spot, var))
                self.worth.append((worth, var))
            self.use[slot] = uses
            if open_by is None:
                self.cp.add_at_most_one(var for _, var in uses)
            elif uses:
                self.cp.add(_sum([var for _, var in uses]) <= _sum(open_by))
        for name in SLOT_NAMES:
            for day in range(0, days, 2):
                both = [var for s, uses in self.use.items() if (s.day, s.name) == (day, name) for _, var in uses]
                self.cp.add_at_most_one(both)

    def _movers(self, slot: Slot) -> list[Any] | None:
        """Return the moves that leave the slot free, or None where the day has no move."""
        if slot.is_full_day:
            return None
        leg, is_old = slot.day // 2, slot.city < slot.day // 2
        return [
            self.move[leg, i]
            for i, move in enumerate(self.moves[leg])
            if slot.name in (move.old_slots() if is_old else move.new_slots())
        ]

    def _full_days(self) -> None:
        """Full days have three meals and a visit (1.F, check 10); moving days what fits. Pace by the persona."""
        by_day: dict[int, list[Any]] = defaultdict(list)
        for slot, uses in self.use.items():
            if not slot.is_meal:
                by_day[slot.day] += [var for _, var in uses]
            elif slot.is_full_day:
                self.cp.add_exactly_one(var for _, var in uses)
        for day in range(self.record["days"]):
            visits = by_day[day]
            if day % 2:
                self.cp.add_bool_or(visits)
            pace = self.taste.visits_per_day
            within, beyond = self.cp.new_int_var(0, pace, ""), self.cp.new_int_var(0, 2, "")
            self.cp.add(_sum(visits) == within + beyond)
            self.worth += [(VISIT if day % 2 else VISIT_ON_THE_WAY, within), (TOO_MANY, beyond)]

    def _kinds(self, constraint: Literal["cuisine", "attraction"], attribute: str) -> None:
        for kind in self.record["constraints"][constraint] or ():
            self.cp.add_bool_or(
                var
                for slot, uses in self.use.items()
                if slot.is_meal == (constraint == "cuisine")
                for spot, var in uses
                if kind in getattr(spot.place, attribute)
            )

    def _once_each(self) -> None:
        """No name is used twice on the trip, whatever bears it."""
        variables_by_name: dict[str, list[Any]] = defaultdict(list)
        for uses in self.use.values():
            for spot, var in uses:
                variables_by_name[spot.place.name].append(var)
        for (city, i), var in self.stay.items():
            name = self.spots[city].stays[i].place.name
            if name in variables_by_name:
                for use in variables_by_name[name]:
                    self.cp.add_bool_or(~var, ~use)
        for variables in variables_by_name.values():
            self.cp.add_at_most_one(variables)

    def _meals_in_no_other_entry(self) -> None:
        """No meal's name stands within another entry of its day: the released evaluator times it by the first such."""
        for day in range(self.record["days"]):
            used: dict[str, tuple[Spot, list[Any]]] = {}
            eaten: dict[str, list[Any]] = defaultdict(list)
            for slot, uses in self.use.items():
                for spot, var in uses if slot.day == day else ():
                    used.setdefault(spot.place_id, (spot, []))[1].append(var)
                    if slot.is_meal:
                        eaten[spot.place_id].append(var)
            for city in {slot.city for slot in self.use if slot.day == day}:
                used |= {s.place_id: (s, [self.stay[city, i]]) for i, s in enumerate(self.spots[city].stays)}
            listed = "\n".join(text for spot, _ in used.values() for text in (spot.place.name, spot.stop_name))
            for place_id, meals in eaten.items():
                name = used[place_id][0].place.name
                if listed.count(name) == 1:
                    continue
                for other, variables in used.values():
                    if name != other.place.name and (name in other.place.name or name in other.stop_name):
                        self.cp.add(_sum([*meals, *variables]) <= 1)

    def _ways(self) -> None:
        """Visits are near the meals around them, and on moving days near the stay and each other.

        On the day of arrival the first meal is near the stay; no meal is out of reach of it or of the day's others.
        """
        for slot, uses in self.use.items():
            minutes = self.minutes[slot.city]
            stays = [(spot.place_id, self.stay[slot.city, i]) for i, spot in enumerate(self.spots[slot.city].stays)]
            if slot.is_meal:
                is_arrival = not slot.is_full_day and slot.city == slot.day // 2
                self._apart(slot, uses, stays, FROM_STAY_MIN if is_arrival else LONGEST_WAY_MIN)
                later = [
                    (spot.place_id, var)
                    for other, other_uses in self.use.items()
                    if other.is_meal and (other.day, other.city) == (slot.day, slot.city) and other.order > slot.order
                    for spot, var in other_uses
                ]
                self._apart(slot, uses, later, LONGEST_WAY_MIN)
                continue
            around = [
                (other.place_id, meal)
                for near, other_uses in self.use.items()
                if near.is_meal and (near.day, near.city) == (slot.day, slot.city) and abs(near.order - slot.order) == 1
                for other, meal in other_uses
            ]
            if not slot.is_full_day:
                around += stays
                around += [
                    (visit.place_id, var)
                    for other, other_uses in self.use.items()
                    if not other.is_meal and other.order < slot.order
                    if (other.day, other.city) == (slot.day, slot.city)
                    for visit, var in other_uses
                ]
            for spot, var in uses:
                place_id = spot.place_id
                reach = self.reach[slot, place_id]
                for other_id, other in around:
                    if minutes[other_id, place_id] > reach:
                        self.cp.add_bool_or(~var, ~other)

    def _apart(
        self, slot: Slot, uses: Sequence[tuple[Spot, Any]], others: Sequence[tuple[str, Any]], most_min: int
    ) -> None:
        """Forbid the slot's spots beside others of its city that are farther away than that."""
        if self.farthest[slot.city] <= most_min:
            return
        minutes = self.minutes[slot.city]
        for spot, var in uses:
            place_id = spot.place_id
            for other_id, other in others:
                if minutes[other_id, place_id] > most_min:
                    self.cp.add_bool_or(~var, ~other)


def _weighted_sum(terms: Sequence[tuple[int, Any]]) -> Any:
    """Return the sum of the variables, each times what stands before it."""
    from ortools.sat.python import cp_model

    return cp_model.LinearExpr.weighted_sum([var for _, var in terms], [weight for weight, _ in terms])


def _sum(variables: Sequence[Any]) -> Any:
    from ortools.sat.python import cp_model

    return cp_model.LinearExpr.sum(variables)
