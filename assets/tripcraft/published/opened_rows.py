"""The rows of a published TripCraft database as our tables: what the files say, and null for what they do not.

A row that says too little for its table is rejected, by line. The released checker reads the files themselves.
"""

from __future__ import annotations

import ast
import csv
import datetime as dt
import io
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from assets.core.opening import is_degree, pointers
from assets.tripcraft.entities import CarRates
from assets.tripcraft.names import plan_text
from assets.tripcraft.published.database import UNKNOWN
from assets.tripcraft.published.ref_info import KM_PER_MILE
from assets.tripcraft.published.world import FILES
from assets.tripcraft.tables import (
    TripcraftAttraction,
    TripcraftCity,
    TripcraftCityDistance,
    TripcraftEvent,
    TripcraftFlight,
    TripcraftNearestStop,
    TripcraftRestaurant,
    TripcraftStay,
    TripcraftTerms,
)
from assets.tripcraft.vocabulary import CATEGORY_DURATION_H, HOUSE_RULES, ROOM_TYPES, SEGMENTS
from schemas.clock import clock, minutes
from schemas.recipe_values import NO_CURRENCY, slug
from schemas.rejection import Reason
from schemas.table import Table

OF_FILE: dict[str, type[Table]] = {
    "cities": TripcraftCity,
    "flights": TripcraftFlight,
    "restaurants": TripcraftRestaurant,
    "attractions": TripcraftAttraction,
    "accommodations": TripcraftStay,
    "events": TripcraftEvent,
    "nearest_stops": TripcraftNearestStop,
    "distance_matrix": TripcraftCityDistance,
}
UNKNOWN_COLUMNS: dict[type[Table], tuple[str, ...]] = {
    TripcraftCity: ("time_zone",),
    TripcraftRestaurant: ("lat", "lon"),
    TripcraftAttraction: ("lat", "lon"),
    TripcraftStay: ("lat", "lon"),
    TripcraftNearestStop: ("stop_lat", "stop_lon"),
}
"""What a published database does not say, or not of every row."""

FARTHEST_STOP_M = 50_000.0
"""A stop farther off is another town's (T13)."""

_ELAPSED = re.compile(r"(\d+) hours? (\d+) min(?:ute)?s?")


class UnfitError(Exception):
    """A row that its table cannot hold: why, and what was found."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


@dataclass
class Rows:
    """The rows of each table, those left out, and each city's id by its name in plans."""

    of: dict[type[Table], list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    rejected: list[dict[str, str]] = field(default_factory=list)
    city_ids: dict[str, str] = field(default_factory=dict)


def database_rows(files: Mapping[str, bytes]) -> Rows:
    """Return the rows of a published folder's files; the files are there and have their columns."""
    rows = Rows()
    rates = CarRates()
    rows.of[TripcraftTerms] = [
        {
            "currency": NO_CURRENCY,
            "self_driving_per_km": rates.self_driving_per_km,
            "self_driving_seats": rates.self_driving_seats,
            "taxi_per_km": rates.taxi_per_km,
            "taxi_seats": rates.taxi_seats,
        }
    ]
    readers: dict[str, Callable[[Mapping[str, str], Rows, str], list[dict[str, Any]]]] = {
        "cities": _city,
        "restaurants": _restaurant,
        "attractions": _attraction,
        "accommodations": _stay,
        "events": _event,
        "flights": _flight,
        "nearest_stops": _Stops(rows),
        "distance_matrix": _drive,
    }
    for name, reader in readers.items():
        table, keys = OF_FILE[name], set()
        has_sources = "source_rows" in {column.name for column in table.columns()}
        for pointer, row in _lines(files, name):
            try:
                if empty := [column for column in FILES[name][1] if row[column] == ""]:
                    raise UnfitError(Reason.MISSING_VALUE, f"found no {', '.join(empty)}")
                for table_row in reader(row, rows, pointer.rpartition("#")[2]):
                    key = tuple(table_row[column] for column in table.key())
                    if key in keys:
                        raise UnfitError(Reason.DUPLICATE, f"{'/'.join(map(str, key))} was there before")
                    keys.add(key)
                    rows.of[table].append({**table_row, "source_rows": [pointer]} if has_sources else table_row)
            except UnfitError as why:
                rejection = {"row": pointer, "reason": why.reason.value, "detail": str(why)[:300]}
                rows.rejected.append({"step": table.table_name(), **rejection})
    return rows


def _lines(files: Mapping[str, bytes], name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each row of a file under the pointer to it, by the line that it ends on."""
    path = f"database/{FILES[name][0]}"
    at = pointers(path, files[path])
    reader = csv.DictReader(io.StringIO(files[path].decode("utf-8-sig"), newline=""))
    for row in reader:
        yield at.pointer(reader.line_num), row


def _city(row: Mapping[str, str], rows: Rows, _line: str) -> list[dict[str, Any]]:
    name, region = row["city"], row["state"] if row["state"] != UNKNOWN else ""
    country = row.get("country") or ""
    city_id = "-".join(filter(None, map(slug, (country, region, name)))) or "city"
    if city_id in rows.city_ids.values() or name in rows.city_ids:
        raise UnfitError(Reason.DUPLICATE, f"{name}, {region} was there before")
    rows.city_ids[name] = city_id
    place = {"city_id": city_id, "name": name, "plan_name": name, "region": region, "country": country}
    return [{**place, "time_zone": None, "currency": NO_CURRENCY}]


def _restaurant(row: Mapping[str, str], rows: Rows, line: str) -> list[dict[str, Any]]:
    cost = round(_at_least_0(row, "avg_cost"))
    kinds = [] if row["cuisines"] == UNKNOWN else [kind.strip() for kind in row["cuisines"].split(",")]
    return [{**_place(row, rows, line), "avg_cost": cost, "cuisines": kinds, "opening_hours": None}]


def _attraction(row: Mapping[str, str], rows: Rows, line: str) -> list[dict[str, Any]]:
    categories = [kind for kind in CATEGORY_DURATION_H if kind in row["subcategories"]]
    place = {**_place(row, rows, line), "categories": categories, "opening_hours": None}
    place |= {"wikidata": None, "is_passed_by": False}
    hours = _at_least_0(row, "visit_duration")
    return [{**place, "visit_duration_h": hours, **{key: _text(row, key) for key in ("address", "website")}}]


def _stay(row: Mapping[str, str], rows: Rows, line: str) -> list[dict[str, Any]]:
    price, rooms, rules = _price(row["pricing"]), row["roomType"], row["house_rules"]
    if rooms not in ROOM_TYPES:
        raise UnfitError(Reason.BAD_VALUE, f"found roomType {rooms!r:.40}, expected one of {', '.join(ROOM_TYPES)}")
    forbidden = [rule for rule in HOUSE_RULES if rule in rules]
    unknown = [rule for rule in HOUSE_RULES if rule not in forbidden] if "others unknown" in rules else []
    nights = _number(row.get("min_nights", ""))
    return [
        {
            **_place(row, rows, line), "price": round(price), "price_given": price, "currency_given": NO_CURRENCY,
            "is_modelled": False, "room_type": rooms, "house_rules": None if rules == UNKNOWN else forbidden,
            "unknown_rules": None if rules == UNKNOWN else unknown,
            "max_occupancy": max(1, int(_at_least_0(row, "max_occupancy"))),
            "min_nights": int(nights) if nights and nights >= 1 else None,
        }
    ]  # fmt: skip


def _event(row: Mapping[str, str], rows: Rows, line: str) -> list[dict[str, Any]]:
    try:
        date = dt.datetime.strptime(row["dateTitle"], "%d-%m-%Y").date()
    except ValueError:
        raise UnfitError(Reason.BAD_VALUE, f"found dateTitle {row['dateTitle']!r:.40}, expected DD-MM-YYYY") from None
    if row["segmentName"] not in SEGMENTS:
        raise UnfitError(
            Reason.BAD_VALUE, f"found segmentName {row['segmentName']!r:.40}, expected {', '.join(SEGMENTS)}"
        )
    return [
        {
            "city_id": _city_id(rows, row["city"]), "event_id": row.get("event_id") or line,
            "name": row["name"], "date": date, "date_given": date, "segment": row["segmentName"],
            "address": _text(row, "streetAddress"), "url": _text(row, "url"),
        }
    ]  # fmt: skip


def _flight(row: Mapping[str, str], rows: Rows, _line: str) -> list[dict[str, Any]]:
    times = {key: row.get(key, "") for key in ("DepTime", "ArrTime")}
    elapsed = _ELAPSED.fullmatch(row.get("ActualElapsedTime", "").strip())
    try:
        date = dt.date.fromisoformat(row.get("FlightDate", ""))
        dep, arr = (minutes(time) for time in times.values())
    except ValueError:
        raise UnfitError(Reason.BAD_VALUE, f"found no date and times that can be read: {times}") from None
    if elapsed is None or not (took := 60 * int(elapsed[1]) + int(elapsed[2])):
        raise UnfitError(Reason.BAD_VALUE, f"found ActualElapsedTime {row.get('ActualElapsedTime')!r:.40}")
    # The clocks differ by the time zones, which the folder does not give: the nearest day is meant.
    offset = min((-1, 0, 1, 2), key=lambda days: abs(arr + 1440 * days - dep - took))
    price = _at_least_0(row, "Price")
    return [
        {
            "flight_number": row["Flight Number"], "flight_date": date, "date_given": date,
            "origin_city_id": _city_id(rows, row["OriginCityName"]),
            "dest_city_id": _city_id(rows, row["DestCityName"]),
            "dep_time": clock(dep), "arr_time": clock(arr),
            "arr_day_offset": offset, "elapsed_min": took, "distance_km": _at_least_0(row, "Distance") * KM_PER_MILE,
            "price": round(price), "price_given": price, "currency_given": NO_CURRENCY, "is_modelled": False,
        }
    ]  # fmt: skip


class _Stops:
    """Reads nearest stops, which name their place: the places of one name take the rows of that name in turn."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._places: dict[tuple[str, str], list[str]] = {}

    def __call__(self, row: Mapping[str, str], rows: Rows, _line: str) -> list[dict[str, Any]]:
        if not self._places:
            kinds = (TripcraftRestaurant, TripcraftAttraction, TripcraftStay)
            for place in sorted((p for kind in kinds for p in rows.of[kind]), key=lambda p: str(p["place_id"])):
                self._places.setdefault((place["city_id"], plan_text(place["name"])), []).append(place["place_id"])
        city_id = _city_id(rows, row["City"])
        waiting = self._places.get((city_id, plan_text(row["PoI"])), [])
        if not waiting:
            raise UnfitError(Reason.UNKNOWN_PLACE, f"found no place {row['PoI']!r:.80} in {row['City']!r:.40} for it")
        metres = _at_least_0(row, "nearest_stop_distance")
        if metres > FARTHEST_STOP_M:
            raise UnfitError(
                Reason.BAD_VALUE, f"found a stop {metres:,.0f} m away, expected at most {FARTHEST_STOP_M:,.0f}"
            )
        stop = {"stop_name": row["nearest_stop_name"], "stop_lat": None, "stop_lon": None, "distance_m": metres}
        return [{"city_id": city_id, "place_id": waiting.pop(0), **stop}]


def _drive(row: Mapping[str, str], rows: Rows, _line: str) -> list[dict[str, Any]]:
    ends = {"origin_city_id": _city_id(rows, row["origin"]), "dest_city_id": _city_id(rows, row["destination"])}
    return [{**ends, **{name: _at_least_0(row, name) for name in ("duration_min", "distance_km")}}]


def _place(row: Mapping[str, str], rows: Rows, line: str) -> dict[str, Any]:
    """Return what every place has: its id, or the line it stands on; its name, rating and position, where given."""
    lat, lon = _number(row.get("latitude", "")), _number(row.get("longitude", ""))
    rating = _number(row.get("rating", ""))
    is_located = is_degree(lat, 90) and is_degree(lon, 180)
    return {
        "city_id": _city_id(rows, row["City"]), "place_id": row.get("place_id") or line, "name": row["name"],
        "rating": rating if rating is not None and 0 <= rating <= 5 else None,
        "lat": lat if is_located else None, "lon": lon if is_located else None,
    }  # fmt: skip


def _city_id(rows: Rows, name: str) -> str:
    if name not in rows.city_ids:
        raise UnfitError(Reason.UNKNOWN_REFERENCE, f"found the city {name!r:.60}, which cities.csv does not list")
    return rows.city_ids[name]


def _price(text: str) -> float:
    """Return the price of a pricing text, whose mapping may be Python's or JSON's, and its number `$1,200`."""
    try:
        pricing = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        pricing = None
    amount = pricing.get("price") if isinstance(pricing, dict) else None
    price = _number(str(amount).replace("$", "").replace(",", ""))
    if price is None or price < 0:
        raise UnfitError(Reason.BAD_VALUE, f"found pricing {text!r:.60}, expected {{'price': '$120'}}")
    return price


def _at_least_0(row: Mapping[str, str], name: str) -> float:
    number = _number(row.get(name, ""))
    if number is None or number < 0:
        raise UnfitError(Reason.BAD_VALUE, f"found {name} {row.get(name)!r:.40}, expected a number of at least 0")
    return number


def _number(text: str) -> float | None:
    """Return the number, if it is a finite one."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if number == number and abs(number) != float("inf") else None


def _text(row: Mapping[str, str], name: str) -> str:
    return "" if row.get(name) in (None, UNKNOWN) else str(row[name])
