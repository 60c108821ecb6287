"""Coordinates in metres around a set of points: the projection that clusters and maps share."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def local_metres(lat: ArrayLike, lon: ArrayLike) -> np.ndarray:
    """Return x (east) and y (north) in metres, shape (n, 2), in a projection centred on the points themselves.

    The projection is azimuthal equidistant on the WGS84 ellipsoid (Snyder 1987, USGS Professional Paper 1395,
    chapter 25), centred at the direction of the points' mean unit vector, so that neither the antimeridian nor a pole
    splits a town. Within 50 km of the centre distances are true to better than 1 part in 10,000.
    The points' order does not change their coordinates. Raises ValueError for coordinates that are not finite.
    """
    from pyproj import Proj

    lat_deg, lon_deg = np.asarray(lat, dtype=float), np.asarray(lon, dtype=float)
    if not (np.isfinite(lat_deg).all() and np.isfinite(lon_deg).all()):
        raise ValueError("a latitude or longitude is not a finite number; reject such places before projecting them")
    if lat_deg.size == 0:
        return np.empty((0, 2))
    centre_lat, centre_lon = mean_position(lat_deg, lon_deg)
    projection = Proj(proj="aeqd", ellps="WGS84", lat_0=centre_lat, lon_0=centre_lon)
    x, y = projection(lon_deg, lat_deg)
    return np.column_stack([x, y])


def mean_position(lat: np.ndarray, lon: np.ndarray) -> tuple[float, float]:
    """Return the latitude and longitude, rounded to 6 decimals, of the points' mean unit vector.

    The vectors are summed in sorted order, so that the result does not depend on the order of the points. Points that
    balance each other out (antipodes) have no mean direction; 0, 0 is returned for them.
    """
    phi, lam = np.radians(lat), np.radians(lon)
    vectors = np.column_stack([np.cos(phi) * np.cos(lam), np.cos(phi) * np.sin(lam), np.sin(phi)])
    x, y, z = np.sort(vectors, axis=0).sum(axis=0)
    if np.hypot(np.hypot(x, y), z) < 1e-9 * len(vectors):
        return 0.0, 0.0
    return round(float(np.degrees(np.arctan2(z, np.hypot(x, y)))), 6), round(float(np.degrees(np.arctan2(y, x))), 6)
