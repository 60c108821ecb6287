"""Which firm wishes of a group clash: a complete search over all ways to travel, and smallest sets that clash.

Members may split for visits and meals, never for legs and beds. So a plan that keeps a set of wishes is one of the ways
to spread the nights and to take a service on each leg, in which each member alone finds what it insists on. Of each way
the reasons are listed why it keeps not all wishes, each a set of wishes that no plan of that way keeps together:
- a must-visit, or all tables of a kind that must be eaten, that fit no stretch of any day: hours, least stay, arrivals
  and departures;
- two must-visits of one member that fit in one and the same stretch alone, and in neither order;
- a budget below the fares and the cheapest bed of each night, or below that and the cheapest such meal.
Wishes clash if every way has a reason among them. That no plan keeps wishes that clash holds for all that `ours`
accepts: its legs are services of their days, its nights are hotels at their price, a visit is within opening hours for
at least the least stay. Of services of a mode one that is cheaper, and better in its times where these matter, has no
reason that the other has not, so that the other is left out. The converse does not follow: witnesses show it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product
from math import prod
from typing import Any

from assets.core.claims import Wish
from assets.grouptravel.conditions import MEAL_WINDOWS, least_stay_min
from assets.grouptravel.facts.fares import Fares, Service
from assets.grouptravel.facts.money import cents
from assets.grouptravel.facts.opening import open_spans
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Trip, leg_day_choices
from assets.grouptravel.firm_wishes.wishes import Firm, firm_of, is_meant, wishes_of
from assets.grouptravel.witness.dominance import is_better
from assets.grouptravel.witness.stretches import NoPlanError, Stretch, beds_of, fit, services_of, stretches_of
from assets.grouptravel.witness.worth import ALL_DAY, Option

MOST_WAYS = 20_000
"""Ways to travel that are looked through; trips of more are passed over."""

MOST_CLASHING = 4
"""Wishes of the largest clash that is sought."""

Reasons = frozenset[frozenset[Wish]]


@dataclass(frozen=True)
class Way:
    """One way to travel: the days of its legs, the services, what it costs everybody at least, why it will not do."""

    leg_days: tuple[int, ...]
    legs: tuple[Service, ...]
    cost: float
    reasons: Reasons


class Bound:
    """What no plan of one world can keep. The first proof; `program.py` is the second."""

    def __init__(self, pois: Pois, fares: Fares, hours: Callable[[Poi], Any] | None = None) -> None:
        """Take the places and services of the trip's cities, and `hours` where the places do not hold them."""
        self._pois, self._fares = pois, fares
        self._hours = hours or (lambda poi: poi.hours)
        self._spans: dict[tuple[str, str, dt.date, int], tuple[tuple[tuple[int, int], ...], ...]] = {}
        self._meals: dict[tuple[str, str, dt.date, int], list[Option]] = {}

    def ways(self, trip: Trip, spreads: Sequence[tuple[int, ...]] = ()) -> list[Way]:
        """Return every way to travel, with the legs on the days of `spreads` or, without these, of any.

        Raises NoPlanError where there is none, or more than can be looked through.
        """
        travel_ways = list(self.each_way(trip, spreads))
        if not travel_ways:
            raise NoPlanError("no way to spread the nights has services on every leg")
        return travel_ways

    def each_way(self, trip: Trip, spreads: Sequence[tuple[int, ...]] = ()) -> Iterator[Way]:
        """Yield the same, one after the other, and nothing where there is none.

        Raises NoPlanError when it comes to a spread with which they are more than can be looked through.
        """
        # A member without the children may stay out longer than with them.
        alone, n_found = replace(trip, children=()), 0
        wishes = wishes_of(trip.tables, trip.compromisable)
        for days in spreads or leg_day_choices(trip.days, len(trip.route) - 2):
            spread = replace(alone, leg_days=days)
            try:
                legs = [self._services(spread, k) for k in range(len(days))]
            except NoPlanError:
                continue
            if prod(map(len, legs)) + n_found > MOST_WAYS:
                raise NoPlanError("the trip has too many ways to travel to look through")
            beds = sum(min(bed.cost or 0.0 for bed in beds_of(city, self._pois)) * (other - one)
                       for city, (one, other) in zip(trip.route[1:-1], pairwise(days), strict=True))  # fmt: skip
            for services in product(*legs):
                if all(days[k] < days[k + 1] or services[k].arrives <= services[k + 1].departs
                       for k in range(len(days) - 1)):  # fmt: skip
                    cost = beds + sum(leg.price for leg in services)
                    n_found += 1
                    yield Way(days, services, cost, self._reasons(spread, services, cost, wishes))

    def is_clash(self, trip: Trip, wishes: Sequence[Wish]) -> bool:
        """Return whether the wishes named are firm wishes of the trip, clash, and each is needed for it."""
        firm_wishes = {one.wish for one in wishes_of(trip.tables, trip.compromisable)}
        if not wishes or len(set(wishes)) != len(wishes) or not set(wishes) <= firm_wishes:
            return False
        easiest = easiest_of(self.ways(trip))
        return clash(easiest, wishes) and not any(clash(easiest, set(wishes) - {one}) for one in wishes)

    def smallest_clash(self, trip: Trip) -> tuple[Wish, ...] | None:
        """Return a smallest set of firm wishes that clash; None where none of at most MOST_CLASHING is shown to."""
        order = [one.wish for one in wishes_of(trip.tables, trip.compromisable)]
        return smallest(easiest_of(self.ways(trip)), order)

    def is_shut_on_some(self, one: Firm, trip: Trip, ways: Iterable[Way]) -> bool:
        """Return whether a must-visit fits no stretch of some way to travel."""
        options = self.sights(one, trip)
        times = {(way.leg_days, *((leg.departs, leg.arrives) for leg in way.legs)): way for way in ways}
        return not all(
            any(places_of(option, spread, stretches) for option in options)
            for spread, stretches in (_stretches(trip, way.leg_days, way.legs) for way in times.values())
        )

    def sights(self, one: Firm, trip: Trip) -> list[Option]:
        """Return the place of a must-visit, with its hours; none where the city has no such sight."""
        poi = self._pois.meant(one.value, one.city)
        return [self.option(poi, one.city, trip)] if poi is not None and poi.poi_type == "attractions" else []

    def meals(self, one: Firm, trip: Trip) -> list[Option]:
        """Return the places that serve what must be eaten at a known price, the cheapest first."""
        key = (one.city, one.value, trip.first_date, trip.days)
        if key not in self._meals:
            food = self._pois.distinct(one.city, "food")
            places = [poi for poi in food if poi.cost is not None and is_meant(one, poi.name, self._pois)]
            places.sort(key=lambda poi: (poi.cost, poi.place_id))
            self._meals[key] = [self.option(poi, one.city, trip) for poi in places]
        return self._meals[key]

    def option(self, poi: Poi, city: str, trip: Trip) -> Option:
        """Return a place as something to visit on the days of the trip."""
        key = (city, poi.place_id, trip.first_date, trip.days)
        if key not in self._spans:
            dates = (trip.first_date + dt.timedelta(days=day) for day in range(trip.days))
            spans = (open_spans(self._hours(poi), date) for date in dates)
            self._spans[key] = tuple(ALL_DAY if of is None else tuple(of) for of in spans)
        is_meal = poi.poi_type == "food"
        stay = least_stay_min(poi.poi_type, poi.category)
        cost = (poi.cost or 0.0) if is_meal else 0.0
        return Option(city, poi.poi_type, 1, (), cost, stay, 0, self._spans[key], (poi,))

    def _services(self, trip: Trip, k: int) -> list[Service]:
        days = trip.leg_days
        listed = services_of(trip, k, self._fares)
        before = k > 0 or days[k] in days[k + 1 :]
        after = k < len(days) - 1 or days[k] in days[:k]
        return [s for s in listed if not any(is_better(o, s, listed, before, after) for o in listed)]

    def _reasons(self, trip: Trip, legs: tuple[Service, ...], cost: float, wishes: Iterable[Firm]) -> Reasons:
        _, stretches = _stretches(trip, trip.leg_days, legs)
        by_user: dict[str, list[Firm]] = {}
        for one in wishes:
            by_user.setdefault(one.user, []).append(one)
        return _least(
            reason for user_wishes in by_user.values() for reason in self._of_user(trip, user_wishes, stretches, cost)
        )

    def _of_user(
        self, trip: Trip, user_wishes: list[Firm], stretches: list[Stretch], cost: float
    ) -> Iterator[frozenset[Wish]]:
        budget = next((one for one in user_wishes if one.kind == "budget"), None)
        sights: list[tuple[Firm, Option]] = []
        if budget is not None and is_over(cost, budget):
            yield frozenset({budget.wish})
        for one in user_wishes:
            is_broken = False
            if one.kind == "must_visit":
                options = self.sights(one, trip)
                sights += [(one, option) for option in options]
                is_broken = not any(places_of(option, trip, stretches) for option in options)
            if one.kind == "must_eat":
                meal = next((option for option in self.meals(one, trip) if places_of(option, trip, stretches)), None)
                is_broken = meal is None
                if meal is not None and budget is not None and is_over(cost + meal.cost, budget):
                    yield frozenset({one.wish, budget.wish})
            if is_broken:
                yield frozenset({one.wish})
        for (one, a), (other, b) in combinations(sights, 2):
            if not self._fit_both(a, b, trip, stretches):
                yield frozenset({one.wish, other.wish})

    def _fit_both(self, a: Option, b: Option, trip: Trip, stretches: list[Stretch]) -> bool:
        """Return whether one can visit both: in two stretches, or one after the other."""
        first, second = places_of(a, trip, stretches), places_of(b, trip, stretches)
        if {*first, *second} > {*first[:1]} or not first or not second:
            return True  # two stretches, or one that the other does not fit in: that is a reason of its own
        way = self._pois.ways.least(a.members[0], b.members[0])
        back = self._pois.ways.least(b.members[0], a.members[0])
        return _in_turn(a, b, first[0], way) or _in_turn(b, a, first[0], back)


def _stretches(trip: Trip, leg_days: tuple[int, ...], legs: Sequence[Service]) -> tuple[Trip, list[Stretch]]:
    """Return the trip with its legs on these days, nobody kept home by children, and what the services leave of it."""
    spread = replace(trip, leg_days=leg_days, children=())
    return spread, [stretch for of in stretches_of(spread, [[leg] for leg in legs]) for stretch in of]


def clash(easiest: Collection[Reasons], wishes: Collection[Wish]) -> bool:
    """Return whether every way has a reason among the wishes."""
    all_wishes = frozenset(wishes)
    return all(any(reason <= all_wishes for reason in reasons) for reasons in easiest)


def smallest(easiest: Collection[Reasons], order: Sequence[Wish]) -> tuple[Wish, ...] | None:
    """Return the first of the smallest sets of wishes, in their order, that clash; None if none is small enough."""
    if not all(easiest):
        return None
    wishes_in_reasons = {wish for reasons in easiest for reason in reasons for wish in reason}
    listed = [wish for wish in order if wish in wishes_in_reasons]
    for size in range(1, MOST_CLASHING + 1):
        for some in combinations(listed, size):
            if clash(easiest, some):
                return some
    return None


def easiest_of(ways: Iterable[Way]) -> list[Reasons]:
    """Return the reasons of the ways, less those of ways that fail whenever another does."""
    every = sorted({way.reasons for way in ways}, key=lambda reasons: (len(reasons), sorted(map(sorted, reasons))))
    easiest: list[Reasons] = []
    for reasons in every:
        if not any(all(any(r <= reason for r in reasons) for reason in easier) for easier in easiest):
            easiest.append(reasons)
    return easiest


def least_paid(user: str, trip: Trip, ways: Iterable[Way], bound: Bound) -> float | None:
    """Return the least that a member pays where all other firm wishes are kept; None where no way keeps them."""
    budget_wishes = {one.wish for one in firm_of(user, trip.tables[user]) if one.kind == "budget"}
    free = [way.cost for way in ways if all(reason & budget_wishes for reason in way.reasons)]
    meals = (bound.meals(one, trip) for one in firm_of(user, trip.tables[user]) if one.kind == "must_eat")
    dearest = max((options[0].cost for options in meals if options), default=0.0)
    return min(free) + dearest if free else None


def is_over(cost: float, budget: Firm) -> bool:
    """Return whether a cost is above a budget."""
    return cents(cost) > cents(float(budget.value))


def places_of(option: Option, trip: Trip, stretches: Iterable[Stretch]) -> list[tuple[Stretch, int | None]]:
    """Return the stretches in the option's city, and for a meal the mealtimes, at which a visit fits."""
    meals = range(len(MEAL_WINDOWS)) if option.kind == "food" else (None,)
    city_stretches = (stretch for stretch in stretches if trip.route[stretch.nth + 1] == option.city)
    return [(stretch, meal) for stretch in city_stretches for meal in meals if fit(option, stretch, meal) is not None]


def _in_turn(one: Option, other: Option, at: tuple[Stretch, int | None], way_min: int) -> bool:
    ends = _first_end(one, at[0], at[0].opens)
    return ends is not None and _first_end(other, at[0], ends + way_min) is not None


def _first_end(option: Option, stretch: Stretch, earliest: int) -> int | None:
    """Return when a visit that begins no earlier can end at first; None if it cannot."""
    for opens, closes in sorted(option.spans[stretch.day]):
        begins = max(opens, earliest, stretch.opens)
        if begins + option.stay_min <= min(closes, stretch.closes):
            return begins + option.stay_min
    return None


def _least(reasons: Iterable[frozenset[Wish]]) -> Reasons:
    """Return the reasons that hold no other."""
    every = set(reasons)
    return frozenset(reason for reason in every if not any(other < reason for other in every))
