"""A release's reference as the world that the published evaluator would read from its export."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from assets.tripcraft.entities import Attraction, Restaurant, Stay
from assets.tripcraft.published.database import UNKNOWN, rules_text, stay_pricing
from assets.tripcraft.published.ref_info import day_month_year
from assets.tripcraft.published.world import Row, StopRow, World
from assets.tripcraft.reference import Reference

_Place = TypeVar("_Place", Restaurant, Attraction, Stay)

_WORLDS: WeakKeyDictionary[Reference, World] = WeakKeyDictionary()


def _flights(reference: Reference, number: str) -> tuple[Row, ...]:
    """Return the flights of a number, looked up when asked for: there may be millions."""
    return tuple(
        {
            "Flight Number": flight.flight_number,
            "Price": str(flight.price),
            "OriginCityName": reference.cities[flight.origin_city_id].name,
            "DestCityName": reference.cities[flight.dest_city_id].name,
        }
        for flight in reference.flight(number)
    )


def reference_world(reference: Reference) -> World:
    """Return the world of a reference; for the same reference the same one."""
    if reference not in _WORLDS:
        _WORLDS[reference] = _world(reference)
    return _WORLDS[reference]


def _shortest_first(places: Iterable[_Place]) -> list[_Place]:
    """Return places in the order of the exported files: of names that hold one another the shortest first."""
    return sorted(places, key=lambda place: (len(place.name), place.place_id))


def _world(reference: Reference) -> World:
    cities = reference.cities
    stops: dict[str, tuple[StopRow, ...]] = {}
    for city_id, city in cities.items():
        finds: tuple[Any, ...] = (reference.restaurants_in, reference.attractions_in, reference.stays_in)
        placed = ((place, reference.stop(place.place_id)) for find in finds for place in find(city_id))
        stops[city.name] = tuple(StopRow(p.name, stop.name, stop.distance_m) for p, stop in placed if stop is not None)
    drives = {
        (origin.name, dest.name): (drive.duration_min, drive.distance_km)
        for origin in cities.values()
        for dest in cities.values()
        if (drive := reference.drive(origin.city_id, dest.city_id)) is not None
    }
    return World(
        states={city.name: city.region for city in cities.values()},
        flights=partial(_flights, reference),
        restaurants={
            city.name: tuple(
                {"name": r.name, "avg_cost": str(r.avg_cost), "cuisines": ", ".join(r.cuisines) or UNKNOWN}
                for r in _shortest_first(reference.restaurants_in(city_id))
            )
            for city_id, city in cities.items()
        },
        attractions={
            city.name: tuple(
                {"name": a.name, "subcategories": str(list(a.categories))}
                for a in _shortest_first(reference.attractions_in(city_id))
            )
            for city_id, city in cities.items()
        },
        stays={
            city.name: tuple(
                {
                    "name": s.name,
                    "pricing": stay_pricing(s.price),
                    "roomType": s.room_type,
                    "house_rules": rules_text(s.house_rules, s.unknown_rules),
                    "max_occupancy": str(s.max_occupancy),
                }
                for s in _shortest_first(reference.stays_in(city_id))
            )
            for city_id, city in cities.items()
        },
        events={
            city.name: tuple(
                {"name": e.name, "dateTitle": day_month_year(e.date), "segmentName": e.segment}
                for e in reference.events_in(city_id)
            )
            for city_id, city in cities.items()
        },
        stops=stops,
        drives=drives,
    )
