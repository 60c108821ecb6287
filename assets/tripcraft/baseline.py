"""A greedy planner's plans: the cheapest way and bed, then the nearest table and sight. Never imports the solver.

Each next city is the one that is cheapest to reach; a round is made in one's own car, or by flights, trains, coaches
and taxis, whichever costs less. Days have fixed times. Kinds asked for are looked for first; nothing is weighed
against the budget, the opening hours or the time that a way in town takes, and nothing is taken back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assets.core.nearby import Nearby, Point
from assets.rows import ReleaseTables
from assets.tripcraft.entities import Attraction, Restaurant, Stay
from assets.tripcraft.facts.itinerary import matching_stays
from assets.tripcraft.facts.ways import usable_services
from assets.tripcraft.plan import MEALS, drive_text, item_text, name_city, route_text, scheduled_text
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.world import world as reference_of

WAKE, DEPART = 8 * 60, 9 * 60 + 30
TRANSFER_MIN, MARGIN_MIN = 60, 30
"""Time between a departure or an arrival and a visit, and between them and the stay (1.F, check 7: 30)."""

DAY = (
    ("breakfast", 8 * 60 + 30, 9 * 60 + 15),
    ("attraction", 9 * 60 + 45, 12 * 60 + 45),
    ("lunch", 13 * 60 + 15, 14 * 60 + 15),
    ("attraction", 14 * 60 + 45, 17 * 60 + 45),
    ("dinner", 18 * 60 + 15, 19 * 60 + 30),
)
"""What every day holds, from when to when in minutes; meals are four hours apart (1.F, check 6)."""

Place = Restaurant | Attraction | Stay


@dataclass(frozen=True)
class _Way:
    """One move: how the plan says it, what it costs the party, when it leaves and arrives (minutes of its day)."""

    text: str
    cost: int
    leaves: int
    arrives: int


@dataclass
class City:
    """What one city of the trip offers and what of it is taken."""

    city_id: str
    stay: Stay
    position: Point
    restaurants: tuple[Restaurant, ...]
    attractions: tuple[Attraction, ...]
    free: dict[str, Nearby] = field(default_factory=dict)

    @classmethod
    def of(cls, reference: Reference, record: Record, city_id: str) -> City | None:
        """Return the city with the cheapest bed that meets the record, else the cheapest; None if it has no bed."""
        people = record["people"]
        beds = matching_stays(reference, record, city_id) or list(reference.plannable_stays(city_id))
        if not beds:
            return None
        stay = min(beds, key=lambda bed: (bed.price * bed.rooms(people), bed.place_id))
        city = cls(
            city_id, stay, (stay.lat, stay.lon),
            reference.plannable_restaurants(city_id), reference.plannable_attractions(city_id),
        )  # fmt: skip
        for kind, places in (("restaurant", city.restaurants), ("attraction", city.attractions)):
            city.free[kind] = Nearby([(place.lat, place.lon) for place in places])
        return city

    def take(self, kind: str, wishes: set[str]) -> Place | None:
        """Return the nearest restaurant or attraction that is free, one of a kind still asked for if there is any."""
        places = self.restaurants if kind == "restaurant" else self.attractions
        index = self.free[kind].take(
            self.position, np.array([bool(_kinds(p) & wishes) for p in places]) if wishes else None
        )
        if index is None:
            return None
        wishes -= _kinds(places[index])
        self.position = places[index].lat, places[index].lon
        return places[index]


def _kinds(place: Restaurant | Attraction) -> set[str]:
    return set(place.cuisines if isinstance(place, Restaurant) else place.categories)


@dataclass(frozen=True)
class _OpenWishes:
    """The kinds that the query still asks for, and the events that are attended already."""

    cuisines: set[str]
    categories: set[str]
    segments: set[str]
    attended: set[str]


def plans(tables: ReleaseTables, city: type[City] | None = None) -> list[dict[str, Any]]:
    """Return a plan for each task, {task_id, plan}; one without days where no way or no bed is found.

    `city` is who chooses in a city, if it is not the greedy one.
    """
    reference = reference_of(tables)
    return [
        {"task_id": row["task_id"], "plan": plan_of(reference, row["record"], city or City)}
        for row in tables.tasks.sort_values("task_id").to_dict("records")
    ]


def plan_of(reference: Reference, record: Record, kind: type[City] = City) -> list[dict[str, Any]]:
    """Return the plan of one trip, by the cities' own ways of choosing."""
    rounds = [
        round_trip
        for own_car in (True, False)
        if (round_trip := _round(reference, record, kind, own_car=own_car)) is not None
    ]
    if not rounds:
        return []
    cities, ways = min(rounds, key=lambda round_trip: sum(way.cost for way in round_trip[1]))
    constraints = record["constraints"]
    wishes = _OpenWishes(
        set(constraints["cuisine"] or ()), set(constraints["attraction"] or ()), set(constraints["event"] or ()), set()
    )  # fmt: skip
    days = []
    for day in range(record["days"]):
        way = ways[day // 2] if day % 2 == 0 else None
        old = cities[(day - 1) // 2] if day else None
        new = cities[day // 2] if day + 1 < record["days"] else None
        days.append({"days": day + 1, **_day(reference, record, _Day(record["dates"][day], old, new, way), wishes)})
    return days


def _round(
    reference: Reference, record: Record, kind: type[City], *, own_car: bool
) -> tuple[list[City], list[_Way]] | None:
    """Return the cities, each the cheapest to reach from the one before, and the ways between them and home."""
    at, cities, ways = record["origin_city_id"], [], []
    dest = record["dest_city_id"]
    ahead = {dest} if dest else set(reference.cities_in(record["dest_region"], record["dest_country"])) - {at}
    for number in range(record["visiting_city_number"]):
        options = [
            (way.cost, city_id, way, city)
            for city_id in sorted(ahead)
            if (way := _way(reference, record, at, city_id, 2 * number, own_car=own_car)) is not None
            and (city := kind.of(reference, record, city_id)) is not None
        ]
        if not options:
            return None
        _, at, way, city = min(options, key=lambda option: option[:2])
        ahead.discard(at)
        cities.append(city)
        ways.append(way)
    home = _way(reference, record, at, record["origin_city_id"], 2 * len(cities), own_car=own_car)
    return None if home is None else (cities, [*ways, home])


def _way(reference: Reference, record: Record, origin: str, dest: str, day: int, *, own_car: bool) -> _Way | None:
    """Return the cheapest way of the leg, of the two kinds that may be mixed; None if there is none."""
    excluded, people = record["constraints"]["transportation"], record["people"]
    names = reference.cities[origin].name, reference.cities[dest].name
    ways = []
    drive = reference.drive(origin, dest)
    if drive is not None and not (own_car and excluded == "no self-driving"):
        mode = "self_driving" if own_car else "taxi"
        cost = reference.car_rates.cost(mode, drive.distance_km, people)
        text = drive_text(mode, *names, round(drive.duration_min), round(drive.distance_km), cost)
        ways.append(_Way(text, cost, DEPART, DEPART + round(drive.duration_min)))
    if not own_car:
        for f in usable_services(reference, origin, dest, record["dates"][day], excluded):
            text = scheduled_text(f.mode, f.flight_number, *names, f.dep_min, f.arr_min)
            ways.append(_Way(text, f.price * people, f.dep_min, f.arr_min))
    return min(ways, key=lambda way: (way.cost, way.leaves, way.text), default=None)


@dataclass(frozen=True)
class _Day:
    """One day: the cities it begins and ends in, None for home, and the way between them, None where it stays."""

    date: str
    old: City | None
    new: City | None
    way: _Way | None


Visit = tuple[str, int, int, City, Place]
"""Slot, from, until, where, what."""


def _day(reference: Reference, record: Record, day: _Day, wishes: _OpenWishes) -> dict[str, Any]:
    """Return the day in the published shape."""
    names = [reference.cities[city.city_id if city else record["origin_city_id"]].name for city in (day.old, day.new)]
    visits = list(_visits(day, wishes))
    texts = [(slot, name_city(place.name, reference.cities[city.city_id].name)) for slot, _, _, city, place in visits]
    return {
        "current_city": route_text(names[0], names[1]) if day.way else names[1],
        "transportation": day.way.text if day.way else "-",
        **{meal: next((text for slot, text in texts if slot == meal), "-") for meal in MEALS},
        "attraction": "; ".join(text for slot, text in texts if slot == "attraction") or "-",
        "accommodation": name_city(day.new.stay.name, names[1]) if day.new else "-",
        "event": "; ".join(_events(reference, day, wishes)) or "-",
        "point_of_interest_list": "; ".join(_items(reference, day, visits)) + ".",
    }


def _visits(day: _Day, wishes: _OpenWishes) -> Iterator[Visit]:
    """Yield what fits in before the day's way, in the city that it leaves, and after it, in the one it leads to."""
    for slot, start, end in DAY:
        has_come = day.way is None or day.way.arrives + TRANSFER_MIN <= start
        city = day.new if has_come else day.old
        if city is None or not (has_come or (day.way and end + TRANSFER_MIN <= day.way.leaves)):
            continue
        is_meal = slot in MEALS
        place = city.take("restaurant" if is_meal else "attraction", wishes.cuisines if is_meal else wishes.categories)
        if place is not None:
            yield slot, start, end, city, place


def _items(reference: Reference, day: _Day, visits: list[Visit]) -> Iterator[str]:
    """Yield the day's PoI list: the last night's stay, or the check-in of the first day; the visits; the next stay."""
    listed: list[tuple[Place, str, int, int]] = []
    come = day.way.arrives + MARGIN_MIN if day.way else WAKE
    if day.old is not None:
        before = [start for _, start, _, city, _ in visits if city is day.old]
        leave = min(before, default=day.way.leaves - TRANSFER_MIN if day.way else WAKE + MARGIN_MIN)
        listed.append((day.old.stay, "stay", min(WAKE, leave), leave))
    elif day.new is not None and visits:
        listed.append((day.new.stay, "stay", come, visits[0][1]))
    listed += [(place, "visit", start, end) for _, start, end, _, place in visits]
    if day.new is not None:
        back = max((end + MARGIN_MIN for _, _, end, city, _ in visits if city is day.new), default=come)
        listed.append((day.new.stay, "stay", back, WAKE))
    for place, verb, start, end in listed:
        stop = reference.stop(place.place_id)
        assert stop is not None  # a place that a plan can name has one
        yield item_text(place.name, verb, start, end, stop.name, stop.distance_m)


def _events(reference: Reference, day: _Day, wishes: _OpenWishes) -> Iterator[str]:
    """Yield the first event of each kind still asked for that is held that day where the traveller is."""
    for city_id in dict.fromkeys(city.city_id for city in (day.old, day.new) if city):
        for event in reference.events_in(city_id):
            if event.segment in wishes.segments and event.date == day.date and event.name not in wishes.attended:
                wishes.segments.discard(event.segment)
                wishes.attended.add(event.name)
                yield name_city(event.name, reference.cities[city_id].name)
