"""Road distances and times between the places of a city that tasks can use, kept one row per origin, read as pairs.

Which router answers is the caller's choice: OSRM (`sources/services/osrm.py`, `sources/services/osrm_engine.py`) or
the street graph (`sources/osm/streets.py`). There is no silent fallback from one to another.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from assets.step import Outcome
from sources.services.routing import RoadMatrix

OFF_NETWORK_M = 500.0
"""A place farther than this from a usable road is flagged: it lies in the sea, in a park, or outside the extract."""

COLUMNS = [
    "city_id", "mode", "place_id", "distances_m", "times_s", "snap_distance_m", "is_off_network", "router"
]  # fmt: skip


class TableSource(Protocol):
    """Anything that answers a square table of ways between points in degrees."""

    def table(self, lat: ArrayLike, lon: ArrayLike) -> RoadMatrix:
        """Return the ways between all the points."""
        ...


def distance_matrix(places: pd.DataFrame, router: TableSource, mode: str) -> Outcome:
    """Return the ways from each place of one city to all of them, with the router and what it could not do as facts.

    `places` has city_id (one), place_id (unique), lat, lon; `mode` is the router's profile. Unreachable is null, never
    0. A place farther than 500 m from the nearest usable road keeps its row and is flagged. Raises ValueError for
    places of several cities or repeated ids, SourceError when the router fails.
    """
    _require_one_city(places)
    places = places.sort_values("place_id", ignore_index=True)
    if places.empty:
        return Outcome(pd.DataFrame(columns=COLUMNS), facts={"places": 0})
    answer = router.table(places["lat"].to_numpy(dtype=float), places["lon"].to_numpy(dtype=float))
    if answer.router.profile != mode:
        raise ValueError(f"the router travels by {answer.router.profile!r}; expected {mode!r}")
    off_network = ~(answer.snap_distances_m <= OFF_NETWORK_M)
    rows = pd.DataFrame(
        {
            "city_id": places["city_id"],
            "mode": mode,
            "place_id": places["place_id"],
            "distances_m": _lists(answer.distances_m),
            "times_s": _lists(answer.times_s),
            "snap_distance_m": np.round(answer.snap_distances_m, 1),
            "is_off_network": off_network,
            "router": answer.router.label,
        }
    )
    unreachable = int(np.isnan(answer.times_s).sum())
    facts = {"router": answer.router.label, "places": len(places), "off_network": int(off_network.sum())}
    return Outcome(rows, rows_in=len(places), facts=facts | {"ways": answer.times_s.size, "unreachable": unreachable})


def grids(matrix: pd.DataFrame) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Return place ids, distances in metres and times in seconds, shape (n, n), of one city's and mode's rows.

    Row and column i belong to the i-th id; NaN where no road leads. Raises ValueError if the rows are of several cities
    or modes, or if some are missing.
    """
    if matrix[["city_id", "mode"]].drop_duplicates().shape[0] > 1:
        raise ValueError("the rows are of more than one city or mode; choose one of each first")
    matrix = matrix.sort_values("place_id", ignore_index=True)
    n = len(matrix)
    lengths = {len(row) for column in ("distances_m", "times_s") for row in matrix[column]}
    if lengths - {n}:
        raise ValueError(f"found {n} rows with lists of {sorted(lengths)} ways; expected every row of the matrix, once")
    distances, times = (
        np.array(matrix[column].tolist(), dtype=float).reshape(n, n) for column in ("distances_m", "times_s")
    )
    return matrix["place_id"].tolist(), distances, times


def pairs(matrix: pd.DataFrame) -> pd.DataFrame:
    """Return one city's and mode's matrix unfolded: a row for each ordered pair of different places.

    Columns: city_id, mode, origin_place_id, destination_place_id, distance_m, time_s, ordered by origin, then
    destination; NaN where no road leads.
    """
    ids, distances, times = grids(matrix)
    origin, destination = np.nonzero(~np.eye(len(ids), dtype=bool))
    names = np.array(ids, dtype=object)
    return pd.DataFrame(
        {
            "city_id": matrix["city_id"].iloc[0] if ids else [],
            "mode": matrix["mode"].iloc[0] if ids else [],
            "origin_place_id": names[origin],
            "destination_place_id": names[destination],
            "distance_m": distances[origin, destination],
            "time_s": times[origin, destination],
        }
    )


def _lists(grid: np.ndarray) -> list[list[Any]]:
    missing = np.isnan(grid)
    rows = grid.tolist()
    for i in np.flatnonzero(missing.any(axis=1)):
        rows[i] = [None if is_missing else value for value, is_missing in zip(rows[i], missing[i], strict=True)]
    return rows


def _require_one_city(places: pd.DataFrame) -> None:
    cities = sorted(places["city_id"].unique())
    if len(cities) > 1:
        raise ValueError(f"found places of {len(cities)} cities ({', '.join(cities[:3])}, …); expected those of one")
    repeated = places["place_id"][places["place_id"].duplicated()].unique()
    if len(repeated):
        raise ValueError(f"place_id {', '.join(map(repr, repeated[:5]))} appear more than once; expected each once")
