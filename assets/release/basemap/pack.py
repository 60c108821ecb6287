"""A basemap as bytes: whole numbers on a grid of 0.25 m, as differences, in variable length, compressed.

Inside the gzip stream: four bytes with the length of a header, least significant first; the header, JSON; then for each
layer of the header its two runs of numbers, whose lengths in bytes it gives. A number is written in groups of seven
bits, the lowest first, the eighth bit saying that more follow (LEB128). `structure` holds, for each feature, the
number of its name (0 for none), its form, the number of its parts and the number of points of each part; `points` holds
the differences of x and y from the point before, folded so that small negative ones stay small (0, -1, 1, -2 as
0, 1, 2, 3). The first point of a layer follows 0, 0, the frame's south-west corner. A ring's last point is left out.
"""

from __future__ import annotations

import gzip
import json
from typing import Any

import numpy as np

from assets.release.basemap.cut import AREA_LAYERS, Basemap, Line
from assets.release.basemap.stand_in import TRANSIT
from sources.osm.basemap import LINES

UNIT_M = 0.25
"""The grid: coordinates are whole multiples of this."""

MAX_BYTES = 2_200_000
"""Of one city's map, compressed: 3 MB in the page, where four letters stand for three bytes."""

BUILDING_STEPS_M2 = (40.0, 100.0, 300.0, 1000.0)
FORMAT = 1


def packed_basemap(basemap: Basemap) -> tuple[bytes, Basemap]:
    """Return the bytes, at most `MAX_BYTES` if leaving out small things can do it, and the basemap that they hold.

    First go the smallest buildings, then paths and tracks, then service streets; a note says what is left out.
    """
    packed, smaller_basemap = _bytes(basemap), basemap
    for least_m2 in BUILDING_STEPS_M2:
        if len(packed) <= MAX_BYTES:
            return packed, smaller_basemap
        smaller_basemap = basemap.without_small_buildings(least_m2)
        packed = _bytes(smaller_basemap)
    for layers, what in ((("path", "track"), "Paths"), (("service",), "Service streets")):
        if len(packed) <= MAX_BYTES:
            return packed, smaller_basemap
        smaller_basemap = smaller_basemap.without_lines(layers, what)
        packed = _bytes(smaller_basemap)
    return packed, smaller_basemap


def _bytes(basemap: Basemap) -> bytes:
    names = sorted({line.name for lines in basemap.lines.values() for line in lines if line.name})
    numbers = {name: number for number, name in enumerate(names, start=1)}
    layers: list[dict[str, Any]] = []
    runs: list[bytes] = []

    def add(layer: str, shape: str, structure: list[int], rings: list[np.ndarray], features: int) -> None:
        points = _differences(rings)
        pair = [_leb128(np.array(structure, dtype=np.int64)), _leb128(points)]
        layers.append(
            {"layer": layer, "shape": shape, "features": features, "structure": len(pair[0]), "points": len(pair[1])}
        )
        runs.extend(pair)

    for layer in AREA_LAYERS:
        rings_of = [_rings(polygon) for polygon in _near_each_other(basemap.areas.get(layer, []))]
        rings_of = [rings for rings in rings_of if rings]
        if rings_of:
            structure = [n for rings in rings_of for n in (0, 0, len(rings), *map(len, rings))]
            add(layer, "area", structure, [ring for rings in rings_of for ring in rings], len(rings_of))
    for layer in (*LINES, TRANSIT):
        lines: list[Line] = basemap.lines.get(layer, [])
        drawn = [(line, _grid(np.asarray(line.geometry.coords))) for line in lines]
        drawn = [(line, points) for line, points in drawn if len(points) > 1]
        if drawn:
            structure = [n for line, points in drawn for n in (numbers.get(line.name, 0), line.form, 1, len(points))]
            add(layer, "line", structure, [points for _, points in drawn], len(drawn))
    frame = basemap.frame
    header = {
        "format": FORMAT,
        "origin": [round(v, 3) for v in frame.origin],
        "unit": UNIT_M / frame.scale,
        "size": [round(frame.width_m / UNIT_M), round(frame.height_m / UNIT_M)],
        "covers": [round(v / UNIT_M) for v in basemap.covers],
        "names": names,
        "layers": layers,
        "labels": [[n.kind, n.text, round(n.x_m / UNIT_M), round(n.y_m / UNIT_M), n.rank] for n in basemap.names],
        "notes": list(basemap.notes),
    }
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    return gzip.compress(len(text).to_bytes(4, "little") + text + b"".join(runs), 9, mtime=0)


def _rings(polygon: Any) -> list[np.ndarray]:
    """Return the outer ring and the holes on the grid, without what is too thin to be seen on it."""
    rings = [_grid(np.asarray(ring.coords))[:-1] for ring in (polygon.exterior, *polygon.interiors)]
    return [ring for ring in rings if len(ring) > 2] if len(rings[0]) > 2 else []


def _grid(points: np.ndarray) -> np.ndarray:
    """Return the points as whole units, none twice in a row."""
    units = np.rint(points[:, :2] / UNIT_M).astype(np.int64)
    return units[np.r_[True, (np.diff(units, axis=0) != 0).any(axis=1)]]


def _near_each_other(polygons: list[Any]) -> list[Any]:
    """Return the polygons by the 200 m square that they begin in, so that differences are small."""
    keys = [tuple(int(v // 200) for v in polygon.exterior.coords[0][:2]) for polygon in polygons]
    return [polygons[at] for at in sorted(range(len(polygons)), key=keys.__getitem__)]


def _differences(rings: list[np.ndarray]) -> np.ndarray:
    points = np.concatenate(rings)
    steps = np.diff(points, axis=0, prepend=np.zeros((1, 2), dtype=np.int64)).ravel()
    return (steps << 1) ^ (steps >> 63)


def _leb128(numbers: np.ndarray) -> bytes:
    """Return non-negative whole numbers, each in as many groups of seven bits as it needs."""
    groups = np.maximum(1, np.ceil(np.log2(numbers.astype(float) + 1) / 7)).astype(np.int64)
    out = np.zeros(int(groups.sum()), dtype=np.uint8)
    begins = np.cumsum(groups) - groups
    for group in range(int(groups.max(initial=0))):
        has = groups > group
        low = (numbers[has] >> (7 * group)) & 0x7F
        out[begins[has] + group] = low | np.where(groups[has] > group + 1, 0x80, 0)
    return out.tobytes()
