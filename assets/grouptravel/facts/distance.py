"""How far two points are from each other, and how much longer than that a way between them is taken to be."""

from __future__ import annotations

import math

EARTH_RADIUS_KM = 6371.0088

DETOUR = 1.3
"""Length of a modelled way over the great circle (choice `routes`) [I]."""


def distance_km(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the great-circle distance of two points (lat, lon in degrees), km."""
    lat_1, lat_2 = math.radians(one[0]), math.radians(other[0])
    half = math.sin((lat_2 - lat_1) / 2) ** 2
    half += math.cos(lat_1) * math.cos(lat_2) * math.sin(math.radians(other[1] - one[1]) / 2) ** 2
    return 2 * EARTH_RADIUS_KM * math.asin(math.sqrt(min(1.0, half)))
