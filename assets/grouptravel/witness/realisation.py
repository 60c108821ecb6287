"""A plan that realises what the relaxation chose: which places, in what order, at what times.

Of an option's places the nearest to the others of the day is taken. Where a day cannot be put in order its least visit
is left out; then what is worth something and still fits is put in. A day without a sight gets some of the others', and
what is worth nothing fills it where it still has none, and mealtimes that are free, as far as the budgets hold.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from assets.grouptravel.conditions import CHILD_DAY, DAY, TRANSFER_MIN
from assets.grouptravel.facts.fares import Service
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Best, Choice, Trip
from assets.grouptravel.wishes.preferences import GLOBAL, STRONG
from assets.grouptravel.witness.concessions import lowest_cap, path_of
from assets.grouptravel.witness.leisure import idleness, in_turn, lingering, unhurried, with_a_sight_elsewhere
from assets.grouptravel.witness.parts import Beside, Part, Purse, frame_beside, sights_on
from assets.grouptravel.witness.relaxed import KeptPlan, Relaxed
from assets.grouptravel.witness.schedule import (
    CHECK_IN,
    WALKED_TO_SAVE_MIN,
    Frame,
    Move,
    Stop,
    Timed,
    eased,
    ordered,
    pleasant,
    quick,
    remembered,
    to_bed_min,
    unpaid,
    walked,
)
from assets.grouptravel.witness.sense import Placed, settle, share_sights
from assets.grouptravel.witness.stretches import Stretch, fit
from assets.grouptravel.witness.visits import MEALS, Visit
from assets.grouptravel.witness.worth import REFUSALS, Option

LOOKED_AT = 40
"""Places of an option that are looked at for the nearest."""

TRIED = 12
"""Orders that are tried where a day has lost a visit, and options where a mealtime is free."""

LEAST_GAINED_MIN = 60
"""A day is put in another order for as much as a single time idle of so many minutes counts [I]."""


class Realiser:
    """Makes plans of one trip from relaxations' solutions."""

    def __init__(
        self,
        trip: Trip,
        pois: Pois,
        options: Sequence[Option],
        fillers: Sequence[Option],
        kept_plan: KeptPlan | None = None,
        beside: Beside | None = None,
        *,
        purse: Purse = "full",
    ):
        """Take the options that are worth something, and as `fillers` those that are worth nothing.

        Of a short purse people walk from the station, and as far as WALKED_TO_SAVE_MIN; of an empty one they cycle
        what they do not walk.
        """
        ways = pois.ways
        moves: dict[str, Move] = pois.found_out.setdefault("moves", {})
        if not moves:
            moves["full"], moves["short"] = remembered(pleasant(ways)), remembered(pleasant(ways, WALKED_TO_SAVE_MIN))
            moves["empty"], moves["quick"] = remembered(unpaid(ways)), remembered(quick(ways))
            moves["walked"] = remembered(walked(ways))
        self._known_orders: dict[Any, tuple[list[Timed], int] | None] = pois.found_out.setdefault("orders", {})
        self._pleasant, self._quick, self._walked = moves[purse], moves["quick"], moves["walked"]
        self._is_thrifty, self._is_broke = purse != "full", purse == "empty"
        self._trip, self._ways, self._kept_plan, self._beside = trip, pois.ways, kept_plan, beside or Beside()
        self._options, self._fillers = options, fillers
        self.lacks_money = False
        """Whether a plan has lost points for want of money for moves, which a shorter purse may gain."""

    def plan(self, relaxed: Relaxed) -> Best:
        """Return the plan, worth `total` or more; its bound is the relaxation's."""
        self._given_up = relaxed.given_up
        self._used = set(self._kept_plan.visited_ids) if self._kept_plan else set()
        self._lost = self._orders = 0
        beds = self._kept_plan.beds if self._kept_plan else tuple(bed for nights in relaxed.nights for bed in nights)
        parts = self._parts(relaxed, beds)
        for part in parts:
            at = part.stretch.day, part.stretch.nth
            self._realise(part, [v for v in relaxed.visits if (v.stretch.day, v.stretch.nth) == at], parts)
        self._money_left = self._purse(parts, relaxed.legs, beds)
        self.lacks_money = False
        for part in parts:
            if part.has_lost:
                self._insert(part, parts)
        has_refused, self.lacks_money = self.lacks_money, False
        change = partial(self._change, parts)
        for part in parts:
            share_sights(part, parts, change)
        self._fill(parts)
        settle(parts, change, self._alike)
        for part in parts:
            self._take_time(part, parts)
        choices = [choice for part in parts for choice in self._choices(part)]
        rides = tuple(
            sum(self._rides(part) for part in parts if part.stretch.day == day) for day in range(self._trip.days)
        )
        over = self._overdrawn(self._spent(parts, relaxed.legs, beds), sum(rides))
        self.lacks_money = has_refused or over > 0
        return Best(
            legs=relaxed.legs,
            leg_days=self._trip.leg_days,
            beds=beds,
            choices=tuple(sorted(choices, key=lambda c: (c.day, c.start, c.end))),
            total=relaxed.points - self._lost - STRONG * over,
            bound=relaxed.bound,
            given_up=self._given_up,
            rides=rides,
        )

    def _overdrawn(self, spent: float, rides: float) -> int:
        """Return how many have money enough for all but the moves inside cities, and too little with them."""
        budgets = [
            table[GLOBAL]["avg_budget"]
            for user, table in self._trip.tables.items()
            if (user, path_of("avg_budget")) not in self._given_up
        ]
        return sum(0 < budget < round(spent + rides, 6) and spent <= budget for budget in budgets)

    def _rides(self, part: Part) -> float:
        """Return what each person pays for the moves of a stretch, 0 where no price is known."""
        ways, city = self._ways, self._trip.route[part.stretch.nth + 1]
        people = len(self._trip.tables) + len(self._trip.children)
        moves = ((mode, one, other) for one, other, (mode, _) in self._moves(part))
        return sum(ways.price(mode, city, one, other, people) or 0.0 for mode, one, other in moves)

    def _moves(self, part: Part) -> Iterator[tuple[Poi | None, Poi, tuple[str, int]]]:
        """Yield each move of a stretch: from where (None: the station), to where, and its mode and minutes."""
        at, frame = part.frame.origin, part.frame
        for to in (*(stop.poi for stop, _, _ in part.timed), *((frame.bed,) if frame.bed is not None else ())):
            if to is frame.bed and at is frame.bed:
                continue
            station = "walk" if self._is_thrifty else "transit" if self._ways.serves(to) else "taxi"
            yield at, to, part.move(at, to) if at is not None else (station, frame.station_min)
            at = to

    def _parts(self, relaxed: Relaxed, beds: Sequence[Poi]) -> list[Part]:
        """Return the stretches of the days as the chosen services leave them."""
        days, parts = self._trip.leg_days, []
        opens, closes = CHILD_DAY if self._trip.children else DAY
        own_days = self._kept_plan.own_days if self._kept_plan else range(self._trip.days)
        for nth in range(len(days) - 1):
            for day in range(days[nth], days[nth + 1] + 1):
                if day not in own_days:
                    continue
                comes = relaxed.legs[nth] if day == days[nth] else None
                goes = relaxed.legs[nth + 1] if day == days[nth + 1] else None
                first = max(opens, comes.arrives + TRANSFER_MIN) if comes else opens
                last = min(closes, goes.departs - TRANSFER_MIN) if goes else closes
                frame = Frame(
                    origin=None if comes else beds[day - 1],
                    bed=None if goes else beds[day],
                    opens=first,
                    closes=last,
                    active_min=60 * self._cap("max_active_hours"),
                    shunned=self._beside.shunned.get(day, frozenset()),
                    is_strict=self._beside.is_strict,
                    arrivals_by_place=self._beside.arrivals_by_day.get(day, {}),
                )
                stretch = Stretch(day, nth, (), first, last)
                to_bed = to_bed_min(frame, self._pleasant)
                parts.append(Part(stretch, frame, [], [], self._pleasant, to_bed))
        return sorted(parts, key=lambda part: (part.stretch.day, part.stretch.nth))

    def _cap(self, name: str) -> float:
        """Return the lowest cap, after what is given up."""
        return lowest_cap(self._trip.tables, self._trip.tables, name, self._given_up)

    def _worth(self, option: Option) -> int:
        """Return the points of a visit, after what is given up."""
        total = option.points
        one, other = (path_of(*field, city=option.city) for field in REFUSALS[option.kind])
        for user, (first, second, both) in option.gains:
            gives = ((user, one) in self._given_up, (user, other) in self._given_up)
            total += first * gives[0] + second * gives[1] + both * all(gives)
        return total

    def _realise(self, part: Part, visits: list[Visit], parts: list[Part]) -> None:
        """Choose the places and put them in order; leave out the least until there is an order."""
        few_first = sorted(visits, key=lambda v: (len(v.option.members), -self._worth(v.option)))
        while True:
            part.visits = self._placed_visits(part, few_first)
            if self._order(part, parts):
                break
            least = min(few_first, key=lambda v: self._worth(v.option))
            few_first.remove(least)
            self._lost += self._worth(least.option)
            part.has_lost = True
        self._used |= {stop.poi.place_id for _, stop in part.visits}

    def _placed_visits(self, part: Part, visits: list[Visit]) -> list[Placed]:
        """Return each visit with the free place of its option that is nearest to those before it."""
        anchors = [poi for poi in (part.frame.bed, part.frame.origin) if poi is not None]
        used_place_ids, placements = set(self._used), []
        for visit in visits:
            free = [poi for poi in visit.option.members if poi.place_id not in used_place_ids][:LOOKED_AT]
            if not free:
                continue
            place = free[0]
            if anchors and len(free) > 1:
                place = min(free, key=lambda poi: (min(self._walked(poi, a)[1] for a in anchors), poi.place_id))
            used_place_ids.add(place.place_id)
            anchors = [place, *anchors]
            placements.append((visit.option, self._stop(part, visit.option, place, visit.meal)))
        return placements

    def _stop(self, part: Part, option: Option, place: Poi, meal: int | None) -> Stop:
        return Stop(place, option.stay_min, option.spans[part.stretch.day], meal)

    def _order(self, part: Part, parts: list[Part], more: Sequence[Placed] = ()) -> bool:
        """Set the part's order and return whether there is one, by the most pleasant moves that allow it."""
        stops = [stop for _, stop in (*part.visits, *more)]
        frame = frame_beside(part, parts)
        least = replace(frame, station_min=self._ways.floor)
        fast = self._pleasant if self._is_broke else self._quick
        attempts = [(self._pleasant, frame), (fast, frame)]
        if frame.origin is None:
            attempts.append((fast, least))
        for move, within in attempts:
            schedule = self._in_order(stops, within, move)
            if schedule is not None:
                part.timed = schedule[0]
                part.move, part.active = move, schedule[1]
                if not frame.shunned:
                    part.move, part.active = eased(schedule, within, move, self._pleasant)
                part.frame = replace(part.frame, station_min=within.station_min)
                part.visits = [*part.visits, *more]
                return True
        return False

    def _in_order(self, stops: Sequence[Stop], frame: Frame, move: Move) -> tuple[list[Timed], int] | None:
        """Return what `ordered` does: one question is asked again and again, with a shorter purse and of other teams.

        Its answer beside other teams is not remembered: it hangs on their minutes too.
        """
        if frame.shunned or frame.arrivals_by_place:
            return ordered(stops, frame, move)
        ends = tuple(poi.place_id if poi is not None else "" for poi in (frame.origin, frame.bed))
        visits = tuple((stop.poi.place_id, stop.stay_min, stop.meal, stop.spans) for stop in stops)
        key = (visits, ends, frame.opens, frame.closes, frame.active_min, frame.station_min, frame.meals, id(move))
        if key not in self._known_orders:
            self._known_orders[key] = ordered(stops, frame, move)
        return self._known_orders[key]

    def _insert(self, part: Part, parts: list[Part]) -> None:
        """Put in what is worth something, still fits and can be paid, the best first."""
        city = self._trip.route[part.stretch.nth + 1]
        city_options = [(self._worth(option), option) for option in self._options if option.city == city]
        self._orders, free = 0, self._free(part, parts)
        for worth, option in sorted(city_options, key=lambda of: (-of[0], of[1].cost, of[1].members[0].place_id)):
            for meal in MEALS if option.kind == "food" else (None,):
                while self._orders < TRIED and self._lost > 0 < worth and self._put(option, meal, part, parts, free):
                    self._lost -= worth
                    free = self._free(part, parts)

    def _free(self, part: Part, parts: list[Part]) -> set[int | None]:
        """Return what a day still has room for: its meals that are free, and None where another sight is."""
        slots = [stop.meal for p in parts if p.stretch.day == part.stretch.day for _, stop in p.visits]
        has_room = slots.count(None) < self._cap("max_poi_per_day")
        return {*MEALS, *((None,) if has_room else ())} - {meal for meal in slots if meal is not None}

    def _put(
        self, option: Option, meal: int | None, part: Part, parts: list[Part], free: Collection[int | None]
    ) -> bool:
        """Put in a visit if it fits, is `free` and does not break a budget, and return whether it was."""
        if fit(option, part.stretch, meal) is None:
            return False
        if option.cost > max(0.0, self._money_left):
            self.lacks_money = True
            return False
        if meal not in free:
            return False
        placed = self._placed_visits(part, [Visit(option, part.stretch, meal)])
        if not placed:
            return False
        self._orders += 1
        before, rode = replace(part), self._rides(part)
        if not self._order(part, parts, placed):
            return False
        paid = option.cost + self._rides(part) - rode
        if paid > max(0.0, self._money_left):
            self.lacks_money = True
            vars(part).update(vars(before))
            return False
        self._used.add(placed[0][1].poi.place_id)
        self._money_left -= paid
        return True

    def _purse(self, parts: list[Part], legs: Sequence[Service], beds: Sequence[Poi]) -> float:
        """Return what can still be spent without breaking a budget that holds but for the moves; below 0 if they do."""
        spent, rides = self._spent(parts, legs, beds), sum(self._rides(part) for part in parts)
        budgets = [table[GLOBAL]["avg_budget"] for table in self._trip.tables.values()]
        return min((budget - spent - rides for budget in budgets if budget and spent <= budget), default=float("inf"))

    def _spent(self, parts: list[Part], legs: Sequence[Service], beds: Sequence[Poi]) -> float:
        """Return what each person pays for all but the moves of these stretches."""
        spent = sum(option.cost for part in parts for option, _ in part.visits)
        kept_plan = self._kept_plan
        return spent + (
            kept_plan.spent if kept_plan else sum(s.price for s in legs) + sum(bed.cost or 0.0 for bed in beds)
        )

    def _change(self, parts: list[Part], changes: Sequence[tuple[Part, list[Placed]]]) -> bool:
        """Give parts other visits if these fit and the ways to them can be paid, and return whether they have them."""
        before, rode = [replace(part) for part, _ in changes], sum(self._rides(part) for part, _ in changes)
        for part, visits in changes:
            part.visits = visits
        if all(self._order(part, parts) for part, _ in changes):
            paid = sum(self._rides(part) for part, _ in changes) - rode
            if paid <= max(0.0, self._money_left):
                self._money_left -= paid
                self._used -= {stop.poi.place_id for was in before for _, stop in was.visits}
                self._used |= {stop.poi.place_id for _, visits in changes for _, stop in visits}
                return True
        for (part, _), was in zip(changes, before, strict=True):
            vars(part).update(vars(was))
        return False

    def _alike(self, part: Part, option: Option) -> Iterator[Placed]:
        """Yield what a stretch could hold instead of a sight, worth the same: of each option the nearest place."""
        for other in self._options:
            is_alike = (other.city, other.kind) == (option.city, option.kind)
            if is_alike and self._worth(other) == self._worth(option) and fit(other, part.stretch, None):
                yield from self._placed_visits(part, [Visit(other, part.stretch, None)])

    def _fill(self, parts: list[Part]) -> None:
        """Put in what is worth nothing where the caps hold: a sight a day without one, meals, the cheapest first."""
        by_city: dict[str, list[Option]] = {}
        for option in sorted(self._fillers, key=lambda o: (o.cost, o.members[0].place_id)):
            by_city.setdefault(option.city, []).append(option)
        for meal in (None, 1, 2, 0):
            for part in parts:
                if meal is None and sights_on(part.stretch.day, parts):
                    continue
                fits = (
                    o
                    for o in by_city.get(self._trip.route[part.stretch.nth + 1], ())
                    if (o.kind == "food") is (meal is not None) and fit(o, part.stretch, meal)
                )
                free = self._free(part, parts)
                any(self._put(option, meal, part, parts, free) for _, option in zip(range(TRIED), fits, strict=False))

    def _take_time(self, part: Part, parts: list[Part]) -> None:
        """Spread the visits over the day; a sight comes elsewhere in it where that leaves less time idle."""
        frame = frame_beside(part, parts)
        part.timed = unhurried(part.timed, frame, part.move)
        while not (frame.shunned or frame.arrivals_by_place) and self._is_put_elsewhere(part, frame):
            pass
        part.timed, more = lingering(part.timed, frame, part.move, frame.active_min - part.active)
        part.active += more

    def _is_put_elsewhere(self, part: Part, frame: Frame) -> bool:
        """Put one sight where it leaves the least time idle of what can be paid, and return whether it gains enough."""
        orders = (in_turn(stops, frame, part.move) for stops in with_a_sight_elsewhere(part.timed))
        spread = [(unhurried(order[0], frame, part.move), order[1]) for order in orders if order is not None]
        most, before, rode = idleness(part.timed) - LEAST_GAINED_MIN**2, replace(part), self._rides(part)
        for part.timed, part.active in sorted(spread, key=lambda order: idleness(order[0])):
            paid = self._rides(part) - rode
            if idleness(part.timed) <= most and paid <= max(0.0, self._money_left):
                self._money_left -= paid
                return True
        vars(part).update(vars(before))
        return False

    def _choices(self, part: Part) -> list[Choice]:
        day, city, frame = part.stretch.day, self._trip.route[part.stretch.nth + 1], part.frame
        team, last = self._beside.team, frame.opens - TRANSFER_MIN
        choices, moves = [], [move for _, _, move in self._moves(part)]
        for (stop, begin, end), move in zip(part.timed, moves, strict=False):
            choices.append(Choice(day, begin, end, city, stop.poi, move, team))
            last = end
        if len(moves) > len(part.timed):
            assert frame.bed is not None
            move = moves[-1]
            arrives = max(CHECK_IN, last + move[1])
            choices.append(Choice(day, arrives, arrives, city, frame.bed, move, team))
        return choices
