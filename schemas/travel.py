"""How a traveller gets to a city and what it costs there: towns, airports, flights and price levels.

Ways by road between cities are in `schemas/spatial.py`.
"""

from __future__ import annotations

import datetime as dt

from schemas.table import Field, Table

MAX_AIRPORT_M = 80_000.0
"""Farthest airport that serves a city: about an hour by car, a declared choice of ours."""

MAX_STATION_M = 10_000.0
"""Farthest stop of a train or coach outside a city's area that still serves it: a short local ride, our choice."""

MAX_FLIGHT_NUMBERS = 10_000_000
"""As many flight numbers as the published form has: F and seven digits (TripCraft, 1.A)."""

KM_PER_MILE = 1.609344
"""Exact: the international mile."""

CLOCK = r"([01]\d|2[0-3]):[0-5]\d"


class Airport(Table):
    """An airport with an IATA code."""

    iata: str = Field("IATA code.", key=True, pattern="[A-Z0-9]{3}")
    name: str = Field("Name.", pattern=r"(?s).*\S.*")
    city: str = Field("The town it says it serves, may be empty; never used to match one (defect T13).")
    country: str = Field("Country's name, as the source writes it.")
    lat: float = Field("Latitude, WGS84 degrees.", ge=-90, le=90)
    lon: float = Field("Longitude, WGS84 degrees.", ge=-180, le=180)
    time_zone: str | None = Field("IANA time zone; null if unknown.")
    source_rows: list[str] = Field("Pointers to the source rows that the values came from.")


class CityAirport(Table):
    """An airport near enough to serve a city; an airport may serve several cities, a city several airports."""

    city_id: str = Field("The city.", key=True)
    iata: str = Field("The airport's IATA code.", key=True)
    distance_m: float = Field("WGS84 geodesic from the middle of the city's box.", ge=0, le=MAX_AIRPORT_M)
    time_zone: str = Field("The airport's IANA time zone; the city's where the source does not say.")


class Flight(Table):
    """A flight on one date between two of the recipe's cities, as an offer to somebody who travels between them.

    A flight whose airports serve several cities is offered once for each pair, under a number of its own.
    """

    origin_city_id: str = Field("City of departure.", key=True)
    dest_city_id: str = Field("City of arrival.", key=True)
    flight_date: dt.date = Field("Local date of departure.", key=True)
    flight_number: str = Field(
        "F and seven digits, unique: the source's own, or by a declared rule.", key=True, holds="ours"
    )
    native_id: str = Field("What the source calls it: carrier, number and airports, or its own flight number.")
    origin_airport: str | None = Field("IATA code; null if the source names cities only.")
    dest_airport: str | None = Field("IATA code; null if the source names cities only.")
    dep_time: str = Field("Local time of departure, HH:MM.", pattern=CLOCK, makes=("arr_day_offset", "elapsed_min"))
    arr_time: str = Field("Local time of arrival, HH:MM.", pattern=CLOCK, makes=("arr_day_offset", "elapsed_min"))
    arr_day_offset: int = Field("Local date of arrival minus that of departure, days.", ge=-1, le=2, holds="derived")
    elapsed_min: int = Field("Minutes from departure to arrival, across time zones.", ge=1, le=1440, holds="derived")
    distance_km: float = Field("Distance flown, kilometres, 1 decimal.", ge=0)
    price: int | None = Field("One seat one way, in `currency`; null if the source has none.", ge=0)
    currency: str | None = Field("ISO 4217 code of the price; null where there is no price.", pattern="[A-Z]{3}")
    is_arrival_modelled: bool = Field(
        "Whether the arrival comes from the declared rule, not from the source.", holds="derived"
    )
    source_rows: list[str] = Field("Pointer to the source row.")


class CityPrice(Table):
    """What eating out costs in a city."""

    city_id: str = Field("The city.", key=True)
    restaurant_index: float | None = Field("Price level of restaurants, New York = 100; null if unknown.", ge=0)
    inexpensive_meal: float | None = Field("A meal in an inexpensive restaurant, in `currency`.", ge=0)
    currency: str | None = Field("ISO 4217 code of the meal's price; null where there is no price.", pattern="[A-Z]{3}")
    source_rows: list[str] = Field("Pointers to the source rows that the values came from.")
