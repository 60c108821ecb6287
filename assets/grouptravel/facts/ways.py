"""How long the way between two places of a city takes: measured where a matrix holds both, else modelled."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

    from assets.grouptravel.facts.pois import Poi

EARTH_RADIUS_KM = 6371.0088

DETOUR = 1.3
SPEEDS_KMH = {"transit": 18.0, "bicycle": 14.0, "walk": 4.8, "car": 30.0, "taxi": 30.0}
"""Great circle times the detour at these speeds, those of the sandbox's estimates (choice `routes`) [I]."""

LEAST_MOVE_MIN = 5
"""No move takes less: one leaves a place and enters another [I]."""

_MATRIX_MODES = {"foot": ("walk",), "bicycle": ("bicycle",), "car": ("car", "taxi")}


class Ways:
    """Least minutes between places, rounded down; `measured` is seconds by (mode, from, to) of place ids."""

    def __init__(self, measured: Mapping[tuple[str, str, str], float] | None = None):
        self._measured = dict(measured or {})
        self._least_in: dict[tuple[str, ...], dict[str, int]] = {}

    @classmethod
    def of_frame(cls, matrix: pd.DataFrame) -> Ways:
        """Return the ways of the rows of `DistanceMatrix`; a null is no measure."""
        rows = matrix.sort_values(["city_id", "mode", "place_id"])
        measured = {}
        for (_, mode), group in rows.groupby(["city_id", "mode"]):
            ids = list(group["place_id"])
            for origin, seconds in zip(ids, group["times_s"], strict=True):
                for dest, taken in zip(ids, seconds, strict=True):
                    if taken is not None and taken == taken:
                        measured |= {(m, origin, dest): float(taken) for m in _MATRIX_MODES.get(str(mode), ())}
        return cls(measured)

    @property
    def floor(self) -> int:
        """Return the least minutes of a move of which an end is no known place."""
        return LEAST_MOVE_MIN

    def minutes(self, mode: str, one: Poi, other: Poi) -> int:
        """Return the least minutes of a move by a local mode; of places without a point, the least of any move."""
        seconds = self._measured.get((mode, one.place_id, other.place_id))
        if seconds is None:
            seconds = 0.0 if one.point is None or other.point is None else _modelled_s(mode, _km(one, other))
        return max(LEAST_MOVE_MIN, int(seconds // 60))

    def least(self, one: Poi, other: Poi) -> int:
        """Return the least minutes of a move by any mode."""
        return min(self.minutes(mode, one, other) for mode in SPEEDS_KMH)

    def least_in(self, pois: Iterable[Poi]) -> dict[str, int]:
        """Return, by place id, no more minutes than any move to the place from any other of these takes."""
        listed = list(pois)
        key = tuple(poi.place_id for poi in listed)
        if key not in self._least_in:
            self._least_in[key] = self._nearest(listed)
        return self._least_in[key]

    def _nearest(self, pois: list[Poi]) -> dict[str, int]:
        from scipy.spatial import KDTree

        found = {poi.place_id: LEAST_MOVE_MIN for poi in pois}
        placed = [poi for poi in pois if poi.point is not None]
        if len(placed) < 2 or len(placed) < len(pois):
            return found
        chord, _ = KDTree(_vectors(placed)).query(_vectors(placed), k=2)
        fastest = max(SPEEDS_KMH.values())
        for poi, nearest in zip(placed, chord[:, 1], strict=True):
            # The chord is no longer than the great circle.
            found[poi.place_id] = max(LEAST_MOVE_MIN, int(60 * DETOUR * EARTH_RADIUS_KM * nearest / fastest))
        measured: dict[str, list[float]] = {poi.place_id: [] for poi in pois}
        for (_, origin, dest), seconds in self._measured.items():
            if origin != dest and origin in measured and dest in measured:
                measured[dest].append(seconds)
        n_ways = len(SPEEDS_KMH) * (len(pois) - 1)
        for dest, seconds in measured.items():
            if seconds:
                # Where every way is measured nothing is modelled.
                modelled = [] if len(seconds) == n_ways else [found[dest]]
                found[dest] = max(LEAST_MOVE_MIN, min([int(min(seconds) // 60), *modelled]))
        return found


def _km(one: Poi, other: Poi) -> float:
    assert one.point is not None and other.point is not None
    return distance_km(one.point, other.point)


def _modelled_s(mode: str, km: float) -> float:
    return 3600 * DETOUR * km / SPEEDS_KMH[mode]


def _vectors(pois: list[Poi]) -> np.ndarray:
    import numpy as np  # the family declaration imports this module, and is read by every command

    lat, lon = np.radians(np.array([poi.point for poi in pois], dtype=float)).T
    return np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])


def distance_km(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the great-circle distance of two points (lat, lon in degrees), km."""
    lat_1, lat_2 = math.radians(one[0]), math.radians(other[0])
    half = math.sin((lat_2 - lat_1) / 2) ** 2
    half += math.cos(lat_1) * math.cos(lat_2) * math.sin(math.radians(other[1] - one[1]) / 2) ** 2
    return 2 * EARTH_RADIUS_KM * math.asin(math.sqrt(min(1.0, half)))
