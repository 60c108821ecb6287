"""Territories whose country, money or languages are others than their time zone's country has.

Not all have an ISO 3166-1 code of their own; Kosovo has `XK`, which ISO leaves free and CLDR and the World Bank use.
Outlines are Natural Earth's (public domain, 1:10 million), simplified to about a kilometre: (lat, lon) in degrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

Ring = tuple[tuple[float, float], ...]

_KOSOVO = (
    (42.55, 20.06), (42.65, 20.1), (42.71, 20.04), (42.74, 20.03), (42.77, 20.08), (42.74, 20.18), (42.8, 20.22),
    (42.85, 20.48), (42.88, 20.5), (42.92, 20.45), (42.95, 20.46), (42.98, 20.54), (43.01, 20.56), (43.01, 20.6),
    (43.08, 20.67), (43.11, 20.67), (43.13, 20.62), (43.2, 20.6), (43.26, 20.8), (43.22, 20.86), (43.21, 20.84),
    (43.17, 20.84), (43.1, 21.0), (43.09, 21.09), (42.99, 21.15), (43.0, 21.21), (42.91, 21.23), (42.89, 21.26),
    (42.85, 21.4), (42.82, 21.41), (42.74, 21.38), (42.72, 21.57), (42.67, 21.63), (42.68, 21.74), (42.65, 21.77),
    (42.62, 21.74), (42.55, 21.72), (42.45, 21.62), (42.39, 21.62), (42.34, 21.52), (42.25, 21.56), (42.25, 21.44),
    (42.24, 21.42), (42.22, 21.43), (42.22, 21.35), (42.15, 21.3), (42.09, 21.3), (42.1, 21.24), (42.2, 21.11),
    (42.15, 21.03), (42.09, 20.81), (42.04, 20.76), (41.89, 20.74), (41.84, 20.68), (41.87, 20.64), (41.85, 20.62),
    (41.87, 20.57), (41.9, 20.56), (41.96, 20.6), (42.07, 20.55), (42.12, 20.55), (42.21, 20.5), (42.32, 20.33),
    (42.32, 20.24), (42.39, 20.19), (42.42, 20.21), (42.49, 20.15),
)  # fmt: skip
_NORTHERN_CYPRUS = (
    (35.07, 33.91), (35.08, 33.92), (35.12, 33.89), (35.12, 33.87), (35.07, 33.87), (35.07, 33.82), (35.03, 33.77),
    (35.05, 33.74), (35.03, 33.71), (35.07, 33.72), (35.06, 33.68), (35.03, 33.67), (35.05, 33.62), (35.04, 33.58),
    (35.07, 33.54), (35.06, 33.54), (35.06, 33.49), (35.0, 33.48), (35.01, 33.46), (35.09, 33.48), (35.2, 33.41),
    (35.16, 33.32), (35.19, 33.16), (35.16, 33.12), (35.17, 33.1), (35.15, 33.03), (35.1, 32.95), (35.1, 32.88),
    (35.08, 32.86), (35.13, 32.79), (35.14, 32.73), (35.18, 32.71), (35.15, 32.83), (35.18, 32.89), (35.27, 32.93),
    (35.4, 32.92), (35.36, 33.07), (35.33, 33.43), (35.36, 33.66), (35.42, 33.78), (35.41, 33.83), (35.47, 34.04),
    (35.55, 34.18), (35.59, 34.32), (35.69, 34.59), (35.64, 34.57), (35.42, 34.14), (35.32, 34.06), (35.31, 33.95),
    (35.26, 33.91), (35.17, 33.9), (35.06, 34.01),
)  # fmt: skip
_SOMALILAND = (
    (11.25, 48.94), (9.45, 48.94), (8.0, 47.98), (8.0, 46.98), (8.99, 44.02), (9.35, 43.61), (9.34, 43.55),
    (9.41, 43.42), (9.54, 43.37), (9.65, 43.25), (9.88, 43.19), (9.92, 43.07), (9.95, 43.04), (10.09, 42.98),
    (10.21, 42.84), (10.45, 42.77), (10.53, 42.69), (10.61, 42.65), (10.63, 42.65), (10.68, 42.71), (10.76, 42.74),
    (10.82, 42.8), (10.87, 42.82), (10.92, 42.89), (10.98, 42.91), (11.49, 43.24), (11.46, 43.29), (11.5, 43.28),
    (11.39, 43.38), (11.35, 43.46), (11.38, 43.49), (11.24, 43.49), (11.17, 43.56), (10.99, 43.66), (10.8, 43.83),
    (10.41, 44.35), (10.38, 44.58), (10.43, 44.75), (10.42, 44.96), (10.44, 45.0), (10.46, 44.99), (10.54, 45.16),
    (10.66, 45.32), (10.66, 45.41), (10.68, 45.49), (10.77, 45.59), (10.8, 45.67), (10.88, 45.77), (10.87, 45.82),
    (10.82, 45.86), (10.84, 45.88), (10.77, 46.1), (10.79, 46.24), (10.71, 46.33), (10.69, 46.45), (10.75, 46.65),
    (10.87, 46.87), (10.9, 46.89), (10.94, 47.01), (11.08, 47.18), (11.18, 47.39), (11.19, 47.52), (11.1, 47.71),
    (11.13, 47.77), (11.14, 48.13), (11.21, 48.22), (11.23, 48.3), (11.28, 48.34), (11.32, 48.52), (11.33, 48.66),
    (11.25, 48.89),
)  # fmt: skip


@dataclass(frozen=True)
class Territory:
    """What is used in a territory, where it lies, and what is said of it to whoever gets a recipe there, if anything.

    Without an outline it is the whole of its time zone.
    """

    name: str
    time_zone: str
    country: str
    currency: str
    languages: tuple[str, ...]
    note: str
    outline: Ring = ()


_NORTHERN_VIETNAM = (
    (23.5, 102.0), (20.5, 102.0), (19.5, 103.5), (18.3, 104.7), (17.3, 105.4), (16.3, 106.3), (16.3, 108.5),
    (23.5, 108.5),
)  # fmt: skip
"""Roughly, through Laos and the sea, whose time zones are others: apart from Thailand, with which it shares one."""

TERRITORIES = (
    Territory(
        "Kosovo", "Europe/Belgrade", "XK", "EUR", ("sq", "sr"),
        "Kosovo is named by the code XK, which ISO 3166-1 leaves free; Serbia (RS) claims it", _KOSOVO,
    ),
    Territory(
        "Northern Cyprus", "Asia/Famagusta", "CY", "TRY", ("tr",),
        "Northern Cyprus has no code of its own: the country is said to be CY, whose price level its modelled prices "
        "have; people pay in TRY", _NORTHERN_CYPRUS,
    ),
    Territory(
        "Somaliland", "Africa/Mogadishu", "SO", "SOS", ("so", "ar"),
        "Somaliland has no code of its own: the country is said to be SO, and money is in SOS, since the Somaliland "
        "shilling that people pay in has no ISO 4217 code", _SOMALILAND,
    ),
    Territory("Northern Vietnam", "Asia/Bangkok", "VN", "VND", ("vi",), "", _NORTHERN_VIETNAM),
    Territory(
        "Crimea", "Europe/Simferopol", "UA", "RUB", ("uk", "ru", "crh"),
        "Crimea is Ukraine's by ISO 3166-2, and Russia holds it: the country is said to be UA, whose price level its "
        "modelled prices have; people pay in RUB",
    ),
)  # fmt: skip


def territory_at(time_zone: str, lat: float, lon: float) -> Territory | None:
    """Return the territory that a point of a time zone lies in (degrees), None in all the rest of the world."""
    return next((one for one in TERRITORIES if one.time_zone == time_zone and _holds(one, lat, lon)), None)


def _holds(territory: Territory, lat: float, lon: float) -> bool:
    import shapely

    return not territory.outline or bool(shapely.intersects_xy(_area(territory), lon, lat))


@cache
def _area(territory: Territory) -> Any:
    import shapely

    return shapely.Polygon([(lon, lat) for lat, lon in territory.outline])
