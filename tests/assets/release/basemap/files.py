"""OpenStreetMap files written by hand."""

from __future__ import annotations

Point = tuple[float, float]


def osm(ways: dict[str, tuple[list[Point], dict[str, str]]], around: tuple[Point, ...] = ()) -> str:
    """Return a file of ways: corners as lat and lon, and tags. A ring ends where it began; equal corners are one.

    `around` are nodes of no way: how far the extract reaches.
    """
    nodes: dict[Point, int] = {corner: number for number, corner in enumerate(around, start=1)}
    text = []
    for number, (corners, tags) in enumerate(ways.values(), start=1):
        refs = "".join(f'<nd ref="{nodes.setdefault(corner, len(nodes) + 1)}"/>' for corner in corners)
        words = "".join(f'<tag k="{key}" v="{value}"/>' for key, value in tags.items())
        text.append(f'<way id="{number}" version="1">{refs}{words}</way>')
    places = [f'<node id="{n}" version="1" lat="{lat}" lon="{lon}"/>' for (lat, lon), n in nodes.items()]
    return f'<osm version="0.6">{"".join(places)}{"".join(text)}</osm>'
