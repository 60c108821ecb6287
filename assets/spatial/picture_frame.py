"""The part of the ground that a picture of a city shows, and its metres."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from assets.release.basemap.cut import Basemap
from assets.release.basemap.frame import MERCATOR_M, northing
from assets.spatial.projection import mean_position

MARGIN = 0.06
TRIMMED = 0.005
"""Share of the places at each edge that may lie outside the frame, so that one outlier does not shrink the town."""

MIN_SPAN_M = 400.0


@dataclass(frozen=True)
class PictureFrame:
    """The part of the ground shown, and how degrees become metres from its south-west corner."""

    lat_0: float
    lon_0: float
    west_m: float
    south_m: float
    width_m: float
    height_m: float

    @classmethod
    def around(cls, points: pd.DataFrame, tour: pd.DataFrame) -> PictureFrame:
        """Return the frame of nearly all the points and the whole tour, at least 0.6 times as high as it is wide."""
        bare = cls(*mean_position(*points[["lat", "lon"]].to_numpy(dtype=float).T), 0.0, 0.0, 0.0, 0.0)

        def edges(at: np.ndarray, stops: np.ndarray) -> tuple[float, float]:
            low, high = np.quantile(at, (TRIMMED, 1 - TRIMMED))
            return min([low, *stops]), max([high, *stops])

        (west, east), (south, north) = map(edges, bare.of(points), bare.of(tour))
        width = max(east - west, MIN_SPAN_M) * (1 + 2 * MARGIN)
        height = max(north - south, MIN_SPAN_M) * (1 + 2 * MARGIN)
        width, height = max(width, height), max(height, 0.6 * width)
        return cls(
            bare.lat_0, bare.lon_0, float((west + east - width) / 2), float((south + north - height) / 2),
            float(width), float(height),
        )  # fmt: skip

    def metres(self, lat: np.ndarray, lon: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return metres east and north of the corner: web Mercator, scaled by the cosine of the middle latitude."""
        turned = (lon - self.lon_0 + 180) % 360 - 180
        x = np.radians(turned) * MERCATOR_M * self._scale - self.west_m
        return x, (northing(lat) - northing(np.array(self.lat_0))) * self._scale - self.south_m

    @property
    def _scale(self) -> float:
        return float(np.cos(np.radians(self.lat_0)))

    def from_ground(self, at: np.ndarray, ground: Basemap) -> np.ndarray:
        """Return a basemap's metres, shape (n, 2), as this frame's."""
        west, south = ground.frame.origin
        turned = (np.degrees(west / MERCATOR_M) - self.lon_0 + 180) % 360 - 180
        x = (at[:, 0] / ground.frame.scale + np.radians(turned) * MERCATOR_M) * self._scale - self.west_m
        y = (at[:, 1] / ground.frame.scale + south - northing(np.array(self.lat_0))) * self._scale - self.south_m
        return np.column_stack([x, y])

    def of(self, rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
        """Return the metres of a table's lat and lon."""
        return self.metres(rows["lat"].to_numpy(dtype=float), rows["lon"].to_numpy(dtype=float))
