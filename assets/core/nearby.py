"""Places of one kind on one map, the nearest of them taken one after another: how greedy planners walk."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians

import numpy as np
from numpy.typing import ArrayLike

Point = tuple[float, float]
"""Latitude and longitude, degrees."""


class Nearby:
    """The places of one trip that are not taken yet, by their position in `points`."""

    def __init__(self, points: ArrayLike, positions_in_use: Sequence[int] = ()) -> None:
        """Take the places' points, one a row, and the positions of those that are taken from the start."""
        self._at = np.asarray(points, dtype=float).reshape(-1, 2)
        self._is_free = np.ones(len(self._at), dtype=bool)
        self._is_free[list(positions_in_use)] = False

    def take(self, point: ArrayLike, first: np.ndarray | None = None) -> int | None:
        """Return the nearest free place and take it: one of `first` (a mask) while there is any; None if none is left.

        Of equally near places the first is taken. The earth is flat and a degree of longitude shrinks to the north.
        """
        liked = self._is_free if first is None else self._is_free & first
        among = np.flatnonzero(liked if liked.any() else self._is_free)
        if not among.size:
            return None
        south, west = np.asarray(point, dtype=float)
        north, east = self._at[among, 0] - south, self._at[among, 1] - west
        index = int(among[np.argmin(north**2 + (east * cos(radians(south))) ** 2)])
        self._is_free[index] = False
        return index
