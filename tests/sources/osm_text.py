"""Elements of a map as OpenStreetMap's XML."""

from __future__ import annotations

from typing import Any


def tag_text(tags):
    quoted = {k: v.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;") for k, v in tags.items()}
    return "".join(f'<tag k="{key}" v="{value}"/>' for key, value in quoted.items())


def node(number: int, lat: float = 1.0, lon: float = 1.0, **tags: Any) -> str:
    return f'<node id="{number}" version="1" lat="{lat}" lon="{lon}">{tag_text(tags)}</node>'


def way(number, refs, **tags):
    return f'<way id="{number}" version="1">{"".join(f"<nd ref={r!r}/>" for r in map(str, refs))}{tag_text(tags)}</way>'


def relation(number, members, **tags):
    inside = "".join(f'<member type="{kind}" ref="{ref}" role="{role}"/>' for kind, ref, role in members)
    return f'<relation id="{number}" version="1">{inside}{tag_text(tags)}</relation>'


def osm(*elements):
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<osm version="0.6" generator="test">{"".join(elements)}</osm>'


def corners(first, south=0.0, west=0.0, size=1.0):
    """Return the four corner nodes of a square, numbered from `first`."""
    spots = [(south, west), (south, west + size), (south + size, west + size), (south + size, west)]
    return [node(first + i, lat, lon) for i, (lat, lon) in enumerate(spots)]
