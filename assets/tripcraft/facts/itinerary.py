"""Where a trip may go and what it needs there: the solvability check of a draft, by the scorer's own rules (T8).

A trip spends two nights in each city and moves on days 1, 3, 5, … (1.A, 1.F). What is found here is a rough trip with
an honest cost; the timed plan is the solver's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, permutations

from assets.tripcraft.checks.hard import permits
from assets.tripcraft.draws import Draws
from assets.tripcraft.entities import Restaurant, Stay
from assets.tripcraft.facts.obstacles import Obstacle
from assets.tripcraft.facts.ways import Ways, find_ways
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.vocabulary import ROOM_TYPES_MEETING, VISITED_CITIES

NIGHTS_PER_CITY = 2
MEALS_PER_DAY = 3

MOST_ROUTES = 200
"""Orders of a region's cities tried before a draft is given up."""


@dataclass(frozen=True)
class Itinerary:
    """A rough trip that meets the record: its cities, and what is on offer there for it."""

    cities: tuple[str, ...]
    ways: Ways
    stays: tuple[tuple[Stay, ...], ...]
    """For each city, the stays that meet the record."""
    restaurants: tuple[Restaurant, ...]

    def cheapest(self, record: Record) -> int:
        """Return what a cheap trip costs the party that meets every constraint: an upper bound of the least cost.

        Ways, rooms for every night (not day: T9), and three different restaurants a day with each cuisine asked for.
        """
        people = record["people"]
        rooms = sum(min(s.price * s.rooms(people) for s in stays) * NIGHTS_PER_CITY for stays in self.stays)
        restaurant_by_id: dict[str, Restaurant] = {}
        by_cost = sorted(self.restaurants, key=lambda r: (r.avg_cost, r.place_id))
        for kind in record["constraints"]["cuisine"] or ():
            if not any(kind in r.cuisines for r in restaurant_by_id.values()):
                serving = next(r for r in by_cost if kind in r.cuisines)
                restaurant_by_id[serving.place_id] = serving
        for restaurant in by_cost:
            if len(restaurant_by_id) < MEALS_PER_DAY * record["days"]:
                restaurant_by_id.setdefault(restaurant.place_id, restaurant)
        return self.ways.cheapest + rooms + sum(r.avg_cost for r in restaurant_by_id.values()) * people


def matching_stays(reference: Reference, record: Record, city_id: str) -> list[Stay]:
    """Return the city's stays that can be planned, of the type asked, that permit what is asked and let two nights."""
    constraints = record["constraints"]
    room, rule = constraints["room_type"], constraints["house_rule"]
    return [
        stay
        for stay in reference.plannable_stays(city_id)
        if (room is None or stay.room_type in ROOM_TYPES_MEETING[room])
        and (rule is None or permits(stay, rule))
        and (stay.min_nights is None or stay.min_nights <= NIGHTS_PER_CITY)
    ]


def find_itinerary(
    reference: Reference, record: Record, draws: Draws, longest_drive_min: int
) -> tuple[Itinerary | None, list[Obstacle]]:
    """Return the first rough trip that meets the record, or None and the obstacles of the routes tried, in words."""
    obstacles: dict[Obstacle, None] = {}
    for cities in islice(_routes(reference, record, draws), MOST_ROUTES):
        itinerary, route_obstacles = _try(reference, record, cities, longest_drive_min)
        if itinerary is not None:
            return itinerary, []
        obstacles.update(dict.fromkeys(route_obstacles))
    return None, list(obstacles) or [Obstacle("nowhere", "there is nowhere to go")]


def _routes(reference: Reference, record: Record, draws: Draws) -> Iterator[tuple[str, ...]]:
    if record["dest_city_id"] is not None:
        return iter([(record["dest_city_id"],)])
    cities = [
        city
        for city in draws.order("route", reference.cities_in(record["dest_region"], record["dest_country"]))
        if matching_stays(reference, record, city)
        and len(reference.plannable_restaurants(city)) >= MEALS_PER_DAY
        and reference.plannable_attractions(city)
    ]
    return permutations(cities, VISITED_CITIES[record["days"]])


def _try(
    reference: Reference, record: Record, cities: tuple[str, ...], longest_drive_min: int
) -> tuple[Itinerary | None, list[Obstacle]]:
    ways = find_ways(reference, record, cities, longest_drive_min)
    obstacles = ways if isinstance(ways, list) else []
    stays = tuple(tuple(matching_stays(reference, record, city)) for city in cities)
    restaurants = {city: reference.plannable_restaurants(city) for city in cities}
    attractions = {city: reference.plannable_attractions(city) for city in cities}
    for city, beds in zip(cities, stays, strict=True):
        obstacles += [Obstacle("no_stay", f"no stay in {city} meets the request")] if not beds else []
        if len(restaurants[city]) < MEALS_PER_DAY:
            obstacles.append(Obstacle("few_restaurants", f"fewer than three restaurants in {city}"))
        obstacles += [Obstacle("no_attraction", f"no attraction in {city}")] if not attractions[city] else []
    constraints = record["constraints"]
    cuisines = {kind for places in restaurants.values() for place in places for kind in place.cuisines}
    obstacles += [
        Obstacle("no_cuisine", f"no {kind} food") for kind in constraints["cuisine"] or () if kind not in cuisines
    ]
    categories = {kind for places in attractions.values() for place in places for kind in place.categories}
    obstacles += [
        Obstacle("no_category", f"no attraction of {kind}")
        for kind in constraints["attraction"] or ()
        if kind not in categories
    ]
    segments = _segments(reference, record, cities) if constraints["event"] else set()
    obstacles += [
        Obstacle("no_event", f"no event of {kind} while the trip is there")
        for kind in constraints["event"] or ()
        if kind not in segments
    ]
    if obstacles or isinstance(ways, list):
        return None, obstacles
    every = tuple(place for city in cities for place in restaurants[city])
    return Itinerary(cities, ways, stays, every), []


def _segments(reference: Reference, record: Record, cities: tuple[str, ...]) -> set[str]:
    """Return the kinds of event held in each city on a day that the trip is there, moving days included."""
    segments: set[str] = set()
    for i, city in enumerate(cities):
        dates = record["dates"][2 * i : 2 * i + NIGHTS_PER_CITY + 1]
        segments |= {event.segment for event in reference.events_in(city) if event.date in dates}
    return segments
