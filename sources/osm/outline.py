"""Where an area ends: the rings of a boundary relation, put together from an extract of any size."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from schemas.recipe_values import Box
from sources.osm import pbf
from sources.osm.blocks import UNITS, Ids, as_blocks, blocks, nodes_of, readable_region

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

DIGITS = 5
"""Of degrees: one metre, finer than a town's edge is known."""


def outline(extract: Path, way_ids: Collection[int]) -> tuple[BaseGeometry | None, bool]:
    """Return the area that ways enclose, in degrees (x longitude, y latitude), and whether they are all part of it.

    None where no ring closes; not all are part of it where the file lacks some, or they leave gaps. Longitudes of an
    area over the antimeridian run on past 180. Raises SourceError if the file cannot be read.
    """
    import shapely

    with readable_region(extract.name), tempfile.TemporaryDirectory(prefix="tripwright-") as work:
        source = as_blocks(extract, Path(work), extract.name)
        data = [blob for blob in pbf.blobs(source) if blob.kind == b"OSMData"]
        ways = _ways(source, data, list(way_ids))
        spots = _spots(source, data, ways)
    lines = [[spots[ref] for ref in refs if ref in spots] for refs in ways]
    lines = _turned([line for line in lines if len(line) > 1])
    drawn = [shapely.LineString(line) for line in lines]
    rings, *loose, crossed = shapely.polygonize_full(drawn)
    if not crossed.is_empty:  # a ring that crosses itself encloses what it does once it is cut where it crosses
        rings, *loose, crossed = shapely.polygonize_full([shapely.node(shapely.MultiLineString(drawn))])
    loose.append(crossed)
    area = shapely.union_all(shapely.get_parts(rings))
    is_whole = len(ways) == len(set(way_ids)) and all(leftover.is_empty for leftover in loose)
    return (None if area.is_empty else area), is_whole


def uncrossed(corners: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...] | None:
    """Return a ring of (lat, lon) that does not cross itself: as it is, or around its largest part; None if none is.

    A ring that was made coarser, or whose corners were rounded, may cross itself where a town is narrow.
    """
    import shapely

    for _ in range(2):
        if len(corners) < 3:
            return None
        area = shapely.Polygon([(lon, lat) for lat, lon in corners])
        if area.is_valid:
            return tuple(corners)
        parts = [p for p in shapely.get_parts(shapely.get_parts(shapely.make_valid(area))) if p.geom_type == "Polygon"]
        ring = max(parts, key=lambda part: part.area).exterior.coords[:-1] if parts else ()
        corners = [(round(lat, DIGITS), round(lon, DIGITS)) for lon, lat in ring]
    return None


def extent(extract: Path) -> Box | None:
    """Return the box around all nodes of an extract, the narrower way round the earth; None without a node."""
    lats: list[tuple[int, int]] = []
    spans: list[tuple[int, int, int, int]] = []
    with readable_region(extract.name), tempfile.TemporaryDirectory(prefix="tripwright-") as work:
        source = as_blocks(extract, Path(work), extract.name)
        for _, block in blocks(source, [blob for blob in pbf.blobs(source) if blob.kind == b"OSMData"]):
            for kind, start, end in block.groups:
                if kind in (pbf.NODES, pbf.DENSE):
                    _, lat, lon = nodes_of(block, kind, start, end)
                    if len(lat):
                        turned = np.where(lon < 0, lon + 360 * UNITS, lon)
                        lats.append((int(lat.min()), int(lat.max())))
                        spans.append((int(lon.min()), int(lon.max()), int(turned.min()), int(turned.max())))
    if not lats:
        return None
    low, high = min(low for low, _ in lats), max(high for _, high in lats)
    west, east = min(s[0] for s in spans), max(s[1] for s in spans)
    west_turned, east_turned = min(s[2] for s in spans), max(s[3] for s in spans)
    if east_turned - west_turned < east - west:
        west, east = west_turned, east_turned
    return boxed(low / UNITS, west / UNITS, high / UNITS, east / UNITS)


def boxed(south: float, west: float, north: float, east: float) -> Box:
    """Return the box of these edges, whose longitudes may run past 180; of points on one line, a narrow one."""
    least = 1e-4
    south, north = (south, north) if north > south else (south - least, north + least)
    west, east = (west, east) if east != west else (west - least, east + least)
    west, east = (edge - 360.0 if edge > 180.0 else edge for edge in (west, east))
    return Box(south=max(south, -90.0), west=west, north=min(north, 90.0), east=east)


def _ways(source: Path, data: list[pbf.Blob], way_ids: list[int]) -> list[list[int]]:
    id_set = Ids()
    id_set.add(np.array(way_ids, dtype=np.int64))
    ref_lists: list[list[int]] = []
    for _, block in blocks(source, data):
        for kind, start, end in block.groups:
            if kind != pbf.WAYS:
                continue
            starts, ends = pbf.message_extents(block.data, start, end, pbf.WAYS)
            raw = np.frombuffer(block.data, dtype=np.uint8)
            columns = pbf.columns(raw, starts, ends, (1, 8))
            rows = np.flatnonzero(id_set.has(columns.numbers[1].astype(np.int64)))
            deltas, counts = pbf.packed_lists(raw, columns.first[8][rows], columns.length[8][rows])
            refs = pbf.summed(pbf.unzigzagged(deltas), counts)
            ref_lists += [part.tolist() for part in np.split(refs, np.cumsum(counts)[:-1])] if len(rows) else []
    return ref_lists


def _spots(source: Path, data: list[pbf.Blob], ways: list[list[int]]) -> dict[int, tuple[float, float]]:
    """Return (longitude, latitude) of the ways' nodes that the file holds."""
    id_set = Ids()
    id_set.add(np.array([ref for refs in ways for ref in refs], dtype=np.int64))
    positions: dict[int, tuple[float, float]] = {}
    if not ways:
        return positions
    for _, block in blocks(source, data):
        for kind, start, end in block.groups:
            if kind in (pbf.NODES, pbf.DENSE):
                ids, lat, lon = nodes_of(block, kind, start, end)
                for i in np.flatnonzero(id_set.has(ids)).tolist():
                    positions[int(ids[i])] = (lon[i] / UNITS, lat[i] / UNITS)
    return positions


def _turned(lines: list[list[tuple[float, float]]]) -> list[list[tuple[float, float]]]:
    """Return lines that lie on both sides of the antimeridian with longitudes from 0 to 360; others as they are."""
    longitudes = [lon for line in lines for lon, _ in line]
    if not lines or min(longitudes) > -90.0 or max(longitudes) < 90.0:
        return lines
    return [[(lon + 360.0 if lon < 0 else lon, lat) for lon, lat in line] for line in lines]
