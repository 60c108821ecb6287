"""Whether the way between two towns leads over open sea, so that neither road nor rail can follow it."""

from __future__ import annotations

from functools import lru_cache

SAMPLE_M = 2_000.0
"""How far apart the points are at which a straight line is looked at for open sea."""


@lru_cache(maxsize=100_000)
def crosses_open_sea(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Return whether the WGS84 geodesic between two points (lat, lon in degrees) leaves all territorial waters.

    Outside these, 12 sea miles from every coast, the time zone database's areas are those of `Etc/`: a strait of less
    than 24 sea miles is taken for land.
    """
    from pyproj import Geod
    from tzfpy import get_tz

    geod = Geod(ellps="WGS84")
    distance_m = geod.inv(one[1], one[0], other[1], other[0])[2]
    between = geod.npts(one[1], one[0], other[1], other[0], max(1, int(distance_m // SAMPLE_M)))
    return any((get_tz(lon, lat) or "Etc/").startswith("Etc/") for lon, lat in between)
