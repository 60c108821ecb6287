"""What can fill the slots, as an optimum sees it: places that it cannot tell apart are one option.

An option's worth is points, and for each user who may compromise what giving up a refusal would add.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from assets.grouptravel.checks.utility import attraction_points, food_points
from assets.grouptravel.facts.opening import Window, is_within, open_spans
from assets.grouptravel.facts.pois import Poi, Pois
from assets.grouptravel.facts.trips import SLOTS, Choice, Trip, stays_of
from assets.grouptravel.vocabulary import Vocabulary
from assets.grouptravel.wishes.preferences import CITIES, STRONG, Table

KINDS = ("attractions", "food")

REFUSALS = {
    "attractions": (("attractions", "reject_visit"), ("attractions", "category_pref", "negative")),
    "food": (("food", "reject_eat"), ("food", "avoid_eat")),
}
"""The two fields of a city by kind of place whose items a user can stop refusing."""

ROWS_AT_ONCE = 64
"""Options compared with all others at once; it bounds memory."""

Gain = tuple[int, int, int]
"""Points more if the first refusal is given up, the second, and what is more again if both are."""

Gains = tuple[tuple[str, Gain], ...]
"""By user who gains anything."""

Fits = tuple[tuple[int, int], ...]
"""Days and slots that a place is open for."""

_Class = tuple[tuple[int, ...], Gains, float, Fits]
"""What an optimum sees of a place: points, gains, price, slots."""


@dataclass(frozen=True)
class Option:
    """Places that the optimum cannot tell apart: of one city and kind, worth, price and set of slots.

    `points` are each user's, `worth` is their sum; `gains` are by user who may compromise, where there are any.
    """

    city: str
    kind: str
    points: tuple[int, ...]
    gains: Gains
    cost: float
    fits: Fits
    members: tuple[Poi, ...]

    @property
    def worth(self) -> int:
        """Return the points of all users."""
        return sum(self.points)


def options_of(
    trip: Trip,
    pois: Pois,
    vocabulary: Vocabulary,
    *,
    with_compromise: bool,
    without: Collection[Poi] = (),
    late: int = 0,
    apart: bool = False,
) -> list[Option]:
    """Return what can fill slots, each place once, `without` some; for all users together, or `apart` for any of them.

    Left out are sights that are worth nothing, places that their name does not tell apart, places of adults where there
    is a small child, and what enough others are at least as good as. A place must be open for the slot, and `late`
    minutes longer. Together, an option's points are the one sum that counts.
    """
    found: list[Option] = []
    stays = stays_of(trip)
    barred = vocabulary.adult_only if trip.children and not apart else ()
    used = {poi.place_id for poi in without}
    for city, kind in product(trip.route[1:-1], KINDS):
        slots = tuple((day, slot) for day, slot, where in stays if where == city and SLOTS[slot][0] == kind)
        values = _Values(trip, city, kind, with_compromise, apart)
        named = values.named(pois)
        groups, group_of = _alike(pois, city, kind, trip.first_date, slots, late)
        mixed = {group_of[place_id] for place_id in named | used if place_id in group_of}
        classes: dict[_Class, list[Poi]] = {}
        for number, (category, cost, fits, alike) in enumerate(groups):
            if category in barred:
                continue
            free = [poi for poi in alike if poi.place_id not in used] if number in mixed else alike
            own = [(poi.name, [poi]) for poi in free if poi.place_id in named] if number in mixed else []
            rest = [poi for poi in free if poi.place_id not in named] if own else free
            for name, members in (*own, ("", rest)):
                points, gains = values.of(name, category)
                if kind == "attractions" and max(points) <= 0 and not any(max(gain) > 0 for _, gain in gains):
                    continue
                if members:
                    classes.setdefault((points, gains, cost, fits), []).extend(members)
        made = [
            Option(city, kind, *key, tuple(sorted(members, key=lambda poi: poi.place_id)))
            for key, members in classes.items()
        ]
        made.sort(key=lambda o: (tuple(-p for p in o.points), o.gains, o.cost, o.fits, o.members[0].place_id))
        found += _undominated(made, len(slots))
    return found


def kept_option(trip: Trip, choice: Choice, with_compromise: bool) -> Option:
    """Return the one place of a slot that is filled already."""
    kind = SLOTS[choice.slot][0]
    values = _Values(trip, choice.city, kind, with_compromise, apart=False)
    points, gains = values.of(choice.poi.name, choice.poi.category)
    fits = ((choice.day, choice.slot),)
    return Option(choice.city, kind, points, gains, choice.poi.cost or 0.0, fits, (choice.poi,))


class _Values:
    """Points of one city's places of one kind, by name where a preference is in it, else by category."""

    def __init__(self, trip: Trip, city: str, kind: str, with_compromise: bool, apart: bool):
        self._city, self._kind, self._apart = city, kind, apart
        self._wanted = {user: table[CITIES][city][kind] for user, table in trip.tables.items() if city in table[CITIES]}
        self._giving = [user for user in self._wanted if with_compromise and user in trip.compromisable]
        self._words = {word for wanted in self._wanted.values() for word in _words(wanted)}
        self._known: dict[tuple[str, str], tuple[tuple[int, ...], Gains]] = {}

    def named(self, pois: Pois) -> set[str]:
        """Return the ids of the places in whose name a preference is."""
        found: set[str] = set()
        for word in self._words:
            key = (self._city, self._kind, word)
            if key not in pois.found_out:
                listed = pois.distinct(self._city, self._kind)
                pois.found_out[key] = {poi.place_id for poi in listed if word in poi.name}
            found |= pois.found_out[key]
        return found

    def of(self, name: str, category: str) -> tuple[tuple[int, ...], Gains]:
        """Return points, and gains by user, of a place of that name; no name for one whose name holds no preference."""
        if (name, category) not in self._known:
            self._known[name, category] = self._valued(name, category)
        return self._known[name, category]

    def _valued(self, name: str, category: str) -> tuple[tuple[int, ...], Gains]:
        points = {user: _points(self._kind, name, category, wanted) for user, wanted in self._wanted.items()}
        gains = []
        for user in self._giving:
            gain = self._gain(points[user], name, category, self._wanted[user])
            if any(gain):
                gains.append((user, gain))
        return tuple(points.values()) if self._apart else (sum(points.values()),), tuple(gains)

    def _gain(self, held: int, name: str, category: str, wanted: Table) -> Gain:
        first, second = (field[1:] for field in REFUSALS[self._kind])
        one = _points(self._kind, name, category, _without(wanted, first)) - held
        other = _points(self._kind, name, category, _without(wanted, second)) - held
        both = _points(self._kind, name, category, _without(_without(wanted, first), second)) - held
        return one, other, both - one - other


def _points(kind: str, name: str, category: str, wanted: Table) -> int:
    if kind == "food":
        return food_points(name, category, wanted)
    strong = STRONG * ((name in wanted["must_visit"]) - (name in wanted["reject_visit"]))
    return strong if strong else attraction_points(name, category, wanted)


def _without(wanted: Table, way: tuple[str, ...]) -> Table:
    if len(way) == 1:
        return {**wanted, way[0]: []}
    return {**wanted, way[0]: {**wanted[way[0]], way[1]: []}}


def _words(wanted: Mapping[str, object]) -> Iterable[str]:
    for held in wanted.values():
        if isinstance(held, dict):
            yield from _words(held)
        else:
            yield from held  # type: ignore[misc]


def _alike(
    pois: Pois, city: str, kind: str, first_date: dt.date, slots: Fits, late: int
) -> tuple[list[tuple[str, float, Fits, list[Poi]]], dict[str, int]]:
    """Return the city's places that are open for any slot, those together that only names tell apart; and who is where.

    Each group with its category, price and slots; then each place's group by its id. Found once for all who ask.
    """
    key = (city, kind, first_date, slots, late)
    if key not in pois.found_out:
        fits: dict[int, Fits] = {}
        groups: dict[tuple[str, float, Fits], list[Poi]] = {}
        for poi in pois.distinct(city, kind):
            hours = id(poi.hours)  # places of equal hours share the object
            if hours not in fits:
                fits[hours] = slots if poi.hours is None else _fits(poi, first_date, slots, late, pois)
            if fits[hours]:
                groups.setdefault((poi.category, poi.cost or 0.0, fits[hours]), []).append(poi)
        group_of = {poi.place_id: number for number, members in enumerate(groups.values()) for poi in members}
        pois.found_out[key] = [(*shared, members) for shared, members in groups.items()], group_of
    return pois.found_out[key]


def _fits(poi: Poi, first_date: dt.date, slots: Fits, late: int, pois: Pois) -> Fits:
    """Return the slots for all of which, and `late` minutes more, the place is open."""
    spans: dict[int, list[Window] | None] = {}
    for day in {day for day, _ in slots}:
        key = (id(poi.hours), first_date + dt.timedelta(days=day))
        if key not in pois.found_out:
            pois.found_out[key] = open_spans(poi.hours, key[1])
        spans[day] = pois.found_out[key]
    return tuple(
        (day, slot)
        for day, slot in slots
        if (known := spans[day]) is None or is_within(known, SLOTS[slot][1], SLOTS[slot][2] + late)
    )


def _undominated(options: list[Option], most: int) -> list[Option]:
    """Return the options, each with no more places than there are slots, less those that as many others are as good as.

    An option that is worth at least as much to everybody, costs no more and fits every slot of another takes its place
    in any plan; with as many such places as slots, the other is never needed. It is worth as much if it is so whatever
    is given up, or if it is so with nothing given up while the other gains all it can.
    """
    if len(options) < 2:
        return [_trimmed(option, most) for option in options]
    slots = sorted({slot for option in options for slot in option.fits})
    at = {slot: n for n, slot in enumerate(slots)}
    givers = sorted({user for option in options for user, _ in option.gains})
    costs = np.array([option.cost for option in options])
    n_points = len(options[0].points)
    values = np.zeros((len(options), n_points + 3 * len(givers)))
    gained = np.zeros(len(options))
    fits = np.zeros((len(options), len(slots)), dtype=bool)
    for n, option in enumerate(options):
        gains = dict(option.gains)
        values[n] = [*option.points, *(v for user in givers for v in gains.get(user, (0, 0, 0)))]
        gained[n] = option.worth + sum(most_gained(gain) for gain in gains.values())
        fits[n, [at[slot] for slot in option.fits]] = True
    counts = np.array([min(len(option.members), most) for option in options])
    kept = []
    for first in range(0, len(options), ROWS_AT_ONCE):
        rows = slice(first, first + ROWS_AT_ONCE)
        is_worth_it = (values >= values[rows, None]).all(axis=2)
        if n_points == 1:
            is_worth_it |= values[:, 0] >= gained[rows, None]
        is_as_good = is_worth_it & (costs <= costs[rows, None]) & (fits | ~fits[rows, None]).all(axis=2)
        is_as_good[np.arange(len(is_as_good)), np.arange(first, first + len(is_as_good))] = False
        enough = is_as_good @ counts >= most
        kept += [_trimmed(option, most) for option, is_left in zip(options[rows], ~enough, strict=True) if is_left]
    return kept


def most_gained(gain: Gain) -> int:
    """Return the most that giving up either refusal, or both, adds."""
    one, other, more = gain
    return max(0, one, other, one + other + more)


def _trimmed(option: Option, most: int) -> Option:
    return replace(option, members=option.members[:most])
