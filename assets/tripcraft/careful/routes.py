"""Where a trip may go and how it gets there: every order of the cities that the request leaves open, cheapest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from assets.tripcraft.facts.itinerary import NIGHTS_PER_CITY, matching_stays
from assets.tripcraft.facts.ways import legs_of, usable_services
from assets.tripcraft.plan import Mode, drive_text, scheduled_text
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference

LONGEST_DRIVE_MIN = 14 * 60
LATEST_MIN = 22 * 60
MEALS_A_DAY = 3


@dataclass(frozen=True)
class Way:
    """One move: its mode, how the plan says it, what it costs the party; minutes of its day, None for a car's."""

    mode: Mode
    text: str
    cost: int
    leaves_min: int | None
    arrives_min: int | None
    takes_min: int

    @property
    def is_scheduled(self) -> bool:
        """Return whether it leaves by a timetable."""
        return self.leaves_min is not None


@dataclass(frozen=True)
class Route:
    """Cities in order, the ways between them and home, and what ways, beds and the cheapest meals cost at least."""

    cities: tuple[str, ...]
    ways: tuple[Way, ...]
    cost: int


def routes(reference: Reference, record: Record, cities: Sequence[str]) -> list[Route]:
    """Return the routes over these cities that may meet the request, the cheapest first."""
    candidates = [
        route
        for order in permutations(cities, record["visiting_city_number"])
        if _offers_all(reference, record, order)
        for own_car in (True, False)
        if (route := _route(reference, record, order, own_car=own_car)) is not None
    ]
    return sorted(candidates, key=lambda route: (route.cost, route.cities, route.ways[0].text))


def _route(reference: Reference, record: Record, order: tuple[str, ...], *, own_car: bool) -> Route | None:
    ways: list[Way] = []
    for leg in legs_of(record["origin_city_id"], order):
        options = list(_ways(reference, record, leg.origin, leg.dest, leg.day, own_car=own_car))
        if not options:
            return None
        ways.append(min(options, key=lambda way: (way.cost, way.takes_min, way.text)))
    people = record["people"]
    beds = sum(
        NIGHTS_PER_CITY * min(stay.price * stay.rooms(people) for stay in matching_stays(reference, record, city))
        for city in order
    )
    tables = [
        sum(sorted(place.avg_cost for place in reference.plannable_restaurants(city))[:MEALS_A_DAY]) for city in order
    ]
    return Route(order, tuple(ways), sum(way.cost for way in ways) + beds + people * sum(tables))


def _ways(reference: Reference, record: Record, origin: str, dest: str, day: int, *, own_car: bool) -> Iterator[Way]:
    """Yield the ways of a leg: by one's own car, or by whatever else goes; the two do not mix (1.F, check 5)."""
    excluded, people = record["constraints"]["transportation"], record["people"]
    drive = reference.drive(origin, dest)
    if (
        drive is not None
        and drive.duration_min <= LONGEST_DRIVE_MIN
        and not (own_car and excluded == "no self-driving")
    ):
        mode: Mode = "self_driving" if own_car else "taxi"
        cost = reference.car_rates.cost(mode, drive.distance_km, people)
        text = drive_text(mode, origin, dest, drive.duration_min, drive.distance_km, cost)
        yield Way(mode, text, cost, None, None, round(drive.duration_min))
    if not own_car:
        for s in usable_services(reference, origin, dest, record["dates"][day], excluded):
            text = scheduled_text(s.mode, s.flight_number, origin, dest, s.dep_min, s.arr_min)
            yield Way(s.mode, text, s.price * people, s.dep_min, s.arr_min, s.arr_min - s.dep_min)


def _offers_all(reference: Reference, record: Record, order: tuple[str, ...]) -> bool:
    """Return whether the cities have beds that suit, tables and sights, and every kind that is asked for."""
    constraints = record["constraints"]
    for city in order:
        if not matching_stays(reference, record, city) or not reference.plannable_attractions(city):
            return False
        if len(reference.plannable_restaurants(city)) < MEALS_A_DAY:
            return False
    cuisines = {kind for city in order for place in reference.plannable_restaurants(city) for kind in place.cuisines}
    categories = {
        kind for city in order for place in reference.plannable_attractions(city) for kind in place.categories
    }
    segments = {
        event.segment
        for i, city in enumerate(order)
        for event in reference.events_in(city)
        if event.date in record["dates"][NIGHTS_PER_CITY * i : NIGHTS_PER_CITY * (i + 1) + 1]
    }
    wishes = (
        (cuisines, constraints["cuisine"]),
        (categories, constraints["attraction"]),
        (segments, constraints["event"]),
    )
    return all(set(kinds or ()) <= offered for offered, kinds in wishes)
