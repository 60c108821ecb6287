"""The days of a trip by rules: meals at the hours that the metrics expect, a sight between them, and what is asked for.

Nothing is solved: each slot takes the best place that is left, what is asked for first, and nothing is taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from assets.tripcraft.careful.routes import LATEST_MIN, Route, Way
from assets.tripcraft.checks.metrics import ADVENTURE_SEEKER
from assets.tripcraft.checks.parameters import TABLE_10
from assets.tripcraft.entities import Attraction, Event, Restaurant, Stay
from assets.tripcraft.facts.itinerary import NIGHTS_PER_CITY, matching_stays
from assets.tripcraft.plan import MEALS, item_text, name_city, route_text
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference

WAKE_MIN = 8 * 60
MARGIN_MIN = 30
TRANSFER_MIN = 60
"""Between a departure or an arrival and a visit: twice what is asked (1.F, check 7)."""

SLOTS = (
    ("breakfast", 9 * 60 + 10, 10 * 60),
    ("lunch", 14 * 60 + 10, 15 * 60 + 5),
    ("attraction", 15 * 60 + 25, 19 * 60 + 50),
    ("dinner", 20 * 60 + 10, 21 * 60 + 20),
)
"""What a day holds, from when to when at most: hours about the means of Table 10, meals four hours apart."""
FORENOON = ("attraction", 10 * 60 + 20, 13 * 60 + 50)
"""A second sight, where more kinds are asked for than days are left."""
SHORTEST_VISIT_MIN = 45

DRIVES = (10 * 60 + 20, 8 * 60, 6 * 60)
"""When a car may leave, the best hour first: after breakfast, early, or at dawn; home also after lunch."""
HOMEWARD = 15 * 60 + 30

Place = Restaurant | Attraction
Suits = Callable[[Restaurant, float], tuple[Any, ...]]
"""(restaurant, metres to its stop) → what the smaller the better."""

NEAR: Suits = lambda place, stop_m: (stop_m, place.avg_cost)  # noqa: E731  (a named way of choosing, kept beside another)
CHEAP: Suits = lambda place, stop_m: (place.avg_cost, stop_m)  # noqa: E731


@dataclass
class _City:
    """What one city of the trip has left."""

    stay: Stay
    tables: list[Restaurant]
    sights: list[Attraction]
    events: list[Event]


@dataclass
class _OpenWishes:
    """The kinds that are still to be met."""

    cuisines: set[str]
    categories: set[str]
    segments: set[str]
    attended: set[str] = field(default_factory=set)


def days_of(
    reference: Reference, record: Record, route: Route, suits: Suits, *, eats_on_the_way: bool
) -> list[dict[str, Any]]:
    """Return the plan over a route in the published shape."""
    return _Days(reference, record, route, suits, eats_on_the_way=eats_on_the_way).plan()


class _Days:
    """One plan under way."""

    def __init__(
        self, reference: Reference, record: Record, route: Route, suits: Suits, *, eats_on_the_way: bool
    ) -> None:
        self._reference, self._record, self._route, self._suits = reference, record, route, suits
        self._eats_on_the_way = eats_on_the_way
        constraints = record["constraints"]
        self._open_wishes = _OpenWishes(
            set(constraints["cuisine"] or ()), set(constraints["attraction"] or ()), set(constraints["event"] or ())
        )
        self._cities = {city: self._city(city) for city in route.cities}

    def plan(self) -> list[dict[str, Any]]:
        days = []
        for number in range(self._record["days"]):
            way = self._route.ways[number // NIGHTS_PER_CITY] if number % NIGHTS_PER_CITY == 0 else None
            old = self._route.cities[(number - 1) // NIGHTS_PER_CITY] if number else None
            new = self._route.cities[number // NIGHTS_PER_CITY] if number + 1 < self._record["days"] else None
            days.append({"days": number + 1, **self._day(number, old, new, way)})
        return days

    def _city(self, city: str) -> _City:
        reference, people = self._reference, self._record["people"]
        stay = min(
            matching_stays(reference, self._record, city),
            key=lambda one: (one.price * one.rooms(people), self._stop_m(one.place_id), one.place_id),
        )
        # A plan names its places: in a day's list nobody could tell two of one name apart.
        events = {event.name for event in reference.events_in(city)}
        tables = [place for place in reference.plannable_restaurants(city) if place.name != stay.name]
        barred = {stay.name, *(table.name for table in tables)}
        sights = [place for place in reference.plannable_attractions(city) if place.name not in barred]
        tables = [place for place in tables if place.name not in events]
        return _City(stay, tables, [s for s in sights if s.name not in events], list(reference.events_in(city)))

    def _day(self, number: int, old: str | None, new: str | None, way: Way | None) -> dict[str, Any]:
        home = self._record["origin_city_id"]
        leaves, arrives = self._hours(way, number) if way else (0, 0)
        visits = list(self._visits(number, old, new, way, leaves, arrives))
        events = list(self._events(number, old, new))
        end_city = new or home
        return {
            "current_city": route_text(old or home, end_city) if way else end_city,
            "transportation": way.text if way else "-",
            **{meal: next((name_city(p.name, c) for s, _, _, c, p in visits if s == meal), "-") for meal in MEALS},
            "attraction": "; ".join(name_city(p.name, c) for s, _, _, c, p in visits if s == "attraction") or "-",
            "accommodation": name_city(self._cities[new].stay.name, new) if new else "-",
            "event": "; ".join(events) or "-",
            "point_of_interest_list": "; ".join(self._items(old, new, way, leaves, arrives, visits)) + ".",
        }

    def _hours(self, way: Way, number: int) -> tuple[int, int]:
        """Return when a way leaves and arrives, minutes of its day; a car leaves when it suits the day."""
        if way.leaves_min is not None and way.arrives_min is not None:
            return way.leaves_min, way.arrives_min
        is_last = number + 1 == self._record["days"]
        hours = ((HOMEWARD, *DRIVES) if is_last else DRIVES) if number else DRIVES[1:]
        leaves = next((hour for hour in hours if hour + way.takes_min <= LATEST_MIN), DRIVES[-1])
        return leaves, leaves + way.takes_min

    def _visits(
        self, number: int, old: str | None, new: str | None, way: Way | None, leaves: int, arrives: int
    ) -> Iterator[tuple[str, int, int, str, Place]]:
        for slot, start, end in self._slots(number):
            city = new if way is None or arrives + TRANSFER_MIN <= start else None
            if way is not None and city is None and end + TRANSFER_MIN <= leaves:
                city = old
            if way is not None and not way.is_scheduled and city is None and end <= leaves:
                city = old
            if city is None or (way is not None and slot in MEALS and not self._eats_here(city)):
                continue
            place = self._table(city) if slot in MEALS else self._sight(city, end - start)
            if place is not None:
                until = end if slot in MEALS else start + self._stays_min(place, end - start)
                yield slot, start, until, city, place

    def _slots(self, number: int) -> list[tuple[str, int, int]]:
        full_days_left = sum(1 for later in range(number, self._record["days"]) if later % NIGHTS_PER_CITY)
        needs_two = len(self._open_wishes.categories) > full_days_left
        return sorted([*SLOTS, *([FORENOON] if needs_two else [])], key=lambda slot: slot[1])

    def _eats_here(self, city: str) -> bool:
        """Return whether a meal of a moving day is wanted: by choice, or because a kind is asked for."""
        serves = any(self._open_wishes.cuisines & set(place.cuisines) for place in self._cities[city].tables)
        return self._eats_on_the_way or serves

    def _table(self, city: str) -> Restaurant | None:
        tables = self._cities[city].tables
        if not tables:
            return None
        cuisines_asked_for = self._open_wishes.cuisines
        place = min(
            tables,
            key=lambda p: (
                -len(cuisines_asked_for & set(p.cuisines)),
                *self._suits(p, self._stop_m(p.place_id)),
                p.place_id,
            ),
        )
        tables.remove(place)
        cuisines_asked_for -= set(place.cuisines)
        return place

    def _sight(self, city: str, room_min: int) -> Attraction | None:
        sights = self._cities[city].sights
        if not sights:
            return None
        categories_asked_for = self._open_wishes.categories
        place = min(
            sights,
            key=lambda p: (
                -len(categories_asked_for & set(p.categories)),
                max(0, self._wanted_min(p) - room_min) // 15,
                self._stop_m(p.place_id),
                p.place_id,
            ),
        )
        sights.remove(place)
        categories_asked_for -= set(place.categories)
        return place

    def _wanted_min(self, place: Any) -> int:
        """Return how long the metric expects a day's one visit to last (1.F)."""
        parameters = TABLE_10[self._record["days"]]
        is_adventurous = self._record["persona"].get("Traveler Type") == ADVENTURE_SEEKER
        rushed = parameters.n_min - 1 if is_adventurous else parameters.n_max - 1
        return round(60 * (place.visit_duration_h + parameters.k_h * rushed))

    def _stays_min(self, place: Any, room_min: int) -> int:
        return max(SHORTEST_VISIT_MIN, min(room_min, self._wanted_min(place)))

    def _events(self, number: int, old: str | None, new: str | None) -> Iterator[str]:
        date = self._record["dates"][number]
        for city in dict.fromkeys(city for city in (old, new) if city):
            for event in self._cities[city].events:
                if (
                    event.date == date
                    and event.segment in self._open_wishes.segments
                    and event.name not in self._open_wishes.attended
                ):
                    self._open_wishes.segments.discard(event.segment)
                    self._open_wishes.attended.add(event.name)
                    yield name_city(event.name, city)

    def _items(
        self, old: str | None, new: str | None, way: Way | None, leaves: int, arrives: int, visits: list[Any]
    ) -> Iterator[str]:
        """Yield the day's list: last night's stay, or the first day's check-in; the visits; the next night's stay."""
        listed: list[tuple[Any, str, int, int]] = []
        come = arrives + MARGIN_MIN if way else WAKE_MIN
        if old is not None:
            go = min((start for _, start, _, city, _ in visits if city == old), default=WAKE_MIN + MARGIN_MIN)
            go = min(go, leaves - TRANSFER_MIN) if way else go
            listed.append((self._cities[old].stay, "stay", min(WAKE_MIN, go), go))
        elif new is not None and visits:
            listed.append((self._cities[new].stay, "stay", come, visits[0][1]))
        listed += [(place, "visit", start, end) for _, start, end, _, place in visits]
        if new is not None:
            back = max((end + MARGIN_MIN for _, _, end, city, _ in visits if city == new), default=come)
            listed.append((self._cities[new].stay, "stay", back, WAKE_MIN))
        for place, verb, start, end in listed:
            stop = self._reference.stop(place.place_id)
            assert stop is not None  # a place that a plan can name has one
            yield item_text(place.name, verb, start, end, stop.name, stop.distance_m)

    def _stop_m(self, place_id: str) -> float:
        stop = self._reference.stop(place_id)
        return stop.distance_m if stop is not None else float("inf")
