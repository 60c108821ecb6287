"""The tables of how cities are reached and what they offer, as data; a part of the clean stage's steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assets.step import Outcome, Raw, RawFile, Step
from schemas.recipe import City
from schemas.travel import Airport, CityAirport, CityPrice, Flight
from schemas.tripadvisor import TripadvisorPlace

if TYPE_CHECKING:
    import pandas as pd


def airports(files: list[RawFile]) -> Outcome:
    """Return every airport that has an IATA code."""
    from assets.clean import travel

    return travel.airports(files)


def city_airports(airport: pd.DataFrame, *, cities: list[City]) -> Outcome:
    """Return each city's airports, by distance."""
    from assets.clean import city_airport

    return city_airport.city_airports(airport, cities=cities)


def flights(
    on_time: list[RawFile],
    travelplanner: list[RawFile],
    city_airport: pd.DataFrame,
    *,
    cities: list[City],
) -> Outcome:
    """Return every flight between two of the cities, timed and numbered."""
    from assets.clean import flight

    return flight.flights(on_time, travelplanner, city_airport, cities=cities)


def tripadvisor_places(files: list[RawFile], *, cities: list[City]) -> Outcome:
    """Return TripAdvisor's open places in the cities, each once."""
    from assets.clean import travel

    return travel.tripadvisor_places(files, cities=cities)


def city_prices(files: list[RawFile], *, cities: list[City]) -> Outcome:
    """Return what eating out costs in each city that Numbeo names."""
    from assets.clean import travel

    return travel.city_prices(files, cities=cities)


TRAVEL_STEPS = [
    Step(Airport, airports, (Raw("openflights", "airports"),), per="recipe"),
    Step(CityAirport, city_airports, (Airport,), per="recipe"),
    Step(Flight, flights, (Raw("bts", "on_time"), Raw("travelplanner", "flights"), CityAirport), per="recipe"),
    Step(TripadvisorPlace, tripadvisor_places, (Raw("tripadvisor", "places"),), per="recipe"),
    Step(CityPrice, city_prices, (Raw("numbeo", "prices"),), per="recipe"),
]
