"""Where a town lies in an OpenStreetMap extract, for a recipe that does not draw it yet."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from schemas.source import Snapshot, SourceError
from sources.osm.extract import SOURCE, read_boundaries
from sources.osm.file import osm_format


@dataclass(frozen=True)
class _Extract:
    snapshot: Snapshot
    path: Path
    max_unreadable: float = 1.0


def area_in(extract: Path, name: str) -> tuple[float, float, float, float]:
    """Return (south, west, north, east) in degrees of the town: its boundary's box, else the whole extract's.

    Of several boundaries of the name the one of the highest admin_level is taken: the town, not its region.
    Raises SourceError if the file is no extract, or has neither such a boundary nor a box of its own.
    """
    import osmium.io
    import shapely

    kind = osm_format(extract)
    snapshot = Snapshot(
        source=SOURCE.name, role="extract", location=str(extract), sha256="0" * 64, size_bytes=0, licence_id="ODbL-1.0"
    )
    named = [
        boundary
        for boundary in read_boundaries(_Extract(snapshot, extract), "", [])
        if boundary["name"].casefold() == name.casefold()
    ]
    if named:
        town = max(named, key=lambda boundary: boundary["admin_level"])
        west, south, east, north = shapely.geometry.shape(json.loads(town["polygon_json"])).bounds
        return south, west, north, east
    box = osmium.io.Reader(osmium.io.File(str(extract), kind)).header().box()
    if not box.valid():
        raise SourceError(
            f"{extract}: found no boundary named {name!r} and no box in its header; expected one of them. "
            "Say where the city is with --box SOUTH,WEST,NORTH,EAST."
        )
    return box.bottom_left.lat, box.bottom_left.lon, box.top_right.lat, box.top_right.lon
