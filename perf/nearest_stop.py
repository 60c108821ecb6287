"""Nearest stop, 10,000 places and 20,000 stops, beside a bare KD-tree and beside brute-force geopy.

Prints one line per ratio. Run from the repository's root: `python -m perf.nearest_stop`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pandas as pd
from geopy.distance import geodesic
from pyproj import Geod
from scipy.spatial import KDTree

from assets.spatial.nearest_stop import earth_centred, nearest_stop

PLACES, STOPS, PAIRS, SAMPLE, REPEATS = 10_000, 20_000, 2_000, 200, 15


def main() -> None:
    """Print the ratios and the number of sampled places on which brute force agrees."""
    rng = np.random.default_rng(0)

    def town(n: int, key: str) -> pd.DataFrame:
        lat, lon = 41.15 + rng.normal(0, 0.05, n), -8.61 + rng.normal(0, 0.08, n)
        return pd.DataFrame(
            {"city_id": "c", key: [f"{key}{i:06}" for i in range(n)], "name": "n", "lat": lat, "lon": lon}
        )

    places, stops = town(PLACES, "place_id"), town(STOPS, "stop_id")
    places_lat_lon, stops_lat_lon = places[["lat", "lon"]].to_numpy(), stops[["lat", "lon"]].to_numpy()
    stops_xyz, places_xyz = earth_centred(stops_lat_lon), earth_centred(places_lat_lon)

    bare, ours = [], []
    for _ in range(REPEATS):
        bare.append(seconds(lambda: KDTree(stops_xyz).query(places_xyz)))
        ours.append(seconds(lambda: nearest_stop(places, stops)))
    print(f"bare KD-tree build and query: {np.median(bare) * 1e3:.1f} ms")
    print(
        f"nearest_stop: {np.median(ours) * 1e3:.1f} ms = {np.median(ours) / np.median(bare):.2f} x bare (at most 2.5)"
    )

    slow = (
        seconds(lambda: [geodesic(places_lat_lon[i], stops_lat_lon[i]) for i in range(PAIRS)]) / PAIRS * PLACES * STOPS
    )
    print(f"brute-force geopy, from {PAIRS} pairs: {slow / 3600:.1f} h = {slow / np.median(ours):,.0f} x (100,000)")

    geod, nearest = Geod(ellps="WGS84"), nearest_stop(places, stops)
    agree = 0
    for i in rng.choice(PLACES, SAMPLE, replace=False):
        lat, lon = np.full(STOPS, places_lat_lon[i, 0]), np.full(STOPS, places_lat_lon[i, 1])
        every = geod.inv(lon, lat, stops_lat_lon[:, 1], stops_lat_lon[:, 0])[2]
        row = nearest.iloc[i]
        agree += row["stop_id"] == stops["stop_id"].iloc[every.argmin()] and row["stop_distance_m"] == round(
            every.min(), 2
        )
    print(f"identical to brute-force Geod.inv: {agree} of {SAMPLE} sampled places")


def seconds(work: Callable[[], object]) -> float:
    """Return how long the work takes, in seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
