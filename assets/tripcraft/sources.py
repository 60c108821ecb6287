"""What rows of a trip's world must be, by the source records that they point to."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from assets.clean.cuisines import cuisines
from assets.clean.sources import flight as offered_flight
from assets.step import NOBODYS
from assets.tripcraft.facts.connections import DAY_S
from assets.tripcraft.facts.trip_journeys import local_times
from assets.tripcraft.facts.trip_places import cuisine_label
from assets.tripcraft.facts.trip_stays import HOTEL_ROOM, let_room_type
from sources.gtfs.timetable import is_running

Row = Mapping[str, Any]
Records = Sequence[Mapping[str, Any]]
Values = dict[str, list[Any]]


def place(row: Row, records: Records) -> Values:
    """Return, by column, the values that a restaurant or attraction may have of its records."""
    labels = [r.get("cuisines") or cuisines(r.get("categories") or ()) for r in records]
    return {
        "rating": [r[name] for r in records for name in ("rating", "stars") if r.get(name) is not None],
        "cuisines": [list(dict.fromkeys(cuisine_label(text) for text in texts)) for texts in labels],
        "wikidata": [r["wikidata"] for r in records if r.get("wikidata")] or [None],
        "website": [r.get("website") or "" for r in records] + ([] if _is_tripadvisor_s(row) else [""]),
    }


def _is_tripadvisor_s(row: Row) -> bool:
    """Return whether the row is TripAdvisor's: the one source whose websites come through."""
    return str(row["place_id"]).startswith("tripadvisor:")


def stay(row: Row, records: Records) -> Values:
    """Return, by column, the values that a stay may have of its records; modelled prices are nobody's."""
    is_modelled = row["is_modelled"]
    silent = all(r.get("max_occupancy") is None for r in records)
    return {
        "price_given": [NOBODYS]
        if is_modelled
        else [r["price_per_night"] for r in records if r.get("price_per_night") is not None],
        "currency_given": [NOBODYS] if is_modelled else [r["currency"] for r in records if r.get("currency")],
        "max_occupancy": [NOBODYS] if silent else [r.get("max_occupancy") for r in records],
        "rating": [r[name] for r in records for name in ("rating", "stars") if r.get(name) is not None],
        "room_type": [let_room_type(r["room_type"]) for r in records if r.get("room_type")] or [HOTEL_ROOM],
    }


def flight(row: Row, records: Records) -> Values:
    """Return, by column, the values that a flight may have of its record; what is modelled is nobody's."""
    offered_values = offered_flight(row, records)
    return {
        **{name: offered_values[name] for name in ("flight_number", "dep_time", "distance_km")},
        "arr_time": [NOBODYS] if row["is_modelled"] else offered_values["arr_time"],
        "date_given": offered_values["flight_date"],
        "price_given": offered_values["price"] or [NOBODYS],
        "currency_given": offered_values["currency"] or [NOBODYS],
    }


def journey(row: Row, records: Records) -> Values:
    """Return, by column, the values that a journey may have of the rows of its feed.

    Each train or coach has two calls; it runs if the calendar rows of its service say so on its own service day.
    """
    calls = [record for record in records if "call_at" in record]
    rides = list(zip(calls[::2], calls[1::2], strict=len(calls) % 2 == 0))
    trips = {record["trip_id"]: record for record in records if "trip_id" in record}
    modes = {record["route"]: record["mode"] for record in records if "route" in record}
    names = {record["stop"]: record["name"] for record in records if "stop" in record}
    zone = next((record["time_zone"] for record in records if "time_zone" in record), None)
    day, at_s, runs = _day(row["service_date"]), None, bool(rides)
    for board, alight in rides:
        trip = trips.get(board["call_of"], {})
        waits = 0 if at_s is None else -((board["dep_s"] - at_s) // DAY_S)
        service_day = day + dt.timedelta(days=waits)
        calendar_rows = [record for record in records if record.get("service") == trip.get("runs")]
        runs &= board["call_of"] == alight["call_of"] and is_running(service_day, calendar_rows)
        at_s = alight["arr_s"] + waits * DAY_S
    if not rides or at_s is None:
        return {name: [] for name in ("mode", "trip_ids", "stops", "dep_time", "arr_time", "service_date")}
    ends = row["origin_time_zone"], row["dest_time_zone"]
    leaves, arrives = local_times(zone, day, rides[0][0]["dep_s"], at_s, ends)
    return {
        "mode": [modes.get(trip["trip_route"]) for trip in trips.values()],
        "trip_ids": [[board["call_of"] for board, _ in rides]],
        "stops": [[names.get(call["call_at"], "") for call in calls]],
        "dep_time": [f"{leaves:%H:%M}"],
        "arr_time": [f"{arrives:%H:%M}"],
        "service_date": [day] if runs else [],
    }


def _day(value: Any) -> dt.date:
    return value if isinstance(value, dt.date) else dt.date.fromisoformat(str(value)[:10])


def event(_: Row, records: Records) -> Values:
    """Return, by column, the values that an event may have of its records."""
    return {"date_given": [r["date"] for r in records], "name": [r["name"] for r in records]}


def nearest_stop(_: Row, records: Records) -> Values:
    """Return, by column, the values that a place's nearest stop may have of the stop's records."""
    key_by_column = {"stop_name": "name", "stop_lat": "lat", "stop_lon": "lon"}
    return {column: [r[name] for r in records] for column, name in key_by_column.items()}
