"""Feeds that run out: told by who refreshes, and asked for again by Dagster's sensor."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from pipelines.walk.recipes import LoadedRecipe
from schemas.transit import TransitFeed
from warehouse.home import Home

EXPIRES_WITHIN = dt.timedelta(days=14)


def expiring_feeds(home: Home, loaded: LoadedRecipe, today: dt.date) -> Iterator[tuple[str, str, dt.date]]:
    """Yield (city_id, feed, last day of service) of the built feeds that run out within two weeks, or have."""
    for city in loaded.recipe.cities:
        built = home.built.latest(loaded.recipe.name, TransitFeed.table_name(), city.city_id)
        for row in home.tables.read(built.outputs[city.city_id]).to_pylist() if built else []:
            if row["last_date"] is not None and row["last_date"] - today <= EXPIRES_WITHIN:
                yield city.city_id, row["feed"], row["last_date"]


def expiry_told(city_id: str, feed: str, last: dt.date) -> str:
    """Return in a sentence that a feed runs out, and what to do."""
    return f"feed {feed} of {city_id} runs until {last}; put a newer one in its place"
