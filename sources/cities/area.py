"""Which of a recipe's cities a point lies in: by area, never by name (defect T13)."""

from __future__ import annotations

from typing import Any

from schemas.recipe import City
from schemas.rejection import Reason
from sources.formats.jsonl import RowError, rejection


def within_cities(
    rows: list[dict[str, Any]], cities: list[City], rejected: list[dict[str, str]]
) -> list[dict[str, Any]]:
    """Return the rows inside a city, each with that `city_id`; the first city whose area holds a point has it.

    Rows have `lat`, `lon` and `source_rows`; those in no city go to `rejected`.
    """
    import numpy as np

    lat = np.array([row["lat"] for row in rows], dtype=float)
    lon = np.array([row["lon"] for row in rows], dtype=float)
    owner = np.full(len(rows), -1)
    for i, city in reversed(list(enumerate(cities))):
        owner[city.contains(lat, lon)] = i
    for i in np.flatnonzero(owner < 0).tolist():
        bad = RowError(Reason.OUTSIDE_EVERY_CITY, f"{lat[i]}, {lon[i]}")
        rejected.append(rejection(rows[i]["source_rows"][0], bad))
    return [{**rows[i], "city_id": cities[owner[i]].city_id} for i in np.flatnonzero(owner >= 0).tolist()]
