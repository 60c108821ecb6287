"""A small picture of a city's basemap as SVG: water, green, the larger streets, and dots. No text of a source."""

from __future__ import annotations

from typing import Any

import numpy as np

from assets.release.basemap.cut import Basemap

WIDE, HIGH = 480, 270
AREAS = ("built", "wood", "park", "sea", "water")
STREETS = ("minor", "tertiary", "secondary", "primary", "trunk", "motorway", "transit", "river")
MINOR_BELOW_M = 6_000.0
"""Small streets are drawn only where the picture is narrower than this."""

MAX_DOTS = 400
CUT = 0.04
"""Share of the places at each edge that may lie outside the picture."""


def thumbnail(basemap: Basemap, lat: np.ndarray, lon: np.ndarray) -> str:
    """Return the SVG, drawn around the places; its classes are styled by the page that it stands in."""
    import shapely

    x, y = basemap.frame.metres(lon, lat)
    west, south, east, north = _frame(basemap, x, y)
    scale = WIDE / (east - west)
    box = shapely.box(west, south, east, north)

    def path(shapes: list[Any], close: str) -> str:
        geometries = shapely.intersection(np.array(shapes, dtype=object), box)
        geometries = shapely.simplify(geometries[~shapely.is_empty(geometries)], 0.6 / scale)
        parts = shapely.get_parts(shapely.get_parts(geometries))
        rings = shapely.get_rings(parts[shapely.get_type_id(parts) == 3]) if close else parts
        lines = [shapely.get_coordinates(one) for one in rings if one.length * scale > 3]
        return "".join(
            "M" + "L".join(f"{(px - west) * scale:.0f} {(north - py) * scale:.0f}" for px, py in line) + close
            for line in lines
        )

    drawn = [
        f'<path class="{layer}" fill-rule="evenodd" d="{d}"/>'
        for layer in AREAS
        if basemap.areas.get(layer) and (d := path(basemap.areas[layer], "z"))
    ]
    for layer in STREETS:
        lines = [line.geometry for line in basemap.lines.get(layer, [])]
        if lines and (layer != "minor" or east - west < MINOR_BELOW_M) and (d := path(lines, "")):
            drawn.append(f'<path class="line {layer}" d="{d}"/>')
    step = max(1, len(x) // MAX_DOTS)
    dots = "".join(
        f'<circle cx="{(px - west) * scale:.0f}" cy="{(north - py) * scale:.0f}" r="2.2"/>'
        for px, py in zip(x[::step].tolist(), y[::step].tolist(), strict=True)
        if west < px < east and south < py < north
    )
    return (
        f'<svg viewBox="0 0 {WIDE} {HIGH}" aria-hidden="true" preserveAspectRatio="xMidYMid slice">'
        f'{"".join(drawn)}<g class="dots">{dots}</g></svg>'
    )


def _frame(basemap: Basemap, x: np.ndarray, y: np.ndarray) -> tuple[float, float, float, float]:
    """Return what the picture shows: nearly all the places, in its own shape."""
    if len(x) > 1:
        west, east = np.quantile(x, (CUT, 1 - CUT))
        south, north = np.quantile(y, (CUT, 1 - CUT))
    else:
        west, south, east, north = basemap.covers
    wide = max(float(east - west), float(north - south) * WIDE / HIGH * 0.7, 300.0) * 1.08
    middle_x, middle_y = float(west + east) / 2, float(south + north) / 2
    high = wide * HIGH / WIDE
    return middle_x - wide / 2, middle_y - high / 2, middle_x + wide / 2, middle_y + high / 2
