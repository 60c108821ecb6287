"""Where a town lies in an OpenStreetMap extract, by any of its names in any script, and which towns lie around it.

What a recipe makes of it is `pipelines/init.py`.
"""

from __future__ import annotations

import difflib
import math
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.recipe import Box, slug
from schemas.source import SourceError
from sources.osm.file import osm_format
from sources.osm.outline import boxed, extent, outline

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

RADIUS_M = {"city": 8_000.0, "town": 4_000.0, "municipality": 4_000.0, "village": 2_000.0, "hamlet": 1_000.0}
"""How far a place that is only a node reaches, by its kind: a choice of ours, larger places first."""

TOWN_LEVELS = (8, 7, 6, 9, 5, 4, 10, 3, 2, 11, 12)
"""Values of admin_level, the likeliest to be a town first (OpenStreetMap wiki, Tag:boundary=administrative)."""

OWN_NAMES = ("name", "int_name", "alt_name", "official_name", "short_name", "loc_name")
CITY_SIZED_M = 100_000.0
"""A file no wider than this is taken for the city that it is said to be of, if it names no such place."""

NAMESAKE_M = 20_000.0
"""Two places of one name and rank farther apart than this are two towns."""

MAX_VERTICES = 60
FIRST_TOLERANCE_DEG = 2e-4
DIGITS = 5
"""Of degrees: one metre, finer than a town's edge is known."""

METRES_PER_DEGREE = 110_574.0


@dataclass(frozen=True)
class Area:
    """A town's area: the box around it, its ring as (lat, lon) where the map draws one, and by what it was found."""

    box: Box
    polygon: tuple[tuple[float, float], ...] | None
    found_by: str


@dataclass(frozen=True)
class PlaceNode:
    """A place that the map has as a point: its names by tag, its kind, where it is, and its inhabitants if tagged."""

    native_id: str
    names: Mapping[str, str]
    kind: str
    lat: float
    lon: float
    population: int | None

    @property
    def name(self) -> str:
        """Return what its people call it."""
        return self.names["name"]


@dataclass(frozen=True)
class _Boundary:
    native_id: str
    names: Mapping[str, str]
    level: int
    way_ids: tuple[int, ...]


class TownMap:
    """The towns of one extract, found in one reading; `area` tells where one of them ends."""

    def __init__(self, extract: Path) -> None:
        """Read the extract's boundaries and places. Raises SourceError if it cannot be read."""
        self._extract = extract
        self.places: list[PlaceNode] = []
        self._boundaries: list[_Boundary] = []
        for found in _named(extract):
            if isinstance(found, PlaceNode):
                self.places.append(found)
            else:
                self._boundaries.append(found)
        self._extent: Box | None = None

    @property
    def extent(self) -> Box:
        """Return what the file covers: the box in its header, else the box around its nodes."""
        if self._extent is None:
            self._extent = _header_box(self._extract) or extent(self._extract)
        if self._extent is None:
            raise SourceError(f"{self._extract.name}: found no node; expected an extract with places and streets.")
        return self._extent

    def area(self, name: str) -> Area:
        """Return the area of the town: its boundary's, else the surroundings of its node, else the whole small file.

        Raises SourceError where there is none of them, or where two towns of the file bear the name.
        """
        for boundary in self._bounded(name):
            ring = outline(self._extract, boundary.way_ids)
            if ring is not None:
                node = next((p for p in sorted(self.places, key=size, reverse=True) if is_named(p.names, name)), None)
                return _area(ring, node, f"its boundary, {boundary.native_id} of admin_level {boundary.level}")
        nodes = [place for place in self.places if is_named(place.names, name)]
        if nodes:
            node = self._only(name, nodes)
            return Area(self._within(_around(node)), None, f"its node, {node.native_id}, a {node.kind}")
        if _width_m(self.extent) <= CITY_SIZED_M:
            return Area(rounded(self.extent), None, "the whole file, which names no such place")
        known = sorted({place.name for place in self.places} | {b.names["name"] for b in self._boundaries})
        close = difflib.get_close_matches(name, known, n=3)
        hint = f" Did you mean {' or '.join(close)}?" if close else ""
        raise SourceError(
            f"{self._extract.name}: found no boundary and no place named {name!r} in a file that is "
            f"{_width_m(self.extent) / 1000:.0f} km wide.{hint} Say where it is with --box SOUTH,WEST,NORTH,EAST."
        )

    def _bounded(self, name: str) -> list[_Boundary]:
        named = [boundary for boundary in self._boundaries if is_named(boundary.names, name)]
        return sorted(named, key=lambda b: (TOWN_LEVELS.index(b.level), b.native_id))

    def _only(self, name: str, nodes: list[PlaceNode]) -> PlaceNode:
        nodes = sorted(nodes, key=lambda node: (-size(node), node.native_id))
        first = nodes[0]
        twins = [n for n in nodes[1:] if n.kind == first.kind and distance_m(first, n) > NAMESAKE_M]
        if twins:
            spots = "; ".join(f"{n.native_id} at {n.lat:.3f}, {n.lon:.3f}" for n in (first, *twins))
            raise SourceError(
                f"{self._extract.name}: found {len(twins) + 1} places named {name!r} ({spots}). "
                "Say which with --box SOUTH,WEST,NORTH,EAST."
            )
        return first

    def _within(self, box: Box) -> Box:
        """Return the part of a box that the file covers, where neither crosses the antimeridian."""
        whole = self.extent
        if box.west > box.east or whole.west > whole.east:
            return rounded(box)
        south, west = max(box.south, whole.south), max(box.west, whole.west)
        north, east = min(box.north, whole.north), min(box.east, whole.east)
        return rounded(Box(south=south, west=west, north=north, east=east) if south < north and west < east else box)


def is_named(names: Mapping[str, str], name: str) -> bool:
    """Return whether one of a place's names, in any language and script, is the name; case does not matter."""
    wanted = _plain(name)
    spelled = [part for text in names.values() for part in text.split(";")]
    if any(_plain(text) == wanted for text in spelled):
        return True
    return bool(slug(name)) and any(slug(text) == slug(name) for text in spelled)


def size(place: PlaceNode) -> float:
    """Return how large a place is, for ranking: by its kind first, then its inhabitants."""
    ranks = list(reversed(RADIUS_M))
    return (ranks.index(place.kind) + 1) * 1e9 + (place.population or 0)


def distance_m(a: PlaceNode, b: PlaceNode) -> float:
    """Return the WGS84 geodesic between two places, metres."""
    from pyproj import Geod

    return Geod(ellps="WGS84").inv(a.lon, a.lat, b.lon, b.lat)[2]


def rounded(box: Box) -> Box:
    """Return the box with edges as a recipe writes them."""
    return Box(**{edge: round(degrees, DIGITS) for edge, degrees in box.model_dump().items()})


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _named(extract: Path) -> Iterator[PlaceNode | _Boundary]:
    import osmium
    import osmium.filter
    import osmium.io
    import osmium.osm

    try:
        file = osmium.io.File(str(extract), osm_format(extract))
        for item in osmium.FileProcessor(file).with_filter(osmium.filter.KeyFilter("place", "boundary")):
            tags = dict(item.tags)
            names = {k: v for k, v in tags.items() if (k in OWN_NAMES or k.startswith("name:")) and v.strip()}
            if not tags.get("name", "").strip():
                continue
            native_id = f"{item.type_str()}{item.id}"
            if isinstance(item, osmium.osm.Node) and tags.get("place") in RADIUS_M and item.location.valid():
                people = tags.get("population", "").replace(" ", "").replace(",", "")
                count = int(people) if people.isascii() and people.isdecimal() and len(people) < 10 else None
                yield PlaceNode(f"node/{item.id}", names, tags["place"], item.location.lat, item.location.lon, count)
            elif isinstance(item, osmium.osm.Relation) and tags.get("boundary") == "administrative":
                level = tags.get("admin_level", "")
                if level.isdecimal() and int(level) in TOWN_LEVELS:
                    ways = tuple(m.ref for m in item.members if m.type == "w" and m.role in ("outer", ""))
                    yield _Boundary(f"relation/{native_id[1:]}", names, int(level), ways)
    except RuntimeError as error:
        raise SourceError(
            f"{extract.name}: found an extract that cannot be read ({str(error)[:200]}); expected a whole one. "
            "Download it again."
        ) from None


def _header_box(extract: Path) -> Box | None:
    import osmium.io

    try:
        with osmium.io.Reader(osmium.io.File(str(extract), osm_format(extract))) as reader:
            box = reader.header().box()
    except RuntimeError:
        return None
    if not box.valid():
        return None
    low, high = box.bottom_left, box.top_right
    return boxed(low.lat, low.lon, high.lat, high.lon)


def _area(whole: BaseGeometry, node: PlaceNode | None, found_by: str) -> Area:
    """Return the ring of an area and the box around it: of several parts that with the town's node, or the largest.

    An area over the antimeridian has a box alone.
    """
    import shapely

    parts: list[shapely.Polygon] = sorted(shapely.get_parts(whole).tolist(), key=lambda part: -part.area)
    at = shapely.Point(node.lon, node.lat) if node else None
    town = next((part for part in parts if at is not None and part.covers(at)), parts[0])
    if len(parts) > 1:
        found_by += f", of whose {len(parts)} parts one"
    west, south, east, north = town.bounds
    box = rounded(boxed(south, west, north, east))
    if east > 180.0:
        return Area(box, None, found_by)
    tolerance = FIRST_TOLERANCE_DEG
    ring = town.exterior.simplify(tolerance)
    while len(ring.coords) > MAX_VERTICES:
        tolerance *= 2
        ring = town.exterior.simplify(tolerance)
    corners = tuple((round(lat, DIGITS), round(lon, DIGITS)) for lon, lat in ring.coords[:-1])
    return Area(box, corners if len(corners) > 2 else None, found_by)


def _around(place: PlaceNode) -> Box:
    height = RADIUS_M[place.kind] / METRES_PER_DEGREE
    width = height / max(math.cos(math.radians(place.lat)), 1e-3)
    west, east = ((edge + 180.0) % 360.0 - 180.0 for edge in (place.lon - width, place.lon + width))
    return Box(south=max(place.lat - height, -90.0), west=west, north=min(place.lat + height, 90.0), east=east)


def _width_m(box: Box) -> float:
    """Return the longer side of a box, metres."""
    middle = math.radians((box.south + box.north) / 2)
    return METRES_PER_DEGREE * max(box.north - box.south, (box.east - box.west) % 360.0 * math.cos(middle))
