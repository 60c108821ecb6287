"""The solver's way to keep a record's limits: pools of ever fewer and cheaper places. Not used by the scorer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pandas as pd
from pyproj import Geod

from assets.itinbench.tables import LIMITS, PlaceIds, Record
from assets.itinbench.witness.selection import MEALS_PER_DAY, VISITS_PER_DAY

SPARE = (2.0, 1.4, 1.0)
"""Places that are left, as a multiple of those needed: the cheapest ones."""

_WGS84 = Geod(ellps="WGS84")


def thrifty_pools(pools: dict[str, pd.DataFrame], record: Record) -> Iterator[dict[str, pd.DataFrame]]:
    """Yield the pools whole, and for a record with limits those of the cheapest meals, then visits and stay too."""
    yield pools
    if all(record.get(limit) is None for limit in LIMITS):
        return
    days = record["days"]
    apart = pools["attraction"][~pools["attraction"]["place_id"].isin(pools["restaurant"]["place_id"])]
    for cheaper in ({"restaurant"}, {"restaurant", "attraction"}, {"restaurant", "attraction", "stay"}):
        for spare in SPARE:
            needed = {
                "restaurant": int(spare * MEALS_PER_DAY * days),
                "attraction": int(spare * VISITS_PER_DAY * days),
                "stay": 1,
            }
            candidate_pools = {**pools, "attraction": apart} if len(apart) >= needed["attraction"] else pools
            yield {
                kind: _cheapest(rows, needed[kind]) if kind in cheaper else rows
                for kind, rows in candidate_pools.items()
            }


def is_within(record: Record, places: PlaceIds, pools: dict[str, pd.DataFrame]) -> bool:
    """Return whether a choice of places, visited day after day, keeps the record's limits."""
    most_m, most_signs = record.get("most_walk_m"), record.get("most_signs")
    if most_m is None and most_signs is None:
        return True
    rows = {kind: frame.set_index("place_id") for kind, frame in pools.items()}
    stay = rows["stay"].loc[[places["stay"]]].iloc[0]
    signs = int(stay["price_level"].item())
    for visits, meals in zip(places["attractions"], places["restaurants"], strict=True):
        attractions = rows["attraction"].loc[visits]
        signs += int(attractions["price_level"].sum()) + int(rows["restaurant"].loc[meals, "price_level"].sum())
        lat, lon = [stay["lat"], *attractions["lat"], stay["lat"]], [stay["lon"], *attractions["lon"], stay["lon"]]
        legs = pairwise(zip(lat, lon, strict=True))
        way_m = sum(_WGS84.inv(a[1], a[0], b[1], b[0])[2] for a, b in legs)
        if most_m is not None and way_m > most_m:
            return False
    return most_signs is None or signs <= most_signs


def _cheapest(rows: pd.DataFrame, count: int) -> pd.DataFrame:
    """Return the places of the fewest price signs, at least so many if there are, and all of the last price."""
    by_price = rows["price_level"].sort_values()
    if len(by_price) <= count:
        return rows
    return rows[rows["price_level"] <= by_price.iloc[count - 1]].reset_index(drop=True)
