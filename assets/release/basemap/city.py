"""The basemap of one city of a release, from whatever its inputs hold, and in words what it is drawn from."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from assets.release.basemap.cut import Basemap, basemap_of
from assets.release.basemap.stand_in import TRANSIT, stand_in
from assets.step import RawFile
from schemas.recipe import City
from schemas.source import LICENCES, Sharing, Snapshot, SourceError
from sources.gtfs.shapes import read_shapes
from warehouse.snapshots import Snapshots
from warehouse.store import StoreError

Result = TypeVar("Result")

STREETS, LINES, PLACES, NOTHING = "osm", "transit", "places", ""
"""What a map is drawn from: a street map, transit's lines and the places, the places alone, or nothing."""


@dataclass(frozen=True)
class CityMap:
    """A basemap, what it is drawn from, and why it lacks what it could have had."""

    basemap: Basemap
    kind: str
    problems: tuple[str, ...] = ()


def city_map(city: City, inputs: list[Snapshot], snapshots: Snapshots, lat: np.ndarray, lon: np.ndarray) -> CityMap:
    """Return the city's map: of its OpenStreetMap extracts, else of transit's lines and its places' ground.

    A file that is not in the home, or cannot be read, is a problem in words, not an error: a map never stops a release.
    What may not be shared even as a picture is not drawn.
    """
    problems: list[str] = []
    extracts = _shareable(files_of(inputs, "osm", "extract", city))
    if extracts:
        basemap = _read(extracts, snapshots, problems, lambda files: basemap_of(files, city))
        if basemap is not None and not basemap.is_empty:
            return CityMap(basemap, STREETS, tuple(problems))
        if basemap is not None:
            problems.append("The extract does not reach the city's area.")
    feeds = _shareable(files_of(inputs, "gtfs", "feed", city))
    shapes = _read(feeds, snapshots, problems, lambda files: [line for f in files for line in read_shapes(f)]) or []
    basemap = stand_in(city, lat, lon, shapes)
    kind = LINES if basemap.lines.get(TRANSIT) else PLACES if not basemap.is_empty else NOTHING
    return CityMap(basemap, kind, tuple(problems))


def _shareable(inputs: list[Snapshot]) -> list[Snapshot]:
    return [one for one in inputs if LICENCES[one.licence_id].sharing is not Sharing.NOTHING]


def files_of(inputs: list[Snapshot], source: str, role: str, city: City) -> list[Snapshot]:
    """Return the inputs of a source and role that are the city's or every city's."""
    return [s for s in inputs if s.source == source and s.role == role and s.city_id in (None, city.city_id)]


def _read(
    inputs: list[Snapshot], snapshots: Snapshots, problems: list[str], use: Callable[[list[RawFile]], Result]
) -> Result | None:
    """Return what `use` makes of the files that are here and can be read, or None."""
    with ExitStack() as stack:
        files = []
        for snapshot in inputs:
            try:
                files.append(RawFile(snapshot, stack.enter_context(snapshots.open(snapshot))))
            except StoreError:
                problems.append(f"{snapshot.location} is not in this home, or has changed there.")
        try:
            return use(files) if files else None
        except SourceError as error:
            problems.append(f"{error}")
            return None
