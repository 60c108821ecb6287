"""The ground of a witness: a hash of its record and of all that the solver may use for it."""

from __future__ import annotations

import dataclasses
from itertools import permutations
from typing import Any

from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from schemas.stable import content_hash


class Ground:
    """What witnesses rest on, hashed: the same hash, the same witness."""

    def __init__(self, reference: Reference, longest_drive_min: int) -> None:
        """Keep the reference; each city is hashed once, when it is first needed."""
        self._reference = reference
        self._longest_drive_min = longest_drive_min
        self._cities: dict[str, str] = {}

    def depends_on(self, task_id: str, record: Record) -> str:
        """Return the hash of the task's id, its record and the part of the reference that its witness may use."""
        reference = self._reference
        origin, dest = record["origin_city_id"], record["dest_city_id"]
        cities = [dest] if dest is not None else reference.cities_in(record["dest_region"], record["dest_country"])
        legs = [(origin, city, record["dates"][0]) for city in cities]
        legs += [(city, origin, record["dates"][-1]) for city in cities]
        legs += [(a, b, date) for a, b in permutations(cities, 2) for date in record["dates"][2:-1:2]]
        ways = [
            [
                _plain(reference.drive(a, b)),
                [[_plain(service) for service in reference.scheduled_by_number(s.flight_number)] for s in services],
            ]
            for a, b, date in legs
            for services in [reference.scheduled_between(a, b, date)]
        ]
        places = [self._city(city) for city in cities]
        rates = dataclasses.asdict(reference.car_rates)
        ends = [_plain(reference.cities[city]) for city in (origin, *cities)]
        return content_hash([task_id, record, ends, places, ways, rates, self._longest_drive_min, reference.currency])

    def _city(self, city_id: str) -> str:
        if city_id not in self._cities:
            reference = self._reference
            places = [
                *reference.restaurants_in(city_id),
                *reference.attractions_in(city_id),
                *reference.stays_in(city_id),
            ]
            self._cities[city_id] = content_hash(
                [
                    [[_plain(p), _plain(reference.stop(p.place_id)), _seconds(reference, p.place_id)] for p in places],
                    [_plain(event) for event in reference.events_in(city_id)],
                ]
            )
        return self._cities[city_id]


def _seconds(reference: Reference, place_id: str) -> list[float | None]:
    return [None if seconds != seconds else seconds for seconds in reference.town_ways.of(place_id)]


def _plain(entity: Any) -> Any:
    """Return the values of one of the reference's things, which hold no other, by their names."""
    return None if entity is None else {name: getattr(entity, name) for name in entity.__dataclass_fields__}
