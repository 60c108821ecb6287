"""The part of a bound extract that one city reads: the file itself where it is small, a kept cut of it where not.

What is kept lies in the user's cache, under the file's hash, the city's box and the version of cutting: it can always
be made again, and all steps and all recipes share it. Rows point into the bound file, whose elements the cut holds.
"""

from __future__ import annotations

import hashlib
import math
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from schemas.recipe_values import Box
from schemas.source import Snapshot
from sources.formats.unpacking import RawInput
from sources.osm.clip import CLIP_VERSION, cut
from sources.services.osrm_install import default_cache_dir

MARGIN_M = 5_000.0
"""How far beyond its box a city's ways and stops are read, since the nearest stop may lie outside: a choice of ours."""

READ_WHOLE_BYTES = 4 << 20
MOST_OUTSIDE = 0.5
"""A smaller file is read whole, in a second or two, by a city around which at least half of its nodes lie: to cut it
would gain little. Of a small file of many towns each reads its own part."""

METRES_PER_DEGREE = 110_574.0
"""The shortest degree of latitude on the WGS84 ellipsoid, metres."""


@dataclass(frozen=True)
class CityExtract:
    """What a city reads of an extract: the bound file's entry in the lock, a path, and a hash of what is in it."""

    snapshot: Snapshot
    path: Path
    sha256: str
    max_unreadable: float = 1.0


def city_extract(file: RawInput, bounds: Box) -> CityExtract:
    """Return the part of the extract around a city's box, cut and kept if it is not yet. Raises SourceError."""
    return city_extracts(file, [bounds])[0]


def city_extracts(file: RawInput, bounds: Sequence[Box]) -> list[CityExtract]:
    """Return the part around each city's box; those that are not kept yet are cut in one reading of the file."""
    sha256 = file.snapshot.sha256
    boxes = [widened(box, MARGIN_M) for box in bounds]
    names = [hashlib.sha256(f"{CLIP_VERSION}|{sha256}|{box}".encode()).hexdigest() for box in boxes]
    folder = default_cache_dir() / "extracts"
    folder.mkdir(parents=True, exist_ok=True)
    paths = {name: folder / f"{name}.osm.pbf" for name in names}
    wholes = {name: folder / f"{name}.whole" for name in names}

    def find_missing() -> list[str]:
        return [name for name in paths if not paths[name].exists() and not wholes[name].exists()]

    if find_missing():
        with FileLock(folder / f"{sha256}.lock"):
            if missing_names := find_missing():
                _make(file, dict(zip(names, boxes, strict=True)), missing_names, paths, wholes)
    return [
        CityExtract(file.snapshot, file.path, sha256)
        if wholes[name].exists()
        else CityExtract(file.snapshot, paths[name], name)
        for name in names
    ]


def _make(
    file: RawInput, boxes: dict[str, Box], names: list[str], paths: dict[str, Path], wholes: dict[str, Path]
) -> None:
    is_small = file.path.stat().st_size < READ_WHOLE_BYTES
    wholly = cut(
        file.path, [boxes[name] for name in names], [paths[name] for name in names], file.snapshot.location,
        outside=MOST_OUTSIDE if is_small else 0.0,
    )  # fmt: skip
    for name, is_whole in zip(names, wholly, strict=True):
        if is_whole:
            with tempfile.NamedTemporaryFile(dir=wholes[name].parent, prefix=".whole-", delete=False) as marker:
                Path(marker.name).replace(wholes[name])


def widened(box: Box, margin_m: float) -> Box:
    """Return the box with a margin on all sides; one that holds a pole goes round the earth."""
    degrees = margin_m / METRES_PER_DEGREE
    south, north = max(box.south - degrees, -90.0), min(box.north + degrees, 90.0)
    narrow = math.cos(math.radians(max(abs(south), abs(north))))
    across = degrees / max(narrow, 1e-3)
    width = (box.east - box.west) % 360.0
    if width + 2 * across >= 360.0 or max(north, -south) >= 90.0:
        return Box(south=south, west=-180.0, north=north, east=180.0)
    west, east = (round((edge + 180.0) % 360.0 - 180.0, 7) for edge in (box.west - across, box.east + across))
    return Box(south=round(south, 7), west=west, north=round(north, 7), east=east)
