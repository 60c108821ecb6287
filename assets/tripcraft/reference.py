"""Reference: everything a trip may use, with the look-ups that drafts, solver and scorer share.

It holds data and says what is there; whether a plan is right belongs in `commonsense.py` and `hard.py`.

A name that several places of a city share stands for all of them: a requirement is met only if each of them meets it,
and the cost is the dearest's. No witness uses such a place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from assets.tripcraft.entities import Attraction, CarRates, City, Drive, Event, Flight, Restaurant, Stay, Stop
from assets.tripcraft.facts.travel import TownWays
from assets.tripcraft.flights import FlightBook
from assets.tripcraft.names import plan_text
from assets.tripcraft.plan import stands_in_items

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

INVALID_DRIVE_MIN = 1440
"""A drive this long or longer is no way to travel (1.B; the published paths differ at exactly 1,440)."""

FINE_STEP = 10
"""A tenth of the published hundred dollars."""


class Reference:
    """What is there to travel with. All amounts are in one `currency`, which nothing here names."""

    def __init__(
        self,
        *,
        cities: pd.DataFrame,
        flights: pd.DataFrame | pa.Table,
        restaurants: pd.DataFrame,
        attractions: pd.DataFrame,
        stays: pd.DataFrame,
        events: pd.DataFrame,
        nearest_stops: pd.DataFrame,
        city_distances: pd.DataFrame,
        town_ways: pd.DataFrame | None = None,
        journeys: pd.DataFrame | None = None,
        currency: str,
        car_rates: CarRates | None = None,
    ) -> None:
        """Index the frames, whose columns are those of the tables in `tables.py`."""
        self.currency = currency
        self.fine_step = FINE_STEP
        """What budgets set to a plan's cost are multiples of, in the currency: between it and the least cost there is
        seldom a whole step of the section's."""
        self.queries: dict[str, str] = {}
        """Texts in which a published set asks records, by a record's hash; none where tasks are drawn."""
        self.car_rates = car_rates or CarRates()
        places = {row["city_id"]: row for row in _rows(cities, "city_id")}
        names = {c: r["plan_name"] for c, r in places.items()}
        self.cities: dict[str, City] = {
            c: City(c, names[c], r["region"], r["country"], _optional(r["time_zone"], str) or "", r["currency"])
            for c, r in places.items()
        }
        countries = {city.city_id: city.country for city in self.cities.values()}
        self._city_of_name = {city.name: city.city_id for city in self.cities.values()}
        self._flights = FlightBook(flights)
        self._journeys = FlightBook.of_journeys(journeys) if journeys is not None and len(journeys) else None
        self.town_ways = TownWays(town_ways)
        self._stops = {
            r["place_id"]: Stop(plan_text(r["stop_name"]), float(r["distance_m"]))
            for r in _rows(nearest_stops, "place_id")
            if plan_text(r["stop_name"])
        }
        self._drives = {
            (r["origin_city_id"], r["dest_city_id"]): Drive(float(r["duration_min"]), float(r["distance_km"]))
            for r in _rows(city_distances, "origin_city_id")
            if _is_known(r["duration_min"]) and _is_known(r["distance_km"])
        }
        self._restaurants = _Index(_restaurant(r, countries.get(r["city_id"])) for r in _rows(restaurants, "place_id"))
        self._attractions = _Index(_attraction(r, countries.get(r["city_id"])) for r in _rows(attractions, "place_id"))
        self._stays = _Index(_stay(r) for r in _rows(stays, "place_id"))
        self._events = _Index(
            Event(r["event_id"], r["city_id"], plan_text(r["name"]), str(r["date"])[:10], r["segment"])
            for r in _rows(events, "event_id")
        )

    def city_named(self, name: str) -> City | None:
        """Return the city with that plan name, if there is one."""
        city_id = self._city_of_name.get(name.strip())
        return self.cities[city_id] if city_id is not None else None

    def cities_in(self, region: str, country: str) -> list[str]:
        """Return the ids of the region's cities, sorted."""
        return sorted(c.city_id for c in self.cities.values() if (c.region, c.country) == (region, country))

    def flights_between(self, origin: str, dest: str, date: str | None = None) -> tuple[Flight, ...]:
        """Return the flights between two cities, on one ISO date or on any, by date and number."""
        return self._flights.between(origin, dest, date)

    def flight(self, number: str) -> tuple[Flight, ...]:
        """Return every flight of that number; more than one only if the source reuses numbers."""
        return self._flights.numbered(number)

    @property
    def has_journeys(self) -> bool:
        """Return whether any train or coach is there."""
        return self._journeys is not None

    def journeys_between(self, origin: str, dest: str, date: str | None = None) -> tuple[Flight, ...]:
        """Return the trains and coaches between two cities, on one ISO date or on any, by date and number."""
        return self._journeys.between(origin, dest, date) if self._journeys is not None else ()

    def scheduled_between(self, origin: str, dest: str, date: str | None = None) -> tuple[Flight, ...]:
        """Return the flights, then the trains and coaches between two cities."""
        return (*self.flights_between(origin, dest, date), *self.journeys_between(origin, dest, date))

    def scheduled_by_number(self, number: str) -> tuple[Flight, ...]:
        """Return every flight, train or coach of that number; more than one only if a source reuses numbers."""
        journeys = self._journeys.numbered(number) if self._journeys is not None else ()
        return (*self.flight(number), *journeys)

    def drive(self, origin: str, dest: str) -> Drive | None:
        """Return the way by road, or None where there is none or it takes a day or longer."""
        drive = self._drives.get((origin, dest))
        return drive if drive is not None and drive.duration_min < INVALID_DRIVE_MIN else None

    def stop(self, place_id: str) -> Stop | None:
        """Return the place's nearest stop, or None where none is known (defect T14)."""
        return self._stops.get(place_id)

    def restaurants_in(self, city_id: str) -> tuple[Restaurant, ...]:
        """Return the city's restaurants by place_id."""
        return self._restaurants.of_city.get(city_id, ())

    def attractions_in(self, city_id: str) -> tuple[Attraction, ...]:
        """Return the city's attractions by place_id."""
        return self._attractions.of_city.get(city_id, ())

    def stays_in(self, city_id: str) -> tuple[Stay, ...]:
        """Return the city's stays by place_id."""
        return self._stays.of_city.get(city_id, ())

    def events_in(self, city_id: str) -> tuple[Event, ...]:
        """Return the city's events by event_id."""
        return self._events.of_city.get(city_id, ())

    def restaurants_named(self, city_id: str, name: str) -> tuple[Restaurant, ...]:
        """Return the city's restaurants of exactly that plan name."""
        return self._restaurants.by_name.get((city_id, name), ())

    def attractions_named(self, city_id: str, name: str) -> tuple[Attraction, ...]:
        """Return the city's attractions of exactly that plan name."""
        return self._attractions.by_name.get((city_id, name), ())

    def stays_named(self, city_id: str, name: str) -> tuple[Stay, ...]:
        """Return the city's stays of exactly that plan name."""
        return self._stays.by_name.get((city_id, name), ())

    def events_named(self, city_id: str, name: str) -> tuple[Event, ...]:
        """Return the city's events of exactly that plan name, on any date."""
        return self._events.by_name.get((city_id, name), ())

    def plannable_restaurants(self, city_id: str) -> tuple[Restaurant, ...]:
        """Return the city's restaurants that a plan can name: no other shares the name, and there is a stop."""
        return self._restaurants.plannable(city_id, self._stops)

    def plannable_attractions(self, city_id: str) -> tuple[Attraction, ...]:
        """Return the city's attractions that a plan can name."""
        return self._attractions.plannable(city_id, self._stops)

    def plannable_stays(self, city_id: str) -> tuple[Stay, ...]:
        """Return the city's stays that a plan can name."""
        return self._stays.plannable(city_id, self._stops)


class _Index:
    """Places of one kind, by city and by (city, name)."""

    def __init__(self, places: Iterable[Any]) -> None:
        of_city: dict[str, list[Any]] = defaultdict(list)
        places_by_name: dict[tuple[str, str], list[Any]] = defaultdict(list)
        for place in places:
            of_city[place.city_id].append(place)
            places_by_name[place.city_id, place.name].append(place)
        self.of_city = {city_id: tuple(group) for city_id, group in of_city.items()}
        self.by_name = {key: tuple(group) for key, group in places_by_name.items()}
        self._plannable: dict[str, tuple[Any, ...]] = {}

    def plannable(self, city_id: str, stops: dict[str, Stop]) -> tuple[Any, ...]:
        """Return the city's places that alone have their name, one told from an entry's own words, and a stop (T14)."""
        if city_id not in self._plannable:
            self._plannable[city_id] = tuple(
                place
                for place in self.of_city.get(city_id, ())
                if place.name not in ("", "-")
                and len(self.by_name[city_id, place.name]) == 1
                and place.place_id in stops
                and not stands_in_items(place.name)
            )
        return self._plannable[city_id]


def _rows(frame: pd.DataFrame, by: str) -> list[dict[str, Any]]:
    rows = frame.sort_values(by, kind="stable")
    names = list(rows.columns)  # once: to go through an index takes longer than through a row's values
    columns = [rows[name].to_numpy(dtype=object).tolist() for name in names]  # texts, all at once
    return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]


def _is_known(value: Any) -> bool:
    return value is not None and value == value


def _optional(value: Any, kind: type) -> Any:
    import pandas as pd

    return kind(value) if pd.api.types.is_scalar(value) and not pd.isna(value) else None


def _restaurant(row: dict[str, Any], country: str | None) -> Restaurant:
    return Restaurant(
        row["place_id"], row["city_id"], plan_text(row["name"]), int(row["avg_cost"]), tuple(row["cuisines"]),
        _optional(row["rating"], float), float(row["lat"]), float(row["lon"]), _optional(row["opening_hours"], str),
        country,
    )  # fmt: skip


def _attraction(row: dict[str, Any], country: str | None) -> Attraction:
    return Attraction(
        row["place_id"], row["city_id"], plan_text(row["name"]), tuple(row["categories"]),
        float(row["visit_duration_h"]), _optional(row["rating"], float), float(row["lat"]), float(row["lon"]),
        _optional(row["opening_hours"], str), country, _optional(row.get("wikidata"), str) is not None,
        bool(row.get("is_passed_by")),
    )  # fmt: skip


def _stay(row: dict[str, Any]) -> Stay:
    rules, unknown = row["house_rules"], row.get("unknown_rules")
    return Stay(
        row["place_id"], row["city_id"], plan_text(row["name"]), int(row["price"]), row["room_type"],
        tuple(rules) if isinstance(rules, list | tuple) else None, int(row["max_occupancy"]),
        _optional(row["min_nights"], int), _optional(row["rating"], float), float(row["lat"]), float(row["lon"]),
        tuple(unknown) if isinstance(unknown, list | tuple) else (),
    )  # fmt: skip
