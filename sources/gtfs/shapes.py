"""The lines that vehicles of a GTFS feed drive along, from shapes.txt: for maps alone, no time comes from them."""

from __future__ import annotations

import numpy as np

from sources.formats.unpacking import RawInput
from sources.gtfs.archive import FeedZip

COLUMNS = ("shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence")


def read_shapes(file: RawInput) -> list[np.ndarray]:
    """Return each shape's longitudes and latitudes in order, shape (n, 2); none if the feed has no shapes.txt.

    A row that lacks a number is left out. GTFS reference, shapes.txt. Raises SourceError as `FeedZip` does.
    """
    feed = FeedZip(file)
    if not feed.has("shapes.txt"):
        return []
    rows: dict[str, list[tuple[float, float, float]]] = {}
    for shape_id, lat, lon, number in feed.read("shapes.txt", COLUMNS).records():
        try:
            rows.setdefault(shape_id, []).append((float(number), float(lon), float(lat)))
        except ValueError:
            continue
    lines = [np.array([point[1:] for point in sorted(points)]) for _, points in sorted(rows.items())]
    return [line for line in lines if len(line) > 1 and np.isfinite(line).all()]
