"""Case: one plan beside the record it answers and the reference it lives in, with the look-ups all checks share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assets.tripcraft.entities import Attraction, City, Event, Restaurant, Stay
from assets.tripcraft.plan import Day, NameCity, Plan
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.variants import Variant


@dataclass(frozen=True)
class Case:
    """What a check judges."""

    record: Record
    plan: Plan
    reference: Reference
    variant: Variant

    @property
    def days(self) -> tuple[Day, ...]:
        """Return the days that the record asks for; a plan's further days are judged by check 10 alone."""
        return self.plan.days[: self.record["days"]]

    @property
    def origin(self) -> City:
        """Return the city the trip starts from."""
        return self.reference.cities[self.record["origin_city_id"]]

    def route(self, day: Day) -> tuple[str, ...]:
        """Return the day's city texts, one or two, preferring a cut of "from A to B" into cities that exist."""
        if not day.is_moving:
            return (day.current_city,)
        return next((cut for cut in day.routes if all(map(self.reference.city_named, cut))), day.routes[0])

    def city_ids(self, day: Day) -> list[str]:
        """Return the ids of the day's cities that exist, in order."""
        return [city.city_id for name in self.route(day) if (city := self.reference.city_named(name)) is not None]

    def legs(self, day: Day) -> tuple[str, str] | None:
        """Return the ids of the two cities the day moves between, or None: from the city text, else the transport's."""
        ids = self.city_ids(day)
        if len(ids) == 2:
            return ids[0], ids[1]
        for origin, dest in day.transport.routes if day.transport else ():
            cities = self.reference.city_named(origin), self.reference.city_named(dest)
            if cities[0] is not None and cities[1] is not None:
                return cities[0].city_id, cities[1].city_id
        return None

    def restaurants(self, place_name: NameCity) -> tuple[Restaurant, ...]:
        """Return the restaurants the text stands for."""
        return self._entities_named(place_name, self.reference.restaurants_named)

    def attractions(self, place_name: NameCity) -> tuple[Attraction, ...]:
        """Return the attractions the text stands for."""
        return self._entities_named(place_name, self.reference.attractions_named)

    def stays(self, place_name: NameCity) -> tuple[Stay, ...]:
        """Return the stays the text stands for."""
        return self._entities_named(place_name, self.reference.stays_named)

    def events(self, event_name: NameCity) -> tuple[Event, ...]:
        """Return the events the text stands for, on any date."""
        return self._entities_named(event_name, self.reference.events_named)

    def is_at_origin(self, place_name: NameCity) -> bool:
        """Return whether the text names a place in the origin city."""
        return place_name.city == self.origin.name

    def _entities_named(self, place_name: NameCity, by_name: Any) -> tuple[Any, ...]:
        city = self.reference.city_named(place_name.city)
        if city is None or not place_name.name:
            return ()
        return by_name(city.city_id, place_name.name)
