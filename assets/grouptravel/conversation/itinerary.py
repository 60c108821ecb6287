"""A careful planner's trip by rules: what the group gains most by, within money, opening hours, ways and caps.

It looks a few ways of travelling and hotels ahead, fills each day from morning on, never goes back, and solves nothing.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from assets.grouptravel.baseline import sight_points
from assets.grouptravel.checks.utility import food_points, hotel_votes, transport_votes
from assets.grouptravel.conditions import (
    CHILD_DAY,
    DAY,
    LATEST_ARRIVAL,
    MEAL_GAP_MIN,
    MEAL_MIN,
    MEAL_WINDOWS,
    TRANSFER_MIN,
    least_stay_min,
)  # fmt: skip
from assets.grouptravel.facts.fares import Service
from assets.grouptravel.facts.opening import Window, is_within, open_spans
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.trips import Best, Choice, Trip
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.wishes.preferences import CITIES, GLOBAL
from assets.grouptravel.witness.as_plan import CHECK_IN

UNKNOWN_WAY_MIN = 30
"""From a station, whose place is not known."""
NEAR = 8
"""Of equally wanted places, so many are looked at for the nearest."""
RIDE = "taxi"


@dataclass(frozen=True)
class TripFacts:
    """What was found out: places by city and type, services by leg, minutes by taxi, and a place's opening hours."""

    places: Mapping[tuple[str, str], Sequence[Poi]]
    services: Sequence[Sequence[Service]]
    minutes: Callable[[Poi, Poi, str], int]
    hours: Callable[[Poi], Any]


def planned(trip: Trip, facts: TripFacts, words: Vocabulary) -> Best | None:
    """Return the best of the trips tried; None where a leg has no service or a city no hotel."""
    legs = [_services(trip, k, facts.services[k], words) for k in range(len(trip.leg_days))]
    beds = [_beds(trip, facts.places.get((city, "hotels"), ())) for city in trip.route[1:-1]]
    if not all(legs) or not all(beds):
        return None
    worth = _Worth(trip, facts, words)
    candidates = [_Filling(trip, facts, worth, ride, bed).best() for ride in _turns(legs) for bed in _turns(beds)]
    return max(candidates, key=lambda best: best.total)


def _turns(options: list[list[Any]]) -> Iterator[tuple[Any, ...]]:
    """Yield one choice for each: the first of all, the second of all, and so on; and every mix of two legs."""
    if len(options) == 2:
        yield from product(*options)
        return
    for n in range(max(map(len, options))):
        yield tuple(choices[min(n, len(choices) - 1)] for choices in options)


def _services(trip: Trip, k: int, running: Sequence[Service], words: Vocabulary) -> list[Service]:
    """Return the services worth trying: the best liked that leaves most of the day, and the cheapest."""
    usable = [s for s in running if s.price > 0 and not s.arrives_next_day and s.arrives <= LATEST_ARRIVAL]

    def votes(service: Service) -> int:
        return transport_votes(words.modes[service.mode], trip.tables.values())

    def lost(service: Service) -> int:
        return -service.departs if k == len(trip.leg_days) - 1 else service.arrives

    orders: list[Callable[[Service], tuple[Any, ...]]] = [
        lambda s: (-votes(s), lost(s), s.price, s.departs),
        lambda s: (-votes(s), s.price, lost(s), s.departs),
        lambda s: (s.price, -votes(s), lost(s), s.departs),
    ]
    return list(dict.fromkeys(min(usable, key=order) for order in orders)) if usable else []


def _beds(trip: Trip, hotels: Sequence[Poi]) -> list[Poi]:
    """Return the hotels worth trying: the best liked and of those the cheapest, and the cheapest of all."""

    def votes(poi: Poi) -> int:
        return hotel_votes(poi.category, trip.tables.values())

    priced = [poi for poi in hotels if poi.cost is not None]
    if not priced:
        return []
    liked = min(priced, key=lambda p: (-votes(p), p.cost, p.place_id))
    cheap = min(priced, key=lambda p: (p.cost, -votes(p), p.place_id))
    return list(dict.fromkeys((liked, cheap)))


@dataclass
class _Day:
    """What is used up of a day."""

    sights: int = 0
    active: int = 0
    eaten: set[int] = field(default_factory=set)
    fed: int = 0
    """When the next meal can begin."""

    def first(self, meal: int) -> int:
        """Return when a meal can begin at first."""
        return max(MEAL_WINDOWS[meal][0], self.fed)


class _Worth:
    """What the places of a trip are worth to its group, and when they are open: the same however it is filled."""

    def __init__(self, trip: Trip, facts: TripFacts, words: Vocabulary) -> None:
        self._trip, self._facts, self.words = trip, facts, words
        self._rank: dict[tuple[str, str], list[tuple[int, str, Poi]]] = {}
        self._spans: dict[tuple[str, int], list[Window] | None] = {}

    def ranked(self, city: str, kind: str) -> list[tuple[int, str, Poi]]:
        """Return the places of a kind that somebody gains by, the most wanted first."""
        if (city, kind) not in self._rank:
            candidates = ((self._points(poi, city, kind), poi) for poi in self._facts.places.get((city, kind), ()))
            self._rank[city, kind] = sorted((-points, poi.place_id, poi) for points, poi in candidates if points > 0)
        return self._rank[city, kind]

    def spans(self, poi: Poi, day: int) -> list[Window] | None:
        """Return when a place is open on a day of the trip; None where nothing is known."""
        if (poi.place_id, day) not in self._spans:
            date = self._trip.first_date + dt.timedelta(days=day)
            self._spans[poi.place_id, day] = open_spans(self._facts.hours(poi), date)
        return self._spans[poi.place_id, day]

    def _points(self, poi: Poi, city: str, kind: str) -> int:
        barred = self.words.adult_only if self._trip.children else ()
        tables = [t[CITIES][city]["food" if kind == "food" else kind] for t in self._trip.tables.values()]
        points = food_points if kind == "food" else sight_points
        return -1 if poi.category in barred else sum(points(poi.name, poi.category, table) for table in tables)


class _Filling:
    """One way to travel and sleep, its days filled in order."""

    def __init__(self, trip: Trip, facts: TripFacts, worth: _Worth, legs: Sequence[Service], beds: Sequence[Poi]):
        self._trip, self._facts, self._worth = trip, facts, worth
        self._legs = tuple(legs)
        nights = [trip.leg_days[k + 1] - trip.leg_days[k] for k in range(len(beds))]
        self._beds = tuple(bed for bed, count in zip(beds, nights, strict=True) for _ in range(count))
        tables = trip.tables.values()
        budgets = [t[GLOBAL]["avg_budget"] for t in tables if t[GLOBAL]["avg_budget"] > 0]
        fixed = sum(leg.price for leg in legs) + sum(bed.cost or 0.0 for bed in self._beds)
        self._money = min(budgets) - fixed if budgets else float("inf")
        self._most_sights = self._least("max_poi_per_day", 99)
        self._most_active = 60 * self._least("max_active_hours", 24)
        self._used: set[str] = set()
        self._gain = self._fixed_gain()

    def best(self) -> Best:
        """Return the trip; its total is what it is worth to all, far below any other where the money is not enough."""
        overdrawn = self._money < 0
        choices: list[Choice] = []
        for day in range(self._trip.days):
            used = _Day()
            for stretch in self._stretches(day):
                choices += self._filled(day, used, *stretch)
        total = self._gain - (2 * len(self._trip.tables) if overdrawn else 0)
        return Best(self._legs, self._trip.leg_days, self._beds, tuple(choices), total=total)

    def _least(self, cap: str, otherwise: int) -> int:
        caps = [value for t in self._trip.tables.values() if (value := t[GLOBAL]["intensity"][cap]) > 0]
        return int(min(caps)) if caps else otherwise

    def _fixed_gain(self) -> int:
        tables = [*self._trip.tables.values()]
        legs = sum(transport_votes(self._worth.words.modes[service.mode], tables) for service in self._legs)
        return legs + sum(hotel_votes(bed.category, tables) for bed in self._beds)

    def _stretches(self, day: int) -> Iterator[tuple[str, int, int, Poi | None, Poi | None]]:
        """Yield each city of the day with when one may begin and must end, where one is, and the night's bed."""
        opens, closes = CHILD_DAY if self._trip.children else DAY
        for k, city in enumerate(self._trip.route[1:-1]):
            first, last = self._trip.leg_days[k], self._trip.leg_days[k + 1]
            if not first <= day <= last:
                continue
            begins = max(opens, self._legs[k].arrives + TRANSFER_MIN) if day == first else opens
            ends = min(closes, self._legs[k + 1].departs - TRANSFER_MIN) if day == last else closes
            bed = self._beds[day] if day < last else None
            yield city, begins, ends, (None if day == first else self._beds[day - 1]), bed

    def _filled(
        self, day: int, used: _Day, city: str, begins: int, ends: int, at: Poi | None, bed: Poi | None
    ) -> Iterator[Choice]:
        # The way from the station or the bed may be gone before the day opens: only visits have hours.
        now = begins - (UNKNOWN_WAY_MIN - TRANSFER_MIN if at is None else 20)
        while now < ends:
            visit = self._next(day, used, city, now, begins, ends, at)
            if visit is None:
                ahead = (used.first(n) for n in range(len(MEAL_WINDOWS)) if n not in used.eaten)
                later = [first for first in ahead if first > now + 20]
                if not later:
                    break
                now = max(now + 1, min(later) - 20)
                continue
            choice, points = visit
            is_meal = choice.poi.poi_type == "food"
            self._used.add(choice.poi.place_id)
            self._gain += points
            used.active += choice.come[1] + (0 if is_meal else choice.end - choice.start)
            used.sights += not is_meal
            self._money -= (choice.poi.cost or 0.0) if is_meal else 0.0
            if is_meal:
                used.eaten.add(_meal(choice.start))
                used.fed = choice.end + MEAL_GAP_MIN
            now, at = choice.end, choice.poi
            yield choice
        if bed is not None and at is not bed:
            way = self._way(at, bed, city)
            arrives = max(CHECK_IN, now + way)
            used.active += way
            yield Choice(day, arrives, arrives, city, bed, (RIDE, way))

    def _next(
        self, day: int, used: _Day, city: str, now: int, begins: int, ends: int, at: Poi | None
    ) -> tuple[Choice, int] | None:
        """Return the next visit and its points: a meal where it is time for one, else a sight; None if neither fits."""
        for n, (_, last) in enumerate(MEAL_WINDOWS):
            if n not in used.eaten and used.first(n) - 20 <= now <= last:
                window = max(used.first(n), begins), last
                visit = self._best(day, used, city, "food", window, now, ends, at)
                if visit is not None:
                    return visit
                used.eaten.add(n)
        if used.sights >= self._most_sights:
            return None
        ahead = [last for n, (_, last) in enumerate(MEAL_WINDOWS) if n not in used.eaten and last > now]
        by = min([ends, *(last - 30 for last in ahead)])
        return self._best(day, used, city, "attractions", (begins, ends), now, by, at)

    def _best(
        self, day: int, used: _Day, city: str, kind: str, window: tuple[int, int], now: int, by: int, at: Poi | None
    ) -> tuple[Choice, int] | None:
        looked = 0
        best: tuple[tuple[int, int], Choice, int] | None = None
        for minus, _, poi in self._worth.ranked(city, kind):
            if poi.place_id in self._used:
                continue
            if best is not None and (-minus < best[2] or looked >= NEAR):
                break
            if kind == "food" and (poi.cost is None or poi.cost > self._money):
                continue
            looked += 1
            way = self._way(at, poi, city)
            start = max(now + way, window[0])
            end = start + (MEAL_MIN if kind == "food" else least_stay_min(kind, poi.category))
            active = used.active + way + (0 if kind == "food" else end - start) + UNKNOWN_WAY_MIN
            if start > window[1] or end > by or active > self._most_active:
                continue
            spans = self._worth.spans(poi, day)
            if spans is not None and not is_within(spans, start, end):
                continue
            choice = Choice(day, start, end, city, poi, (RIDE, way))
            if best is None or (way, start) < best[0]:
                best = ((way, start), choice, -minus)
        return None if best is None else (best[1], best[2])

    def _way(self, at: Poi | None, poi: Poi, city: str) -> int:
        return UNKNOWN_WAY_MIN if at is None else self._facts.minutes(at, poi, city)


def _meal(start: int) -> int:
    return next(n for n, (first, last) in enumerate(MEAL_WINDOWS) if first <= start <= last)
