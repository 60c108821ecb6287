"""Whether the way between two towns leads over open sea, so that neither road nor rail can follow it."""

from __future__ import annotations

from functools import lru_cache

SAMPLE_M = 2_000.0
"""How far apart the points are at which a straight line is looked at for open sea."""

ARCHIPELAGOS = {
    "Africa/Sao_Tome",
    "America/Antigua",
    "America/Grenada",
    "America/Nassau",
    "America/Port_of_Spain",
    "America/St_Vincent",
    "Atlantic/Cape_Verde",
    "Indian/Comoro",
    "Indian/Mahe",
    "Indian/Maldives",
    "Indian/Mauritius",
    "Pacific/Efate",
    "Pacific/Fiji",
    "Pacific/Funafuti",
    "Pacific/Guadalcanal",
    "Pacific/Majuro",
    "Pacific/Tarawa",
}
"""Zones of archipelagic states (UNCLOS, article 46), all sea between whose islands is theirs, however wide; without
Indonesia, the Philippines, Papua New Guinea and others that hold a large island."""

LONGEST_ISLAND_M = 200_000.0
"""No island of these states is longer: Santa Isabel has 200 km, Vanua Levu 180, Andros 167."""


@lru_cache(maxsize=100_000)
def crosses_open_sea(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Return whether the WGS84 geodesic between two points (lat, lon in degrees) leaves all territorial waters.

    Outside these, 12 sea miles from every coast, the time zone database's areas are those of `Etc/`: a strait of less
    than 24 sea miles is taken for land. What lies farther apart in an archipelago than any of its islands is long has
    sea between, though the zone ends nowhere there.
    """
    from pyproj import Geod
    from tzfpy import get_tz

    geod = Geod(ellps="WGS84")
    distance_m = geod.inv(one[1], one[0], other[1], other[0])[2]
    if distance_m > LONGEST_ISLAND_M and {get_tz(lon, lat) for lat, lon in (one, other)} <= ARCHIPELAGOS:
        return True
    between = geod.npts(one[1], one[0], other[1], other[0], max(1, int(distance_m // SAMPLE_M)))
    return any((get_tz(lon, lat) or "Etc/").startswith("Etc/") for lon, lat in between)
