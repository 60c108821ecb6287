"""The `graph` engine finds the fastest way over the streets of an extract, as a slow search over every node would."""

from __future__ import annotations

import hashlib
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyproj import Geod

from schemas.source import SourceError
from sources.osm.street_rules import RULES, WayUse, use_of
from sources.osm.streets import StreetGraph
from sources.services.osrm_engine import ManagedOsrm
from sources.services.osrm_install import default_cache_dir, install_osrm

GEOD = Geod(ellps="WGS84")
RESIDENTIAL = {"highway": "residential"}


def extract_of(path, nodes, ways):
    """Write nodes {id: (lat, lon)} and ways [(refs, tags)] as an OSM file."""
    text = "".join(f'<node id="{i}" lat="{lat}" lon="{lon}"/>' for i, (lat, lon) in nodes.items())
    for number, (refs, tags) in enumerate(ways, 1):
        members = "".join(f'<nd ref="{ref}"/>' for ref in refs)
        told = "".join(f'<tag k="{key}" v="{value}"/>' for key, value in tags.items())
        text += f'<way id="{number}">{members}{told}</way>'
    path.write_text(f'<?xml version="1.0"?><osm version="0.6">{text}</osm>')
    return path


def metres(a, b):
    return GEOD.inv(a[1], a[0], b[1], b[0])[2]


CROSS = {1: (0.0, -0.004), 2: (0.0, -0.002), 3: (0.0, 0.0), 4: (0.0, 0.002), 5: (0.0, 0.004), 6: (0.003, 0.0)}


def table_of(tmp_path, ways, places, profile="foot", nodes=CROSS):
    graph = StreetGraph(extract_of(tmp_path / "town.osm", nodes, ways), "ab", profile)
    return graph.table([lat for lat, _ in places], [lon for _, lon in places])


def test_places_are_put_on_the_nearest_point_of_a_street(tmp_path):
    ways = [([1, 2, 3, 4, 5], RESIDENTIAL), ([3, 6], RESIDENTIAL)]
    table = table_of(tmp_path, ways, [(0.0001, -0.003), (-0.0001, 0.0015), (0.002, 0.0002)])
    on_street = [(0.0, -0.003), (0.0, 0.0015), (0.002, 0.0)]
    corner = (0.0, 0.0)
    expected = metres(on_street[0], on_street[1]), metres(on_street[0], corner) + metres(corner, on_street[2])
    assert table.distances_m[0].tolist() == pytest.approx([0, *expected], abs=0.1)
    assert table.times_s[0].tolist() == pytest.approx([0, *(d / (5 / 3.6) for d in expected)], abs=0.1)
    assert table.snap_distances_m.tolist() == pytest.approx([11.1, 11.1, 22.3], abs=0.1)
    assert table.distances_m.tolist() == table.distances_m.T.tolist()


def test_two_places_on_one_stretch_need_not_go_to_its_end(tmp_path):
    table = table_of(tmp_path, [([1, 2, 3, 4, 5], RESIDENTIAL)], [(0.0, 0.0005), (0.0, 0.0015), (0.0, 0.0005)])
    assert table.distances_m.round(0).tolist() == [[0, 111, 0], [111, 0, 111], [0, 111, 0]]


def test_two_places_at_one_point_of_a_one_way_street_are_no_round_trip_apart(tmp_path):
    block = {1: (0.0, 0.0), 2: (0.0, 0.001), 3: (0.001, 0.001), 4: (0.001, 0.0)}
    ways = [([1, 2], RESIDENTIAL | {"oneway": "yes"}), ([2, 3, 4, 1], RESIDENTIAL)]
    assert not table_of(tmp_path, ways, [(0.0, 0.0004), (0.0, 0.0004)], "car", block).times_s.any()


@pytest.mark.parametrize("oneway", ["yes", "-1"])
def test_at_a_corner_every_street_is_open_whichever_comes_first(tmp_path, oneway):
    block = {1: (0.0, 0.0), 2: (0.0, 0.001), 3: (0.001, 0.001), 4: (0.001, 0.0)}
    ways = [([1, 2], RESIDENTIAL | {"oneway": oneway}), ([2, 3, 4, 1], RESIDENTIAL)]
    table = table_of(tmp_path, ways, [(0.0, 0.0), (0.0005, 0.0), (0.0, 0.001), (0.0005, 0.001)], "car", block)
    assert table.distances_m[0, 1] == table.distances_m[1, 0] == pytest.approx(55.3, abs=0.1)
    assert table.distances_m[2, 3] == table.distances_m[3, 2] == pytest.approx(55.3, abs=0.1)


def test_a_one_way_street_is_one_way_for_cars_only(tmp_path):
    block = {1: (0.0, 0.0), 2: (0.0, 0.001), 3: (0.001, 0.001), 4: (0.001, 0.0)}
    ways = [([1, 2], RESIDENTIAL | {"oneway": "yes"}), ([2, 3, 4, 1], RESIDENTIAL)]
    places = [(0.0, 0.0002), (0.0, 0.0008)]
    car = table_of(tmp_path, ways, places, "car", block).distances_m
    foot = table_of(tmp_path, ways, places, "foot", block).distances_m
    assert foot.round(0).tolist() == [[0, 67], [67, 0]]
    assert car[0, 1].round(0) == 67
    assert car[1, 0] == pytest.approx(22.26 + 110.57 + 111.32 + 110.57 + 22.26, abs=0.2)


def test_the_faster_way_wins_over_the_shorter_and_its_own_length_is_given(tmp_path):
    nodes = {1: (0.0, 0.0), 2: (0.0, 0.01), 3: (0.004, 0.005)}
    ways = [([1, 2], {"highway": "living_street"}), ([1, 3, 2], {"highway": "primary"})]
    table = table_of(tmp_path, ways, [(0.0, 0.0), (0.0, 0.01)], "car", nodes)
    around = 2 * metres(nodes[1], nodes[3])
    assert table.distances_m[0, 1] == pytest.approx(around, abs=0.1)
    assert table.times_s[0, 1] == pytest.approx(around / (65 / 3.6), abs=0.1)


def test_a_part_cut_off_from_the_town_is_left_out(tmp_path):
    nodes = CROSS | {7: (0.01, 0.0), 8: (0.01, 0.0001)}
    ways = [([1, 2, 3, 4, 5], RESIDENTIAL), ([3, 6], RESIDENTIAL), ([7, 8], RESIDENTIAL)]
    table = table_of(tmp_path, ways, [(0.0, 0.0), (0.01, 0.0)], nodes=nodes)
    assert table.snap_distances_m[1] == pytest.approx(774.0, abs=0.5)
    assert np.isfinite(table.times_s).all()


def test_no_places_make_an_empty_table(tmp_path):
    assert table_of(tmp_path, [([1, 2], RESIDENTIAL)], []).times_s.shape == (0, 0)


@st.composite
def towns(draw):
    """Small towns whose streets share corners, overlap, run one way or in rings; no three corners are in line."""
    shift = np.random.default_rng(1).uniform(-2e-4, 2e-4, (16, 2))
    at = np.round(np.column_stack([np.arange(16) // 4 / 1000, np.arange(16) % 4 / 900]) + shift, 6).tolist()
    nodes = {i + 1: tuple(lat_lon) for i, lat_lon in enumerate(at)}
    steps = st.lists(st.sampled_from(sorted(nodes)), min_size=2, max_size=6)
    kinds = st.sampled_from(
        [RESIDENTIAL, {"highway": "primary"}, RESIDENTIAL | {"oneway": "yes"}, {"highway": "service"}]
    )
    ways = draw(st.lists(st.tuples(steps, kinds), min_size=1, max_size=8))
    corners = draw(st.lists(st.sampled_from(sorted(nodes)), min_size=1, max_size=5))
    return nodes, ways, corners


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(towns(), st.sampled_from(["car", "foot"]))
def test_ways_are_those_of_a_search_over_every_node(tmp_path, town, profile):
    nodes, ways, corners = town
    slow = nx.DiGraph()
    for refs, tags in ways:
        use = use_of(tags, RULES[profile])
        assert use is not None
        for a, b in pairwise(refs):
            if a == b:
                continue
            length = metres(nodes[a], nodes[b])
            for here, there, is_open in ((a, b, use.is_open_forward), (b, a, use.is_open_backward)):
                known = slow.get_edge_data(here, there, {"time": float("inf")})
                if is_open and length / use.speed_m_s < known["time"]:
                    slow.add_edge(here, there, time=length / use.speed_m_s)
    parts = list(nx.strongly_connected_components(slow))
    whole = max(parts, key=len, default=set())
    if len(whole) < 2 or sum(len(part) > 1 for part in parts) > 1:
        return  # which of several parts is the largest, by junctions or by corners, is another question
    corners = [corner for corner in corners if corner in whole]
    graph = StreetGraph(extract_of(tmp_path / "town.osm", nodes, ways), "ab", profile)
    table = graph.table([nodes[c][0] for c in corners], [nodes[c][1] for c in corners])
    expected = [[nx.dijkstra_path_length(slow.subgraph(whole), a, b, "time") for b in corners] for a in corners]
    assert table.times_s.tolist() == [pytest.approx(row, abs=0.3) for row in expected]


@pytest.mark.parametrize(
    ("tags", "profile", "expected"),
    [
        ({"highway": "residential"}, "car", WayUse(25 / 3.6, True, True)),
        ({"highway": "residential", "maxspeed": "20"}, "car", WayUse(20 / 3.6, True, True)),
        ({"highway": "primary", "maxspeed": "20 mph"}, "car", WayUse(20 * 1.609344 / 3.6, True, True)),
        ({"highway": "residential", "maxspeed": "walk"}, "car", WayUse(25 / 3.6, True, True)),
        ({"highway": "residential", "maxspeed": "0"}, "car", WayUse(25 / 3.6, True, True)),
        ({"highway": "residential", "oneway": "yes"}, "car", WayUse(25 / 3.6, True, False)),
        ({"highway": "residential", "oneway": "-1"}, "car", WayUse(25 / 3.6, False, True)),
        ({"highway": "residential", "junction": "roundabout"}, "car", WayUse(25 / 3.6, True, False)),
        ({"highway": "motorway"}, "car", WayUse(90 / 3.6, True, False)),
        ({"highway": "motorway", "oneway": "no"}, "car", WayUse(90 / 3.6, True, True)),
        ({"highway": "motorway"}, "foot", None),
        ({"highway": "steps"}, "foot", WayUse(5 / 3.6, True, True)),
        ({"highway": "steps"}, "bicycle", None),
        ({"highway": "residential", "oneway": "yes"}, "foot", WayUse(5 / 3.6, True, True)),
        ({"highway": "residential", "oneway": "yes"}, "bicycle", WayUse(15 / 3.6, True, False)),
        ({"highway": "residential", "oneway": "yes", "oneway:bicycle": "no"}, "bicycle", WayUse(15 / 3.6, True, True)),
        ({"highway": "service", "access": "private"}, "car", None),
        ({"highway": "service", "access": "private", "foot": "yes"}, "foot", WayUse(5 / 3.6, True, True)),
        ({"highway": "service", "motor_vehicle": "no"}, "car", None),
        ({"highway": "pedestrian", "area": "yes"}, "foot", None),
        ({"highway": "proposed"}, "foot", None),
        ({"building": "yes"}, "foot", None),
    ],
)
def test_who_may_use_a_way_and_how_fast(tags, profile, expected):
    assert use_of(tags, RULES[profile]) == expected


@pytest.mark.parametrize(("profile", "low", "high"), [("foot", 0.97, 1.03), ("car", 0.8, 1.05)])
def test_monaco_agrees_with_osrm_but_for_what_turns_cost_a_car(shared_data, profile, low, high):
    path = shared_data / "osm" / "monaco.osm.pbf"
    sha = hashlib.sha256(path.read_bytes()).hexdigest()
    graph = StreetGraph(path, sha, profile)
    rng = np.random.default_rng(3)
    ends = graph.lines[rng.choice(len(graph.lines), 60, replace=False)]
    lat, lon = ends[:, 0], ends[:, 1]
    install_osrm(default_cache_dir())
    with ManagedOsrm(path, sha, profile, "mld", cache_dir=default_cache_dir()) as osrm:
        theirs = osrm.table(lat, lon)
    ours = graph.table(lat, lon)
    long = theirs.times_s > 120
    ratio = ours.times_s[long] / theirs.times_s[long]
    assert low < np.median(ratio) < high
    assert ((low - 0.1 < ratio) & (ratio < high + 0.1)).mean() > 0.9
    assert np.median(np.abs(ours.snap_distances_m - theirs.snap_distances_m)) < 0.2


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<html></html>", "begins b'<html></html>'; expected an OpenStreetMap extract"),
        (
            '<?xml version="1.0"?><osm version="0.6"></osm>',
            "has no way that one may use by car; expected an extract with streets. If it has some, the city's `box`",
        ),
        ('<?xml version="1.0"?><osm version="0.6"><node id="1"', "cannot be read as OSM"),
    ],
)
def test_what_is_no_extract_with_streets_is_named(tmp_path, content, message):
    path = tmp_path / "town.osm"
    path.write_text(content)
    with pytest.raises(SourceError, match=message):
        StreetGraph(path, "ab", "car")
