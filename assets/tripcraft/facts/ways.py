"""How a trip may get around: flights, trains, coaches and roads it can count on, and what they cost the party."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assets.tripcraft.entities import Drive, Flight
from assets.tripcraft.facts.obstacles import Obstacle
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference

EARLIEST_DEPARTURE_MIN = 6 * 60
LATEST_ARRIVAL_MIN = 22 * 60
"""Flights that leave earlier or land later are not counted on: the day could not hold a stay and its margins."""


@dataclass(frozen=True)
class Leg:
    """One move of a trip: from where, to where, on which day (0 the first)."""

    origin: str
    dest: str
    day: int


@dataclass(frozen=True)
class Ways:
    """What getting around costs the party: for each leg every way on offer, cheapest first; and the cheapest round."""

    leg_costs: tuple[tuple[int, ...], ...]
    cheapest: int


def legs_of(origin: str, cities: Sequence[str]) -> list[Leg]:
    """Return the moves of a trip over the cities and back."""
    stops = [origin, *cities, origin]
    return [Leg(stops[i], stops[i + 1], 2 * i) for i in range(len(stops) - 1)]


def usable_flights(reference: Reference, origin: str, dest: str, date: str) -> list[Flight]:
    """Return the day's flights that leave a day room for a stay: they land the same day, not too late."""
    return _usable(reference.flights_between(origin, dest, date))


def usable_services(reference: Reference, origin: str, dest: str, date: str, wish: str | None = None) -> list[Flight]:
    """Return the day's flights, trains and coaches that leave a day room for a stay; `wish` may exclude flights."""
    flights = usable_flights(reference, origin, dest, date) if wish != "no flight" else []
    return [*flights, *_usable(reference.journeys_between(origin, dest, date))]


def _usable(services: Iterable[Flight]) -> list[Flight]:
    return [s for s in services if s.dep_min >= EARLIEST_DEPARTURE_MIN and s.arr_min <= LATEST_ARRIVAL_MIN]


def near_drive(reference: Reference, origin: str, dest: str, longest_drive_min: int) -> Drive | None:
    """Return the way by road if it is not too long."""
    drive = reference.drive(origin, dest)
    return drive if drive is not None and drive.duration_min <= longest_drive_min else None


def can_go(reference: Reference, origin: str, dest: str, date: str, longest_drive_min: int) -> bool:
    """Return whether there is a flight, train or coach that day, or a road that is not too long."""
    is_near = near_drive(reference, origin, dest, longest_drive_min) is not None
    return is_near or bool(usable_services(reference, origin, dest, date))


def find_ways(
    reference: Reference, record: Record, cities: Sequence[str], longest_drive_min: int
) -> Ways | list[Obstacle]:
    """Return the ways of every leg of the trip over the cities, or what stands in the way, in words.

    A round is made in one's own car throughout, or by scheduled services and taxis: the two do not mix (1.F,
    check 5).
    """
    wish, people = record["constraints"]["transportation"], record["people"]
    own_car_costs: list[int] = []
    other_costs: list[list[int]] = []
    obstacles: list[Obstacle] = []
    legs = legs_of(record["origin_city_id"], cities)
    for leg in legs:
        date = record["dates"][leg.day]
        drive = near_drive(reference, leg.origin, leg.dest, longest_drive_min)
        services = usable_services(reference, leg.origin, leg.dest, date, wish)
        costs = [service.price * people for service in services]
        if drive is not None:
            costs.append(reference.car_rates.cost("taxi", drive.distance_km, people))
            if wish != "no self-driving":
                own_car_costs.append(reference.car_rates.cost("self_driving", drive.distance_km, people))
        other_costs.append(sorted(costs))
        if not costs:
            obstacles.append(Obstacle("no_way", f"no way from {leg.origin} to {leg.dest} on {date}"))
    if obstacles:
        return obstacles
    if len(own_car_costs) < len(legs):
        return Ways(tuple(map(tuple, other_costs)), sum(costs[0] for costs in other_costs))
    both = [tuple(sorted([*costs, cost])) for costs, cost in zip(other_costs, own_car_costs, strict=True)]
    return Ways(tuple(both), min(sum(own_car_costs), sum(costs[0] for costs in other_costs)))
