"""The ground of a city's map: streets, water and green cut to the city and generalised until they are small."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

from assets.step import RawFile
from schemas.recipe import City
from sources.osm.city_extract import city_extract
from sources.osm.ground import LAYERS, read_ground

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

MARGIN, SCREEN = 0.1, 1.9
"""What is shown around a city's box, as a share of its sides, and how much wider than high a map is on a screen."""

MAX_VERTICES = 30_000
"""Vertices that one city's ground may have: about 150 kB in the page."""

FIRST_TOLERANCE_DEG = 2e-5
"""Two metres: the first of the doubling tolerances within which lines are straightened."""

UNIT_DEG = 1e-5
"""Coordinates are whole multiples of this, about a metre."""

LEAST_AREA_DEG2 = 4e-8
"""Areas smaller than about 400 square metres are not drawn."""


def ground(extracts: list[RawFile], city: City) -> dict[str, list[list[int]]]:
    """Return, by layer, the city's shapes as flat lists: first latitude and longitude in units, then differences.

    Where even straight pieces are too many, the smallest streets are left out.
    """
    import shapely

    frame = shapely.box(*shown(city))
    shapes: dict[str, BaseGeometry] = {}
    for extract in extracts:
        for layer, found in read_ground(city_extract(extract, city.bounds)).items():
            kept = [shape for shape in found if shape.intersects(frame)]
            if kept:
                shapes[layer] = _joined(layer, [*([shapes[layer]] if layer in shapes else []), *kept], frame)
    tolerance = FIRST_TOLERANCE_DEG
    drawn = _drawn(shapes, tolerance)
    while _vertices(drawn) > MAX_VERTICES:
        tolerance *= 2
        drawn = _drawn(shapes, tolerance)
        if tolerance > 16 * FIRST_TOLERANCE_DEG and shapes.pop("minor", None) is not None:
            tolerance = FIRST_TOLERANCE_DEG
    return drawn


def shown(city: City) -> tuple[float, float, float, float]:
    """Return west, south, east and north of what a map of the city shows: its box, widened to the shape of a screen."""
    box = city.bounds
    middle = math.cos(math.radians((box.south + box.north) / 2))
    height, width = box.north - box.south, (box.east - box.west) * middle
    wanted = max(width * (1 + 2 * MARGIN), height * (1 + 2 * MARGIN) * SCREEN)
    aside = (wanted - width) / 2 / middle
    return box.west - aside, box.south - height * MARGIN, box.east + aside, box.north + height * MARGIN


def _joined(layer: str, shapes: list[BaseGeometry], frame: BaseGeometry) -> BaseGeometry:
    import shapely

    if layer in ("water", "green"):
        whole = shapely.union_all([shapely.make_valid(shape) for shape in shapes])
        return shapely.intersection(whole, frame)
    cut = shapely.intersection(shapely.MultiLineString(list(shapely.get_parts(shapes))), frame)
    return cast("BaseGeometry", shapely.line_merge(cut))


def _drawn(shapes: dict[str, BaseGeometry], tolerance: float) -> dict[str, list[list[int]]]:
    import shapely

    drawn: dict[str, list[list[int]]] = {}
    for layer in LAYERS:
        if layer not in shapes:
            continue
        simpler = shapely.simplify(shapes[layer], tolerance)
        parts = [part for part in shapely.get_parts(simpler) if not part.is_empty]
        rings: list[Any] = []
        for part in parts:
            if part.geom_type == "Polygon" and part.area >= LEAST_AREA_DEG2:
                rings += [part.exterior, *[hole for hole in part.interiors if hole.length > tolerance * 40]]
            elif part.geom_type == "LineString":
                rings.append(part)
        drawn[layer] = [flat for ring in rings if len(flat := _flat(ring)) > 2]
    return {layer: lines for layer, lines in drawn.items() if lines}


def _flat(line: Any) -> list[int]:
    """Return a line's vertices as one list of whole units: where it begins, then each step; no step of nothing."""
    flat: list[int] = []
    at = (0, 0)
    for lon, lat in line.coords:
        to = (round(lat / UNIT_DEG), round(lon / UNIT_DEG))
        if not flat or to != at:
            flat += [to[0] - at[0], to[1] - at[1]]
        at = to
    return flat


def _vertices(drawn: dict[str, list[list[int]]]) -> int:
    return sum(len(line) // 2 for lines in drawn.values() for line in lines)
