"""The line of a way is as long as the table says, and goes along the streets."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from pyproj import Geod

from sources.osm.street_ways import ways_along
from sources.osm.streets import StreetGraph
from tests.sources.test_streets import extract_of

GEOD = Geod(ellps="WGS84")
STREET = {"highway": "residential"}
BENT = {
    1: (0.0, 0.0), 2: (0.0, 0.001), 3: (0.001, 0.001), 4: (0.001, 0.002), 5: (0.0, 0.003), 6: (-0.002, 0.001),
    7: (0.003, 0.0), 8: (0.003, 0.002),
}  # fmt: skip


def length_m(way) -> float:
    return sum(GEOD.inv(a[1], a[0], b[1], b[0])[2] for a, b in pairwise(way))


@pytest.fixture
def town(tmp_path):
    ways = [([1, 2, 3, 4, 5], STREET), ([2, 6], STREET), ([3, 7], STREET | {"oneway": "yes"}), ([7, 8, 4], STREET)]
    return lambda profile: StreetGraph(extract_of(tmp_path / "town.osm", BENT, ways), "ab", profile)


def test_a_way_bends_with_its_streets(town):
    (way,) = ways_along(town("foot"), [(0.0, 0.0, 0.0, 0.003)])
    assert way is not None
    assert way.round(6).tolist() == [[*BENT[1]], *[[*BENT[n]] for n in (1, 2, 3, 4, 5)], [*BENT[5]]]


@pytest.mark.parametrize("profile", ["foot", "car"])
def test_every_way_is_as_long_as_the_table_says_and_begins_and_ends_at_its_places(town, profile):
    graph = town(profile)
    rng = np.random.default_rng(5)
    places = np.column_stack([rng.uniform(-0.002, 0.003, 12), rng.uniform(0, 0.003, 12)])
    table = graph.table(places[:, 0], places[:, 1])
    pairs = [(i, j) for i in range(12) for j in range(12) if i != j]
    ways = ways_along(graph, [(*places[i], *places[j]) for i, j in pairs])
    for (i, j), way in zip(pairs, ways, strict=True):
        assert way is not None
        assert way[0].tolist() == places[i].tolist()
        assert way[-1].tolist() == places[j].tolist()
        assert length_m(way[1:-1]) == pytest.approx(table.distances_m[i, j], abs=0.3)


def test_between_streets_that_do_not_meet_the_table_has_no_distance_and_there_is_no_way(tmp_path):
    nodes = {1: (0.0, 0.0), 2: (0.0, 0.001), 3: (0.0, 0.01), 4: (0.0, 0.011)}
    graph = StreetGraph(extract_of(tmp_path / "apart.osm", nodes, [([1, 2], STREET), ([3, 4], STREET)]), "ab", "foot")
    here, near, far = (0.0, 0.0002), (0.0, 0.0008), (0.0, 0.0105)
    distances_m = graph.table(*np.transpose([here, near, far])).distances_m
    assert np.isnan(distances_m).tolist() == [[False, False, True], [False, False, True], [True, True, False]]
    ways = ways_along(graph, [(*here, *near), (*here, *far), (*far, *near)])
    assert [way is None for way in ways] == [False, True, True]


def test_no_pairs_no_ways(town):
    assert ways_along(town("foot"), []) == []


def test_along_one_street_of_many_bends_both_ways_are_one_line(tmp_path):
    nodes = {1: (0.0, 0.0), 2: (0.001, 0.001), 3: (0.0, 0.002), 4: (0.001, 0.003), 5: (0.0, 0.004)}
    graph = StreetGraph(extract_of(tmp_path / "zigzag.osm", nodes, [([1, 2, 3, 4, 5], STREET)]), "ab", "foot")
    here, there = (0.0005, 0.0005), (0.0005, 0.0035)
    onward, back = ways_along(graph, [(*here, *there), (*there, *here)])
    assert onward is not None
    assert back is not None
    assert onward[2:-2].round(6).tolist() == [list(nodes[n]) for n in (2, 3, 4)]
    assert back.round(6).tolist() == onward[::-1].round(6).tolist()
