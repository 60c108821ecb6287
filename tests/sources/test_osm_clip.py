"""A region cut to cities: what the slow way finds, element by element, in order, whatever the region's file is like."""

from __future__ import annotations

import bz2
import gzip
import random
import zlib
from pathlib import Path
from typing import Any

import osmium
import osmium.io
import osmium.osm
import osmium.osm.mutable as new
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.recipe_values import Box
from schemas.source import SourceError
from sources.osm import pbf
from sources.osm.blocks import is_in_order
from sources.osm.city_extract import MARGIN_M, city_extract, city_extracts, widened
from sources.osm.clip import cut

TOWN = Box(south=10.0, west=20.0, north=11.0, east=21.0)
WIDE = Box(south=5.0, west=19.0, north=15.0, east=22.0)
OVER = Box(south=-5.0, west=179.0, north=5.0, east=-179.0)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TRIPWRIGHT_CACHE", str(tmp_path / "cache"))


def region(path: Path, seed=1, nodes=3000, *, shuffled=False, suffix="osm.pbf") -> Path:
    """Write an invented region: nodes all over, ways of near ids, relations of both; tags on a third of them."""
    draw = random.Random(seed)
    ids = sorted(draw.sample(range(1, 12_000_000_000), nodes))
    spots = [
        (
            draw.uniform(-20, 30),
            draw.choice([draw.uniform(18, 23), draw.uniform(-180, 180), draw.choice([-179.5, 179.5])]),
        )
        for _ in ids
    ]
    things: list = [
        new.Node(id=i, location=(lon, lat), tags={"name": f"Nøde {i} 北京"} if i % 3 == 0 else {})
        for i, (lat, lon) in zip(ids, spots, strict=True)
    ]
    ways = sorted(draw.sample(range(1, 10**9), nodes // 4))
    things += [new.Way(id=i, nodes=draw.choices(ids, k=draw.randint(0, 9)), tags={"highway": "path"}) for i in ways]
    members = [("n", ids), ("w", ways)]
    for number in range(1, nodes // 4):
        kinds = [draw.choice(members) for _ in range(draw.randint(0, 4))]
        things.append(new.Relation(id=number, members=[(kind, draw.choice(of), "outer") for kind, of in kinds]))
    if shuffled:
        draw.shuffle(things)
    target = path / f"region.{suffix}"
    with osmium.SimpleWriter(str(target), overwrite=True) as writer:
        for thing in things:
            writer.add(thing)
    return target


def described(path: Path) -> list[Any]:
    """Return every element of a file as type, id and all that it says, in the file's order."""
    found: list[Any] = []
    for item in osmium.FileProcessor(str(path)):
        tags = tuple(sorted(dict(item.tags).items()))
        if isinstance(item, osmium.osm.Node):
            found.append(("n", item.id, (round(item.location.lat, 7), round(item.location.lon, 7)), tags))
        elif isinstance(item, osmium.osm.Way):
            found.append(("w", item.id, tuple(node.ref for node in item.nodes), tags))
        elif isinstance(item, osmium.osm.Relation):
            found.append(("r", item.id, tuple((m.type, m.ref, m.role) for m in item.members), tags))
    return found


def slowly_cut(path: Path, box: Box):
    """Return what a cut with complete ways holds, the obvious way."""
    everything = described(path)
    inside = {item[1] for item in everything if item[0] == "n" and box.contains(*item[2])}
    ways = [item for item in everything if item[0] == "w" and inside & set(item[2])]
    needed = inside.union(*(item[2] for item in ways))
    held = {("n", i) for i in inside} | {("w", way[1]) for way in ways}
    kept = [item for item in everything if item[0] == "n" and item[1] in needed] + ways
    kept += [item for item in everything if item[0] == "r" and held & {m[:2] for m in item[2]}]
    return sorted(kept, key=lambda item: ("nwr".index(item[0]), item[1]))


@pytest.mark.parametrize("suffix", ["osm.pbf", "osm", "osm.bz2", "osm.gz"])
@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("box", [WIDE, OVER])
def test_a_cut_holds_what_the_slow_way_finds_in_order(tmp_path, box, shuffled, suffix):
    source = region(tmp_path, nodes=700, shuffled=shuffled, suffix=suffix)
    assert cut(source, [box], [tmp_path / "town.osm.pbf"]) == [False]
    found = described(tmp_path / "town.osm.pbf")
    assert found == slowly_cut(source, box)
    assert {kind for kind, *_ in found} == {"n", "w", "r"}


def test_several_cities_are_cut_in_one_reading_each_as_if_alone(tmp_path, monkeypatch):
    source = region(tmp_path, nodes=9000)
    alone = []
    for n, box in enumerate((TOWN, OVER)):
        cut(source, [box], [tmp_path / f"alone{n}.osm.pbf"])
        alone.append((tmp_path / f"alone{n}.osm.pbf").read_bytes())
    together = [tmp_path / "a.osm.pbf", tmp_path / "b.osm.pbf"]
    cut(source, [TOWN, OVER], together)
    assert [path.read_bytes() for path in together] == alone


def test_a_cut_has_a_header_with_its_box_and_says_that_it_is_sorted(tmp_path):
    cut(region(tmp_path), [TOWN], [tmp_path / "town.osm.pbf"])
    header = osmium.io.Reader(str(tmp_path / "town.osm.pbf")).header()
    box = header.box()
    assert (box.bottom_left.lat, box.bottom_left.lon, box.top_right.lat, box.top_right.lon) == (10, 20, 11, 21)
    assert header.get("sorting") == "Type_then_ID"


def test_a_part_that_is_all_there_is_is_not_written_again(tmp_path):
    world = Box(south=-90, west=-180, north=90, east=180)
    assert cut(region(tmp_path), [world], [tmp_path / "town.osm.pbf"]) == [True]
    assert not (tmp_path / "town.osm.pbf").exists()


def test_what_is_kept_is_shared_and_made_once(tmp_path, given_bytes, monkeypatch):
    monkeypatch.setattr("sources.osm.city_extract.READ_WHOLE_BYTES", 0)
    file = given_bytes(region(tmp_path).read_bytes(), "osm", "extract")
    one, other = city_extracts(file, [TOWN, OVER])
    made = {path: path.stat().st_mtime_ns for path in (one.path, other.path)}
    assert (city_extract(file, OVER), city_extract(file, TOWN)) == (other, one)
    assert {path: path.stat().st_mtime_ns for path in made} == made
    assert one.snapshot == file.snapshot
    assert len({one.sha256, other.sha256, file.snapshot.sha256}) == 3


SOUTH, NORTH = (Box(south=s, west=-179.99, north=n, east=179.99) for s, n in ((-20.0, 7.0), (7.0, 30.0)))
"""In the first lies the larger half of the region's nodes, in the second the smaller."""


def test_a_small_file_in_order_of_which_half_lies_in_the_city_is_read_as_it_is(tmp_path, given_bytes):
    file = given_bytes(region(tmp_path).read_bytes(), "osm", "extract")
    assert city_extract(file, SOUTH).path == file.path
    shuffled = given_bytes(region(tmp_path, nodes=700, shuffled=True).read_bytes(), "osm", "extract")
    assert city_extract(shuffled, SOUTH).path != shuffled.path


def test_of_a_small_file_of_many_towns_each_reads_its_own_part(tmp_path, given_bytes):
    source = region(tmp_path)
    file = given_bytes(source.read_bytes(), "osm", "extract")
    for box in (TOWN, NORTH):
        assert described(city_extract(file, box).path) == slowly_cut(source, widened(box, MARGIN_M))


@pytest.mark.parametrize(
    "thing",
    [
        new.Node(id=-7, location=(20.5, 10.5)),
        new.Way(id=-7, nodes=[], tags={"highway": "path"}),
        new.Relation(id=-7, members=[]),
    ],
    ids=["node", "way", "relation"],
)
def test_what_was_never_uploaded_is_refused_with_what_numbers_it(tmp_path, thing):
    """No row could point to it, and a way of such nodes is no street to those who read by ids."""
    drawn = tmp_path / "drawn.osm"
    with osmium.SimpleWriter(str(drawn)) as writer:
        writer.add(thing)
    with pytest.raises(SourceError, match=r"drawn\.osm: found an element with the id -7.*osmium renumber"):
        cut(drawn, [TOWN], [tmp_path / "cut.osm.pbf"])


@pytest.mark.parametrize("shuffled", [False, True])
def test_a_file_is_in_order_if_reading_it_element_by_element_says_so(tmp_path, shuffled):
    ids = [3, 1, 2] if shuffled else [1, 2, 3]
    nodes = [new.Node(id=i, location=(20.5, 10.5)) for i in (1, 2, 3)]
    ways = [new.Way(id=i, nodes=[1, 2]) for i in (1, 2, 3)]
    relations = [new.Relation(id=i, members=[("n", 1, "")]) for i in (1, 2, 3)]
    plain = [*nodes, *ways, *relations]
    many = [new.Node(id=i, location=(20.5, 10.5)) for i in range(1, 8001)]  # as many as a block holds
    for number, things in enumerate(
        (
            plain,
            [nodes[i - 1] for i in ids],
            [ways[i - 1] for i in ids],
            [relations[i - 1] for i in ids],
            [*plain, nodes[0]] if shuffled else plain[:-1],
            [*ways, *nodes] if shuffled else plain[3:],
            [nodes[0], nodes[0]] if shuffled else nodes[:1],
            [*many, many[-1]] if shuffled else many,
        )
    ):
        for packing in ("true", "false"):
            path = tmp_path / f"{number}-{packing}.osm.pbf"
            with osmium.SimpleWriter(osmium.io.File(str(path), f"pbf,pbf_dense_nodes={packing}")) as writer:
                for thing in things:
                    writer.add(thing)
            assert is_in_order(path) is (not shuffled or number == 0)


def test_a_history_is_refused_by_name(tmp_path):
    header = osmium.io.Header()
    header.has_multiple_object_versions = True
    with osmium.SimpleWriter(str(tmp_path / "h.osh.pbf"), header=header) as made:
        made.add(new.Node(id=1, version=1, location=(20.5, 10.5)))
    with pytest.raises(SourceError, match="history of versions"):
        cut(tmp_path / "h.osh.pbf", [TOWN], [tmp_path / "town.osm.pbf"])


def xml(*elements, root='<osm version="0.6">', tail=""):
    return f"<?xml version='1.0'?>\n{root}{''.join(elements)}{tail}</osm>"


def xml_node(number, more=""):
    return f'<node id="{number}" version="1" {more} lat="10.5" lon="20.5"/>\n'


WAY = '<way id="5" version="1">{}<nd ref="1"/><nd ref="2"/><tag k="highway" v="path"/></way>'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (xml(xml_node(1), xml_node(1), xml_node(2)), "node 1 twice in a row, as a history of versions"),
        (xml(xml_node(9), WAY.format("")), "ways of whose nodes it lacks 2 of 2.* out body; >; out skel qt;"),
        (xml(xml_node(9), WAY.format('<center lat="1" lon="1"/>')), "middles of ways .*out body; >; out skel qt;"),
        (xml(xml_node(1), tail="<remark>runtime error: timed out</remark>"), "the remark 'runtime error: timed out'"),
        (
            xml(xml_node(1), xml_node(2, "action='delete'"), root="<osm version='0.6' generator='JOSM'>"),
            r"elements that are deleted in JOSM and not uploaded \(1\)",
        ),
        (
            xml(xml_node(1), xml_node(2, "visible='false'")),
            "node 2 with visible=false, which is deleted; expected what",
        ),
        ('{"version": 0.6, "elements": []}', "It is JSON, as Overpass answers"),
    ],
    ids=["history", "no recursion", "middles", "stopped half-way", "edited", "deleted", "JSON"],
)
def test_what_holds_less_than_a_map_is_refused_with_what_to_ask_for(tmp_path, text, problem):
    (tmp_path / "map.osm").write_text(text)
    with pytest.raises(SourceError, match=f"city.osm: found .*{problem}"):
        cut(tmp_path / "map.osm", [TOWN], [tmp_path / "town.osm.pbf"], "city.osm")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
@pytest.mark.parametrize("at", [1, 9000, 30_000])
def test_what_is_deleted_is_found_wherever_it_stands_in_a_packed_map(tmp_path, pack, at):
    nodes = [xml_node(number, 'visible="false"' if number == at else 'visible="true"') for number in range(1, 30_001)]
    (tmp_path / "map.osm").write_bytes(pack(xml(*nodes).encode()))
    with pytest.raises(SourceError, match=f"city.osm: found node {at} with visible=false"):
        cut(tmp_path / "map.osm", [TOWN], [tmp_path / "town.osm.pbf"], "city.osm")
    (tmp_path / "map.osm").write_bytes(pack(xml(*nodes).encode())[:-40])
    with pytest.raises(SourceError, match=r"city\.osm: found "):
        cut(tmp_path / "map.osm", [TOWN], [tmp_path / "town.osm.pbf"], "city.osm")


def test_what_is_deleted_is_found_where_the_text_is_read_in_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr("sources.osm.file.CHUNK_BYTES", 20)
    (tmp_path / "map.osm").write_text(xml(xml_node(1), xml_node(2, "visible='false'")))
    with pytest.raises(SourceError, match="node 2 with visible=false"):
        cut(tmp_path / "map.osm", [TOWN], [tmp_path / "town.osm.pbf"])


def test_text_about_what_is_visible_deletes_nothing(tmp_path):
    note = "<node id='3' visible='true' lat='10.5' lon='20.5'><tag k='note' v='visible=\"false\"'/></node>"
    (tmp_path / "map.osm").write_text(xml(xml_node(1), note))
    assert cut(tmp_path / "map.osm", [TOWN], [tmp_path / "town.osm.pbf"], outside=0.5) == [True]


@pytest.mark.parametrize(("field", "method"), [(4, "lzma"), (7, "zstd")])
def test_blocks_that_nobody_unpacks_here_are_said_to_be_packed_otherwise(tmp_path, field, method):
    """It was to be downloaded again, which gives the same."""
    blob = bytes([2 << 3, 9, field << 3 | 2, 3]) + b"abc"
    header = b"\x0a\x07OSMData\x18" + _number(len(blob))
    first = next(pbf.blobs(region(tmp_path)))
    head = (tmp_path / "region.osm.pbf").read_bytes()[: first.offset + first.size]
    (tmp_path / "m.osm.pbf").write_bytes(head + len(header).to_bytes(4, "big") + header + blob)
    with pytest.raises(SourceError, match=f"{method} blobs not supported.*get one whose blocks are packed by zlib"):
        cut(tmp_path / "m.osm.pbf", [TOWN], [tmp_path / "town.osm.pbf"])


def test_a_clipped_map_and_one_of_which_nodes_come_twice_are_read(tmp_path):
    (tmp_path / "map.osm").write_text(xml(xml_node(2), xml_node(1), WAY.format(""), xml_node(1), xml_node(2)))
    assert cut(tmp_path / "map.osm", [TOWN], [tmp_path / "town.osm.pbf"]) == [False]
    (tmp_path / "map.osm").write_text(xml(xml_node(1), WAY.format("")))
    assert cut(tmp_path / "map.osm", [TOWN], [tmp_path / "town.osm.pbf"], outside=0.5) == [True]


@pytest.mark.parametrize("at", range(0, 100, 5))
def test_a_damaged_file_is_refused_or_cut_and_never_breaks(tmp_path, at):
    whole = region(tmp_path).read_bytes()
    for damaged in (whole[: len(whole) * at // 100], _changed(whole, len(whole) * at // 100)):
        (tmp_path / "bad.osm.pbf").write_bytes(damaged)
        try:
            cut(tmp_path / "bad.osm.pbf", [TOWN], [tmp_path / "town.osm.pbf"])
        except SourceError as error:
            assert "bad.osm.pbf" in str(error)


def _changed(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]


def test_a_block_that_swells_beyond_the_formats_limit_is_refused(tmp_path):
    bomb = zlib.compress(bytes(pbf.MAX_BLOCK + 1))
    blob = b"\x1a" + _number(len(bomb)) + bomb
    header = b"\x0a\x07OSMData\x18" + _number(len(blob))
    first = region(tmp_path).read_bytes()
    (tmp_path / "bomb.osm.pbf").write_bytes(first + len(header).to_bytes(4, "big") + header + blob)
    with pytest.raises(SourceError, match="a block of more than"):
        cut(tmp_path / "bomb.osm.pbf", [TOWN], [tmp_path / "town.osm.pbf"])


def _number(value: int) -> bytes:
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    return bytes([*made, value])


@given(st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_packed_numbers_come_back(values):
    import numpy as np

    packed = pbf.packed_varints(pbf.zigzagged(np.array(values, dtype=np.int64)))
    assert pbf.unzigzagged(pbf.varints(np.frombuffer(packed, dtype=np.uint8))).tolist() == values


def test_a_box_is_widened_over_the_antimeridian_and_round_a_pole():
    assert widened(Box(south=-1, west=-179.99, north=1, east=-179.9), 5000).west == pytest.approx(179.9648, abs=1e-3)
    assert widened(Box(south=89, west=0, north=89.99, east=10), 5000).west == -180.0


@pytest.mark.parametrize("name", ["baltimore", "liechtenstein-latest", "porto_alegre"])
def test_real_files_are_cut_as_the_slow_way_cuts_them(tmp_path, shared_data, name):
    source = shared_data / "osm" / f"{name}.osm.pbf"
    spots = [item[2] for item in described(source) if item[0] == "n"]
    middle = sorted(lat for lat, _ in spots)[len(spots) // 2], sorted(lon for _, lon in spots)[len(spots) // 2]
    box = Box(south=middle[0] - 0.01, west=middle[1] - 0.01, north=middle[0] + 0.01, east=middle[1] + 0.01)
    assert cut(source, [box], [tmp_path / "town.osm.pbf"]) == [False]
    assert described(tmp_path / "town.osm.pbf") == slowly_cut(source, box)
