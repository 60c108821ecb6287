"""The ground of a map: what is drawn of an extract, where it is cut, and that it stays small."""

from __future__ import annotations

import math

import pytest

from assets.release.page import ground as module
from assets.release.page.ground import MAX_VERTICES, UNIT_DEG, ground, shown
from schemas.recipe import City
from sources.osm.ground import LAYERS, layer_of

CITY = City(
    city_id="us-in-alder",
    name="Alder",
    country="US",
    box={"south": 40.0, "west": -86.0, "north": 40.02, "east": -85.99},  # pyright: ignore[reportArgumentType]
)


def osm(ways: dict[str, tuple[list[tuple[float, float]], dict[str, str]]]) -> str:
    """Return an OpenStreetMap file of ways: corners as lat and lon, and tags. A ring ends where it began."""
    nodes: dict[tuple[float, float], int] = {}
    text = []
    for number, (corners, tags) in enumerate(ways.values(), start=1):
        refs = "".join(f'<nd ref="{nodes.setdefault(corner, len(nodes) + 1)}"/>' for corner in corners)
        words = "".join(f'<tag k="{key}" v="{value}"/>' for key, value in tags.items())
        text.append(f'<way id="{number}" version="1">{refs}{words}</way>')
    places = [f'<node id="{n}" version="1" lat="{lat}" lon="{lon}"/>' for (lat, lon), n in nodes.items()]
    return f'<osm version="0.6">{"".join(places)}{"".join(text)}</osm>'


def points(flat: list[int]) -> list[tuple[float, float]]:
    """Return a flat line's vertices in degrees."""
    lat = lon = 0
    found = []
    for down, right in zip(flat[::2], flat[1::2], strict=True):
        lat, lon = lat + down, lon + right
        found.append((round(lat * UNIT_DEG, 5), round(lon * UNIT_DEG, 5)))
    return found


def test_streets_water_and_green_lie_in_their_layers_where_they_are(raw_file):
    lake = [(40.001, -85.999), (40.003, -85.999), (40.003, -85.996), (40.001, -85.999)]
    drawn = ground(
        [
            raw_file(
                "osm",
                "extract",
                osm(
                    {
                        "avenue": ([(40.0, -86.0), (40.01, -85.995)], {"highway": "primary"}),
                        "lane": ([(40.01, -85.995), (40.02, -85.99)], {"highway": "residential"}),
                        "lake": (lake, {"natural": "water"}),
                        "path": ([(40.0, -85.99), (40.02, -85.99)], {"highway": "footway"}),
                        "metro": ([(40.0, -85.99), (40.02, -85.99)], {"railway": "subway", "tunnel": "yes"}),
                    }
                ),
            )
        ],
        CITY,
    )
    assert sorted(drawn) == ["major", "minor", "water"]
    assert points(drawn["major"][0]) == [(40.0, -86.0), (40.01, -85.995)]
    assert set(points(drawn["water"][0])) == set(lake)


def test_a_street_is_cut_where_the_map_ends(raw_file):
    west, south, east, north = shown(CITY)
    street = osm({"long": ([(40.01, -87.0), (40.01, -85.0)], {"highway": "trunk"})})
    [[line]] = ground([raw_file("osm", "extract", street)], CITY).values()
    assert {lat for lat, _ in points(line)} == {40.01}
    assert [lon for _, lon in points(line)] == pytest.approx([west, east], abs=UNIT_DEG)
    assert south < 40.0
    assert north > 40.02


def test_what_is_shown_has_the_shape_of_a_screen_and_holds_the_city():
    west, south, east, north = shown(CITY)
    wide = (east - west) * math.cos(math.radians(40.01))
    assert wide / (north - south) == pytest.approx(module.SCREEN, rel=0.01)
    assert west < -86.0
    assert east > -85.99


def test_a_straight_street_of_many_pieces_is_one_of_two_ends(raw_file):
    pieces = {
        str(n): ([(40.0 + n / 1e4, -85.995), (40.0 + (n + 1) / 1e4, -85.995)], {"highway": "primary"})
        for n in range(100)
    }
    [[line]] = ground([raw_file("osm", "extract", osm(pieces))], CITY).values()
    assert points(line) == [(40.0, -85.995), (40.01, -85.995)]


def test_a_town_of_too_many_streets_loses_the_small_ones_only(raw_file, monkeypatch):
    monkeypatch.setattr(module, "MAX_VERTICES", 60)
    grid = {}
    for n in range(40):
        lat = 40.0 + n / 2000
        grid[f"lane{n}"] = ([(lat, -86.0), (lat, -85.99)], {"highway": "residential"})
    grid["avenue"] = ([(40.0, -85.995), (40.02, -85.995)], {"highway": "primary"})
    drawn = ground([raw_file("osm", "extract", osm(grid))], CITY)
    assert sorted(drawn) == ["major"]
    assert MAX_VERTICES > 60


@pytest.mark.parametrize(
    ("tags", "layer"),
    [
        ({"highway": "motorway_link"}, "major"),
        ({"highway": "tertiary"}, "middle"),
        ({"highway": "steps"}, None),
        ({"railway": "tram", "highway": "residential"}, "minor"),
        ({"natural": "coastline"}, "river"),
        ({"leisure": "park"}, "green"),
        ({"amenity": "bench"}, None),
    ],
)
def test_tags_tell_the_layer(tags, layer):
    assert layer_of(tags) == layer
    assert layer is None or layer in LAYERS
