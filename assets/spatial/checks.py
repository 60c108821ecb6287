"""What must hold of the spatial tables beyond their schema, each check named as the sentence it asserts."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import pandas as pd

from assets.spatial.distance_matrix import OFF_NETWORK_M
from assets.step import Verdict
from schemas.counts import counted
from schemas.recipe import SpatialSection
from schemas.transit import OSM_FEED

if TYPE_CHECKING:
    import pyarrow as pa

FARTHEST_STOP_M = 50_000.0
"""A nearest stop beyond this is a stop of another city (benchmarks, T13)."""

NEAR_M = 5_000.0
WALKABLE_M = 500.0
NO_FEED = "the city has no feed; its stops are the map's"


def feed_belongs_to_the_city(nearest: pd.DataFrame, *, spatial: SpatialSection | None) -> Verdict:
    """A feed of the wrong city puts nearly every place far from every stop (defect T13)."""
    if nearest.empty:
        return Verdict(True, "there are no places")
    if not _is_of_feeds(nearest):
        return Verdict(True, NO_FEED)
    distance = nearest["stop_distance_m"]
    share = float((distance <= NEAR_M).mean())
    half = f"half of them within {distance.median():,.0f} m"
    summary = f"{share:.1%} of {counted(len(nearest), 'place')} are within 5 km of a stop, {half}"
    least_share = (spatial or SpatialSection()).least_near_stop
    if share >= least_share:
        return Verdict(True, summary)
    return Verdict(
        False,
        f"{summary}; expected at least {least_share:.0%} within 5 km. Bind the feed of this city, not of a namesake",
    )


def no_stop_beyond_50_km(nearest: pd.DataFrame) -> Verdict:
    """A place whose nearest stop is beyond 50 km is in another city than the feed: two homonyms are mixed (T13)."""
    if not nearest.empty and not _is_of_feeds(nearest):
        return Verdict(True, NO_FEED)
    far = nearest[nearest["stop_distance_m"] > FARTHEST_STOP_M].sort_values("place_id")
    if far.empty:
        return Verdict(True, f"the nearest stop of each of {counted(len(nearest), 'place')} is within 50 km")
    first = far.iloc[0]
    return Verdict(
        False,
        f"{len(far)} of {counted(len(nearest), 'place')} have no stop within 50 km, such as {first['place_id']}, "
        f"{first['stop_distance_m'] / 1000:.1f} km from {first['stop_name']!r}; expected none. "
        "Bind the feed of this city, or correct the city's area so that a namesake stays out",
    )


def _is_of_feeds(nearest: pd.DataFrame) -> bool:
    """Return whether the stops are of feeds: a city with one has none of the map's."""
    return not nearest["stop_id"].str.startswith(f"{OSM_FEED}:").all()


def feed_covers_the_trip_dates(service_dates: Iterable[dt.date], trip_dates: Iterable[dt.date]) -> Verdict:
    """A feed that has expired, or has not begun, tells nothing of what runs on the trip's dates."""
    served, dates = set(service_dates), sorted(set(trip_dates))
    missing = [date.isoformat() for date in dates if date not in served]
    if not missing:
        return Verdict(True, f"something departs on each of {counted(len(dates), 'date')}")
    dates_text = ", ".join(missing[:5]) + (", …" if len(missing) > 5 else "")
    return Verdict(
        False,
        f"nothing departs on {len(missing)} of {counted(len(dates), 'date')} ({dates_text}); "
        "bind a feed valid on them, or move the trip's dates into the feed's",
    )


def all_pairs_are_reachable(matrix: pa.Table) -> Verdict:
    """Places between which no road leads make trips impossible: they are rejected, by name."""
    unreachable = sum(chunk.flatten().null_count for chunk in matrix["times_s"].chunks)
    places = Counter(zip(matrix["city_id"].to_pylist(), matrix["mode"].to_pylist(), strict=True))
    pairs = sum(n * (n - 1) for n in places.values())
    summary = f"no road leads between {unreachable} of {counted(pairs, 'ordered pair')}"
    if not unreachable:
        return Verdict(True, summary)
    return Verdict(False, f"{summary}; expected none: places off the main part of the network are rejected before")


def places_snap_to_the_network(matrix: pa.Table) -> Verdict:
    """Ways begin and end at a road: where it is far from the place, their length says nothing of the place."""
    far = [
        place_id
        for place_id, snap_m in zip(matrix["place_id"].to_pylist(), matrix["snap_distance_m"].to_pylist(), strict=True)
        if snap_m is None or snap_m > OFF_NETWORK_M
    ]
    summary = f"{len(far)} of {counted(matrix.num_rows, 'place')} are farther than {OFF_NETWORK_M:.0f} m from a road"
    if not far:
        return Verdict(True, summary)
    return Verdict(False, f"{summary}, such as {', '.join(sorted(far)[:3])}; expected none: they are rejected before")


def transit_access(nearest: pd.DataFrame) -> dict[str, float | int]:
    """Return the number of places, and the shares of them within 500 m and within 5 km of a stop."""
    n = len(nearest)
    shares = {
        f"share_within_{limit:.0f}_m": round(float((nearest["stop_distance_m"] <= limit).mean()), 4) if n else 0.0
        for limit in (WALKABLE_M, NEAR_M)
    }
    return {"places": n, **shares}
