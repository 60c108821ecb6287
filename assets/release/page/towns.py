"""The basemaps of a page: one for each city that has places or streets, the fullest cities first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from assets.release.basemap.city import CityMap, city_map
from assets.release.basemap.pack import packed_basemap
from assets.release.reading import OpenedRelease
from schemas.page import FamilyPage
from schemas.recipe import City
from schemas.source import Snapshot
from warehouse.snapshots import Snapshots

FAILED = "The map of this city could not be drawn"


@dataclass(frozen=True)
class Towns:
    """The packed maps, and by city the number of its map and what it is drawn from."""

    blocks: list[bytes] = field(default_factory=list)
    grounds: dict[str, dict[str, object]] = field(default_factory=dict)


def towns(cities: list[City], inputs: list[Snapshot], snapshots: Snapshots, pages: list[FamilyPage]) -> Towns:
    """Return the maps of the cities. One that cannot be drawn is left out, and why is told on the page."""
    town_maps = Towns()
    places = positions(cities, pages)
    for city in sorted(cities, key=lambda one: (-len(places[one.city_id]), one.city_id)):
        lat, lon = places[city.city_id].T
        try:
            town_map = city_map(city, inputs, snapshots, lat, lon)
            packed = b"" if town_map.basemap.is_empty else packed_basemap(town_map.basemap)[0]
        except Exception as error:  # whatever an extract holds, a map never stops a release
            town_maps.grounds[city.city_id] = {"block": None, "kind": "", "problems": [f"{FAILED}: {error!s:.300}"]}
            continue
        town_maps.grounds[city.city_id] = _ground(town_map, len(town_maps.blocks) if packed else None)
        town_maps.blocks.extend([packed] if packed else [])
    return town_maps


def visited_cities(cities: list[City], pages: list[FamilyPage]) -> set[str]:
    """Return the cities that tasks are about, and those with places that no recipe says people only set out from.

    Where that is none of them, all.
    """
    task_cities = {city_id for page in pages for task in page.tasks for city_id in task.city_ids}
    places = positions(cities, pages)
    visited_ids = {
        one.city_id for one in cities if one.city_id in task_cities or (one.is_visited and len(places[one.city_id]))
    }
    return visited_ids or {city.city_id for city in cities}


def inputs_of(releases: Iterable[OpenedRelease]) -> list[Snapshot]:
    """Return the files that releases were made from, each once for every city that it is bound to."""
    return list(dict.fromkeys(snapshot for release in releases for snapshot in release.manifest.inputs))


def _ground(town_map: CityMap, block: int | None) -> dict[str, object]:
    return {"block": block, "kind": town_map.kind, "problems": list(town_map.problems)}


def positions(cities: list[City], pages: list[FamilyPage]) -> dict[str, np.ndarray]:
    """Return, by city, lat and lon of its places, shape (n, 2), each once."""
    spots = {city.city_id: set[tuple[float, float]]() for city in cities}
    for place in (place for page in pages for place in page.places if place.city_id in spots):
        spots[place.city_id].add((place.lat, place.lon))
    return {
        city_id: np.array(sorted(coordinates), dtype=float).reshape(-1, 2) for city_id, coordinates in spots.items()
    }
