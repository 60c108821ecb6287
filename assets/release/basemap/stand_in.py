"""What stands in for a basemap where the recipe binds no street map: lines of transit, and the ground around places."""

from __future__ import annotations

from typing import Any

import numpy as np

from assets.release.basemap.cut import Basemap, plain_lines
from assets.release.basemap.frame import frame_of
from schemas.recipe import City

TRANSIT = "transit"
AROUND_M, SMOOTHED_M = 300.0, 450.0
"""How far the ground around a place reaches, and how much its edge is smoothed."""

CORNERS = 4
"""Of a quarter of the circle around a place: at most 6 m off, of which smoothing leaves nothing to be seen."""

MAX_PLACES = 20_000


def stand_in(city: City, lat: np.ndarray, lon: np.ndarray, shapes: list[np.ndarray]) -> Basemap:
    """Return a basemap of the places' own ground, as built-up area, and of transit's lines; empty without either."""
    import shapely

    frame = frame_of(city)
    x, y = frame.metres(np.asarray(lon)[:MAX_PLACES], np.asarray(lat)[:MAX_PLACES])
    covers = (0.0, 0.0, frame.width_m, frame.height_m)
    cells = np.unique(np.rint(np.column_stack([x, y]) / 40.0), axis=0) * 40.0
    around: Any = shapely.union_all(shapely.buffer(shapely.points(cells), AROUND_M, quad_segs=CORNERS))
    smooth = shapely.simplify(around.buffer(SMOOTHED_M).buffer(-SMOOTHED_M), 8.0)
    built = [
        part
        for part in shapely.get_parts(shapely.intersection(smooth, shapely.box(*covers)))
        if part.geom_type == "Polygon" and not part.is_empty
    ]
    lines = plain_lines(shapes, frame)
    return Basemap(frame, covers, {"built": built} if built else {}, {TRANSIT: lines} if lines else {})
