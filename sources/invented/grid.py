"""The street grid of an invented city: where its streets and avenues run, and how addresses number them.

Streets run along the grid (at multiples of `BLOCK_ACROSS_M` across it), numbered avenues across it (at multiples of
`BLOCK_ALONG_M` along it); the whole is turned by the city's own angle. What the streets are as a map's elements is in
`osm_streets.py`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from schemas.stable import stable_hash
from sources.invented.cities import CitySpec, eastward
from sources.invented.names import avenue_name, street_name

BLOCK_ALONG_M = 120.0
BLOCK_ACROSS_M = 90.0
SPREAD_M = 1_700.0
KERB_M = 9.0
METRES_PER_DEGREE = 111_195.0
REACH = 3
"""No place stands farther from the centre, along or across, than this many times the spread."""


@dataclass(frozen=True)
class Grid:
    """The grid of one city: u metres along it and v metres across it, from the centre."""

    city: CitySpec
    sin: float
    cos: float
    spread_m: float

    def spot(self, u_m: float, v_m: float) -> tuple[float, float]:
        """Return latitude and longitude in degrees, to 7 digits."""
        city = self.city
        lon_m = METRES_PER_DEGREE * math.cos(math.radians(city.lat))
        lat = round(city.lat + (u_m * self.sin + v_m * self.cos) / METRES_PER_DEGREE, 7)
        lon = round(city.lon + (u_m * self.cos - v_m * self.sin) / lon_m, 7)
        return lat, lon if -180.0 <= lon <= 180.0 else round((lon + 180.0) % 360.0 - 180.0, 7)

    @property
    def reach_m(self) -> float:
        """Return how far from the centre places may stand, along and across."""
        return REACH * self.spread_m

    @property
    def room_m(self) -> float:
        """Return how far the box's nearest edge is from the centre."""
        city, box = self.city, self.city.box
        lon_m = METRES_PER_DEGREE * math.cos(math.radians(city.lat))
        north_m = min(city.lat - box.south, box.north - city.lat) * METRES_PER_DEGREE
        return min(north_m, eastward(box.west, city.lon) * lon_m, eastward(city.lon, box.east) * lon_m)


@lru_cache(maxsize=512)
def grid_of(city: CitySpec, seed: int) -> Grid:
    """Return the city's grid; its spread fits into the city's box."""
    angle = math.radians(stable_hash("grid", seed, city.city_id) % 45)
    lon_m = METRES_PER_DEGREE * math.cos(math.radians(city.lat))
    half_m = (
        min((city.box.north - city.box.south) * METRES_PER_DEGREE, eastward(city.box.west, city.box.east) * lon_m) / 2
    )
    return Grid(city, math.sin(angle), math.cos(angle), min(SPREAD_M, 0.4 * half_m))


def address(rng: Random, city: CitySpec, seed: int) -> tuple[float, float, str]:
    """Return latitude, longitude and street address of a spot beside a street of the grid, inside the city's box.

    House numbers grow by a hundred a block.
    """
    grid = grid_of(city, seed)
    spread_m = grid.spread_m
    while True:
        is_avenue = rng.random() < 0.4
        step_m = BLOCK_ALONG_M if is_avenue else BLOCK_ACROSS_M
        across = round(_bell(rng) * spread_m / step_m)
        along_m = _bell(rng) * spread_m
        side = 1 if rng.random() < 0.5 else -1
        u, v = along_m, across * step_m + side * KERB_M
        if is_avenue:
            u, v = v, u
        lat, lon = grid.spot(u, v)
        if city.box.holds(lat, lon):
            break
        spread_m *= 0.9
    block, within = divmod(along_m + 100 * BLOCK_ALONG_M, BLOCK_ACROSS_M if is_avenue else BLOCK_ALONG_M)
    number = 100 * int(block) + 2 * int(within / 2.5) + (1 if side > 0 else 2)
    street = avenue_name(across) if is_avenue else street_name(across)
    suite = f", Ste {1 + int(rng.random() * 30)}" if rng.random() < 0.08 else ""
    return lat, lon, f"{number} {street}{suite}"


def _bell(rng: Random) -> float:
    """Return a draw near the standard normal, by sums only, so that every machine gets the same bits."""
    return (rng.random() + rng.random() + rng.random() - 1.5) * 2.0
