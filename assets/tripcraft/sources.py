"""What rows of a trip's world must be, by the source records that they point to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assets.clean.cuisines import cuisines
from assets.clean.flight_times import departed
from assets.tripcraft.facts.trip_places import cuisine_label
from assets.tripcraft.plan import clock
from sources.flights.values import MISSING

Row = Mapping[str, Any]
Records = Sequence[Mapping[str, Any]]
Values = dict[str, list[Any]]

KM_PER_MILE_DECIMALS = 1


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
    modelled = [row["price_given"]] if row["is_modelled"] else []
    silent = all(r.get("max_occupancy") is None for r in records)
    return {
        "price_given": modelled + [r["price_per_night"] for r in records if r.get("price_per_night") is not None],
        "currency_given": ([row["currency_given"]] if row["is_modelled"] else [])
        + [r["currency"] for r in records if r.get("currency")],
        "max_occupancy": [row["max_occupancy"]] if silent else [r.get("max_occupancy") for r in records],
        "rating": [r[name] for r in records for name in ("rating", "stars") if r.get(name) is not None],
        "room_type": [r["room_type"] for r in records if r.get("room_type")] or ["private_room"],
    }


def flight(row: Row, records: Records) -> Values:
    """Return, by column, the values that a flight may have of its record; what is modelled is nobody's."""
    r = records[0]
    given = r.get("given_number", MISSING)
    modelled = bool(row["is_modelled"])
    price = r.get("price", MISSING)
    return {
        "flight_number": [f"F{given:07d}" if given is not None and given != MISSING else row["flight_number"]],
        "dep_time": [clock(r["dep"])],
        "arr_time": [clock(r["arr"])] if r.get("arr", MISSING) != MISSING and not modelled else [row["arr_time"]],
        "date_given": [_date(_departure_day(r))],
        "distance_km": [round(r["miles"] * 1.609344, KM_PER_MILE_DECIMALS)],
        "price_given": [float(price)] if price is not None and price != MISSING else [row["price_given"]],
        "currency_given": [row["currency_given"]],
    }


def event(row: Row, records: Records) -> Values:
    """Return, by column, the values that an event may have of its records."""
    return {"date_given": [r["date"] for r in records], "name": [r["name"] for r in records if row["name"]]}


def nearest_stop(_: Row, records: Records) -> Values:
    """Return, by column, the values that a place's nearest stop may have of the stop's records."""
    named = {"stop_name": "name", "stop_lat": "lat", "stop_lon": "lon"}
    return {column: [r[name] for r in records] for column, name in named.items()}


def _departure_day(record: Mapping[str, Any]) -> int:
    """Return the day on which a flight left, in days from 1970; its file may date it by the plan."""
    columns = {"date": record["date"], "dep": record["dep"], "planned_dep": record.get("planned_dep", MISSING)}
    return int(departed({name: np.array([value]) for name, value in columns.items()})[0][0])


def _date(days: int) -> Any:
    import datetime as dt

    return dt.date(1970, 1, 1) + dt.timedelta(days=int(days))
