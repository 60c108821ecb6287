"""Where an invented world lies: the cities' areas, zones and names. Streets and places are in `world.py`."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from schemas.stable import stable_hash

MAX_CITIES = 300
HALF_HEIGHT_DEG = 0.05
HOMONYM_OF_THE_FIRST = 3
"""With at least four invented cities, the one at this position bears the name of the first, in another region."""

HEADS = (
    "Quolli", "Zembra", "Vorna", "Thrimble", "Obrack", "Yasper", "Juvelin", "Krello", "Ondri", "Pelvar",
    "Sorrak", "Ulmera", "Wexlo", "Fennob", "Glinto", "Ilvara", "Nyxel", "Drommi", "Aschel", "Corvidel",
)  # fmt: skip
TAILS = (
    "quay", "mere", "holt", "ferry", "combe", "wick", "garth", "spire", "strand", "vale",
    "moor", "bridge", "gate", "field", "crest",
)  # fmt: skip


class Box(NamedTuple):
    """An area by its edges, in WGS84 degrees; one whose `west` exceeds its `east` crosses the antimeridian."""

    south: float
    west: float
    north: float
    east: float

    def holds(self, lat: float, lon: float) -> bool:
        """Return whether the point lies inside or on the edge."""
        if self.west > self.east:
            return self.south <= lat <= self.north and (lon >= self.west or lon <= self.east)
        return self.south <= lat <= self.north and self.west <= lon <= self.east


def eastward(a: float, b: float) -> float:
    """Return how many degrees one goes east from one longitude to another."""
    return b - a + (360.0 if b < a else 0.0)


@dataclass(frozen=True)
class CitySpec:
    """One city to fill with invented places: an invented one, or a real one's name and area.

    Raises ValueError when the box is empty or does not hold the centre.
    """

    name: str
    region: str
    country: str
    lat: float
    lon: float
    box: Box
    time_zone: str
    currency: str
    languages: tuple[str, ...] = ("en",)
    given_id: str = ""

    def __post_init__(self) -> None:
        if not self.box.holds(self.lat, self.lon) or self.box.south == self.box.north or self.box.west == self.box.east:
            raise ValueError(
                f"city `{self.name}`: the box {tuple(self.box)} does not hold the centre ({self.lat}, {self.lon}); "
                "expected south < lat < north and west < lon < east, in degrees"
            )

    @cached_property
    def city_id(self) -> str:
        """Return the id it was given, or else `country-region-name` in ASCII lower case, digits and hyphens."""
        return self.given_id or "-".join(_slug(part) for part in (self.country, self.region, self.name))


@dataclass(frozen=True)
class _Region:
    country: str
    region: str
    lat: float
    lon: float
    time_zone: str
    currency: str = "USD"


# Thinly settled country, more than 200 km apart, each in one time zone for 100 km around.
REGIONS = (
    _Region("us", "in", 40.05, -86.35, "America/Indiana/Indianapolis"),
    _Region("us", "or", 44.30, -120.90, "America/Los_Angeles"),
    _Region("us", "vt", 44.00, -72.80, "America/New_York"),
    _Region("us", "mo", 37.90, -92.30, "America/Chicago"),
    _Region("us", "nm", 34.40, -105.90, "America/Denver"),
    _Region("ca", "on", 45.90, -79.30, "America/Toronto", "CAD"),
    _Region("us", "ga", 32.60, -83.10, "America/New_York"),
    _Region("us", "nd", 47.30, -99.90, "America/Chicago"),
    _Region("us", "tx", 31.40, -100.10, "America/Chicago"),
    _Region("us", "pa", 41.10, -77.40, "America/New_York"),
    _Region("us", "az", 34.70, -111.30, "America/Phoenix"),
    _Region("us", "mn", 46.00, -94.90, "America/Chicago"),
)


def invented_cities(count: int, seed: int) -> tuple[CitySpec, ...]:
    """Return that many cities that do not exist; the first ones do not depend on the count, save the fourth's name.

    Raises ValueError when the count is not between 1 and `MAX_CITIES`.
    """
    if not 1 <= count <= MAX_CITIES:
        raise ValueError(f"{count} invented cities asked for; expected 1 to {MAX_CITIES}")
    return tuple(_invented_city(index, seed) for index in range(count))


def world_cities(cities: int | Sequence[CitySpec], seed: int) -> list[dict[str, Any]]:
    """Return the world's cities as the rows of a recipe's `[[cities]]` table."""
    specs = invented_cities(cities, seed) if isinstance(cities, int) else cities
    return [
        {
            "city_id": spec.city_id,
            "name": spec.name,
            "region": spec.region.upper(),
            "country": spec.country.upper(),
            "box": spec.box._asdict(),
            "time_zone": spec.time_zone,
            "currency": spec.currency,
            "languages": list(spec.languages),
        }
        for spec in specs
    ]


def _invented_city(index: int, seed: int) -> CitySpec:
    region = REGIONS[index % len(REGIONS)]
    ring = index // len(REGIONS)
    rng = Random(stable_hash("city", seed, index))  # noqa: S311 an invented world needs no secrets
    lat = round(region.lat + 0.25 * (ring % 5) + 0.05 * rng.random(), 4)
    lon = round(region.lon + 0.3 * (ring // 5) + 0.05 * rng.random(), 4)
    half_width = round(HALF_HEIGHT_DEG / math.cos(math.radians(lat)), 4)
    box = Box(
        *(round(v, 4) for v in (lat - HALF_HEIGHT_DEG, lon - half_width, lat + HALF_HEIGHT_DEG, lon + half_width))
    )
    name_index = 0 if index == HOMONYM_OF_THE_FIRST else index
    return CitySpec(
        _city_name(name_index, seed), region.region, region.country, lat, lon, box, region.time_zone, region.currency
    )


def _city_name(index: int, seed: int) -> str:
    number = (index + stable_hash("city names", seed)) % MAX_CITIES
    head, turn = number % len(HEADS), number // len(HEADS)
    return HEADS[head] + TAILS[(head + turn) % len(TAILS)]


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
