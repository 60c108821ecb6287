"""The tables that trips are made from, out of the clean tables, with declared defaults where a source is silent.

Every amount is in one currency; what is priced in another is rejected, never converted.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from assets.clean.meal_cost import REFERENCE_MEAL, city_meal_price, meal_cost
from assets.spatial.nearest_stop import nearest_stop
from assets.step import Outcome
from assets.tripcraft.durations import visit_duration_h
from assets.tripcraft.entities import CarRates
from assets.tripcraft.reference import Reference
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.tables import (
    CATEGORY_DURATION_H,
    TripcraftAttraction,
    TripcraftCity,
    TripcraftCityDistance,
    TripcraftEvent,
    TripcraftFlight,
    TripcraftNearestStop,
    TripcraftRestaurant,
    TripcraftStay,
)
from schemas.recipe import City
from schemas.rejection import Reason
from schemas.table import Table

EPOCH = dt.date(1970, 1, 1)
"""Day 0 of an Arrow date."""

USD = "USD"
"""The money of `REFERENCE_MEAL`."""

ROOM_TYPE_OF = {"hotel_room": "private_room"}
"""A room of a hotel is one that no stranger shares: a declared choice of ours."""

UNKNOWN_OCCUPANCY = 2
"""People that a room holds whose source does not say: a declared default of ours."""

FARTHEST_STOP_M = 50_000.0
"""A stop farther away is another city's (defect T13)."""

WORLD_TABLES: dict[str, type[Table]] = {
    "cities": TripcraftCity,
    "flights": TripcraftFlight,
    "restaurants": TripcraftRestaurant,
    "attractions": TripcraftAttraction,
    "stays": TripcraftStay,
    "events": TripcraftEvent,
    "nearest_stops": TripcraftNearestStop,
    "city_distances": TripcraftCityDistance,
}
"""The reference's frames by name, and their tables."""


def terms(cities: Sequence[City], section: TripcraftSection) -> pd.DataFrame:
    """Return the money of the release and the rates of cars. Raises ValueError if cities differ and nothing is said."""
    currencies = sorted({city.currency for city in cities})
    if section.currency is None and len(currencies) > 1:
        raise ValueError(f"the cities use {', '.join(currencies)}; say `currency` in [families.tripcraft]")
    return pd.DataFrame([{"currency": section.currency or currencies[0], **section.car_rates.__dict__}])


def reference(terms: pd.DataFrame, *frames: pd.DataFrame) -> Reference:
    """Return the reference of the tables, which come in the order of `WORLD_TABLES`."""
    row = terms.to_dict("records")[0]
    rates = CarRates(
        float(row["self_driving_per_km"]), int(row["self_driving_seats"]), float(row["taxi_per_km"]),
        int(row["taxi_seats"]),
    )  # fmt: skip
    named: dict[str, Any] = dict(zip(WORLD_TABLES, frames, strict=True))
    return Reference(**named, currency=row["currency"], car_rates=rates)


def flights(flight: pa.Table, terms: pd.DataFrame, section: TripcraftSection) -> Outcome:
    """Return the flights in the section's window whose price is known in the release's currency."""
    currency = terms["currency"].iloc[0]
    date = flight["flight_date"].cast(pa.int32()).to_numpy()
    first, last = ((day - EPOCH).days for day in (section.first_date, section.last_date))
    is_outside = (date < first) | (date > last)
    is_unpriced = flight["price"].is_null().to_numpy()
    is_foreign = (flight["currency"].to_pandas() != currency).to_numpy(dtype=bool)
    is_kept = ~(is_outside | is_unpriced | is_foreign)
    reasons = np.where(is_outside, Reason.OUTSIDE_DATES, np.where(is_unpriced, Reason.MISSING_VALUE, Reason.BAD_VALUE))
    rejected = pd.DataFrame(
        {
            "row": flight["flight_number"].filter(pa.array(~is_kept)).to_pylist(),
            "reason": reasons[~is_kept].astype(str),
            "detail": f"expected a price in {currency} from {section.first_date} to {section.last_date}",
        }
    )
    is_modelled = flight["is_price_modelled"].to_numpy() | flight["is_arrival_modelled"].to_numpy()
    rows = flight.append_column("is_modelled", pa.array(is_modelled)).filter(pa.array(is_kept))
    schema = TripcraftFlight.arrow_schema()
    return Outcome(rows.select(schema.names).cast(schema), rejected, rows_in=len(flight))


def restaurants(tripadvisor: pd.DataFrame, place: pd.DataFrame, price: pd.DataFrame, terms: pd.DataFrame) -> Outcome:
    """Return one city's restaurants with the cost of a meal."""
    found = _of_kind(tripadvisor, place, "restaurant")
    meal, origin = _meal_price(price, terms["currency"].iloc[0])
    found["avg_cost"] = [meal_cost(meal, None if pd.isna(signs) else float(signs)) for signs in found["price_signs"]]
    facts = {"meal_price": meal, "meal_price_from": origin, "unknown_signs": int(found["price_signs"].isna().sum())}
    return Outcome(_columns(found, TripcraftRestaurant), facts=facts)


def attractions(tripadvisor: pd.DataFrame, place: pd.DataFrame) -> Outcome:
    """Return one city's attractions of the fifteen categories with how long a visit takes."""
    found = _of_kind(tripadvisor, place, "attraction")
    found["categories"] = [[c for c in given if c in CATEGORY_DURATION_H] for given in found["categories"]]
    is_known = found["categories"].map(bool).astype(bool)
    rejected = [
        {
            "row": place_id,
            "reason": Reason.OTHER_CATEGORY.value,
            "detail": f"none of the categories is one of the {len(CATEGORY_DURATION_H)}",
        }
        for place_id in found.loc[~is_known, "place_id"]
    ]
    kept = found[is_known].copy()
    kept["visit_duration_h"] = [visit_duration_h(categories) for categories in kept["categories"]]
    return Outcome(_columns(kept, TripcraftAttraction), rejected, rows_in=len(found))


def stays(stay: pd.DataFrame, terms: pd.DataFrame) -> Outcome:
    """Return one city's stays whose price is known in the release's currency."""
    currency = terms["currency"].iloc[0]
    is_priced = stay["price_per_night"].notna()
    is_ours = is_priced & (stay["currency"] == currency).fillna(value=False).astype(bool)
    reasons = {True: Reason.BAD_VALUE, False: Reason.MISSING_VALUE}
    bad = zip(stay.loc[~is_ours, "place_id"], is_priced[~is_ours], stay.loc[~is_ours, "currency"], strict=True)
    rejected = [
        {
            "row": place_id,
            "reason": reasons[bool(priced)].value,
            "detail": f"expected a price in {currency}, found one in {found}" if priced else "no price",
        }
        for place_id, priced, found in bad
    ]
    kept = stay[is_ours].copy()
    kept["price"] = np.rint(kept["price_per_night"].astype(float)).astype(int)
    kept["room_type"] = kept["room_type"].replace(ROOM_TYPE_OF)
    unknown = int(kept["max_occupancy"].isna().sum())
    kept["max_occupancy"] = kept["max_occupancy"].fillna(UNKNOWN_OCCUPANCY)
    facts = {"unknown_occupancy": unknown}
    return Outcome(_columns(kept, TripcraftStay), rejected, rows_in=len(stay), facts=facts)


def nearest_stops(places: Sequence[pd.DataFrame], stop: pd.DataFrame) -> pd.DataFrame:
    """Return the nearest stop of each place of one city; none in a city without stops, and none beyond 50 km."""
    columns = [c.name for c in TripcraftNearestStop.columns()]
    every = pd.concat([frame[["city_id", "place_id", "lat", "lon"]] for frame in places]).drop_duplicates("place_id")
    if stop.empty or every.empty:
        return pd.DataFrame(columns=columns)
    found = nearest_stop(every.sort_values("place_id"), stop)
    found["source_rows"] = found["stop_id"].map(dict(zip(stop["stop_id"], stop["source_rows"], strict=True)))
    found = found.rename(columns={"stop_distance_m": "distance_m"})
    return found.loc[found["distance_m"] <= FARTHEST_STOP_M, columns]


def city_distances(distance: pd.DataFrame) -> pd.DataFrame:
    """Return the ways by car between cities where a road leads."""
    by_car = distance[(distance["mode"] == "car") & distance["time_s"].notna() & distance["distance_m"].notna()]
    return pd.DataFrame(
        {
            "origin_city_id": by_car["origin_city_id"],
            "dest_city_id": by_car["destination_city_id"],
            "duration_min": by_car["time_s"].astype(float) / 60,
            "distance_km": by_car["distance_m"].astype(float) / 1000,
        }
    )


def _of_kind(tripadvisor: pd.DataFrame, place: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Return a city's places of a kind: TripAdvisor's where it has any, else those of the other sources."""
    listed = tripadvisor[tripadvisor["kind"] == kind].copy()
    if len(listed):
        return listed.assign(website=listed["website"].fillna(""))
    other = place[place["kind"] == kind].rename(columns={"stars": "rating", "price_level": "price_signs"})
    return other.assign(website="")


def _meal_price(price: pd.DataFrame, currency: str) -> tuple[float, str]:
    """Return one city's inexpensive meal in the currency, and where it comes from: meal, index or the default."""
    for row in price.to_dict("records"):
        if row["currency"] == currency and not pd.isna(row["inexpensive_meal"]):
            return float(row["inexpensive_meal"]), "meal"
        if currency == USD and not pd.isna(row["restaurant_index"]):
            return city_meal_price(None, float(row["restaurant_index"])) or REFERENCE_MEAL, "index"
    return REFERENCE_MEAL, "default"


def _columns(frame: pd.DataFrame, table: type[Table]) -> pd.DataFrame:
    return frame[[column.name for column in table.columns()]]
