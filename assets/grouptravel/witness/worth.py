"""What can fill the slots, as an optimum sees it: places that it cannot tell apart are one option.

An option's worth is points, and for each user who may compromise what giving up a refusal would add.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from assets.grouptravel.checks.utility import attraction_points, food_points
from assets.grouptravel.facts.opening import is_open
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

Gain = tuple[int, int, int]
"""Points more if the first refusal is given up, the second, and what is more again if both are."""


@dataclass(frozen=True)
class Option:
    """Places that the optimum cannot tell apart: of one city and kind, worth, price and set of slots.

    `points` are each user's, `worth` is their sum; `gains` are by user who may compromise, where there are any.
    """

    city: str
    kind: str
    points: tuple[int, ...]
    gains: tuple[tuple[str, Gain], ...]
    cost: float
    fits: tuple[tuple[int, int], ...]
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
        slots = [(day, slot) for day, slot, where in stays if where == city and SLOTS[slot][0] == kind]
        values = _Values(trip, city, kind, with_compromise, apart)
        classes: dict[tuple[object, ...], list[Poi]] = {}
        for poi in pois.distinct(city, kind):
            if poi.category in barred or poi.place_id in used:
                continue
            points, gains = values.of(poi)
            if kind == "attractions" and max(points) <= 0 and not any(max(gain) > 0 for _, gain in gains):
                continue
            fits = _fits(poi, trip.first_date, tuple(slots), late, pois)
            if fits:
                classes.setdefault((points, gains, poi.cost or 0.0, fits), []).append(poi)
        made = [Option(city, kind, *key, tuple(listed)) for key, listed in classes.items()]  # type: ignore[arg-type]
        made.sort(key=lambda o: (tuple(-p for p in o.points), o.gains, o.cost, o.fits, o.members[0].place_id))
        found += _undominated(made, len(slots))
    return found


def kept_option(trip: Trip, choice: Choice, with_compromise: bool) -> Option:
    """Return the one place of a slot that is filled already."""
    kind = SLOTS[choice.slot][0]
    points, gains = _Values(trip, choice.city, kind, with_compromise, apart=False).of(choice.poi)
    fits = ((choice.day, choice.slot),)
    return Option(choice.city, kind, points, gains, choice.poi.cost or 0.0, fits, (choice.poi,))


class _Values:
    """Points of one city's places of one kind, by name where a preference is in it, else by category."""

    def __init__(self, trip: Trip, city: str, kind: str, with_compromise: bool, apart: bool):
        self._kind, self._apart = kind, apart
        self._wanted = {user: table[CITIES][city][kind] for user, table in trip.tables.items() if city in table[CITIES]}
        self._giving = [user for user in self._wanted if with_compromise and user in trip.compromisable]
        words = {word for wanted in self._wanted.values() for word in _words(wanted)}
        self._named = re.compile("|".join(map(re.escape, sorted(words)))) if words else None
        self._by_category: dict[str, tuple[tuple[int, ...], tuple[tuple[str, Gain], ...]]] = {}

    def of(self, poi: Poi) -> tuple[tuple[int, ...], tuple[tuple[str, Gain], ...]]:
        """Return the place's points, and gains by user."""
        if self._named is not None and self._named.search(poi.name):
            return self._valued(poi.name, poi.category)
        if poi.category not in self._by_category:
            self._by_category[poi.category] = self._valued("", poi.category)
        return self._by_category[poi.category]

    def _valued(self, name: str, category: str) -> tuple[tuple[int, ...], tuple[tuple[str, Gain], ...]]:
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


def _fits(
    poi: Poi, first_date: dt.date, slots: tuple[tuple[int, int], ...], late: int, pois: Pois
) -> tuple[tuple[int, int], ...]:
    """Return the slots for all of which the place is open; equal hours are looked at once."""
    if poi.hours is None:
        return slots
    key = (id(poi.hours), first_date, slots, late)
    if key not in pois.fits:
        pois.fits[key] = tuple(
            (day, slot)
            for day, slot in slots
            if is_open(poi.hours, first_date + dt.timedelta(days=day), SLOTS[slot][1], SLOTS[slot][2] + late)
            is not False
        )
    return pois.fits[key]


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
    for n, option in enumerate(options):
        is_worth_it = (values >= values[n]).all(axis=1) | ((values[:, 0] >= gained[n]) & (n_points == 1))
        is_as_good = is_worth_it & (costs <= costs[n]) & (fits | ~fits[n]).all(axis=1)
        is_as_good[n] = False
        if counts[is_as_good].sum() < most:
            kept.append(_trimmed(option, most))
    return kept


def most_gained(gain: Gain) -> int:
    """Return the most that giving up either refusal, or both, adds."""
    one, other, more = gain
    return max(0, one, other, one + other + more)


def _trimmed(option: Option, most: int) -> Option:
    return replace(option, members=option.members[:most])
