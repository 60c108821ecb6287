"""The published budget and feasibility rules of a draft, with their defects (1.D, 1.E): for `variant = "released"`.

Kept: no constraint is checked for medium tasks and no kind of event for any (T8); stays must hold the whole party and
every day counts a night (T9). Raised errors of the published code are obstacles here: the draw is repeated.
"""

from __future__ import annotations

from assets.tripcraft.checks.budget import published_budget, published_modes
from assets.tripcraft.checks.hard import permits
from assets.tripcraft.entities import Flight
from assets.tripcraft.facts.obstacles import Obstacle
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.vocabulary import ROOM_TYPES_MEETING, VISITED_CITIES

KM_PER_MILE = 1.609344
FARTHEST_WITHOUT_FLIGHT_MILES = 800
FEWEST_FLIGHTS = {3: 2, 5: 10, 7: 10}
"""Day-1 flights needed by "no self-driving": to a city, to a region (1.E)."""


def released_budget(reference: Reference, record: Record) -> tuple[int, list[Obstacle]]:
    """Return the published budget and what made the published code draw again; the budget is 0 where there is any."""
    cities = _cities(reference, record)
    obstacles: list[Obstacle] = []
    if len(cities) < VISITED_CITIES[record["days"]]:
        obstacles.append(
            Obstacle(
                "published_minimum",
                "too few cities of the region have stays, restaurants, attractions and an event on the dates",
            )
        )
    if record["level"] == "hard":
        obstacles += _hard_obstacles(reference, record, cities)
    flights = _flights(reference, record, cities)
    stays = [s for city in cities for s in reference.stays_in(city) if s.max_occupancy >= record["people"]]
    meals = [r.avg_cost for city in cities for r in reference.restaurants_in(city)]
    if obstacles:
        return 0, obstacles
    try:
        modes = published_modes([f.price for f in flights], [s.price for s in stays], meals, record["days"])
    except ValueError as error:
        return 0, [Obstacle("published_minimum", str(error))]
    return published_budget(modes, record["days"], record["level"], record["people"]), []


def _cities(reference: Reference, record: Record) -> list[str]:
    if record["dest_city_id"] is not None:
        return [record["dest_city_id"]]
    return [
        city
        for city in reference.cities_in(record["dest_region"], record["dest_country"])
        if reference.stays_in(city)
        and reference.restaurants_in(city)
        and reference.attractions_in(city)
        and any(event.date in record["dates"] for event in reference.events_in(city))
    ]


def _flights(reference: Reference, record: Record, cities: list[str]) -> list[Flight]:
    """Return the flights that the published estimate pools: any day's for a city, the trip dates' for a region."""
    origin = record["origin_city_id"]
    if record["dest_city_id"] is not None:
        return list(reference.flights_between(origin, record["dest_city_id"]))
    return [f for city in cities for date in record["dates"] for f in reference.flights_between(origin, city, date)]


def _hard_obstacles(reference: Reference, record: Record, cities: list[str]) -> list[Obstacle]:
    constraints, days = record["constraints"], record["days"]
    first = [f for c in cities for f in reference.flights_between(record["origin_city_id"], c, record["dates"][0])]
    farthest_km = FARTHEST_WITHOUT_FLIGHT_MILES * KM_PER_MILE
    stays = [stay for city in cities for stay in reference.stays_in(city)]
    rule, room = constraints["house_rule"], constraints["room_type"]
    obstacles: list[Obstacle] = []
    if constraints["transportation"] == "no self-driving" and len(first) < FEWEST_FLIGHTS[days]:
        obstacles.append(Obstacle("published_minimum", "too few flights on the first day"))
    if constraints["transportation"] == "no flight" and (len(first) < 2 or first[0].distance_km > farthest_km):
        obstacles.append(Obstacle("published_minimum", "too far to go without a flight"))
    if room is not None and sum(s.room_type in ROOM_TYPES_MEETING[room] for s in stays) < days:
        obstacles.append(Obstacle("published_minimum", "too few stays of the room type"))
    if rule is not None and sum(permits(s, rule, if_unknown=True) for s in stays) < days:
        obstacles.append(Obstacle("published_minimum", "too few stays that permit what is asked"))
    for name, kinds, have in (
        ("cuisine", constraints["cuisine"], [r.cuisines for c in cities for r in reference.restaurants_in(c)]),
        ("attraction", constraints["attraction"], [a.categories for c in cities for a in reference.attractions_in(c)]),
    ):
        if kinds is not None and sum(not set(kinds).isdisjoint(of) for of in have) < days:
            obstacles.append(Obstacle("published_minimum", f"too few places of the {name} asked for"))
    events = [e for c in cities for e in reference.events_in(c) if e.date in record["dates"]]
    if constraints["event"] is not None and len(events) < days:
        obstacles.append(Obstacle("published_minimum", "too few events on the dates"))
    return obstacles
