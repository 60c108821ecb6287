"""What a trip is made of: cities, flights, places, events and drives, as the reference hands them out."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import Field

from assets.tripcraft.plan import ScheduledMode


@dataclass(frozen=True, slots=True)
class Flight:
    """A flight, train or coach on one date.

    `dep_min` and `arr_min` are local minutes from the midnight that begins `flight_date`.
    """

    flight_number: str
    origin_city_id: str
    dest_city_id: str
    flight_date: str
    dep_min: int
    arr_min: int
    elapsed_min: int
    distance_km: float
    price: int
    is_modelled: bool
    mode: ScheduledMode = "flight"


@dataclass(frozen=True, slots=True)
class City:
    """A city; `name` is its plan name, unique in the reference."""

    city_id: str
    name: str
    region: str
    country: str
    time_zone: str
    currency: str

    def ahead_min(self, other: City, date: str) -> int:
        """Return by how much this city's clocks are ahead of the other's at noon of the date; 0 if a zone is not known.

        Whoever is told of cities by tools is not told their zones.
        """
        if not (self.time_zone and other.time_zone):
            return 0
        noon = dt.datetime.fromisoformat(f"{date}T12:00:00")
        own_offset, other_offset = (noon.replace(tzinfo=ZoneInfo(city.time_zone)).utcoffset() for city in (self, other))
        return round(((own_offset or dt.timedelta()) - (other_offset or dt.timedelta())).total_seconds() / 60)


@dataclass(frozen=True, slots=True)
class Restaurant:
    """A restaurant; `avg_cost` is one person's meal."""

    place_id: str
    city_id: str
    name: str
    avg_cost: int
    cuisines: tuple[str, ...]
    rating: float | None
    lat: float
    lon: float
    opening_hours: str | None
    country: str | None


@dataclass(frozen=True, slots=True)
class Attraction:
    """An attraction; `visit_duration_h` is the mean over its categories.

    Wikidata has an entry for what `is_noted`; one looks at what `is_passed_by` and walks on.
    """

    place_id: str
    city_id: str
    name: str
    categories: tuple[str, ...]
    visit_duration_h: float
    rating: float | None
    lat: float
    lon: float
    opening_hours: str | None
    country: str | None
    is_noted: bool = False
    is_passed_by: bool = False


@dataclass(frozen=True, slots=True)
class Stay:
    """A stay; `house_rules` and `min_nights` are None where unknown; of `unknown_rules` its rules say too little."""

    place_id: str
    city_id: str
    name: str
    price: int
    room_type: str
    house_rules: tuple[str, ...] | None
    max_occupancy: int
    min_nights: int | None
    rating: float | None
    lat: float
    lon: float
    unknown_rules: tuple[str, ...] = ()

    def rooms(self, people: int) -> int:
        """Return how many rooms hold the party (1.F: several may be booked and paid for)."""
        return rooms_for_party(people, self.max_occupancy)


def rooms_for_party(people: int, max_occupancy: int) -> int:
    """Return how many rooms, each of which holds so many, hold the party."""
    return math.ceil(people / max_occupancy)


@dataclass(frozen=True, slots=True)
class Event:
    """An event on one date (ISO)."""

    event_id: str
    city_id: str
    name: str
    date: str
    segment: str


@dataclass(frozen=True, slots=True)
class Stop:
    """A place's nearest stop."""

    name: str
    distance_m: float


@dataclass(frozen=True, slots=True)
class Drive:
    """The way by road between two cities."""

    duration_min: float
    distance_km: float


@dataclass(frozen=True)
class CarRates:
    """What a car costs: money a kilometre, cut to a whole amount, for each car needed. The defaults are 1.B's."""

    self_driving_per_km: Annotated[float, Field(description="A kilometre in a car of one's own.")] = 0.05
    self_driving_seats: Annotated[int, Field(description="People that such a car holds.")] = 5
    taxi_per_km: Annotated[float, Field(description="A kilometre in a taxi.")] = 1.0
    taxi_seats: Annotated[int, Field(description="People that a taxi holds.")] = 4
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$", description="Of the amounts; ISO 4217 code.")] = "USD"

    def cost(self, mode: str, distance_km: float, people: int) -> int:
        """Return the party's cost of one drive; `mode` is `self_driving` or `taxi`."""
        per_km, seats = {
            "self_driving": (self.self_driving_per_km, self.self_driving_seats),
            "taxi": (self.taxi_per_km, self.taxi_seats),
        }[mode]
        return int(distance_km * per_km) * math.ceil(people / seats)
