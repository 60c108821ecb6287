"""The outline of a town is that of its boundary, wherever on earth it lies and of however many parts it is."""

from __future__ import annotations

import pytest

from tests.sources.osm_text import corners, node, relation, way
from tests.sources.test_osm_town import FAR, MARKS, in_order, square


def test_a_boundary_over_the_antimeridian_has_a_box_that_crosses_it(town_map):
    spots = [(-17.0, 179.9), (-17.0, -179.9), (-16.8, -179.9), (-16.8, 179.9)]
    nodes = [node(n, lat, lon) for n, (lat, lon) in enumerate(spots, 1)]
    ring = [way(1, [1, 2, 3, 4, 1])]
    town = (nodes, ring, [relation(7, [("way", 1, "outer")], **MARKS, name="Taveuni", admin_level="8")])
    found = town_map(*in_order(town, nodes=FAR)).area("Taveuni")
    assert (found.box.west, found.box.east) == (179.9, -179.9)
    assert town_map(*nodes).extent.west == 179.9


@pytest.mark.parametrize("west", [-179.5, -111.2, -90.05, 89.95, 111.2, 179.5])
def test_a_boundary_far_from_greenwich_is_a_ring_of_degrees_as_recipes_write_them(town_map, west):
    """It is drawn by four ways, of which some may lie on one side of 90 degrees, as that of New Orleans."""
    sides = [way(number, [number, number % 4 + 1]) for number in range(1, 5)]
    ring = relation(7, [("way", number, "outer") for number in range(1, 5)], **MARKS, name="Tuba", admin_level="8")
    area = town_map(*in_order((corners(1, 0, west, 0.1), sides, [ring]), nodes=FAR)).area("Tuba")
    assert {round(lon - west, 5) for _, lon in area.polygon or ()} == {0.0, 0.1}


def test_of_a_town_with_parts_on_both_sides_of_the_antimeridian_one_is_a_ring_as_recipes_write_them(town_map):
    west, east = square(1, 7, 0, 179.5, 0.1), square(11, 8, 0, -179.9, 0.2)
    both = relation(7, [("way", 1, "outer"), ("way", 11, "outer")], **MARKS, name="Tuba", admin_level="8")
    area = town_map(*in_order((west[0] + east[0], west[1] + east[1], [both]), nodes=FAR)).area("Tuba")
    assert {lon for _, lon in area.polygon or ()} == {-179.9, -179.7}


def test_of_a_town_in_parts_the_one_with_its_node_is_taken(town_map):
    large, small = square(1, 7, 0, 0, 0.2), square(11, 8, 1, 1, 0.1)
    both = relation(7, [("way", 1, "outer"), ("way", 11, "outer")], **MARKS, name="Vaduz", admin_level="8")
    town = (large[0] + small[0], large[1] + small[1], [both])
    at = node(50, 1.05, 1.05, place="village", name="Vaduz")
    assert town_map(*in_order(town, nodes=[*FAR])).area("Vaduz").box.north == 0.2
    assert town_map(*in_order(town, nodes=[*FAR, at])).area("Vaduz").box.north == 1.1


def test_what_a_town_encloses_and_is_not_its_own_is_taken_in_and_told(town_map):
    around, inside = square(1, 7, 0, 0, 0.2), square(11, 8, 0.05, 0.05, 0.1)
    both = relation(7, [("way", 1, "outer"), ("way", 11, "inner")], **MARKS, name="Roma", admin_level="8")
    area = town_map(*in_order((around[0], around[1], []), (inside[0], inside[1], [both]), nodes=FAR)).area("Roma")
    assert area.found_by == "its boundary, relation/7 of admin_level 8, and of what that encloses"
    assert len(area.polygon or ()) == 4
