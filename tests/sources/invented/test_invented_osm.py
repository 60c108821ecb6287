"""The invented maps: streets on which one gets everywhere, places as the reader of maps takes them, dirt as listed."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import osmium
import pytest
import shapely

from schemas.recipe import City
from schemas.recipe_values import Box
from sources import invented
from sources.formats.opening_hours import opening_windows
from sources.invented import CitySpec, World, city_of, make_world, osm, world_cities
from sources.invented.attraction_types import TYPES, attraction_categories
from sources.invented.dirt import HOSTILE_NAMES, Dirt
from sources.invented.grid import METRES_PER_DEGREE, grid_of
from sources.invented.lines import bus_lines, tram_lines
from sources.invented.osm_streets import street_network
from sources.invented.world import Place
from sources.osm.extract import read_boundaries, read_places, read_stops
from sources.osm.streets import StreetGraph
from sources.services.osrm_engine import ManagedOsrm
from sources.services.osrm_install import default_cache_dir, install_osrm

SEED = 7
FATE = {
    "no_name": "missing_value",
    "blank_name": "missing_value",
    "gone": "closed",
    "closed_for_good": "closed",
    "way_cut_off": "bad_coordinates",
    "outside_city": "outside_every_city",
    "unreadable_hours": "kept",
    "node_and_way": "kept",
    "off_the_streets": "kept",
    **{kind: "kept" for kind, _ in HOSTILE_NAMES},
}
"""What becomes of each kind of planted place."""


def elements(folder: Path, city_id: str) -> Iterable[Any]:
    return osmium.FileProcessor(str(folder / city_id / f"{city_id}.osm.pbf"))


def cities_of(world: World) -> list[City]:
    rows = world_cities(world.cities, world.seed)
    return [City(**{**row, "box": Box(**row["box"])}) for row in rows]


class Street(NamedTuple):
    refs: list[int]
    tags: dict[str, str]


class Extract(NamedTuple):
    """What a plain reader finds in one city's file."""

    spots: dict[int, tuple[float, float]]
    streets: list[Street]
    ids: list[tuple[str, int]]


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(3, 0.5, SEED)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, world: World) -> Path:
    folder = tmp_path_factory.mktemp("osm")
    paths = osm.write(world, folder)["extract"]
    assert [p.relative_to(folder).as_posix() for p in paths] == [
        f"{c.city_id}/{c.city_id}.osm.pbf" for c in world.cities
    ]
    assert [city_of(p) for p in paths] == [c.city_id for c in world.cities]
    return folder


@pytest.fixture(scope="module")
def extracts(world: World, folder: Path) -> list[Extract]:
    found = []
    for city in world.cities:
        one = Extract({}, [], [])
        for item in elements(folder, city.city_id):
            one.ids.append((item.type_str(), item.id))
            if item.is_node():
                one.spots[item.id] = item.location.lat, item.location.lon
            elif item.is_way() and "highway" in item.tags:
                one.streets.append(Street([node.ref for node in item.nodes], dict(item.tags)))
        found.append(one)
    return found


Read = Callable[[int], tuple[list[dict[str, Any]], list[tuple[str, str]]]]


@pytest.fixture
def read(world: World, folder: Path, given_path: Any) -> Read:
    """Return what the reader of maps makes of the city of that number: its places, and what it drops, by reason."""

    def of(number: int) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
        city_id = world.cities[number].city_id
        rejected: list[dict[str, str]] = []
        file = given_path(folder / city_id / f"{city_id}.osm.pbf", "osm", "extract")
        rows, _ = read_places(file, cities_of(world), rejected)
        return rows, [(row["row"].partition("#")[2], row["reason"]) for row in rejected]

    return of


def listed_dirt(folder: Path) -> list[Dirt]:
    with (folder / "dirt.csv").open(encoding="utf-8", newline="") as file:
        return [Dirt(r["kind"], r["file"], int(r["line"]), r["native_id"]) for r in csv.DictReader(file)]


def reached(start: int, onward: dict[int, set[int]]) -> set[int]:
    seen, waiting = {start}, [start]
    while waiting:
        new = onward[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen


def onward(streets: list[Street], is_open_to: set[str]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    for street in streets:
        if street.tags["highway"] in is_open_to:
            for one, other in zip(street.refs, street.refs[1:], strict=False):
                if street.tags.get("oneway") != "-1":
                    found[one].add(other)
                if street.tags.get("oneway") != "yes":
                    found[other].add(one)
    return found


CAR = {"primary", "secondary", "residential"}


def test_elements_are_sorted_and_numbered_once(extracts: list[Extract]) -> None:
    for extract in extracts:
        order = ["nwr".index(kind) for kind, _ in extract.ids]
        assert sorted(zip(order, (n for _, n in extract.ids), strict=True)) == list(
            zip(order, (n for _, n in extract.ids), strict=True)
        )
        assert len(set(extract.ids)) == len(extract.ids)


def test_cars_get_from_every_junction_to_every_other() -> None:
    for city in make_world(24, 1.0, SEED).cities:
        streets = [Street(list(way.refs), dict(way.tags)) for way in street_network(grid_of(city, SEED), SEED).ways]
        there = onward([street for street in streets if "highway" in street.tags], CAR)
        back: dict[int, set[int]] = defaultdict(set)
        for one, others in there.items():
            for other in others:
                back[other].add(one)
        every = set(there) | set(back)
        start = streets[0].refs[0]
        assert reached(start, there) == every
        assert reached(start, back) == every
        assert len(every) > 8_000


def test_no_one_way_street_ends_where_a_narrow_citys_box_cuts_it() -> None:
    for number in range(12):
        box = invented.Box(48.0, 2.0, 48.0 + 0.012 * (1 + number % 3), 2.09)
        city = CitySpec(f"Strip {number}", "x", "fr", 48.001, 2.04, box, "Europe/Paris", "EUR")
        streets = [Street(list(way.refs), dict(way.tags)) for way in street_network(grid_of(city, SEED), SEED).ways]
        there = onward([street for street in streets if "highway" in street.tags], CAR)
        entered = {other for others in there.values() for other in others}
        assert entered == {one for one, others in there.items() if others}
        assert len(entered) > 20


def test_streets_are_of_every_class_and_some_one_way(extracts: list[Extract]) -> None:
    for extract in extracts:
        assert {street.tags["highway"] for street in extract.streets} == CAR | {"pedestrian", "footway"}
        assert {street.tags.get("oneway") for street in extract.streets} == {None, "yes", "-1"}
        assert sum("oneway" in street.tags for street in extract.streets) > 10


def test_the_river_is_crossed_by_bridges_only(extracts: list[Extract]) -> None:
    for extract in extracts:
        dry = onward([s for s in extract.streets if "bridge" not in s.tags], CAR | {"pedestrian", "footway"})
        one_bank = reached(extract.streets[0].refs[0], dry)
        assert 0.1 * len(dry) < len(one_bank) < 0.9 * len(dry)
        bridges = [s for s in extract.streets if "bridge" in s.tags]
        assert 5 < len(bridges) < 30
        assert all(len({ref in one_bank for ref in s.refs}) == 2 for s in bridges)


def test_places_stand_beside_the_streets_they_are_addressed_in(
    world: World, folder: Path, extracts: list[Extract]
) -> None:
    """Save those whose stretch of street the river or the park takes."""
    for city, extract in zip(world.cities, extracts, strict=True):
        lon_m = METRES_PER_DEGREE * math.cos(math.radians(city.lat))
        lines: dict[str, list[Any]] = defaultdict(list)
        for street in extract.streets:
            spots = [extract.spots[ref] for ref in street.refs]
            lines[street.tags.get("name", "")].append(
                shapely.LineString([(lon * lon_m, lat * METRES_PER_DEGREE) for lat, lon in spots])
            )
        merged = {name: shapely.union_all(found) for name, found in lines.items()}
        distances = []
        for item in elements(folder, city.city_id):
            if item.is_node() and "addr:street" in item.tags:
                spot = shapely.Point(item.location.lon * lon_m, item.location.lat * METRES_PER_DEGREE)
                distances.append(merged[item.tags["addr:street"]].distance(spot))
        assert len(distances) > 100
        assert np.mean(np.array(distances) < 18) > 0.95
        assert max(distances) < 350


def matched(world: World, folder: Path, read: Read) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Yield the places whose names are their own in their city, each with its row."""
    planted = {d.native_id for d in listed_dirt(folder)}
    for number, city in enumerate(world.cities):
        kinds = ("restaurant", "stay", "attraction")
        places = [world.place(city, kind, index) for kind in kinds for index in range(world.count(kind))]
        names = Counter(p.name for p in places)
        by_name = {p.name: p for p in places if names[p.name] == 1}
        for row in read(number)[0]:
            if row["name"] in by_name and row["native_id"] not in planted:
                yield by_name[row["name"]], row


def test_the_reader_finds_the_worlds_places(world: World, folder: Path, read: Read) -> None:
    found = list(matched(world, folder, read))
    assert len(found) > 0.6 * len(world.cities) * sum(map(world.count, ("restaurant", "stay", "attraction")))
    assert sum(row["native_id"].startswith("way/") for _, row in found) > 20
    for place, row in found:
        assert abs(row["lat"] - place.lat) * METRES_PER_DEGREE < 7
        assert row["kind"] == place.kind
        if place.cuisines:
            assert len(row["cuisines"]) == len(place.cuisines)
        if place.kind == "attraction":
            assert attraction_categories(world, place)[0] in row["categories"]


def test_hours_are_said_in_many_ways_and_mean_what_is_true(world: World, folder: Path, read: Read) -> None:
    texts: set[str] = set()
    past_midnight = 0
    for place, row in matched(world, folder, read):
        if place.trade == "park" or not row["opening_hours"]:
            continue
        texts.add("".join(" " if c.isdigit() else c for c in row["opening_hours"]))
        for day in (dt.date(2024, 11, 5), dt.date(2024, 11, 8), dt.date(2024, 11, 10)):
            opening, closing = place.hours[day.weekday()] if place.kind != "stay" else (0, 1440)
            windows = opening_windows(row["opening_hours"], day) or []
            assert [(a, b) for a, b in windows if a > 0 or place.kind == "stay"] == [(opening, min(closing, 1440))]
            past_midnight += closing > 1440
    assert len(texts) > 15
    assert past_midnight > 5


def test_every_category_of_attraction_is_mapped(read: Read, world: World) -> None:
    found = {category for number in range(3) for row in read(number)[0] for category in row["categories"]}
    assert found == {t.category for types in TYPES.values() for t in types}
    assert len(found) == 15


def test_each_planted_place_meets_its_fate_and_no_other_is_dropped(world: World, folder: Path, read: Read) -> None:
    dirt = listed_dirt(folder)
    for number, city in enumerate(world.cities):
        rows, rejected = read(number)
        kept = {row["native_id"]: row for row in rows}
        own = [d for d in dirt if d.file.startswith(f"{city.city_id}/")]
        planted = {d.native_id: d.kind for d in own if d.kind in FATE}
        assert {"no_name", "gone", "way_cut_off", "outside_city", "node_and_way", "off_the_streets"} <= {
            d.kind for d in own
        }
        dropped = dict(rejected)
        assert dropped == {i: FATE[kind] for i, kind in planted.items() if FATE[kind] != "kept"}
        for d in own:
            if FATE.get(d.kind) == "kept" and d.native_id in kept:
                assert d.kind != "unreadable_hours" or kept[d.native_id]["opening_hours"] is None
            elif FATE.get(d.kind) == "kept":
                assert d.kind == "unreadable_hours" or d.kind.startswith("name_"), d


def test_a_place_mapped_twice_is_two_elements_at_one_spot(world: World, folder: Path, read: Read) -> None:
    rows, _ = read(0)
    [planted] = [
        d.native_id for d in listed_dirt(folder) if d.kind == "node_and_way" and world.cities[0].city_id in d.file
    ]
    place = world.place(world.cities[0], "restaurant", 0)
    double = next(row for row in rows if row["native_id"] == planted)
    assert (double["kind"], double["name"]) == ("restaurant", place.name)
    assert abs(double["lat"] - place.lat) < 1e-6


def test_stops_and_boundaries(world: World, folder: Path, given_path: Any) -> None:
    for city in world.cities:
        file = given_path(folder / city.city_id / f"{city.city_id}.osm.pbf", "osm", "extract")
        rejected: list[dict[str, str]] = []
        stops = read_stops(file, city.city_id, rejected)
        grid = grid_of(city, SEED)
        lines = bus_lines(grid) + tram_lines(grid, SEED)
        platforms = {(p.name, p.lat, p.lon) for line in lines for p in line.there + line.back}
        assert {(s["name"], s["lat"], s["lon"]) for s in stops} == platforms
        [boundary] = read_boundaries(file, city.city_id, rejected)
        assert (boundary["name"], boundary["admin_level"]) == (city.name, 8)
        area = shapely.geometry.shape({"type": "MultiPolygon", "coordinates": boundary["polygons"]})
        assert area.bounds == pytest.approx((city.box.west, city.box.south, city.box.east, city.box.north))
        planted = {d.native_id for d in listed_dirt(folder) if city.city_id in d.file}
        assert [r["reason"] for r in rejected] == ["missing_value", "bad_coordinates"]
        assert {r["row"].partition("#")[2] for r in rejected} <= planted


def test_without_dirt_the_reader_drops_nothing(world: World, tmp_path: Path, given_path: Any) -> None:
    [path, *_] = osm.write(world, tmp_path, dirt=False)["extract"]
    rejected: list[dict[str, str]] = []
    file = given_path(path, "osm", "extract")
    rows, counts = read_places(file, cities_of(world), rejected)
    read_stops(file, "x", rejected)
    read_boundaries(file, "x", rejected)
    assert (rejected, counts["opening_hours_unreadable"]) == ([], 0)
    assert len(rows) > 100
    assert listed_dirt(tmp_path) == []


def test_the_real_router_takes_it_and_agrees_with_the_graph(world: World, folder: Path, tmp_path: Path) -> None:
    city = world.cities[0]
    path = folder / city.city_id / f"{city.city_id}.osm.pbf"
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    binaries = install_osrm(default_cache_dir())
    (tmp_path / "osrm").mkdir()
    (tmp_path / "osrm" / binaries.name).symlink_to(binaries)
    places = [world.place(city, kind, index) for kind in ("restaurant", "stay") for index in range(20)]
    lat, lon = [p.lat for p in places], [p.lon for p in places]
    with ManagedOsrm(path, sha256, "foot", "mld", cache_dir=tmp_path) as server:
        roads = server.table(lat, lon)
    graph = StreetGraph(path, sha256, "foot").table(lat, lon)
    assert np.isfinite(roads.distances_m).all()
    assert np.max(roads.snap_distances_m) < 60
    assert np.median(np.abs(roads.distances_m - graph.distances_m)) < 5
    assert np.max(roads.distances_m) > 3_000
