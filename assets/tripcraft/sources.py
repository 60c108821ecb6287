"""What rows of a trip's world must be, by the source records that they point to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assets.clean.cuisines import cuisines
from assets.clean.sources import flight as offered_flight
from assets.step import NOBODYS
from assets.tripcraft.facts.trip_places import cuisine_label

Row = Mapping[str, Any]
Records = Sequence[Mapping[str, Any]]
Values = dict[str, list[Any]]


def place(row: Row, records: Records) -> Values:
    """Return, by column, the values that a restaurant or attraction may have of its records."""
    labels = [r.get("cuisines") or cuisines(r.get("categories") or ()) for r in records]
    return {
        "rating": [r[name] for r in records for name in ("rating", "stars") if r.get(name) is not None],
        "cuisines": [list(dict.fromkeys(cuisine_label(text) for text in found)) for found in labels],
        "website": [r.get("website") or "" for r in records] + ([] if _is_tripadvisor_s(row) else [""]),
        "categories": [list(r["categories"]) for r in records if "categories" in r] + _known_categories(row, records),
    }


def _is_tripadvisor_s(row: Row) -> bool:
    """Return whether the row is TripAdvisor's: the one source whose websites come through."""
    return str(row["place_id"]).startswith("tripadvisor:")


def _known_categories(row: Row, records: Records) -> list[list[str]]:
    return [[c for c in r["categories"] if c in row.get("categories", ())] for r in records if r.get("categories")]


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
        "room_type": [r["room_type"] for r in records if r.get("room_type")] or ["private_room"],
    }


def flight(row: Row, records: Records) -> Values:
    """Return, by column, the values that a flight may have of its record; what is modelled is nobody's."""
    said = offered_flight(row, records)
    return {
        **{name: said[name] for name in ("flight_number", "dep_time", "distance_km")},
        "arr_time": [NOBODYS] if row["is_modelled"] else said["arr_time"],
        "date_given": said["flight_date"],
        "price_given": said["price"] or [NOBODYS],
        "currency_given": said["currency"] or [NOBODYS],
    }


def event(_: Row, records: Records) -> Values:
    """Return, by column, the values that an event may have of its records."""
    return {"date_given": [r["date"] for r in records], "name": [r["name"] for r in records]}


def nearest_stop(_: Row, records: Records) -> Values:
    """Return, by column, the values that a place's nearest stop may have of the stop's records."""
    named = {"stop_name": "name", "stop_lat": "lat", "stop_lon": "lon"}
    return {column: [r[name] for r in records] for column, name in named.items()}
