"""The nearest transit stop of each place, exact on the WGS84 ellipsoid, and the nearest where something runs on a date.

Which stops a feed has and what runs when is read in `sources/`; this module only measures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schemas.counts import counted

if TYPE_CHECKING:
    from pyproj import Geod
    from scipy.spatial import KDTree

WGS84_SEMI_MAJOR_AXIS_M = 6_378_137.0
WGS84_FLATTENING = 1 / 298.257223563
"""Defining constants of WGS84 (NGA.STND.0036, table 3.1)."""

TIE_M = 1e-6
"""Stops this near to the nearest are as near: above the noise of a computed geodesic (15 nm, Karney 2013)."""

CANDIDATES_AT_ONCE = 2_000_000
"""How many place-stop pairs are refined in one go, which bounds the memory."""

MAX_PROBLEMS_SHOWN = 20


def nearest_stop(places: pd.DataFrame, stops: pd.DataFrame) -> pd.DataFrame:
    """Return each place's nearest stop by WGS84 geodesic: city_id, place_id, stop_id, stop_name, stop_distance_m.

    `places` has city_id, place_id, lat, lon; `stops` has stop_id (unique), name, lat, lon. Rows come in the order of
    `places`, distances in metres rounded to 2 decimals. Ties are judged before rounding: every stop within a
    micrometre of the nearest is as near, and the lowest `stop_id` of them is taken; two stops that only print alike
    do not tie.

    Exact: a chord through the earth is never longer than the geodesic over it, so once the k-th nearest stop by chord
    is farther than the best geodesic found, no stop beyond it can win; until then k is doubled.

    Raises ValueError naming every place and stop without usable coordinates and every repeated stop_id, or saying
    that there is no stop.
    """
    places_lat_lon, stops_lat_lon = (
        np.column_stack([frame["lat"].to_numpy(dtype=float), frame["lon"].to_numpy(dtype=float)])
        for frame in (places, stops)
    )
    _require_usable(places["place_id"], places_lat_lon, stops["stop_id"], stops_lat_lon)
    stop_positions, distance_m = _nearest(places_lat_lon, stops_lat_lon, stops["stop_id"])
    return pd.DataFrame(
        {
            "city_id": places["city_id"].array,
            "place_id": places["place_id"].array,
            "stop_id": stops["stop_id"].array.take(stop_positions),
            "stop_name": stops["name"].array.take(stop_positions),
            "stop_distance_m": np.round(distance_m, 2),
        }
    )


def nearest_served_stop(places: pd.DataFrame, stops: pd.DataFrame, service: pd.DataFrame) -> pd.DataFrame:
    """Return each place's nearest stop with a departure on each date of `service`, with that day's columns.

    `service` has service_date, stop_id and what is known of that stop's day (first and last departure, headway, …),
    whose columns are passed on unchanged; its stops are among `stops`. A date with no service at all has no rows.
    Distances, ties and errors are those of `nearest_stop`; a served stop that is not in `stops` raises ValueError too.
    """
    unknown = sorted(set(service["stop_id"]) - set(stops["stop_id"]))
    if unknown:
        raise ValueError(
            f"service is given for {counted(len(unknown), 'stop')} missing in the stops table, such as "
            f"{', '.join(map(repr, unknown[:5]))}; give the stops and the service of the same feeds"
        )
    days = []
    for date, running in service.groupby("service_date", sort=True):
        nearest = nearest_stop(places, stops[stops["stop_id"].isin(running["stop_id"])])
        nearest.insert(2, "service_date", date)
        days.append(
            nearest.merge(running.drop(columns="service_date"), on="stop_id", how="left", validate="many_to_one")
        )
    if days:
        return pd.concat(days, ignore_index=True)
    columns = ["city_id", "place_id", "service_date", "stop_id", "stop_name", "stop_distance_m"]
    return pd.DataFrame(columns=[*columns, *(c for c in service.columns if c not in ("service_date", "stop_id"))])


def nearest_transit_text(stop_name: str, stop_distance_m: float) -> str:
    """Return the nearest stop as TripCraft's PoI lists print it: `nearest transit: <stop>, 98.06m away` (1.B)."""
    return f"nearest transit: {stop_name}, {stop_distance_m:.2f}m away"


def earth_centred(lat_lon: np.ndarray) -> np.ndarray:
    """Return earth-centred, earth-fixed x, y, z in metres, shape (n, 3), of points on the ellipsoid in degrees."""
    eccentricity_2 = WGS84_FLATTENING * (2 - WGS84_FLATTENING)
    phi, lam = np.radians(lat_lon[:, 0]), np.radians(lat_lon[:, 1])
    sin_phi, cos_phi = np.sin(phi), np.cos(phi)
    normal = WGS84_SEMI_MAJOR_AXIS_M / np.sqrt(1 - eccentricity_2 * sin_phi**2)
    return np.column_stack(
        [normal * cos_phi * np.cos(lam), normal * cos_phi * np.sin(lam), normal * (1 - eccentricity_2) * sin_phi]
    )


def _nearest(places: np.ndarray, stops: np.ndarray, stop_ids: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Return for each place the position of its nearest stop and the geodesic to it, in metres."""
    from pyproj import Geod
    from scipy.spatial import KDTree

    geod = Geod(ellps="WGS84")
    tree = KDTree(earth_centred(stops), leafsize=20)
    places_xyz = earth_centred(places)
    k = min(2, len(stops))
    chord, candidate = (np.reshape(a, (len(places), k)) for a in tree.query(places_xyz, k=k))
    stop_positions = candidate[:, 0].copy()
    distance_m = _geodesic(geod, places, stops[stop_positions])
    # The nearest by chord is proven nearest by geodesic wherever even the second chord is longer than its geodesic.
    open_places = np.flatnonzero(chord[:, -1] <= distance_m + TIE_M) if len(stops) > 1 else np.empty(0, dtype=int)
    while len(open_places):
        k = min(2 * k, len(stops))
        still_open = []
        for block in np.array_split(open_places, 1 + len(open_places) * k // CANDIDATES_AT_ONCE):
            proven = _refine(geod, tree, places_xyz[block], places[block], stops, stop_ids, k)
            stop_positions[block], distance_m[block] = proven[0], proven[1]
            still_open.append(block[~proven[2]])
        open_places = np.concatenate(still_open)
    return stop_positions, distance_m


def _refine(
    geod: Geod,
    tree: KDTree,
    places_xyz: np.ndarray,
    places: np.ndarray,
    stops: np.ndarray,
    stop_ids: pd.Series,
    k: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the best of each place's k nearest stops by chord, its geodesic, and whether no other stop can win."""
    chord, candidate = (np.asarray(answer) for answer in tree.query(places_xyz, k=k))
    distance = _geodesic(geod, np.repeat(places, k, axis=0), stops[candidate.ravel()]).reshape(candidate.shape)
    best = distance.min(axis=1)
    tied = distance <= best[:, None] + TIE_M
    column = distance.argmin(axis=1)
    for row in np.flatnonzero(tied.sum(axis=1) > 1):
        level = np.flatnonzero(tied[row])
        column[row] = level[stop_ids.iloc[candidate[row, level]].argmin()]
    rows = np.arange(len(places))
    proven = (chord[:, -1] > best + TIE_M) | (k == len(stops))
    return candidate[rows, column], distance[rows, column], proven


def _geodesic(geod: Geod, origins: np.ndarray, destinations: np.ndarray) -> np.ndarray:
    """Return the WGS84 geodesic in metres between points given row by row as lat, lon in degrees."""
    return geod.inv(origins[:, 1], origins[:, 0], destinations[:, 1], destinations[:, 0])[2]


def _require_usable(place_ids: pd.Series, places: np.ndarray, stop_ids: pd.Series, stops: np.ndarray) -> None:
    problems = [] if len(stops) else ["there is no stop to be near to; bind a GTFS feed, or an OSM extract with stops"]
    for ids, lat_lon in ((place_ids, places), (stop_ids, stops)):
        usable = np.abs(lat_lon) <= (90, 180)
        problems += [
            f"{ids.name} {ids.iloc[i]!r} is at {lat_lon[i, 0]}, {lat_lon[i, 1]}; expected degrees within ±90, ±180"
            for i in np.flatnonzero(~usable.all(axis=1))
        ]
    problems += [f"stop_id {i!r} appears more than once" for i in stop_ids[stop_ids.duplicated()].unique()]
    if problems:
        first_problems = problems[:MAX_PROBLEMS_SHOWN]
        more = [f"and {len(problems) - len(first_problems)} more"] if len(problems) > len(first_problems) else []
        raise ValueError(
            "the nearest stop cannot be found:\n" + "\n".join(f"  - {p}" for p in [*first_problems, *more])
        )
