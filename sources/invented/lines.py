"""The bus and tram lines of an invented city: straight along main streets and avenues, a stop every 360 metres.

When they run is in `gtfs.py`; what a map shows of them in `osm_places.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from schemas.stable import stable_hash
from sources.invented.grid import BLOCK_ACROSS_M, BLOCK_ALONG_M, Grid
from sources.invented.names import avenue_name, street_name

MAIN_ROAD_EVERY = 4
"""Lines run along these streets and avenues, which cross the river."""
REACH = 2.0
"""Spreads from the centre to the ends of a line."""
BUS_STREETS, BUS_AVENUES = (-1.0, -0.35, 0.2, 1.0), (-0.8, 0.8)
TRAM_STREETS, TRAM_AVENUES = (0.0,), (0.0,)
"""Where the lines run, in spreads from the centre."""
BLOCKS_BETWEEN_STOPS = {"street": 3, "avenue": 4}
PLATFORM_M = 7.0


class Platform(NamedTuple):
    """Where one boards in one direction."""

    stop_id: str
    name: str
    lat: float
    lon: float


class Line(NamedTuple):
    """A line with the platforms it calls at, in order: there, and back."""

    line_id: str
    name: str
    there: tuple[Platform, ...]
    back: tuple[Platform, ...]


def bus_lines(grid: Grid) -> list[Line]:
    """Return the city's bus lines; every city has them."""
    return list(_lines(grid, "B", BUS_STREETS, BUS_AVENUES))


def tram_lines(grid: Grid, seed: int) -> list[Line]:
    """Return the city's tram lines; two cities of three have them."""
    if stable_hash("tram", seed, grid.city.city_id) % 3 == 0:
        return []
    return list(_lines(grid, "T", TRAM_STREETS, TRAM_AVENUES))


def _lines(grid: Grid, letter: str, streets: tuple[float, ...], avenues: tuple[float, ...]) -> Iterator[Line]:
    roads = [("street", _road(grid, share, BLOCK_ACROSS_M)) for share in streets]
    roads += [("avenue", _road(grid, share, BLOCK_ALONG_M)) for share in avenues]
    for number, (kind, across) in enumerate(dict.fromkeys(roads), start=1):
        stops = list(_stops(grid, kind, across, f"{letter}{number}"))
        if len(stops) > 1:
            name = street_name(across) if kind == "street" else avenue_name(across)
            there, back = zip(*stops, strict=True)
            yield Line(f"{letter}{number}", name, there, back[::-1])


def _road(grid: Grid, share: float, step_m: float) -> int:
    return MAIN_ROAD_EVERY * round(share * grid.spread_m / step_m / MAIN_ROAD_EVERY)


def _stops(grid: Grid, kind: str, across: int, line_id: str) -> Iterator[tuple[Platform, Platform]]:
    """Yield the two platforms of each stop, on both sides of the road."""
    step_m, across_m = (BLOCK_ALONG_M, BLOCK_ACROSS_M) if kind == "street" else (BLOCK_ACROSS_M, BLOCK_ALONG_M)
    between = BLOCKS_BETWEEN_STOPS[kind]
    half = int(REACH * grid.spread_m / step_m / between)
    for number, along in enumerate(range(-half * between, half * between + 1, between), start=1):
        name = " & ".join(
            (street_name(across), avenue_name(along)) if kind == "street" else (avenue_name(across), street_name(along))
        )
        platforms = []
        for side, sign in (("a", -1), ("b", 1)):
            u_m, v_m = along * step_m + 10.0, across * across_m + sign * PLATFORM_M
            lat, lon = grid.spot(u_m, v_m) if kind == "street" else grid.spot(v_m, u_m)
            platforms.append(Platform(f"{line_id}-{number:02d}{side}", name, lat, lon))
        if all(grid.city.box.holds(p.lat, p.lon) for p in platforms):
            yield platforms[0], platforms[1]
