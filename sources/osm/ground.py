"""What a map's ground is drawn from: streets, rails, water and green of an OpenStreetMap extract, as plain shapes.

Where places are belongs in `osm.py`; the street graph that routes are found on, in `streets.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sources.formats.unpacked import RawInput
from sources.osm.elements import readable

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

LAYERS = ("water", "green", "river", "rail", "minor", "middle", "major")
"""From the bottom up: the first two are areas, the others lines."""

_HIGHWAYS = {
    "major": ("motorway", "trunk", "primary"),
    "middle": ("secondary", "tertiary"),
    "minor": ("residential", "unclassified", "living_street", "pedestrian"),
}
_LAYER_OF = {
    **{("highway", value): layer for layer, values in _HIGHWAYS.items() for value in values},
    **{("highway", f"{value}_link"): layer for layer, values in _HIGHWAYS.items() for value in values},
    **{("railway", value): "rail" for value in ("rail", "light_rail", "tram", "subway")},
    **{("waterway", value): "river" for value in ("river", "canal")},
    ("natural", "coastline"): "river",
    **{("natural", value): "water" for value in ("water", "bay")},
    ("waterway", "riverbank"): "water",
    **{("natural", value): "green" for value in ("wood", "scrub", "heath", "grassland")},
    **{("leisure", value): "green" for value in ("park", "garden", "nature_reserve", "golf_course")},
    **{("landuse", value): "green" for value in ("forest", "grass", "meadow", "cemetery", "recreation_ground")},
}
_KEYS = ("highway", "railway", "waterway", "natural", "leisure", "landuse")
_AREAS = ("water", "green")


def read_ground(file: RawInput) -> dict[str, list[BaseGeometry]]:
    """Return the shapes of each layer in degrees (x longitude, y latitude): areas for water and green, else lines.

    Tunnels of rails are left out: nobody sees them. Raises SourceError as `osm_elements.readable` does.
    """
    import osmium
    import osmium.filter
    import osmium.geom
    import osmium.osm
    import shapely

    found: dict[str, list[BaseGeometry]] = {layer: [] for layer in LAYERS}
    factory = osmium.geom.WKBFactory()
    with readable(file) as source:
        wanted = osmium.filter.KeyFilter(*_KEYS)
        areas = osmium.filter.KeyFilter("natural", "waterway", "leisure", "landuse")
        for item in osmium.FileProcessor(source).with_areas(areas).with_filter(wanted):
            layer = layer_of(dict(item.tags))
            if layer is None:
                continue
            if isinstance(item, osmium.osm.Area):
                if layer in _AREAS and item.num_rings()[0]:
                    found[layer].append(shapely.from_wkb(factory.create_multipolygon(item)))
            elif isinstance(item, osmium.osm.Way) and layer not in _AREAS:
                line = [(node.location.lon, node.location.lat) for node in item.nodes if node.location.valid()]
                if len(line) > 1:
                    found[layer].append(shapely.LineString(line))
    return found


def layer_of(tags: dict[str, str]) -> str | None:
    """Return the layer that an element's tags put it in, or None."""
    if "railway" in tags and tags.get("tunnel", "no") != "no":
        return None
    return next((layer for key in _KEYS if (layer := _LAYER_OF.get((key, tags.get(key, ""))))), None)
