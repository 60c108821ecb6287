"""Large cities of the world with their place and time zone: those that the time zone database names its zones after.

The database (public domain) takes the most populous city of each zone, or an island, and gives its place. Read from the
package `tzdata`. Of zones named after an island or a region the town at that place is meant, named here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_SPOT = re.compile(r"([+-]\d{2})(\d{2})(\d{2})?([+-]\d{3})(\d{2})(\d{2})?")


TOWNS = {
    "America/Bahia": "Salvador",
    "America/Argentina/Catamarca": "San Fernando del Valle de Catamarca",
    "America/Argentina/Jujuy": "San Salvador de Jujuy",
    "America/Miquelon": "Miquelon",
    "America/Noronha": "Vila dos Remédios",
    "America/Argentina/Tucuman": "San Miguel de Tucumán",
    "Asia/Kamchatka": "Petropavlovsk-Kamchatsky",
    "Asia/Sakhalin": "Yuzhno-Sakhalinsk",
    "Atlantic/Azores": "Ponta Delgada",
    "Atlantic/Canary": "Las Palmas",
    "Atlantic/Faroe": "Tórshavn",
    "Atlantic/Madeira": "Funchal",
    "Pacific/Bougainville": "Arawa",
    "Pacific/Chatham": "Waitangi",
    "Pacific/Easter": "Hanga Roa",
    "Pacific/Efate": "Port Vila",
    "Pacific/Galapagos": "Puerto Baquerizo Moreno",
    "Pacific/Gambier": "Rikitea",
    "Pacific/Guadalcanal": "Honiara",
    "Pacific/Guam": "Hagåtña",
    "Pacific/Kiritimati": "London",
    "Pacific/Kosrae": "Tofol",
    "Pacific/Marquesas": "Taiohae",
    "Pacific/Nauru": "Yaren",
    "Pacific/Niue": "Alofi",
    "Pacific/Norfolk": "Kingston",
    "Pacific/Palau": "Koror",
    "Pacific/Rarotonga": "Avarua",
    "Pacific/Tahiti": "Papeete",
    "Pacific/Tarawa": "South Tarawa",
    "Pacific/Tongatapu": "Nukuʻalofa",
}
"""The town at the place of each zone that is named after an island or a region."""

WITHOUT_A_TOWN = {
    "America/Danmarkshavn",
    "Antarctica/Macquarie",
    "Atlantic/South_Georgia",
    "Australia/Eucla",
    "Australia/Lindeman",
    "Australia/Lord_Howe",
    "Indian/Chagos",
    "Pacific/Fakaofo",
    "Pacific/Kanton",
    "Pacific/Kwajalein",
    "Pacific/Pitcairn",
}
"""Zones of stations, bases and islands that have none; so are all of Antarctica."""


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
    cities = []
    for line in files("tzdata.zoneinfo").joinpath("zone1970.tab").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        countries, spot, zone = line.split("\t")[:3]
        match = _SPOT.fullmatch(spot)
        if match and countries != "AQ" and zone not in WITHOUT_A_TOWN:
            lat, lon = _degrees(*match.group(1, 2, 3)), _degrees(*match.group(4, 5, 6))
            name = TOWNS.get(zone) or zone.rpartition("/")[2].replace("_", " ")
            cities.append(ZoneCity(name, countries.partition(",")[0], lat, lon, zone))
    return tuple(cities)


def _degrees(whole: str, minutes: str, seconds: str | None) -> float:
    size = abs(int(whole)) + int(minutes) / 60 + int(seconds or 0) / 3600
    return round(-size if whole.startswith("-") else size, 4)
