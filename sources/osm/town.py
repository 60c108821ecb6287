"""Where a town or a district lies in an OpenStreetMap extract, by any name in any script, and which towns are near.

What a recipe makes of it is `pipelines/init.py`.
"""

from __future__ import annotations

import difflib
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.recipe_values import Box, slug
from schemas.source import SourceError
from sources.cities.zone_cities import nearest_zone_city, zone_cities
from sources.osm.named_places import (
    FORMER_KEY,
    NAME_KEY,
    PLACE,
    RADIUS_M,
    TOWN_LEVELS,
    TOWNS_M,
    Boundary,
    PlaceNode,
    header_box,
    named_places,
)
from sources.osm.outline import DIGITS, boxed, extent, outline, uncrossed

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "å": "aa", "æ": "ae", "ø": "oe"})
"""As they are written where a keyboard has none of them."""

BETWEEN_NAMES = re.compile(r"\s+[-–—|]\s+|[/;(),]")
"""What stands between the names of a place that has several in one tag, or between a town's and its country's."""

LIKE = 0.75
"""How alike a name of the map must be to one that it does not hold, for that to be taken for a slip (difflib)."""

CITY_SIZED_M = 100_000.0
"""A file no wider than this is taken for the city that it is said to be of, if it names no such place."""

MAX_VERTICES = 60
FIRST_TOLERANCE_DEG = 2e-4
METRES_PER_DEGREE = 110_574.0


@dataclass(frozen=True)
class Area:
    """A town's area: its name as the map spells what was asked for, its box, its ring, and by what it was found.

    The ring is one of (lat, lon), where the map draws one. `note` is what whoever asked should know.
    """

    name: str
    box: Box
    polygon: tuple[tuple[float, float], ...] | None
    found_by: str
    note: str = ""


class TownMap:
    """The towns of one extract, found in one reading; `area` tells where one of them ends."""

    def __init__(self, extract: Path) -> None:
        """Read the extract's boundaries and places. Raises SourceError if it cannot be read."""
        self._extract = extract
        self.places: list[PlaceNode] = []
        self._boundaries: list[Boundary] = []
        for place in named_places(extract):
            if isinstance(place, PlaceNode):
                self.places.append(place)
            else:
                self._boundaries.append(place)
        self._extent: Box | None = None

    @property
    def extent(self) -> Box:
        """Return what the file covers: the box in its header, else the box around its nodes."""
        if self._extent is None:
            self._extent = header_box(self._extract) or extent(self._extract)
        if self._extent is None:
            raise SourceError(f"{self._extract.name}: found no node; expected an extract with places and streets.")
        return self._extent

    def require_meets(self, box: Box) -> None:
        """Raise SourceError if the file covers nothing of the box, neither by its header nor by its nodes."""
        if self.extent.meets(box):
            return
        covered = extent(self._extract) or self.extent
        if covered.meets(box):
            return
        raise SourceError(
            f"{self._extract.name}: found a map of {_edges(covered)}, which holds nothing of the box {_edges(box)}; "
            f"expected SOUTH,WEST,NORTH,EAST of a part of it{_if_swapped(box, covered)}."
        )

    def area(self, name: str) -> Area:
        """Return the area of the town: its boundary's, else the surroundings of its node, else the whole small file.

        Raises SourceError where there is none of them, where the file names one that is spelled nearly so, or where two
        towns of the file bear the name.
        """
        spelling = ""
        for names_of, kinds in ((current_names, RADIUS_M), (all_names, TOWNS_M)):  # `Aston - Old Town` is not Aston
            towns = (place for place in self.places if place.kind in kinds)
            nodes = sorted((p for p in towns if spelled(names_of(p.names), name)), key=_largest_first)
            boundaries = [b for b in self._boundaries if spelled(names_of(b.names), name)]
            town_area = self._bounded(name, boundaries, nodes) or self._surrounding(name, nodes)
            town_area = town_area or self._bounded(name, boundaries, nodes, (PLACE,))
            if town_area:
                town, area = town_area
                return replace(area, name=readable(spelled(names_of(town.names), name), town.names, name))
            spelling = spelling or next(
                (readable(spelled(names_of(b.names), name), b.names, name) for b in boundaries), ""
            )
        return self._in_part(spelling, name) if spelling else self._unnamed(name)

    def _in_part(self, spelling: str, name: str) -> Area:
        """Return the whole small file for a town whose boundary goes on where it ends, if it is a map of no other town.

        Raises SourceError if it is: `Feldkirch` of a map of Liechtenstein would be Vaduz under another name.
        """
        towns, file_box = self._largest_towns(name), rounded(self.extent)
        if towns or _width_m(file_box) > CITY_SIZED_M:
            of = f", and no place of that name; it is a map of {' and '.join(towns)}" if towns else ""
            raise SourceError(
                f"{self._extract.name}: holds the boundary of {spelling!r} only in part{of}. Give a map that holds all "
                "of it, or say which part of this one is meant with --box SOUTH,WEST,NORTH,EAST; "
                f"--box={_edges(file_box)} is all of it."
            )
        note = f"{self._extract.name} holds the boundary of {spelling!r} only in part. {self._taken_whole()}"
        return Area(spelling, file_box, None, "the whole file, which holds its boundary only in part", note)

    def _unnamed(self, name: str) -> Area:
        """Return the whole small file for a town that it does not name, if it names none that is spelled nearly so."""
        if far := _known_elsewhere(name, self.extent):
            raise SourceError(
                f"{self._extract.name}: found no boundary and no place named {name!r}, and {far}. Give a map of it, "
                "or say where on this one a place of that name is with --box SOUTH,WEST,NORTH,EAST."
            )
        width_m, near = _width_m(self.extent), self._near(name)
        if not near and width_m <= CITY_SIZED_M:
            towns = self._largest_towns(name)
            others = f"; it names {' and '.join(towns)}, which may be meant" if towns else ""
            note = f"{self._extract.name} names no {name!r}{others}. {self._taken_whole()}"
            return Area(name, rounded(self.extent), None, "the whole file, which names no such place", note)
        hint = f" Did you mean {' or '.join(near)}?" if near else ""
        raise SourceError(
            f"{self._extract.name}: found no boundary and no place named {name!r} in a file that is "
            f"{width_m / 1000:.0f} km wide.{hint} Say where it is with --box SOUTH,WEST,NORTH,EAST."
        )

    def _bounded(
        self, name: str, boundaries: list[Boundary], nodes: list[PlaceNode], levels: Iterable[int] = TOWN_LEVELS
    ) -> tuple[Boundary, Area] | None:
        """Return the boundary that is likeliest to be the town's, of those that the file holds whole, and its area."""
        for level in levels:
            rings = [(b, ring) for b in boundaries if b.level == level and (ring := self._ring(b, nodes)) is not None]
            if not rings:
                continue
            (town, ring), *others = sorted(rings, key=lambda pair: pair[0].native_id)
            town_node = next((node for node in nodes if _holds(ring, node)), None)
            twins = [(b.native_id, _box_of(other)) for b, other in others if not other.intersects(ring)]
            twins += [
                (n.native_id, surroundings(n))
                for n in nodes
                if town_node and _are_twins(town_node, n) and not any(_holds(r, n) for _, r in rings)
            ]
            self._require_one(name, [(town.native_id, _box_of(ring)), *twins])
            what = "area" if level == PLACE else "boundary"
            of = "" if level == PLACE else f" of admin_level {level}"
            within = ", and of what that encloses" if town.has_holes else ""
            return town, _area(ring, town_node, f"its {what}, {town.native_id}{of}{within}")
        return None

    def _ring(self, boundary: Boundary, nodes: list[PlaceNode]) -> BaseGeometry | None:
        """Return what a boundary encloses; None where nothing does, or parts are missing and the town may be one."""
        shape, is_whole = outline(self._extract, boundary.way_ids)
        return shape if shape and (is_whole or any(_holds(shape, node) for node in nodes)) else None

    def _surrounding(self, name: str, nodes: list[PlaceNode]) -> tuple[PlaceNode, Area] | None:
        """Return the largest of the nodes, and its surroundings."""
        if not nodes:
            return None
        town = nodes[0]
        if any(_are_twins(town, node) for node in nodes):
            self._require_one(name, [(node.native_id, surroundings(node)) for node in nodes])
        found_by = f"its node, {town.native_id}, a {town.kind}"
        return town, Area(town.name, self._within(surroundings(town)), None, found_by)

    def _near(self, name: str) -> list[str]:
        """Return at most three names of the map that may be meant: parts of it, longer ones, alike ones.

        Each is in the script in which the name is given, where the town has a name in it.
        """
        places = [place for place in self.places if place.kind in TOWNS_M]
        name_slug, towns = slug(name), [*places, *self._boundaries]
        texts = [(town.names["name"], town) for town in towns]
        texts += [(text, town) for town in towns for text in all_names(town.names)]
        town_by_slug: dict[str, tuple[str, PlaceNode | Boundary]] = {}
        for text, town in sorted(texts, key=lambda one: not in_script_of(one[0], name)):
            town_by_slug.setdefault(slug(text), (text, town))
        parts = [part for part in map(slug, BETWEEN_NAMES.split(name)) if part in town_by_slug]
        longer = [place for place in map(slug, (p.name for p in places)) if place.startswith(f"{name_slug}-")]
        alike = difflib.get_close_matches(name_slug, town_by_slug, n=3, cutoff=LIKE)
        meant = [town_by_slug[one] for one in dict.fromkeys([*parts, *longer, *alike]) if one]
        return list(dict.fromkeys(readable(text, town.names, name) for text, town in meant))[:3]

    def _largest_towns(self, name: str) -> list[str]:
        """Return the names of at most three towns of the map, the largest first, in the script of `name`."""
        towns = sorted((place for place in self.places if place.kind in TOWNS_M), key=_largest_first)
        return list(dict.fromkeys(readable(town.name, town.names, name) for town in towns))[:3]

    def _taken_whole(self) -> str:
        """Return what to say where the file is taken for a town that it does not hold: how wide it is."""
        distance_m, city = nearest_zone_city(*self.extent.middle)
        near = f"{distance_m / 1000:,.0f} km from {city.name} ({city.country})"
        return (
            f"All of it, {_width_m(self.extent) / 1000:.0f} km wide and {near}, is taken for that place; "
            "--box=SOUTH,WEST,NORTH,EAST says where it is"
        )

    def _require_one(self, name: str, towns: list[tuple[str, Box]]) -> None:
        if len(towns) > 1:
            spots = "; ".join(
                f"{native_id}: --box {box.south:.3f},{box.west:.3f},{box.north:.3f},{box.east:.3f}"
                for native_id, box in towns
            )
            raise SourceError(
                f"{self._extract.name}: found {len(towns)} places named {name!r}; expected one. Say which by its box: "
                f"{spots}"
            )

    def _within(self, box: Box) -> Box:
        """Return the part of a box that the file covers, where neither crosses the antimeridian."""
        file_box = self.extent
        if box.west > box.east or file_box.west > file_box.east:
            return rounded(box)
        south, west = max(box.south, file_box.south), max(box.west, file_box.west)
        north, east = min(box.north, file_box.north), min(box.east, file_box.east)
        return rounded(Box(south=south, west=west, north=north, east=east) if south < north and west < east else box)


def current_names(names: Mapping[str, str]) -> list[str]:
    """Return the names that a place has, by its tags, in any language and script."""
    return [part.strip() for key, text in names.items() if NAME_KEY.fullmatch(key) for part in text.split(";")]


def all_names(names: Mapping[str, str]) -> list[str]:
    """Return also what stands in one tag with another name, and the names that a place had."""
    texts = current_names(names)
    texts += [part.strip() for text in texts for part in BETWEEN_NAMES.split(text)]
    texts += [part.strip() for key, text in names.items() if FORMER_KEY.fullmatch(key) for part in text.split(";")]
    return [name for name in dict.fromkeys(texts) if name]


def spelled(names: Iterable[str], name: str) -> str:
    """Return the one of the names that is meant, empty if none is: as it is, but for case, accents and umlauts."""
    names = sorted(names, key=lambda text: not in_script_of(text, name))
    for fold in (_plain, slug, _without_umlauts):
        folded_name = fold(name)
        spelling = next((text for text in names if folded_name and fold(text) == folded_name), "")
        if spelling:
            return spelling
    return ""


def in_script_of(text: str, name: str) -> bool:
    """Return whether whoever wrote the name can read the text: all its letters are of the name's scripts."""
    return scripts(text) <= scripts(name)


def scripts(text: str) -> set[str]:
    """Return the scripts of a text's letters, as the first word of their names in Unicode: LATIN, CYRILLIC, CJK."""
    return {unicodedata.name(letter, "").partition(" ")[0] for letter in text if letter.isalpha()}


def readable(text: str, names: Mapping[str, str], name: str) -> str:
    """Return a town's name if it is in the script of the name asked for, else the likest of its others that is."""
    if in_script_of(text, name):
        return text
    others = [other for other in all_names(names) if in_script_of(other, name)]
    return max(others, key=lambda other: difflib.SequenceMatcher(None, slug(other), slug(name)).ratio(), default=text)


def size(place: PlaceNode) -> float:
    """Return how large a place is, for ranking: by its kind first, then its inhabitants."""
    ranks = list(reversed(RADIUS_M))
    return (ranks.index(place.kind) + 1) * 1e9 + (place.population or 0)


def _known_elsewhere(name: str, covered: Box) -> str:
    """Return, in words, how far from a map a large city of the name lies; empty if none is known, or one is near."""
    from pyproj import Geod

    lat, lon = covered.middle
    namesakes = [city for city in zone_cities() if spelled([city.name], name)]
    away_m = [Geod(ellps="WGS84").inv(lon, lat, city.lon, city.lat)[2] for city in namesakes]
    if not namesakes or min(away_m) <= CITY_SIZED_M:
        return ""
    city = namesakes[away_m.index(min(away_m))]
    return f"{city.name} ({city.country}) lies {min(away_m) / 1000:,.0f} km away"


def _edges(box: Box) -> str:
    return ",".join(f"{degrees:.7g}" for degrees in (box.south, box.west, box.north, box.east))


def _if_swapped(box: Box, covered: Box) -> str:
    """Return a hint if the box would lie on the map with latitude and longitude changed for each other."""
    if max(abs(box.west), abs(box.east)) > 90.0 or box.west >= box.east:
        return ""
    swapped = Box(south=box.west, west=box.south, north=box.east, east=box.north)
    return ", latitude first: longitude seems to come first here" if covered.meets(swapped) else ""


def rounded(box: Box) -> Box:
    """Return the box with edges as a recipe writes them."""
    return Box(**{edge: round(degrees, DIGITS) for edge, degrees in box.model_dump().items()})


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _without_umlauts(text: str) -> str:
    return slug(_plain(text).translate(UMLAUTS))


def _largest_first(place: PlaceNode) -> tuple[float, str]:
    return -size(place), place.native_id


def _are_twins(one: PlaceNode, other: PlaceNode) -> bool:
    """Return whether two places of one name are two towns: of one kind, and their surroundings do not meet."""
    from pyproj import Geod

    apart_m = Geod(ellps="WGS84").inv(one.lon, one.lat, other.lon, other.lat)[2]
    return one.kind == other.kind and apart_m > 2 * RADIUS_M[one.kind]


def _holds(ring: BaseGeometry, place: PlaceNode) -> bool:
    """Return whether a place lies in a ring, whose longitudes may run past 180."""
    import shapely

    return any(ring.covers(shapely.Point(lon, place.lat)) for lon in (place.lon, place.lon + 360.0))


def _box_of(ring: BaseGeometry) -> Box:
    west, south, east, north = ring.bounds
    return rounded(boxed(south, west, north, east))


def _area(geometry: BaseGeometry, town_node: PlaceNode | None, found_by: str) -> Area:
    """Return the ring of an area and the box around it: of several parts that with the town's node, or the largest.

    An area over the antimeridian has a box alone.
    """
    import shapely

    parts: list[shapely.Polygon] = sorted(shapely.get_parts(geometry).tolist(), key=lambda part: -part.area)
    town = next((part for part in parts if town_node and _holds(part, town_node)), parts[0])
    if len(parts) > 1:
        found_by += f", one of its {len(parts)} parts"
    box = _box_of(town)
    if box.west > box.east:
        return Area("", box, None, found_by)
    tolerance = FIRST_TOLERANCE_DEG
    ring = town.exterior.simplify(tolerance)
    while len(ring.coords) > MAX_VERTICES:
        tolerance *= 2
        ring = town.exterior.simplify(tolerance)
    corners = tuple(
        (round(lat, DIGITS), round(lon - 360.0 if lon > 180.0 else lon, DIGITS)) for lon, lat in ring.coords[:-1]
    )
    return Area("", box, uncrossed(corners), found_by)


def surroundings(place: PlaceNode) -> Box:
    """Return the box around a place that is only a node, as wide as its kind reaches (`RADIUS_M`)."""
    height = RADIUS_M[place.kind] / METRES_PER_DEGREE
    width = height / max(math.cos(math.radians(place.lat)), 1e-3)
    west, east = ((edge + 180.0) % 360.0 - 180.0 for edge in (place.lon - width, place.lon + width))
    return Box(south=max(place.lat - height, -90.0), west=west, north=min(place.lat + height, 90.0), east=east)


def _width_m(box: Box) -> float:
    """Return the longer side of a box, metres."""
    middle = math.radians((box.south + box.north) / 2)
    return METRES_PER_DEGREE * max(box.north - box.south, (box.east - box.west) % 360.0 * math.cos(middle))
