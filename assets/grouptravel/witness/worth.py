"""What can be visited, as an optimum sees it: places that it cannot tell apart are one option.

An option's worth is points, and for each user who may compromise what giving up a refusal would add.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from operator import itemgetter
from typing import Any

from assets.grouptravel.checks.utility import attraction_points, food_points
from assets.grouptravel.conditions import least_stay_min
from assets.grouptravel.facts.opening import Window, has_dates, open_spans
from assets.grouptravel.facts.poi import Poi
from assets.grouptravel.facts.pois import Pois
from assets.grouptravel.facts.trips import Trip
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.wishes.preferences import CITIES, STRONG, Table

KINDS = ("attractions", "food")

REFUSALS = {
    "attractions": (("attractions", "reject_visit"), ("attractions", "category_pref", "negative")),
    "food": (("food", "reject_eat"), ("food", "avoid_eat")),
}
"""The two fields of a city by kind of place whose items a user can stop refusing."""

ALL_DAY = ((0, 24 * 60),)

Gain = tuple[int, int, int]
"""Points more if the first refusal is given up, the second, and what is more again if both are."""

Gains = tuple[tuple[str, Gain], ...]
"""By user who gains anything."""

Spans = tuple[tuple[Window, ...], ...]
"""When a place is open on each day of the trip."""


@dataclass(frozen=True)
class Option:
    """Places that the optimum cannot tell apart: of one city, kind, worth, price, stay, hours and least move to them.

    `points` are the sum over the trip's users; `gains` are by user who may compromise, where there are any.
    """

    city: str
    kind: str
    points: int
    gains: Gains
    cost: float
    stay_min: int
    move_min: int
    spans: Spans
    members: tuple[Poi, ...]

    @property
    def most(self) -> int:
        """Return the points with all that can be given up."""
        return self.points + sum(most_gained(gain) for _, gain in self.gains)


def options_of(
    trip: Trip,
    pois: Pois,
    vocabulary: Vocabulary,
    *,
    with_compromise: bool = False,
    excluded_ids: Collection[str] = (),
    least_points: int = 1,
) -> list[Option]:
    """Return what is worth a visit to the trip's users together, each place in one option, but `excluded_ids`.

    Left out are places that can be worth no more than 0 (less than `least_points`), meals without a known price, and
    places of adults where there is a small child.
    """
    options: list[Option] = []
    barred = vocabulary.adult_only if trip.children else ()
    for city, kind in product(dict.fromkeys(trip.route[1:-1]), KINDS):
        values = _Values(trip, city, kind, with_compromise)
        named_places = values.named_places(pois)
        grouped: dict[tuple[object, ...], tuple[Spans, list[tuple[int, Poi]]]] = {}
        places_by_category = _open(city, kind, trip, pois)
        worth_it = {category for category in places_by_category if values.most("", category) >= least_points}
        for category, listed in _worth_a_look(places_by_category, worth_it, named_places, barred):
            stay, is_worth_it = least_stay_min(kind, category), category in worth_it
            points, gains = values.of("", category)
            for alike, spans, is_named in listed:
                cost = (alike.members[0][1].cost or 0.0) if kind == "food" else 0.0
                others: Sequence[tuple[int, Poi]] = alike.members
                if not alike.ids.isdisjoint(excluded_ids):
                    others = [(n, poi) for n, poi in others if poi.place_id not in excluded_ids]
                if is_named:
                    for n, poi in others:
                        if poi.place_id in named_places and values.most(poi.name, category) >= least_points:
                            key = (*values.of(poi.name, category), cost, stay, alike.move_min, id(spans))
                            grouped.setdefault(key, (spans, []))[1].append((n, poi))
                    others = [(n, poi) for n, poi in others if poi.place_id not in named_places]
                if others and is_worth_it:
                    key = (points, gains, cost, stay, alike.move_min, id(spans))
                    grouped.setdefault(key, (spans, []))[1].extend(others)
        for _, members in grouped.values():
            members.sort(key=itemgetter(0))
        for key, (spans, members) in sorted(grouped.items(), key=lambda item: item[1][1][0][0]):
            options.append(Option(city, kind, *key[:-1], spans, tuple(poi for _, poi in members)))  # type: ignore[arg-type]
    return options


def worth_something(trip: Trip, pois: Pois) -> Iterator[tuple[str, str, int, Spans, Poi]]:
    """Yield each place that plans can be made of, together or apart: with its city, kind, least move and hours.

    Those are the places worth something to a user alone, or nothing less than 0 to all together, whatever is given up.
    """
    for city, kind in product(dict.fromkeys(trip.route[1:-1]), KINDS):
        together = _Values(trip, city, kind, with_compromise=True)
        alone = [
            _Values(replace(trip, tables={user: table}), city, kind, with_compromise=True)
            for user, table in trip.tables.items()
        ]

        def is_worth_it(name: str, category: str, together: _Values = together, alone: list[_Values] = alone) -> bool:
            return together.most(name, category) >= 0 or any(values.most(name, category) > 0 for values in alone)

        named_places, places_by_category = together.named_places(pois), _open(city, kind, trip, pois)
        worth_it = {category for category in places_by_category if is_worth_it("", category)}
        for category, listed in _worth_a_look(places_by_category, worth_it, named_places, ()):
            for alike, spans, _ in listed:
                for _, poi in alike.members:
                    if is_worth_it(poi.name, category) if poi.place_id in named_places else category in worth_it:
                        yield city, kind, alike.move_min, spans, poi


@dataclass(frozen=True)
class Class:
    """Places that no user of a trip can tell apart: `points` are by user, in the trip's order."""

    city: str
    kind: str
    points: tuple[int, ...]
    stay_min: int
    spans: Spans
    size: int


def classes_of(trip: Trip, pois: Pois, vocabulary: Vocabulary) -> list[Class]:
    """Return what is worth something to some user; left out is what `options_of` leaves out."""
    sizes: dict[tuple[str, str, tuple[int, ...], int, Spans], int] = {}
    barred = vocabulary.adult_only if trip.children else ()
    for city, kind in product(dict.fromkeys(trip.route[1:-1]), KINDS):
        by_user = [
            _Values(replace(trip, tables={user: table}), city, kind, with_compromise=False)
            for user, table in trip.tables.items()
        ]
        named_places = {place: category for values in by_user for place, category in values.named_places(pois).items()}
        places_by_category = _open(city, kind, trip, pois)
        worth_it = {
            category for category in places_by_category if max(values.of("", category)[0] for values in by_user) > 0
        }
        for category, listed in _worth_a_look(places_by_category, worth_it, named_places, barred):
            stay, of_category = least_stay_min(kind, category), tuple(values.of("", category)[0] for values in by_user)
            for alike, spans, is_named in listed:
                names = [poi.name for _, poi in alike.members if poi.place_id in named_places] if is_named else []
                of_names = (tuple(values.of(name, category)[0] for values in by_user) for name in names)
                for points, size in (*((of, 1) for of in of_names), (of_category, len(alike.members) - len(names))):
                    if size and max(points) > 0:
                        key = (city, kind, points, stay, spans)
                        sizes[key] = sizes.get(key, 0) + size
    return [Class(city, kind, points, stay, spans, size) for (city, kind, points, stay, spans), size in sizes.items()]


@dataclass(frozen=True)
class _Alike:
    """Places of one kind, category, price, hours and least move to them, each with its position among the city's."""

    move_min: int
    members: tuple[tuple[int, Poi], ...]
    ids: frozenset[str]


def _alike(city: str, kind: str, pois: Pois) -> list[_Alike]:
    """Return the city's places of a kind that differ by name alone, together."""
    memo, key = pois.lasting(city), ("alike", kind)
    if key not in memo:
        least_in = pois.ways.least_in(pois.in_city(city))
        grouped: dict[tuple[object, ...], list[tuple[int, Poi]]] = {}
        for n, poi in enumerate(pois.distinct(city, kind)):
            # Places of equal hours share the object.
            grouped.setdefault((poi.category, poi.cost, id(poi.hours), least_in[poi.place_id]), []).append((n, poi))
        memo[key] = [
            _Alike(least_in[members[0][1].place_id], tuple(members), frozenset(poi.place_id for _, poi in members))
            for members in grouped.values()
        ]
    return memo[key]


def _open(city: str, kind: str, trip: Trip, pois: Pois) -> dict[str, list[tuple[_Alike, Spans]]]:
    """Return the city's places of a kind by category, with hours on the trip's days, all day where none are known.

    Equal hours are one object. Left out are meals without a known price.
    """
    key = ("open", city, kind, trip.first_date, trip.days)
    if key not in pois.found_out:
        dates = [trip.first_date + dt.timedelta(days=day) for day in range(trip.days)]
        spans_by_hours: dict[int, Spans] = {}
        shared: dict[Spans, Spans] = {}
        on_days = pois.lasting(city).setdefault("open", {})
        places_by_category: dict[str, list[tuple[_Alike, Spans]]] = {}
        for alike in _alike(city, kind, pois):
            first = alike.members[0][1]
            hours = first.hours
            if kind == "food" and first.cost is None:
                continue
            if id(hours) not in spans_by_hours:
                of_days = _on_days(hours, dates, on_days)
                spans_by_hours[id(hours)] = shared.setdefault(of_days, of_days)
            if any(spans_by_hours[id(hours)]):
                places_by_category.setdefault(first.category, []).append((alike, spans_by_hours[id(hours)]))
        pois.found_out[key] = places_by_category
    return pois.found_out[key]


def _on_days(
    hours: Any, dates: Sequence[dt.date], windows: dict[int, dict[dt.date | int, tuple[Window, ...]]]
) -> Spans:
    """Return when a place of these hours is open on each date, all day where nothing is known.

    `windows` are of a city's hours, by the object: of a date, or of a day of the week where all weeks are alike.
    """
    if id(hours) not in windows:
        windows[id(hours)] = {}
    of_days, by_date = windows[id(hours)], has_dates(hours)
    for date in dates:
        day = date if by_date else date.isoweekday()
        if day not in of_days:
            spans = open_spans(hours, date)
            of_days[day] = ALL_DAY if spans is None else tuple(spans)
    return tuple(of_days[date if by_date else date.isoweekday()] for date in dates)


def _worth_a_look(
    places_by_category: Mapping[str, list[tuple[_Alike, Spans]]],
    worth_it: Collection[str],
    named_places: Mapping[str, str],
    barred: Collection[str],
) -> Iterator[tuple[str, list[tuple[_Alike, Spans, bool]]]]:
    """Yield each category that is worth it or of which some places are named: its places, with whether some are."""
    ids = frozenset(named_places)
    for category in sorted({*worth_it, *named_places.values()} - {*barred}):
        listed = [
            (alike, spans, not alike.ids.isdisjoint(ids)) for alike, spans in places_by_category.get(category, ())
        ]
        if category not in worth_it:
            listed = [one for one in listed if one[2]]
        if listed:
            yield category, listed


class _Values:
    """Points of one city's places of one kind, by name where a preference is in it, else by category."""

    def __init__(self, trip: Trip, city: str, kind: str, with_compromise: bool):
        self._city, self._kind = city, kind
        self._wishes_by_user = {
            user: table[CITIES][city][kind] for user, table in trip.tables.items() if city in table[CITIES]
        }
        self._giving = [user for user in self._wishes_by_user if with_compromise and user in trip.compromisable]
        self._words = {word for wishes in self._wishes_by_user.values() for word in _words(wishes)}
        self._points_and_gains: dict[tuple[str, str], tuple[int, Gains]] = {}
        self._most: dict[tuple[str, str], int] = {}

    def named_places(self, pois: Pois) -> dict[str, str]:
        """Return the places in whose name a preference is: the category by id."""
        categories_by_id: dict[str, str] = {}
        memo = pois.lasting(self._city)
        for word in self._words:
            key = ("named", self._kind, word)
            if key not in memo:
                listed = pois.distinct(self._city, self._kind)
                memo[key] = {poi.place_id: poi.category for poi in listed if word in poi.name}
            categories_by_id |= memo[key]
        return categories_by_id

    def of(self, name: str, category: str) -> tuple[int, Gains]:
        """Return points, and gains by user, of a place of that name; no name for one whose name holds no preference."""
        if (name, category) not in self._points_and_gains:
            self._points_and_gains[name, category] = self._valued(name, category)
        return self._points_and_gains[name, category]

    def most(self, name: str, category: str) -> int:
        """Return the points of such a place with all that can be given up."""
        if (name, category) not in self._most:
            points, gains = self.of(name, category)
            self._most[name, category] = points + sum(most_gained(gain) for _, gain in gains)
        return self._most[name, category]

    def _valued(self, name: str, category: str) -> tuple[int, Gains]:
        points = {user: _points(self._kind, name, category, wishes) for user, wishes in self._wishes_by_user.items()}
        gains = []
        for user in self._giving:
            gain = self._gain(points[user], name, category, self._wishes_by_user[user])
            if any(gain):
                gains.append((user, gain))
        return sum(points.values()), tuple(gains)

    def _gain(self, points: int, name: str, category: str, wishes: Table) -> Gain:
        first, second = (field[1:] for field in REFUSALS[self._kind])
        one = _points(self._kind, name, category, _wishes_without(wishes, first)) - points
        other = _points(self._kind, name, category, _wishes_without(wishes, second)) - points
        both = _points(self._kind, name, category, _wishes_without(_wishes_without(wishes, first), second)) - points
        return one, other, both - one - other


def _points(kind: str, name: str, category: str, wishes: Table) -> int:
    if kind == "food":
        return food_points(name, category, wishes)
    strong = STRONG * (wishes["must_visit"].count(name) - wishes["reject_visit"].count(name))
    if strong or name in wishes["must_visit"]:
        return strong
    return attraction_points(name, category, wishes)


def _wishes_without(wishes: Table, way: tuple[str, ...]) -> Table:
    if len(way) == 1:
        return {**wishes, way[0]: []}
    return {**wishes, way[0]: {**wishes[way[0]], way[1]: []}}


def _words(wishes: Mapping[str, object]) -> Iterable[str]:
    for wish in wishes.values():
        if isinstance(wish, dict):
            yield from _words(wish)
        else:
            yield from wish  # type: ignore[misc]


def most_gained(gain: Gain) -> int:
    """Return the most that giving up either refusal, or both, adds."""
    one, other, more = gain
    return max(0, one, other, one + other + more)
