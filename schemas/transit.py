"""Public transport: feeds, stops, routes, service calendars and departures, as GTFS and OpenStreetMap tell them.

Which stop is nearest to a place, and what runs there on a trip's dates, is derived: it belongs with the spatial tables.
"""

from __future__ import annotations

import datetime as dt

from schemas.table import Field, Table

OSM_FEED = "osm"
"""The `feed` of stops read from an OpenStreetMap extract, which tells no timetable."""


class TransitFeed(Table):
    """One GTFS feed of a city: who publishes it, in which time zone, and on which days anything runs."""

    city_id: str = Field("The city that the recipe binds the feed to.", key=True)
    feed: str = Field("The feed's key within the city: the slug of its file's name, stable over refreshes.", key=True)
    sha256: str = Field("Hash of the zip.", pattern=r"[0-9a-f]{64}")
    agencies: list[str] = Field("Names in agency.txt, in its order.")
    time_zone: str | None = Field("IANA zone of all its times (agency.txt); null if the feed does not say.")
    first_date: dt.date | None = Field("First day on which a trip of the feed departs; null if none ever does.")
    last_date: dt.date | None = Field("Last day on which a trip of the feed departs; null if none ever does.")
    stop_count: int = Field("Boardable stops.", ge=0)
    route_count: int = Field("Routes.", ge=0)
    trip_count: int = Field("Rows of trips.txt that were kept.", ge=0)
    departure_count: int = Field("Departures over one operation of every service, frequencies expanded.", ge=0)
    source_rows: list[str] = Field("Pointers to the rows of agency.txt.")


class Stop(Table):
    """A stop where a passenger can board: from GTFS, or from OpenStreetMap where a city has no feed."""

    city_id: str = Field("The city.", key=True)
    stop_id: str = Field("Feed key, colon, native id: unique over all feeds of a city.", key=True)
    feed: str = Field("Key of the feed that the stop came from; `osm` for OpenStreetMap.")
    native_id: str = Field("GTFS stop_id in its feed, or OpenStreetMap element such as node/123.")
    name: str = Field("The name as the feed writes it.", pattern=r"(?s).*\S.*")
    lat: float = Field("Latitude, WGS84 degrees.", ge=-90, le=90)
    lon: float = Field("Longitude, WGS84 degrees.", ge=-180, le=180)
    parent_station: str | None = Field("Native id of the station it belongs to; null if none.")
    source_rows: list[str] = Field("Pointers to the source rows that the values came from.")


class TransitRoute(Table):
    """A route of a feed, with the kind of vehicle that runs on it."""

    city_id: str = Field("The city.", key=True)
    route_id: str = Field("Feed key, colon, GTFS route_id.", key=True)
    feed: str = Field("Key of the feed.")
    native_id: str = Field("GTFS route_id in its feed.")
    short_name: str = Field("Short public name, such as 207; may be empty.")
    long_name: str = Field("Long public name; may be empty.")
    route_type: int = Field(
        "GTFS route_type: 0 tram, 1 metro, 2 rail, 3 bus, 4 ferry, …; extended types above 99.", ge=0
    )
    agency: str = Field("Name of the agency that runs it; empty if the feed does not say.")
    source_rows: list[str] = Field("Pointers to the rows of routes.txt.")


class TransitService(Table):
    """The days on which a set of trips runs: a weekly pattern between two dates, with its exceptions."""

    city_id: str = Field("The city.", key=True)
    service_id: str = Field("Feed key, colon, GTFS service_id.", key=True)
    feed: str = Field("Key of the feed.")
    native_id: str = Field("GTFS service_id in its feed.")
    weekdays: str = Field("Seven digits, Monday first: 1 runs, 0 does not.", pattern="[01]{7}")
    start_date: dt.date | None = Field("First day of the weekly pattern; null for a service of single dates.")
    end_date: dt.date | None = Field("Last day of the weekly pattern, inclusive; null for a service of single dates.")
    added_dates: list[str] = Field("ISO dates on which it runs whatever the pattern, ascending.")
    removed_dates: list[str] = Field("ISO dates on which it does not run whatever the pattern, ascending.")
    source_rows: list[str] = Field("Pointers to its rows of calendar.txt and calendar_dates.txt.")


class StopService(Table):
    """All departures at one stop on a day of one service.

    Seconds count from the start of the service day (GTFS: noon minus 12 h), so a departure after midnight of a service
    that began the day before is above 86,400 and belongs to the day before.
    """

    city_id: str = Field("The city.", key=True)
    stop_id: str = Field("The stop.", key=True)
    service_id: str = Field("The service.", key=True)
    departures_s: list[int] = Field("Every departure one can board, ascending; several at one second are kept.")
    route_ids: list[str] = Field("Routes that depart here on this service, ascending.")
    source_rows: list[str] = Field("Pointers to the rows behind the first and the last departure.")
