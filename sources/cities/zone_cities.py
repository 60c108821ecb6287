"""Large cities of the world with their place and time zone: those that the time zone database names its zones after.

The database (public domain) takes the most populous city of each zone. Read from the package `tzdata`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_SPOT = re.compile(r"([+-]\d{2})(\d{2})(\d{2})?([+-]\d{3})(\d{2})(\d{2})?")


@dataclass(frozen=True)
class ZoneCity:
    """A city that a time zone is named after."""

    name: str
    country: str
    lat: float
    lon: float
    time_zone: str


@cache
def zone_cities() -> tuple[ZoneCity, ...]:
    """Return the cities in the order of the database: country, then zone."""
    found = []
    for line in files("tzdata.zoneinfo").joinpath("zone1970.tab").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        countries, spot, zone = line.split("\t")[:3]
        match = _SPOT.fullmatch(spot)
        if match:
            lat, lon = _degrees(*match.group(1, 2, 3)), _degrees(*match.group(4, 5, 6))
            name = zone.rpartition("/")[2].replace("_", " ")
            found.append(ZoneCity(name, countries.partition(",")[0], lat, lon, zone))
    return tuple(found)


def _degrees(whole: str, minutes: str, seconds: str | None) -> float:
    size = abs(int(whole)) + int(minutes) / 60 + int(seconds or 0) / 3600
    return round(-size if whole.startswith("-") else size, 4)
