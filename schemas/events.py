"""Events that a traveller can attend on one date: matches, plays, concerts, films."""

from __future__ import annotations

import datetime as dt

from schemas.table import Field, Table

SEGMENTS = ("Sports", "Arts & Theatre", "Music", "Film")
"""Kinds of event (TripCraft, 1.A); Ticketmaster's other segments name none."""


class Event(Table):
    """An event in one of the recipe's cities on one date."""

    city_id: str = Field("The city that holds the venue, or whose name and region the address gives.", key=True)
    event_id: str = Field("Our stable id: provider and native id.", key=True)
    name: str = Field("Name.", pattern=r"(?s).*\S.*")
    segment: str = Field("Kind of event.", isin=SEGMENTS)
    date: dt.date = Field("Local date.")
    time: str | None = Field("Local time of the beginning, HH:MM; null if unknown.", pattern=r"([01]\d|2[0-3]):[0-5]\d")
    venue: str = Field("Name of the venue, may be empty.")
    address: str = Field("Street address, may be empty.")
    lat: float | None = Field("Latitude of the venue, WGS84 degrees; null if unknown.", ge=-90, le=90)
    lon: float | None = Field("Longitude, as `lat`.", ge=-180, le=180)
    price: float | None = Field("Cheapest ticket in `currency`; null if unknown.", ge=0)
    currency: str | None = Field("ISO 4217 code of the price; null if unknown.", pattern="[A-Z]{3}")
    url: str = Field("Page of the event, may be empty.", pattern=r"(https?://\S+)?")
    source_rows: list[str] = Field("Pointers to the source rows that the values came from.")
