"""What no plan that `ours` accepts exceeds, splits and all: a Lagrangian bound over the days' divisions of the group.

Why it holds, for any prices >= 0 of visits (one for each user and class of places):
- On a day, call users alike who join the same visits. A part of a split with k teams costs k - 1 and can tell at most k
  times as many users apart as there were; so a day with K kinds of users costs at least c(K), the least sum of (k - 1)
  over parts whose product of k reaches K. All of a kind join all of its visits, which keep the lowest of their caps and
  the mealtimes. So a day is worth at most the greatest, over divisions of the group into kinds, of each kind's best
  visits less c(K). Time beyond opening hours and the stretch's ends is forgotten, and so are budgets and children.
- What couples the days is that a user visits a place once. Charge each visit its price and give each user, once, what
  all places of a class would be charged: an accepted plan pays no more than it is given, so the sum of the days' best
  values at these prices, plus what is given, is at least its worth.
- Legs and nights are everybody's: at most the best service of each leg and the best bed of each night.
Places of equal worth to everybody that fit the same meals of the same days are one class, whatever their hours.
The prices are sought by subgradient steps towards the best plan known; wherever they end, the bound holds.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np

from assets.grouptravel.checks.utility import hotel_points, transport_points
from assets.grouptravel.conditions import MEAL_WINDOWS
from assets.grouptravel.facts.fares import Fares
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Trip, leg_day_choices
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.wishes.preferences import GLOBAL
from assets.grouptravel.witness.stretches import (
    NO_CAP,
    NoPlanError,
    Stretch,
    beds_of,
    fit,
    services_of,
    stretches_of,
    widest,
)
from assets.grouptravel.witness.worth import Class, classes_of

STEPS = 40
PATIENCE = 4
"""Steps without a lower bound after which steps are halved."""

LEAST_FACTOR = 0.05
"""Of a step's full length: shorter steps lower no bound by a point."""

NEAR = 1e-6

SLOTS = (None, *range(len(MEAL_WINDOWS)))
"""What a visit of a day is: a sight, or one of the meals."""


_Known = dict[tuple[tuple[str, int, int, int], ...], list[tuple[bool, ...]]]
"""By the stretches of a day, each with its city: of each class whether it fits."""


def split_bound(trip: Trip, pois: Pois, fares: Fares, vocabulary: Vocabulary, floor: int) -> int:
    """Return what no accepted plan exceeds, at least what is `floor`, nobody compromising. Raises NoPlanError."""
    classes = classes_of(replace(trip, children=()), pois, vocabulary)
    spreads: list[_Spread] = []
    day_fits: _Known = {}
    for days in leg_day_choices(trip.days, len(trip.route) - 2):
        with suppress(NoPlanError):
            spreads.append(_Spread(replace(trip, leg_days=days), pois, fares, vocabulary, classes, day_fits))
    if not spreads:
        raise NoPlanError("no way to spread the nights has services on every leg")
    # Of all spreads the greatest bound counts: none has to come below that of another.
    for spread in sorted(spreads, key=lambda one: -one.unpriced):
        floor = max(floor, spread.bound(floor))
    return floor


class _Spread:
    """The bound of one way to spread the nights."""

    def __init__(
        self,
        trip: Trip,
        pois: Pois,
        fares: Fares,
        vocabulary: Vocabulary,
        classes: Sequence[Class],
        day_fits: _Known,
    ):
        self._users = tuple(trip.tables)
        n = len(self._users)
        self._shared = _shared_points(trip, pois, fares, vocabulary)
        self._teams, self._divisions, self._costs = _divisions(n)
        caps = [trip.tables[user][GLOBAL]["intensity"]["max_poi_per_day"] or NO_CAP for user in self._users]
        self._caps = np.array([min(cap for cap, isin in zip(caps, team, strict=True) if isin) for team in self._teams])
        self._caps = self._caps.astype(int)
        self._most = int(self._caps.max())
        legs = [services_of(trip, k, fares) for k in range(len(trip.leg_days))]
        fits = [_fits(trip, widest(stretches), classes, day_fits) for stretches in stretches_of(trip, legs)]
        # Places of equal worth to everybody that fit the same days and meals are alike here, whatever their hours.
        alike: dict[tuple[object, ...], list[int]] = {}
        for n, one in enumerate(classes):
            alike.setdefault((one.kind, one.points, tuple(fit[n] for fit in fits)), []).append(n)
        merged = [one for one in alike.values() if any(any(fit[one[0]]) for fit in fits)]
        self._worth = np.array([classes[one[0]].points for one in merged], dtype=float).reshape(-1, len(self._users)).T
        self._sizes = np.array([sum(classes[n].size for n in one) for one in merged], dtype=int)
        days = Counter(
            tuple(tuple(n for n, one in enumerate(merged) if fit[one[0]][slot]) for slot in range(len(SLOTS)))
            for fit in fits
        )
        self._days = [([np.array(fitting, dtype=int) for fitting in day], times) for day, times in days.items()]
        for day, _ in self._days:
            # As often as there are places of a class, and no more sights than anybody's cap allows.
            day[0] = np.repeat(day[0], np.minimum(self._sizes[day[0]], self._most))
        self.unpriced = self._shared + sum(times * self._day(self._worth, day)[0] for day, times in self._days)

    def bound(self, floor: int) -> int:
        """Return the least bound that the steps come by."""
        n_users, n_classes = self._worth.shape
        prices = np.zeros((n_users, n_classes))
        least, factor, waited = math.inf, 1.0, 0
        for _ in range(STEPS):
            used, total = np.zeros((n_users, n_classes)), float(self._shared)
            for day, times in self._days:
                value, visits = self._day(self._worth - prices, day)
                total += times * value
                used += times * visits
            total += float((prices * self._sizes).sum())
            waited = 0 if total < least - NEAR else waited + 1
            least = min(least, total)
            slope = self._sizes - used
            slope[(prices <= 0) & (slope > 0)] = 0
            if math.floor(least + NEAR) <= floor or not slope.any():
                break
            if waited >= PATIENCE:
                factor, waited = factor / 2, 0
                if factor < LEAST_FACTOR:
                    break
            prices = np.maximum(prices - factor * (total - floor) / float((slope**2).sum()) * slope, 0)
        return math.floor(least + NEAR)

    def _day(self, worth: np.ndarray, day: Sequence[np.ndarray]) -> tuple[float, np.ndarray]:
        """Return the most that a day is worth at these worths, and how often each user visits each class for it.

        A day is the classes of its sights, each once for every place that can be visited, and those of each meal.
        """
        by_team = self._teams @ worth
        values = np.zeros(len(self._teams))
        sights, *meals = day
        classes_by_team = [np.zeros((len(self._teams), 0), dtype=int)]  # by team, the classes of what it visits best
        if len(sights):
            listed = np.maximum(by_team[:, sights], 0)
            order = np.argsort(-listed, axis=1, kind="stable")[:, : self._most]
            ranked = np.cumsum(np.take_along_axis(listed, order, axis=1), axis=1)
            values = ranked[np.arange(len(values)), np.minimum(self._caps, ranked.shape[1]) - 1]
            classes_by_team.append(sights[order])
        for meal in meals:
            if len(meal):
                eaten = by_team[:, meal]
                values += np.maximum(eaten.max(axis=1), 0)
                classes_by_team.append(meal[eaten.argmax(axis=1)][:, None])
        totals = self._divisions @ values - self._costs
        best = int(totals.argmax())
        visits = np.zeros_like(worth)
        for n in np.flatnonzero(self._divisions[best]):
            visited = np.concatenate([of[n, : self._caps[n]] for of in classes_by_team])
            visited = visited[by_team[n, visited] > 0]
            visits[self._teams[n] > 0] += np.bincount(visited, minlength=worth.shape[1])
        return float(totals[best]), visits


def _fits(
    trip: Trip, stretches: Sequence[Stretch], classes: Sequence[Class], day_fits: _Known
) -> Sequence[tuple[bool, ...]]:
    """Return of each class whether it fits on a day as a sight, and at each meal (SLOTS); `day_fits` keeps days."""
    by_city = [(trip.route[s.nth + 1], s) for s in stretches]
    key = tuple((city, s.day, s.opens, s.closes) for city, s in by_city)
    if key not in day_fits:
        of_hours: dict[tuple[object, ...], tuple[bool, ...]] = {}
        for one in classes:
            hours = (one.city, one.kind, one.stay_min, one.spans)
            if hours not in of_hours:
                city_stretches = [s for city, s in by_city if city == one.city]
                of_hours[hours] = tuple(
                    (meal is None) == (one.kind == "attractions")
                    and any(fit(one, stretch, meal) for stretch in city_stretches)
                    for meal in SLOTS
                )
        day_fits[key] = [of_hours[one.city, one.kind, one.stay_min, one.spans] for one in classes]
    return day_fits[key]


def _shared_points(trip: Trip, pois: Pois, fares: Fares, vocabulary: Vocabulary) -> int:
    """Return the most that legs and nights can be worth to all."""
    tables = [table[GLOBAL] for table in trip.tables.values()]
    total = 0
    for k in range(len(trip.leg_days)):
        modes = {vocabulary.modes[service.mode] for service in services_of(trip, k, fares)}
        total += max(sum(transport_points(mode, of["transport"]) for of in tables) for mode in modes)
    for nth, city in enumerate(trip.route[1:-1]):
        beds = beds_of(city, pois)
        night = max(sum(hotel_points(bed.category, of["hotel_preference"]) for of in tables) for bed in beds)
        total += night * (trip.leg_days[nth + 1] - trip.leg_days[nth])
    return total


@cache
def _divisions(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return every team (team by user), every division (division by team), and the least that each division costs."""
    masks = range(1, 1 << n)
    teams = np.array([[mask >> user & 1 for user in range(n)] for mask in masks])

    def divided(users_left: int) -> Iterator[tuple[int, ...]]:
        if not users_left:
            yield ()
            return
        first = users_left & -users_left
        for mask in masks:
            if mask & first and mask & users_left == mask:
                for others in divided(users_left & ~mask):
                    yield (mask, *others)

    listed = list(divided((1 << n) - 1))
    divisions = np.zeros((len(listed), len(teams)))
    for row, division in enumerate(listed):
        divisions[row, [mask - 1 for mask in division]] = 1
    return teams, divisions, np.array([least_cost(len(division)) for division in listed])


def least_cost(kinds: int) -> int:
    """Return the least that parts of splits cost that tell so many kinds of users apart: c(K) of the proof."""
    sizes = range(1, kinds + 1)
    parts = math.ceil(math.log2(kinds)) if kinds > 1 else 1
    return min(
        sum(k - 1 for k in part_sizes) for part_sizes in product(sizes, repeat=parts) if math.prod(part_sizes) >= kinds
    )
