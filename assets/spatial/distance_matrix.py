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
from schemas.rejection import Reason
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
    """Return the ways between those places of one city that lie on the main part of the network, and the others' names.

    `places` has city_id (one), place_id (unique), lat, lon; `mode` is the router's profile. A place farther than 500 m
    from the nearest usable road is rejected, and so is one that is not of the most places between all of which roads
    lead, there and back. Raises ValueError for places of several cities or repeated ids, SourceError when the router
    fails.
    """
    _require_one_city(places)
    places = places.sort_values("place_id", ignore_index=True)
    if places.empty:
        return Outcome(pd.DataFrame(columns=COLUMNS), facts={"places": 0})
    answer = router.table(places["lat"].to_numpy(dtype=float), places["lon"].to_numpy(dtype=float))
    if answer.router.profile != mode:
        raise ValueError(f"the router travels by {answer.router.profile!r}; expected {mode!r}")
    on_network = answer.snap_distances_m <= OFF_NETWORK_M
    is_main = _main_part(answer.times_s, on_network)
    rejected = [
        _rejection(place_id, mode, snap_m if is_near else None, float(snap_m))
        for place_id, snap_m, is_near, is_kept in zip(
            places["place_id"], answer.snap_distances_m, on_network, is_main, strict=True
        )
        if not is_kept
    ]
    positions = np.flatnonzero(is_main)
    rows = pd.DataFrame(
        {
            "city_id": places["city_id"].iloc[positions],
            "mode": mode,
            "place_id": places["place_id"].iloc[positions],
            "distances_m": _lists(answer.distances_m[np.ix_(positions, positions)]),
            "times_s": _lists(answer.times_s[np.ix_(positions, positions)]),
            "snap_distance_m": np.round(answer.snap_distances_m[positions], 1),
            "is_off_network": False,
            "router": answer.router.label,
        }
    )
    facts = {"router": answer.router.label, "places": len(places), "off_network": int((~on_network).sum())}
    facts |= {"cut_off": int((on_network & ~is_main).sum()), "ways": len(positions) ** 2}
    return Outcome(rows, rejected, rows_in=len(places), facts=facts)


def _main_part(times_s: np.ndarray, on_network: np.ndarray) -> np.ndarray:
    """Return which places are of the largest part within which a road leads from each to each; of equals the first."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    is_main = np.zeros(len(times_s), dtype=bool)
    near = np.flatnonzero(on_network)
    if not len(near):
        return is_main
    reached = np.isfinite(times_s[np.ix_(near, near)])
    _, part = connected_components(csr_array(reached & reached.T), directed=False)
    members = near[part == np.bincount(part).argmax()]
    between = np.isfinite(times_s[np.ix_(members, members)])
    is_main[members[between.all(axis=0) & between.all(axis=1)]] = True
    return is_main


def _rejection(place_id: str, mode: str, near_m: float | None, snap_m: float) -> dict[str, str]:
    if near_m is None:
        nearest_road = "none" if np.isnan(snap_m) else f"the nearest is {snap_m:,.0f} m away"
        return {
            "row": place_id,
            "reason": Reason.OFF_NETWORK.value,
            "detail": f"a road to use by {mode}: {nearest_road}",
        }
    detail = f"no way by {mode} leads to the main part of the network and back"
    return {"row": place_id, "reason": Reason.CUT_OFF.value, "detail": detail}


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
