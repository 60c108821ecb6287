"""How a map looks: one declaration for the page's canvas, light and dark, and for the pictures in PNG.

A width in pixels is given at two zooms of web Mercator (256-pixel tiles) and grows by a constant factor a zoom between
them; nearer and farther than both it goes on. Nothing here knows how to draw.
"""

from __future__ import annotations

import math
from typing import Any

COLOURS = {
    "land": ("#f5f1e8", "#1c2125"), "beyond": ("#eeeae0", "#181c20"), "sea": ("#a8cfe3", "#10293b"),
    "built": ("#efe9dd", "#20262a"), "farm": ("#eff0dc", "#1f2621"), "grass": ("#dfebcb", "#1e2a22"),
    "wood": ("#c6debb", "#1b2e23"), "rock": ("#e6e2da", "#252a2d"), "sand": ("#f5e9c4", "#322f24"),
    "park": ("#cfe6bf", "#1d3226"), "pitch": ("#bfdcb2", "#21402f"), "water": ("#a8cfe3", "#10293b"),
    "plaza": ("#f3ece2", "#262c31"), "building": ("#e2d9ca", "#2a3137"), "building_edge": ("#cfc4b1", "#363f46"),
    "stream": ("#a8cfe3", "#1a3f58"), "river": ("#a8cfe3", "#17374e"), "pier": ("#f1ebdf", "#2b3237"),
    "path": ("#c4b49b", "#4d5358"), "track": ("#cbbfa6", "#474d50"), "service": ("#ffffff", "#323a41"),
    "minor": ("#ffffff", "#39424a"), "tertiary": ("#ffffff", "#414b54"), "secondary": ("#fff6d9", "#4b5358"),
    "primary": ("#ffe9a8", "#5d5740"), "trunk": ("#fbd38d", "#6d5a38"), "motorway": ("#f4b56f", "#7a5a35"),
    "runway": ("#d9d5cf", "#353c42"), "tram": ("#b0a6a6", "#565d64"), "rail": ("#a49d99", "#525960"),
    "border": ("#a78bb0", "#8a6f95"), "transit": ("#9fb0a6", "#5f746a"), "casing": ("#dcd3c2", "#15191d"),
    "casing_major": ("#e0bd7b", "#15191d"), "tunnel": ("#ece5d8", "#272d33"), "ink": ("#3a3f42", "#e4e2dc"),
    "ink_soft": ("#6a6f70", "#a9b0b4"), "ink_water": ("#3d7390", "#7fb6d6"), "ink_green": ("#44713f", "#8fc491"),
    "ink_road": ("#5b564d", "#b9bcbb"), "halo": ("#fbf9f4", "#15191d"), "edge": ("#8d8676", "#7b8790"),
    "restaurant": ("#b84f14", "#f09a62"), "attraction": ("#1f7a4d", "#6fce9c"), "stay": ("#2f5fae", "#8ab2f5"),
    "stop": ("#66727b", "#a9b4bc"), "other": ("#7a5aa8", "#b99be4"),
}  # fmt: skip
"""Every colour by light and by dark."""

LIGHT, DARK = ({name: pair[n] for name, pair in COLOURS.items()} for n in (0, 1))

AREAS: dict[str, float] = {
    "built": 0, "farm": 0, "grass": 0, "wood": 0, "rock": 0, "sand": 0, "park": 0, "sea": 0, "water": 0, "pitch": 12.5,
    "plaza": 13.5, "building": 13.2,
}  # fmt: skip
"""Areas from the bottom up, and the zoom from which each is drawn."""

BUILDING_EDGE_ZOOM = 14.6

LINES: dict[str, dict[str, Any]] = {
    "stream": {"from": 12.5, "width": [13, 0.7, 17, 3.0]},
    "river": {"from": 0, "width": [11, 1.2, 17, 9.0]},
    "pier": {"from": 13.5, "width": [14, 1.2, 17, 5.0]},
    "runway": {"from": 10, "width": [11, 1.5, 17, 60.0]},
    "path": {"from": 14.6, "width": [15, 0.8, 18, 2.0], "dash": [3, 2.4]},
    "track": {"from": 13.4, "width": [14, 0.8, 18, 2.4], "dash": [6, 2.4]},
    "service": {"from": 14, "width": [14, 0.9, 18, 8.0], "casing": "casing", "casing_from": 15.4},
    "minor": {"from": 11.8, "width": [12, 0.6, 18, 17.0], "casing": "casing", "casing_from": 13.6},
    "tertiary": {"from": 11, "width": [12, 1.2, 18, 20.0], "casing": "casing", "casing_from": 12.6},
    "secondary": {"from": 10, "width": [12, 1.7, 18, 22.0], "casing": "casing", "casing_from": 11.5},
    "primary": {"from": 8, "width": [12, 2.1, 18, 24.0], "casing": "casing_major", "casing_from": 11},
    "trunk": {"from": 0, "width": [12, 2.5, 18, 25.0], "casing": "casing_major", "casing_from": 10},
    "motorway": {"from": 0, "width": [12, 2.8, 18, 26.0], "casing": "casing_major", "casing_from": 10},
    "tram": {"from": 13.5, "width": [14, 0.7, 18, 1.6]},
    "rail": {"from": 10.5, "width": [12, 0.9, 18, 3.0]},
    "transit": {"from": 0, "width": [11, 0.9, 17, 2.6]},
    "border": {"from": 0, "width": [10, 1.2, 17, 2.4], "dash": [8, 4, 2, 4]},
}
"""Lines from the bottom up: from which zoom, how wide, dashed or not, and with an edge from which zoom."""

NAMES: dict[str, dict[str, Any]] = {
    "city": {"from": 0, "to": 13.5, "size": 17, "weight": 700, "ink": "ink"},
    "town": {"from": 9, "to": 15, "size": 15, "weight": 600, "ink": "ink"},
    "village": {"from": 10.5, "to": 16, "size": 13.5, "weight": 600, "ink": "ink"},
    "suburb": {"from": 11.5, "to": 16.2, "size": 13, "weight": 600, "ink": "ink_soft"},
    "quarter": {"from": 13, "to": 17.2, "size": 12, "weight": 600, "ink": "ink_soft"},
    "hamlet": {"from": 12.6, "to": 17.5, "size": 11.5, "weight": 500, "ink": "ink_soft"},
    "island": {"from": 12.5, "to": 18, "size": 12, "weight": 500, "ink": "ink_soft"},
    "bay": {"from": 10, "to": 18, "size": 13, "weight": 500, "ink": "ink_water", "italic": True},
    "lake": {"from": 13, "to": 22, "size": 12, "weight": 500, "ink": "ink_water", "italic": True},
    "peak": {"from": 11.8, "to": 22, "size": 11.5, "weight": 500, "ink": "ink_soft"},
    "green": {"from": 14.4, "to": 22, "size": 11.5, "weight": 500, "ink": "ink_green"},
    "station": {"from": 13.4, "to": 22, "size": 12, "weight": 600, "ink": "ink_water"},
}
"""Names from the most to the least important, and between which zooms each kind is drawn."""

STREET_NAMES: dict[str, dict[str, float]] = {
    "motorway": {"from": 13.6, "size": 12}, "trunk": {"from": 13.4, "size": 12}, "primary": {"from": 13.4, "size": 12},
    "secondary": {"from": 14, "size": 12}, "tertiary": {"from": 14.4, "size": 11.5},
    "minor": {"from": 15, "size": 11.5}, "service": {"from": 16.6, "size": 10.5}, "path": {"from": 16.8, "size": 10.5},
    "river": {"from": 12.5, "size": 12}, "stream": {"from": 15, "size": 11},
}  # fmt: skip

NAMED_PX = 30.0
"""Pixels that a lake or park is wide where its name is drawn: about half of the name."""

KINDS: tuple[str, ...] = ("stop", "transit", "restaurant", "attraction", "stay", "other")
"""Kinds of places from the bottom up; `transit` has the colour of `stop`."""


def style() -> dict[str, Any]:
    """Return all of it as plain data, as the page reads it."""
    return {
        "light": LIGHT,
        "dark": DARK,
        "areas": [[name, zoom] for name, zoom in AREAS.items()],
        "building_edge_zoom": BUILDING_EDGE_ZOOM,
        "lines": [[name, rule] for name, rule in LINES.items()],
        "names": [[name, rule] for name, rule in NAMES.items()],
        "street_names": STREET_NAMES,
    }


def width_px(layer: str, zoom: float) -> float:
    """Return how wide a layer's lines are at a zoom, in pixels."""
    zoom_1, width_1, zoom_2, width_2 = LINES[layer]["width"]
    return width_1 * (width_2 / width_1) ** ((zoom - zoom_1) / (zoom_2 - zoom_1))


def least_rank(kind: str, side_m: float) -> int:
    """Return the lowest rank of a kind that an area of the side, in metres of web Mercator, has a name of.

    Names of rank r are drawn from the zoom on at which a kind has `6 * 4 ** zooms nearer` of them: of this rank only
    where the area is as many pixels wide as its name can be read in.
    """
    zoom = zoom_of(side_m / NAMED_PX)
    return int(6 * 4 ** (zoom - NAMES[kind]["from"])) if zoom > NAMES[kind]["from"] else 0


def zoom_of(metres_per_pixel: float) -> float:
    """Return the zoom at which a pixel is so many metres of web Mercator, which are metres on the equator alone."""
    return math.log2(156_543.033928 / metres_per_pixel)
