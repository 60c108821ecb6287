"""What rows of the clean stage must be, by the source records that they point to: the gate reads these anew."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assets.clean.cuisines import cuisines
from assets.clean.flight_times import departure
from assets.clean.kinds import by_precedence, candidate_kinds, noise
from assets.step import NOBODYS
from schemas.clock import clock_face
from schemas.travel import KM_PER_MILE
from sources.flights.values import EPOCH, MISSING
from sources.published import travelplanner

Row = Mapping[str, Any]
Records = Sequence[Mapping[str, Any]]
Values = dict[str, list[Any]]


def place(_: Row, records: Records) -> Values:
    """Return, by column, the values that a place may have of its records: what the clean stage makes of each."""
    values_by_column: Values = {"kind": [], "categories": [], "stars": [], "cuisines": [], "meals": []}
    for record in records:
        if "room_type" in record:  # a listing for the night
            place_row = {"kind": "stay", "categories": [record["room_type"]], "stars": record["rating"]}
            place_row |= {"cuisines": [], "meals": []}
        elif "kind" not in record:  # details of a business: its categories, and no more of these columns
            place_row = {name: record[name] for name in ("categories",) if name in record}
        elif "tags" in record:  # as OpenStreetMap maps it
            place_row = {**record, "categories": record["categories"] or record["tags"]}
        elif "confidence" in record:  # as Overture gathers it, which tells no meals
            place_row = {**record, "meals": []}
        else:
            labels = record["cuisines"] or cuisines(record["categories"])
            place_row = {**record, "kind": _kind(record), "cuisines": labels}
            place_row |= {} if place_row["kind"] == "restaurant" else {"cuisines": [], "meals": []}
        for column in values_by_column.keys() & place_row.keys():
            value = place_row[column]
            values_by_column[column].append(list(value) if isinstance(value, (list, tuple)) else value)
    return values_by_column


def _kind(record: Row) -> str | None:
    """Return what a business is, as its source's own tables or its categories tell."""
    labels, claimed = record["categories"], [record["kind"]] if record.get("kind") else []
    kinds = [kind for kind in candidate_kinds(claimed, labels) if noise(kind, record["name"], labels) is None]
    return next(iter(by_precedence(kinds, record.get("meals", ()))), None)


def flight(_: Row, records: Records) -> Values:
    """Return, by column, the values that a flight may have of its record.

    Where the record says no number, or no time of arrival, these are by a declared rule and nobody's.
    """
    (record,) = records
    flight_number, price, planned = (record.get(name, MISSING) for name in ("given_number", "price", "planned_dep"))
    columns = {"date": record["date"], "dep": record["dep"], "planned_dep": planned}
    (day,), (minute,) = departure({name: np.array([value]) for name, value in columns.items()})
    lands = record["arr"] if record["arr"] != MISSING else None
    is_priced = price != MISSING
    return {
        "flight_date": [EPOCH + dt.timedelta(days=int(day))],
        "flight_number": [f"F{flight_number:07d}" if flight_number != MISSING else NOBODYS],
        "origin_airport": [record.get("origin")],
        "dest_airport": [record.get("dest")],
        "dep_time": [clock_face(int(minute))],
        "arr_time": [NOBODYS if lands is None else clock_face(lands)],
        "distance_km": [round(record["miles"] * KM_PER_MILE, 1)],
        "price": [price] if is_priced else [],
        "currency": [travelplanner.CURRENCY] if is_priced else [],
    }
