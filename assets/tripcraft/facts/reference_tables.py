"""The reference of a set of trips, made of its tables: what plans may use and are judged by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assets.tripcraft.entities import CarRates
from assets.tripcraft.reference import Reference
from assets.tripcraft.tables import (
    TripcraftAttraction,
    TripcraftCity,
    TripcraftCityDistance,
    TripcraftEvent,
    TripcraftFlight,
    TripcraftJourney,
    TripcraftNearestStop,
    TripcraftRestaurant,
    TripcraftStay,
    TripcraftTownWays,
)
from schemas.table import Table

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

WORLD_TABLES: dict[str, type[Table]] = {
    "cities": TripcraftCity,
    "flights": TripcraftFlight,
    "restaurants": TripcraftRestaurant,
    "attractions": TripcraftAttraction,
    "stays": TripcraftStay,
    "events": TripcraftEvent,
    "nearest_stops": TripcraftNearestStop,
    "city_distances": TripcraftCityDistance,
    "town_ways": TripcraftTownWays,
    "journeys": TripcraftJourney,
}
"""The reference's frames by name, and their tables."""


def reference(terms: pd.DataFrame, *frames: pd.DataFrame | pa.Table) -> Reference:
    """Return the reference of the tables, in the order of `WORLD_TABLES`; those left out are empty."""
    row = terms.to_dict("records")[0]
    rates = CarRates(
        float(row["self_driving_per_km"]), int(row["self_driving_seats"]), float(row["taxi_per_km"]),
        int(row["taxi_seats"]), row["currency"],
    )  # fmt: skip
    frame_by_name: dict[str, Any] = {
        name: table.arrow_schema().empty_table().to_pandas() for name, table in WORLD_TABLES.items()
    }
    frame_by_name |= dict(zip(WORLD_TABLES, frames, strict=False))
    return Reference(**frame_by_name, currency=row["currency"], car_rates=rates)
