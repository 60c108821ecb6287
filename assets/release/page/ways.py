"""The ways of witness plans along real streets, from stop to stop, for the maps of tasks. They prove nothing."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from assets.release.basemap.city import files_of
from schemas.page import FamilyPage, PageDay
from schemas.recipe import City
from schemas.source import Snapshot, SourceError
from warehouse.snapshots import Snapshots
from warehouse.store import StoreError

PROFILE = "foot"
MAX_PLACES = 1_500
"""Places of one city that ways are looked for from: each is a search over all its streets."""

UNIT_DEG = 1e-5
SIMPLER_DEG = 2e-5
"""Two metres, within which a way is straightened."""

Way = list[int] | None
Ways = list[Way]
"""Of one day, between each of its placed stops and the next: first latitude and longitude in units of `UNIT_DEG`, then
the differences; None where there is no way along streets, or none to go."""

Pair = tuple[float, float, float, float]


def ways(
    pages: list[FamilyPage], cities: list[City], inputs: list[Snapshot], snapshots: Snapshots
) -> list[dict[str, list[Ways]]]:
    """Return, for each page, the ways of each task's days, in the order of its stops."""
    by_id = {city.city_id: city for city in cities}
    pairs_by_city: dict[str, dict[Pair, None]] = {}
    for page in pages:
        for task in page.tasks:
            for day in task.days:
                for pair in _pairs(day):
                    if (city_id := _city_of(pair, task.city_ids, by_id)) and pair[:2] != pair[2:]:
                        pairs_by_city.setdefault(city_id, {})[pair] = None
    ways_by_pair: dict[Pair, Way] = {}
    for city_id, pairs in pairs_by_city.items():
        ways_by_pair |= _ways_along_streets(by_id[city_id], list(pairs), inputs, snapshots)
    return [
        {task.task_id: [[ways_by_pair.get(pair) for pair in _pairs(day)] for day in task.days] for task in page.tasks}
        for page in pages
    ]


def _pairs(day: PageDay) -> list[Pair]:
    at = [(round(s.lat, 5), round(s.lon, 5)) for s in day.stops if s.lat is not None and s.lon is not None]
    return [(*origin, *destination) for origin, destination in pairwise(at)]


def _city_of(pair: Pair, city_ids: tuple[str, ...], by_id: dict[str, City]) -> str:
    """Return the task's city in whose area the way begins, or nothing."""
    for city_id in city_ids:
        if city_id in by_id and bool(by_id[city_id].contains(np.array([pair[0]]), np.array([pair[1]]))[0]):
            return city_id
    return ""


def _ways_along_streets(city: City, pairs: list[Pair], inputs: list[Snapshot], snapshots: Snapshots) -> dict[Pair, Way]:
    """Return the ways along the streets of the city's first extract that can be read; none is no error."""
    from sources.osm.street_ways import ways_along
    from sources.osm.streets import StreetGraph

    begins = sorted({pair[:2] for pair in pairs})[:MAX_PLACES]
    pairs = [pair for pair in pairs if pair[:2] in set(begins)]
    for snapshot in files_of(inputs, "osm", "extract", city):
        try:
            with snapshots.open(snapshot) as path:
                graph = StreetGraph(path, snapshot.sha256, PROFILE)
                return {pair: _flat(way) for pair, way in zip(pairs, ways_along(graph, pairs), strict=True)}
        except (StoreError, SourceError):
            continue
    return {}


def _flat(way: np.ndarray | None) -> Way:
    import shapely

    if way is None:
        return None
    line = shapely.simplify(shapely.LineString(way[:, ::-1]), SIMPLER_DEG)
    units = np.rint(shapely.get_coordinates(line)[:, ::-1] / UNIT_DEG).astype(np.int64)
    return np.diff(units, axis=0, prepend=np.zeros((1, 2), dtype=np.int64)).ravel().tolist()
