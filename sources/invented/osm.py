"""Writes an invented world as OpenStreetMap extracts, one `.osm.pbf` a city: streets, places, stops, boundaries.

The files are uncompressed inside, as the format allows, so that their bytes do not depend on a library's packing.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from schemas.stable import stable_hash
from sources.invented.cities import CitySpec
from sources.invented.city_files import city_file
from sources.invented.dirt import Dirt, hostile_name, write_dirt
from sources.invented.grid import grid_of
from sources.invented.lines import bus_lines, tram_lines
from sources.invented.osm_dirt import spoilt_elements
from sources.invented.osm_places import Mapped, mapped, mapped_platform
from sources.invented.osm_streets import street_network
from sources.invented.world import PLACES_PER_CITY, World

FIRST_PLACE_ID = 4_000_000_000
ID_SPAN = 12_000_000_000
"""Places' elements are numbered by hash from here, so that a place keeps its id whatever else there is."""
ID_STEP = 8
"""Room for the nodes of an area after its own number."""
ADMIN_LEVEL, REGION_LEVEL = "8", "4"


class _Node(NamedTuple):
    number: int
    lat: float
    lon: float
    tags: dict[str, str]


class _Way(NamedTuple):
    number: int
    refs: list[int]
    tags: dict[str, str]


class _Relation(NamedTuple):
    number: int
    members: list[tuple[str, int, str]]
    tags: dict[str, str]


class _Map(NamedTuple):
    """A city's elements and what is planted among them, as kind and native id."""

    nodes: list[_Node]
    ways: list[_Way]
    relations: list[_Relation]
    planted: list[tuple[str, str]]


def write(world: World, folder: Path, dirt: bool = True) -> dict[str, list[Path]]:
    """Return the extracts written to the folder, under the role `extract`; `dirt.csv` lists what is planted in them.

    In that list `native_id` is the element, such as `node/123`, and `line` is 0.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths, planted = [], []
    for city in world.cities:
        path = city_file(folder, city, "osm.pbf")
        drawn = _draw(world, city, dirt)
        _write_pbf(path, drawn)
        paths.append(path)
        file = path.relative_to(folder).as_posix()
        planted += [Dirt(kind, file, 0, native_id) for kind, native_id in drawn.planted]
    write_dirt(folder, planted)
    return {"extract": paths}


def _draw(world: World, city: CitySpec, dirt: bool) -> _Map:
    drawn = _Map([], [], [], [])
    streets = street_network(grid_of(city, world.seed), world.seed)
    drawn.nodes.extend(_Node(i, lat, lon, {}) for i, (lat, lon) in enumerate(streets.spots, start=1))
    drawn.ways.extend(_Way(i, list(way.refs), dict(way.tags)) for i, way in enumerate(streets.ways, start=1))
    used_numbers: set[int] = set()
    for element in _elements(world, city, dirt):
        native_id = _add(drawn, element, _free_number(world.seed, city, element.key, used_numbers))
        drawn.planted.extend((kind, native_id) for kind in element.dirt)
    _add_boundaries(drawn, city, _free_number(world.seed, city, "boundary", used_numbers), dirt)
    if dirt:
        _add_cut_off(drawn, _free_number(world.seed, city, "cut off", used_numbers))
    for elements in (drawn.nodes, drawn.ways, drawn.relations):
        elements.sort(key=lambda element: element.number)
    return drawn


def _elements(world: World, city: CitySpec, dirt: bool) -> Iterator[Mapped]:
    for kind in PLACES_PER_CITY:
        for index in range(world.count(kind)):
            place = world.place(city, kind, index)
            spoilt = hostile_name(place) if dirt and world.hostile_names else None
            element = mapped(world, place, spoilt[1] if spoilt else place.name, dirt)
            if element:
                yield element._replace(dirt=element.dirt + (spoilt[:1] if spoilt else ()))
    grid = grid_of(city, world.seed)
    for is_tram, lines in ((False, bus_lines(grid)), (True, tram_lines(grid, world.seed))):
        for line in lines:
            yield from (mapped_platform(platform, is_tram) for platform in line.there + line.back)
    if dirt:
        yield from spoilt_elements(world, city)


def _free_number(seed: int, city: CitySpec, key: str, used_numbers: set[int]) -> int:
    """Return the number of the element; the second of two whose hashes meet moves on."""
    number = FIRST_PLACE_ID + stable_hash("osm id", seed, city.city_id, key) % (ID_SPAN // ID_STEP) * ID_STEP
    while number in used_numbers:
        number += ID_STEP
    used_numbers.add(number)
    return number


def _add(drawn: _Map, element: Mapped, number: int) -> str:
    """Return the native id of the element, after adding it and its corners."""
    if len(element.ring) == 1:
        drawn.nodes.append(_Node(number, *element.ring[0], element.tags))
        return f"node/{number}"
    corners = list(range(number, number + len(element.ring)))
    drawn.nodes.extend(_Node(i, lat, lon, {}) for i, (lat, lon) in zip(corners, element.ring, strict=True))
    drawn.ways.append(_Way(number, [*corners, corners[0]], element.tags))
    return f"way/{number}"


def _add_boundaries(drawn: _Map, city: CitySpec, number: int, dirt: bool) -> None:
    """Add the city's edge as a relation of two ways, and the region's, of which the extract holds no member."""
    box = city.box
    corners = [(box.south, box.west), (box.south, box.east), (box.north, box.east), (box.north, box.west)]
    drawn.nodes.extend(_Node(number + i, lat, lon, {}) for i, (lat, lon) in enumerate(corners))
    drawn.ways.append(_Way(number, [number, number + 1, number + 2], {}))
    drawn.ways.append(_Way(number + 1, [number + 2, number + 3, number], {}))
    edge = {"type": "boundary", "boundary": "administrative"}
    members = [("w", number, "outer"), ("w", number + 1, "outer")]
    drawn.relations.append(_Relation(number, members, edge | {"admin_level": ADMIN_LEVEL, "name": city.name}))
    if dirt:
        tags = edge | {"admin_level": REGION_LEVEL, "name": city.region.upper()}
        drawn.relations.append(_Relation(number + 1, [("w", number + 2, "outer")], tags))
        drawn.planted.append(("boundary_cut_off", f"relation/{number + 1}"))


def _add_cut_off(drawn: _Map, number: int) -> None:
    """Add a hotel whose nodes lie beyond the extract's edge."""
    refs = [number, number + 1, number + 2, number]
    drawn.ways.append(_Way(number, refs, {"tourism": "hotel", "name": "Hotel on the Edge"}))
    drawn.planted.append(("way_cut_off", f"way/{number}"))


def _write_pbf(path: Path, drawn: _Map) -> None:
    import osmium
    import osmium.io
    from osmium.osm import mutable

    header = osmium.io.Header()
    header.set("generator", "tripwright, invented")
    path.unlink(missing_ok=True)
    form = osmium.io.File(str(path), "pbf,pbf_compression=none,add_metadata=none")
    with osmium.SimpleWriter(form, header=header) as writer:
        for node in drawn.nodes:
            writer.add_node(mutable.Node(id=node.number, location=(node.lon, node.lat), tags=node.tags))
        for way in drawn.ways:
            writer.add_way(mutable.Way(id=way.number, nodes=way.refs, tags=way.tags))
        for relation in drawn.relations:
            writer.add_relation(mutable.Relation(id=relation.number, members=relation.members, tags=relation.tags))
