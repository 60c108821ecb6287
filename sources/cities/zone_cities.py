"""Large cities of the world with their place and time zone: those that the time zone database names its zones after.

The database (public domain) takes the most populous city of each zone, or an island, and gives its place. Read from the
package `tzdata`, from its list by country: the list by zone knows no Stockholm, which keeps Berlin's time since 1970.
Of zones named after a country, an island or a region the town at that place is meant, named here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_SPOT = re.compile(r"([+-]\d{2})(\d{2})(\d{2})?([+-]\d{3})(\d{2})(\d{2})?")


TOWNS = {
    "America/Anguilla": "The Valley",
    "America/Antigua": "St. John's",
    "America/Argentina/Catamarca": "San Fernando del Valle de Catamarca",
    "America/Argentina/Jujuy": "San Salvador de Jujuy",
    "America/Argentina/Tucuman": "San Miguel de Tucumán",
    "America/Aruba": "Oranjestad",
    "America/Bahia": "Salvador",
    "America/Barbados": "Bridgetown",
    "America/Belize": "Belize City",
    "America/Cayman": "George Town",
    "America/Costa_Rica": "San José",
    "America/Curacao": "Willemstad",
    "America/Dominica": "Roseau",
    "America/El_Salvador": "San Salvador",
    "America/Grenada": "St. George's",
    "America/Guadeloupe": "Pointe-à-Pitre",
    "America/Guatemala": "Guatemala City",
    "America/Guyana": "Georgetown",
    "America/Jamaica": "Kingston",
    "America/Lower_Princes": "Lower Prince's Quarter",
    "America/Martinique": "Fort-de-France",
    "America/Miquelon": "Miquelon",
    "America/Noronha": "Vila dos Remédios",
    "America/Panama": "Panama City",
    "America/Puerto_Rico": "San Juan",
    "America/St_Barthelemy": "Gustavia",
    "America/St_Johns": "St. John's",
    "America/St_Kitts": "Basseterre",
    "America/St_Lucia": "Castries",
    "America/St_Thomas": "Charlotte Amalie",
    "America/St_Vincent": "Kingstown",
    "America/Tortola": "Road Town",
    "Asia/Bahrain": "Manama",
    "Asia/Brunei": "Bandar Seri Begawan",
    "Asia/Ho_Chi_Minh": "Ho Chi Minh City",
    "Asia/Kamchatka": "Petropavlovsk-Kamchatsky",
    "Asia/Kuwait": "Kuwait City",
    "Asia/Qatar": "Doha",
    "Asia/Sakhalin": "Yuzhno-Sakhalinsk",
    "Atlantic/Azores": "Ponta Delgada",
    "Atlantic/Bermuda": "Hamilton",
    "Atlantic/Canary": "Las Palmas",
    "Atlantic/Cape_Verde": "Praia",
    "Atlantic/Faroe": "Tórshavn",
    "Atlantic/Madeira": "Funchal",
    "Atlantic/St_Helena": "Jamestown",
    "Europe/Guernsey": "St Peter Port",
    "Europe/Isle_of_Man": "Douglas",
    "Europe/Jersey": "St Helier",
    "Europe/Malta": "Valletta",
    "Indian/Christmas": "Flying Fish Cove",
    "Indian/Comoro": "Moroni",
    "Indian/Mahe": "Victoria",
    "Indian/Maldives": "Malé",
    "Indian/Mauritius": "Port Louis",
    "Indian/Mayotte": "Mamoudzou",
    "Indian/Reunion": "Saint-Denis",
    "Pacific/Bougainville": "Arawa",
    "Pacific/Chatham": "Waitangi",
    "Pacific/Chuuk": "Weno",
    "Pacific/Easter": "Hanga Roa",
    "Pacific/Efate": "Port Vila",
    "Pacific/Fiji": "Suva",
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
    "Pacific/Pohnpei": "Kolonia",
    "Pacific/Rarotonga": "Avarua",
    "Pacific/Saipan": "Garapan",
    "Pacific/Tahiti": "Papeete",
    "Pacific/Tarawa": "South Tarawa",
    "Pacific/Tongatapu": "Nukuʻalofa",
    "Pacific/Wallis": "Mata-Utu",
}
"""The town at the place of each zone that is named after a country, an island or a region, or otherwise spelled."""

WITHOUT_A_TOWN = {
    "America/Danmarkshavn",
    "America/Montserrat",
    "Antarctica/Macquarie",
    "Atlantic/South_Georgia",
    "Australia/Eucla",
    "Australia/Lindeman",
    "Australia/Lord_Howe",
    "Europe/Vatican",
    "Indian/Chagos",
    "Indian/Cocos",
    "Indian/Kerguelen",
    "Pacific/Fakaofo",
    "Pacific/Kanton",
    "Pacific/Kwajalein",
    "Pacific/Midway",
    "Pacific/Pitcairn",
    "Pacific/Wake",
}
"""Zones of stations, bases and islands that have none; so are all of Antarctica."""

OF_A_SMALL_TOWN = {
    "America/Atikokan",
    "America/Blanc-Sablon",
    "America/Creston",
    "America/Indiana/Knox",
    "America/Indiana/Marengo",
    "America/Indiana/Petersburg",
    "America/Indiana/Tell_City",
    "America/Indiana/Vevay",
    "America/Indiana/Winamac",
    "America/Kentucky/Monticello",
    "America/Menominee",
    "America/North_Dakota/Beulah",
    "America/North_Dakota/Center",
    "America/North_Dakota/New_Salem",
    "Europe/Andorra",
    "Europe/Busingen",
    "Europe/Vaduz",
}
"""Zones of a county, an enclave or a small state named after a small place, with cities around."""


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
    for line in files("tzdata.zoneinfo").joinpath("zone.tab").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        country, spot, zone = line.split("\t")[:3]
        match = _SPOT.fullmatch(spot)
        if match and country != "AQ" and zone not in WITHOUT_A_TOWN | OF_A_SMALL_TOWN:
            lat, lon = _degrees(*match.group(1, 2, 3)), _degrees(*match.group(4, 5, 6))
            name = TOWNS.get(zone) or zone.rpartition("/")[2].replace("_", " ")
            cities.append(ZoneCity(name, country, lat, lon, zone))
    return tuple(cities)


def nearest_zone_city(lat: float, lon: float) -> tuple[float, ZoneCity]:
    """Return how far the nearest of them is from a point in degrees, in metres, and which it is."""
    from pyproj import Geod

    cities = zone_cities()
    n = len(cities)
    away_m = Geod(ellps="WGS84").inv([lon] * n, [lat] * n, [c.lon for c in cities], [c.lat for c in cities])[2]
    return min(zip(away_m, cities, strict=True), key=lambda pair: pair[0])


def _degrees(degrees: str, minutes: str, seconds: str | None) -> float:
    size = abs(int(degrees)) + int(minutes) / 60 + int(seconds or 0) / 3600
    return round(-size if degrees.startswith("-") else size, 4)
