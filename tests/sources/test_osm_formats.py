"""An extract is told by its bytes, read in any order and packing, and what is none is refused."""

from __future__ import annotations

import bz2
import gzip

import osmium
import osmium.io
import osmium.osm.mutable
import pytest

from schemas.source import SourceError
from sources.osm.extract import raw_records, read_places
from tests.sources.osm_text import corners, node, osm, way


@pytest.mark.parametrize("pack", [str.encode, lambda t: bz2.compress(t.encode()), lambda t: gzip.compress(t.encode())])
def test_a_format_is_told_by_its_bytes(given_bytes, everywhere, pack):
    content = pack(osm(node(1, tourism="hotel", name="Hôtel 🏨")))
    rows, _ = read_places(given_bytes(content, "osm", "extract"), [everywhere], [])
    assert [row["name"] for row in rows] == ["Hôtel 🏨"]


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><osm version="0.6"><node id="1" lat="1" '
)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<!DOCTYPE html><html>",
        b"PK\x03\x04",
        osm(node(1)).encode()[:-10],
        bz2.compress(osm(node(1)).encode())[:-10],
        b"\x00\x00\x00\x0d\x0a\x09OSMHeader broken",
        b'<?xml version="1.0"?><html></html>',
        osm('<node id="1" lat="991" lon="x"/>').encode(),
        (BOMB + 'lon="1"><tag k="name" v="&b;"/></node></osm>').encode(),
        osm(node(1)).replace("<osm ", "<osmChange ").replace("</osm>", "</osmChange>").encode(),
    ],
    ids=[
        "nothing",
        "web page",
        "zip",
        "cut off",
        "cut off bz2",
        "broken pbf",
        "html",
        "bad numbers",
        "entities",
        "changes",
    ],
)
def test_what_is_no_extract_is_refused(given_bytes, everywhere, content):
    with pytest.raises(SourceError, match=r"file: found .*expected (a whole|an OpenStreetMap|one state)"):
        read_places(given_bytes(content, "osm", "extract"), [everywhere], [])


@pytest.mark.parametrize("packing", ["zlib", "lz4", "none"])
@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_a_packed_extract_is_read_in_any_order_and_however_it_is_compressed(
    given_path, everywhere, tmp_path, packing, order
):
    path = tmp_path / "map.osm.pbf"
    with osmium.SimpleWriter(osmium.io.File(str(path), f"pbf,pbf_compression={packing}")) as writer:
        for number in order:
            tags = {"tourism": "museum", "name": f"M{number}"}
            writer.add(osmium.osm.mutable.Node(id=number, location=(1.0, 1.0), tags=tags))
    rows, _ = read_places(given_path(path, "osm", "extract"), [everywhere], [])
    assert [row["name"] for row in rows] == ["M1", "M2"]


@pytest.mark.parametrize("kinds_first", [True, False], ids=["ids out of order", "ways before nodes, and all twice"])
def test_an_extract_in_any_order_is_read_as_the_sorted_one(given_bytes, everywhere, kinds_first):
    """Overpass answers with ways, and then their nodes."""
    nodes, ids = corners(1), ["way/1", "way/2"]
    ways = [way(i, [1, 2, 3, 4, 1], tourism="museum", name=f"M{i}") for i in (2, 1)]
    content = osm(*nodes, *ways) if kinds_first else osm(*ways, *nodes, *ways, *nodes)
    unsorted, in_order = (given_bytes(text, "osm", "extract") for text in (content, osm(*nodes, *reversed(ways))))
    for read in (lambda file: read_places(file, [everywhere], [])[0], lambda file: raw_records(file, ids)):
        shown = [str(read(file)).replace(file.snapshot.sha256, "") for file in (unsorted, in_order)]
        assert shown[0] == shown[1]
        assert "M1" in shown[0] and "M2" in shown[0]
