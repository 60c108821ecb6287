"""Whether wishes of a request for a trip clash, by the least that a trip costs: what draws such trips is judged by it.

The least is sought over sets of cities, by the shortest closed way through each (Held and Karp's recursion), not over
orders of cities. No plan that the checks of `ours` accept costs less:

- its cities are a round from home over as many cities as its days ask for, home once in between only where it lies in
  their region (`reasonable_city_route`), each change of city made by car throughout or never (`within_sandbox`,
  `non_conflicting_transport`), so no cheaper than the cheapest way of one of the two kinds on any of its dates;
- home has the first morning and the last evening, and a night in between only where it is passed;
- every night but none on the last day has a stay of the type and rules asked for, one at least in every city
  (`complete_information`, `within_current_city`);
- a day without a change of city has three meals, no table twice (`diverse_restaurants`);
- what is asked of meals, sights and events is met in its cities, events on its dates.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import inf
from typing import Any

from assets.core.claims import Wish
from assets.tripcraft.checks.hard import permits
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.vocabulary import EXCLUDED_BY, ROOM_TYPES_MEETING, VISITED_CITIES

MEALS_A_DAY = 3

LISTED = ("cuisine", "event", "attraction")
SINGLE = ("house_rule", "room_type", "transportation")
NO_LIMIT = 2**53 - 1
"""The budget of a request that names none: the greatest whole number that every reader of JSON keeps as it is."""


def wishes_of(record: Record) -> tuple[Wish, ...]:
    """Return what a request asks for, each wish by itself; where, when, how long and how many are no wishes."""
    constraints: Any = record["constraints"]
    single = [(name, constraints[name]) for name in SINGLE if constraints[name]]
    listed = [(name, value) for name in LISTED for value in constraints[name] or ()]
    return (*single, *listed, ("budget", str(record["budget"])))


def with_wishes(record: Record, wishes: Collection[Wish]) -> Record:
    """Return the record with these of its wishes alone."""
    constraints: Any = {name: next((v for n, v in wishes if n == name), None) for name in SINGLE}
    constraints |= {name: [v for n, v in wishes if n == name] or None for name in LISTED}
    budget = next((int(value) for name, value in wishes if name == "budget"), NO_LIMIT)
    return {**record, "constraints": constraints, "budget": budget}


def clash_holds(
    record: Record, clash: Sequence[Wish], lacking: Mapping[str, Any] | None, world: Reference
) -> list[str]:
    """Return what is wrong with saying that no plan meets these wishes of the record; nothing where none does.

    With it what is said to be `lacking` is judged: the least that a trip costs which meets all but the budget, null
    where none does, and the budget.
    """
    clash_record = with_wishes(record, clash)
    least = least_cost(clash_record, world)
    problems = []
    if least is not None and least <= clash_record["budget"]:
        problems.append(f"nothing shows that no plan meets them: a trip may cost as little as {least}")
    if lacking is not None:
        expected = {"least_cost": least_cost(record, world), "budget": record["budget"]}
        problems += [f"is said to lack {lacking}; counted again: {expected}"] if lacking != expected else []
    return problems


def least_cost(record: Record, world: Reference) -> int | None:
    """Return what every plan costs at least that meets all wishes but the budget; None if none meets them."""
    home = record["origin_city_id"]
    totals = []
    for cities in combinations(_region(record, world), VISITED_CITIES[record["days"]]):
        if not _has_what_is_asked(record, cities, world):
            continue
        for has_passed, ways in _rounds(record, cities, world):
            also = (home,) if has_passed else ()
            changes = len(cities) + 1 + has_passed
            meals = _meals(record, (*cities, *also), record["days"] - changes, world)
            totals.append(ways + _beds(record, cities, also, world) + meals)
    least = min(totals, default=inf)
    return None if least == inf else int(least)


def _region(record: Record, world: Reference) -> list[str]:
    if record["dest_city_id"] is not None:
        return [record["dest_city_id"]]
    cities = world.cities_in(record["dest_region"], record["dest_country"])
    return [city for city in cities if city != record["origin_city_id"]]


def _rounds(record: Record, cities: Collection[str], world: Reference) -> Iterator[tuple[bool, float]]:
    """Yield whether home lies between, and the least cost of such rounds over all the cities."""
    home = record["origin_city_id"]
    may_pass = record["dest_city_id"] is None and home in world.cities_in(record["dest_region"], record["dest_country"])
    for own_car in (True, False):
        reached: dict[tuple[frozenset[str], str, bool], float] = {(frozenset(), home, False): 0.0}
        for _ in range(len(cities)):
            onward: dict[tuple[frozenset[str], str, bool], float] = {}
            for (visited_cities, last_city, has_passed), cost in reached.items():
                starts = [(last_city, has_passed, cost)]
                if may_pass and visited_cities and not has_passed:
                    starts.append((home, True, cost + _way(last_city, home, own_car, record, world)))
                for start, passed, so_far in starts:
                    for city in set(cities) - visited_cities:
                        state = (visited_cities | {city}, city, passed)
                        total = so_far + _way(start, city, own_car, record, world)
                        onward[state] = min(total, onward.get(state, inf))
            reached = onward
        for (_, last_city, has_passed), cost in reached.items():
            yield has_passed, cost + _way(last_city, home, own_car, record, world)


def _way(origin: str, dest: str, own_car: bool, record: Record, world: Reference) -> float:
    """Return the least that the party pays from one city to another, on any date of the trip."""
    excluded = EXCLUDED_BY.get(record["constraints"]["transportation"] or "", ())
    drive, mode, people = world.drive(origin, dest), "self_driving" if own_car else "taxi", record["people"]
    least = inf
    if drive is not None and mode not in excluded:
        least = world.car_rates.cost(mode, drive.distance_km, people)
    for date in () if own_car else record["dates"]:
        for service in world.scheduled_between(origin, dest, date):
            if service.mode not in excluded:
                least = min(least, service.price * people)
    return least


def _has_what_is_asked(record: Record, cities: Iterable[str], world: Reference) -> bool:
    constraints, offered = record["constraints"], {name: set[str]() for name in LISTED}
    for city in cities:
        offered["cuisine"].update(kind for place in world.restaurants_in(city) for kind in place.cuisines)
        offered["attraction"].update(kind for place in world.attractions_in(city) for kind in place.categories)
        offered["event"].update(e.segment for e in world.events_in(city) if e.date in record["dates"])
    return all(offered[name].issuperset(constraints[name] or ()) for name in LISTED)


def _beds(record: Record, cities: Sequence[str], also: Sequence[str], world: Reference) -> float:
    """Return the least that the nights cost: one in every city, the others wherever it is cheapest, `also` these."""
    room, rule = record["constraints"]["room_type"], record["constraints"]["house_rule"]

    def cheapest(city: str) -> float:
        return min(
            (
                stay.price * stay.rooms(record["people"])
                for stay in world.stays_in(city)
                if (room is None or stay.room_type in ROOM_TYPES_MEETING[room])
                and (rule is None or permits(stay, rule))
            ),
            default=inf,
        )

    nights = [cheapest(city) for city in cities]
    more = record["days"] - 1 - len(nights)
    return sum(nights) + (more * min([*nights, *map(cheapest, also)]) if more > 0 else 0)


def _meals(record: Record, cities: Iterable[str], full_days: int, world: Reference) -> float:
    needed = MEALS_A_DAY * max(0, full_days)
    prices = sorted(place.avg_cost for city in cities for place in world.restaurants_in(city))
    # Places of one name are one table to a plan, which pays the dearest's price: no less than any of them.
    return sum(prices[:needed]) * record["people"] if len(prices) >= needed else inf
