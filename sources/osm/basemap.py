"""What a map is drawn from: areas, lines and labels of an OpenStreetMap extract, by layer, and its coastline.

Where places are belongs in `extract.py`; the street graph that routes are found on, in `streets.py`; how a map is cut,
packed and drawn, in `assets/release/basemap/`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sources.formats.unpacking import RawInput
from sources.osm.elements import readable

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

AREAS = ("built", "farm", "grass", "wood", "rock", "sand", "park", "pitch", "water", "plaza", "building")
LINES = (
    "stream", "river", "pier", "path", "track", "service", "minor", "tertiary", "secondary", "primary", "trunk",
    "motorway", "tram", "rail", "runway", "border",
)  # fmt: skip
LABELS = (
    "city", "town", "suburb", "village", "quarter", "hamlet", "island", "peak", "lake", "bay", "green", "station",
)  # fmt: skip

PLAIN, TUNNEL, BRIDGE, STEPS = 0, 1, 2, 3
"""The forms of a line."""

_AREA_OF: dict[tuple[str, str], str] = {
    **{("landuse", v): "built" for v in ("residential", "commercial", "retail", "industrial", "garages", "railway")},
    **{("landuse", v): "farm" for v in ("farmland", "farmyard", "orchard", "vineyard", "allotments")},
    **{("landuse", v): "grass" for v in ("grass", "meadow", "village_green", "greenfield")},
    **{("natural", v): "grass" for v in ("grassland", "heath", "scrub", "wetland", "fell")},
    ("landuse", "forest"): "wood",
    ("natural", "wood"): "wood",
    **{("natural", v): "rock" for v in ("bare_rock", "scree", "glacier")},
    **{("natural", v): "sand" for v in ("beach", "sand", "shoal")},
    **{("leisure", v): "park" for v in ("park", "garden", "golf_course", "dog_park", "playground")},
    **{("landuse", v): "park" for v in ("cemetery", "recreation_ground")},
    ("amenity", "grave_yard"): "park",
    **{("leisure", v): "pitch" for v in ("pitch", "track", "stadium")},
    **{("natural", v): "water" for v in ("water",)},
    **{("waterway", v): "water" for v in ("riverbank", "dock")},
    ("landuse", "basin"): "water",
    ("landuse", "reservoir"): "water",
    ("leisure", "swimming_pool"): "water",
    ("leisure", "marina"): "",  # the berths, not the water: the coastline tells that
    ("man_made", "pier"): "plaza",
    ("man_made", "breakwater"): "plaza",
}
_HIGHWAYS = {
    "motorway": ("motorway",),
    "trunk": ("trunk",),
    "primary": ("primary",),
    "secondary": ("secondary",),
    "tertiary": ("tertiary",),
    "minor": ("residential", "unclassified", "living_street", "pedestrian", "road"),
    "service": ("service",),
    "track": ("track",),
    "path": ("footway", "path", "cycleway", "steps", "bridleway"),
}
_LINE_OF: dict[tuple[str, str], str] = {
    **{("highway", value): layer for layer, values in _HIGHWAYS.items() for value in values},
    **{("highway", f"{value}_link"): layer for layer, values in _HIGHWAYS.items() for value in values},
    **{("railway", v): "rail" for v in ("rail", "light_rail", "subway", "narrow_gauge", "funicular")},
    ("railway", "tram"): "tram",
    ("waterway", "river"): "river",
    ("waterway", "canal"): "river",
    ("waterway", "stream"): "stream",
    ("man_made", "pier"): "pier",
    ("man_made", "breakwater"): "pier",
    ("aeroway", "runway"): "runway",
    ("aeroway", "taxiway"): "track",
}  # fmt: skip
_LABEL_OF: dict[tuple[str, str], str] = {
    ("place", "city"): "city",
    ("place", "town"): "town",
    **{("place", v): "suburb" for v in ("suburb", "borough")},
    ("place", "village"): "village",
    **{("place", v): "quarter" for v in ("quarter", "neighbourhood")},
    **{("place", v): "hamlet" for v in ("hamlet", "isolated_dwelling")},
    **{("place", v): "island" for v in ("island", "islet")},
    ("natural", "peak"): "peak",
    **{("natural", v): "bay" for v in ("bay", "strait")},
    ("place", "sea"): "bay",
    ("railway", "station"): "station",
}
GROUND_TAGS = tuple(tag for tag, layer in _AREA_OF.items() if layer)
LINE_TAGS = (*_LINE_OF, ("natural", "coastline"))
SPOT_TAGS = tuple(tag for tag, label in _LABEL_OF.items() if label != "station")
"""What makes an element an area, a line or a name of a map, but for buildings, borders and stations."""

_NAMED_AREAS = {"water": "lake", "park": "green", "wood": "green"}
_SMALL_STREETS = ("driveway", "parking_aisle", "drive-through", "emergency_access")
_AREA_KEYS = ("landuse", "natural", "leisure", "amenity", "waterway", "man_made", "building", "highway", "place")
_KEYS = (*_AREA_KEYS, "railway", "aeroway", "boundary")


@dataclass(frozen=True)
class Shape:
    """A shape of a layer in degrees (x longitude, y latitude), its name (or empty), and its form."""

    layer: str
    geometry: BaseGeometry
    name: str = ""
    form: int = PLAIN


@dataclass(frozen=True)
class Label:
    """A name at a point; `size` orders labels of a kind: people who live there, metres high, square degrees wide.

    `english` is what the map calls it in English or abroad, empty where it does not say.
    """

    kind: str
    name: str
    lat: float
    lon: float
    size: float = 0.0
    english: str = ""


@dataclass
class MapShapes:
    """All that one extract gives a map; `coastline` are lines with the land on their left; `box` is what it covers."""

    shapes: list[Shape] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    coastline: list[list[tuple[float, float]]] = field(default_factory=list)
    box: tuple[float, float, float, float] | None = None
    """West, south, east and north in degrees; None if the extract holds no position."""


def read_map(file: RawInput) -> MapShapes:
    """Return what a map of the extract is drawn from. Raises SourceError as `elements.readable` does."""
    import osmium
    import osmium.filter
    import osmium.geom
    import osmium.osm
    import shapely

    map_shapes = MapShapes()
    factory = osmium.geom.WKBFactory()
    with readable(file) as source:
        map_shapes.box = _box(source)
        areas = osmium.filter.KeyFilter(*_AREA_KEYS)
        for item in osmium.FileProcessor(source).with_areas(areas).with_filter(osmium.filter.KeyFilter(*_KEYS)):
            tags = dict(item.tags)
            if isinstance(item, osmium.osm.Node):
                if item.location.valid():
                    _add_label(map_shapes, tags, item.location.lat, item.location.lon)
            elif isinstance(item, osmium.osm.Area):
                layer = area_layer(tags)
                if item.num_rings()[0] and (layer or tags.get("place") in ("island", "islet")):
                    shape = shapely.from_wkb(factory.create_multipolygon(item))
                    if layer:
                        map_shapes.shapes.append(
                            Shape(layer, shape, "" if layer == "building" else tags.get("name", ""))
                        )
                    _add_area_label(map_shapes, tags, layer, shape)
            elif isinstance(item, osmium.osm.Way):
                _add_way(
                    map_shapes,
                    tags,
                    [(n.location.lon, n.location.lat) if n.location.valid() else None for n in item.nodes],
                )
    return map_shapes  # fmt: skip


def area_layer(tags: dict[str, str]) -> str:
    """Return the layer that the tags put an area in, or nothing."""
    if tags.get("building", "no") != "no" and tags.get("location") != "underground":
        return "building"
    if tags.get("highway") in ("pedestrian", "footway") and tags.get("area", "yes") == "yes":
        return "plaza"
    return next((layer for key in _AREA_KEYS if (layer := _AREA_OF.get((key, tags.get(key, ""))))), "")


def line_layer(tags: dict[str, str]) -> tuple[str, int]:
    """Return the layer that the tags put a way in, or nothing, and its form."""
    if tags.get("area") == "yes":
        return "", PLAIN
    if tags.get("boundary") == "administrative":
        return ("border" if tags.get("admin_level") == "2" and tags.get("maritime") != "yes" else ""), PLAIN
    layer = next((_LINE_OF[pair] for pair in tags.items() if pair in _LINE_OF), "")
    is_below = tags.get("tunnel", "no") not in ("no", "building_passage") or tags.get("covered") == "yes"
    if layer in ("rail", "tram", "river", "stream") and is_below:
        return "", TUNNEL
    if layer == "service" and tags.get("service") in _SMALL_STREETS:
        return "", PLAIN
    if layer == "rail" and tags.get("service") in ("yard", "siding", "spur"):
        return "", PLAIN
    if is_below:
        return layer, TUNNEL
    if tags.get("highway") == "steps":
        return layer, STEPS
    return layer, BRIDGE if tags.get("bridge", "no") != "no" else PLAIN


def _add_way(map_shapes: MapShapes, tags: dict[str, str], nodes: list[tuple[float, float] | None]) -> None:
    """Put a way where it belongs. Where nodes are missing, a coastline is cut and another line goes on straight."""
    import shapely

    if tags.get("natural") == "coastline":
        map_shapes.coastline += _unbroken(nodes)
    layer, form = line_layer(tags)
    if not layer:
        return
    points = [node for node in nodes if node is not None]
    if len(points) > 1:
        map_shapes.shapes.append(Shape(layer, shapely.LineString(points), tags.get("name", "").strip(), form))


def _unbroken(nodes: list[tuple[float, float] | None]) -> list[list[tuple[float, float]]]:
    parts: list[list[tuple[float, float]]] = [[]]
    for node in nodes:
        if node is not None:
            parts[-1].append(node)
        elif parts[-1]:
            parts.append([])
    return [part for part in parts if len(part) > 1]


def _add_label(map_shapes: MapShapes, tags: dict[str, str], lat: float, lon: float) -> None:
    name = tags.get("name", "").strip()
    kind = next((_LABEL_OF[pair] for pair in tags.items() if pair in _LABEL_OF), "")
    if name and kind:
        size = _number(tags.get("ele" if kind == "peak" else "population", ""))
        map_shapes.labels.append(Label(kind, name, lat, lon, size, _english(tags)))


def _add_area_label(map_shapes: MapShapes, tags: dict[str, str], layer: str, shape: Any) -> None:
    """Name a lake, a park or an island at a point inside it."""
    name = tags.get("name", "").strip()
    kind = _NAMED_AREAS.get(layer) or ("island" if tags.get("place") in ("island", "islet") else "")
    if name and kind and "building" not in tags:
        point = shape.representative_point()
        map_shapes.labels.append(Label(kind, name, point.y, point.x, shape.area, _english(tags)))


def _english(tags: dict[str, str]) -> str:
    return (tags.get("name:en") or tags.get("int_name") or "").strip()


def _number(text: str) -> float:
    try:
        return float(text.replace(" ", "").replace("m", ""))
    except ValueError:
        return 0.0


def _box(source: Any) -> tuple[float, float, float, float] | None:
    """Return the box around every position that the file holds: a header may name a smaller one, or none."""
    import osmium
    import osmium.osm

    west, south, east, north = 181.0, 91.0, -181.0, -91.0
    for node in osmium.FileProcessor(source, osmium.osm.NODE):
        if isinstance(node, osmium.osm.Node) and node.location.valid():
            lon, lat = node.location.lon, node.location.lat
            west, south, east, north = min(west, lon), min(south, lat), max(east, lon), max(north, lat)
    return None if west > east else (west, south, east, north)
