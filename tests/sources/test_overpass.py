"""An extract is fetched whole or not at all, from a server on loopback that behaves as Overpass does on a bad day."""

from __future__ import annotations

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar
from urllib.parse import parse_qs

import osmnx
import pytest

from pipelines import cli
from schemas.recipe import City
from schemas.recipe_values import Box
from schemas.source import MAX_UNREADABLE, Snapshot, SourceError
from sources.osm.extract import read_places, read_stops
from sources.osm.streets import StreetGraph
from sources.services.overpass import ATTEMPTS, asked_tags, download_extract

BOX = Box(south=43.72, west=7.40, north=43.76, east=7.45)
TOWN = City(city_id="mc-monaco", name="Monaco", country="MC", box=BOX)
STREETS = [
    {"type": "way", "id": 12, "nodes": [1, 2, 3], "tags": {"highway": "residential", "name": "Rue ‘<é>’"}},
    {"type": "node", "id": 3, "lat": 43.74, "lon": 7.43, "tags": {"highway": "bus_stop", "name": "Port"}},
    {"type": "node", "id": 1, "lat": 43.73, "lon": 7.41},
    {"type": "node", "id": 2, "lat": 43.735, "lon": 7.42},
]
FEATURES = [
    {"type": "node", "id": 3, "lat": 43.74, "lon": 7.43, "tags": {"highway": "bus_stop", "name": "Port"}},
    {"type": "node", "id": 9, "lat": 43.7312345, "lon": 7.42, "tags": {"tourism": "hotel", "name": "Ambassador"}},
    {
        "type": "relation", "id": 5, "tags": {"leisure": "park", "name": "Jardin", "type": "multipolygon"},
        "members": [{"type": "way", "ref": 20, "role": "outer"}],
    },
    {"type": "way", "id": 20, "nodes": [1, 2, 9, 1]},
]  # fmt: skip


def answer(elements: list[dict[str, Any]], **more: Any) -> tuple[int, bytes]:
    return 200, json.dumps({"version": 0.6, "elements": elements, **more}).encode()


@pytest.fixture
def server(monkeypatch):
    class Handler(BaseHTTPRequestHandler):
        answers: ClassVar[list[tuple[int, bytes]]] = [answer(STREETS), answer(FEATURES)]
        asked: ClassVar[list[str]] = []
        waited: ClassVar[list[float]] = []
        url: ClassVar[str] = ""

        def do_GET(self):
            self.reply(200, b"Connected as: 1\nCurrent time: now\nAnnounced endpoint: none\nRate limit: 2\n2 slots")

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.asked.append(parse_qs(body)["data"][0])
            self.reply(*(self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]))

        def reply(self, status, content):
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format, *args):
            """Say nothing."""

    monkeypatch.setattr("osmnx._overpass.time", SimpleNamespace(sleep=Handler.waited.append))
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.02,))
        thread.start()
        Handler.url = f"http://127.0.0.1:{running.server_port}/api"
        yield Handler
        running.shutdown()
        thread.join()


class Extract:
    """A downloaded file, as steps get it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.max_unreadable = MAX_UNREADABLE
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        self.snapshot = Snapshot(
            source="osm", role="extract", location=path.name, sha256=sha256, size_bytes=1, licence_id="ODbL-1.0"
        )


@pytest.mark.parametrize("name", ["town.osm", "town.osm.pbf"])
def test_streets_places_and_stops_come_as_the_readers_of_extracts_want_them(server, tmp_path, name):
    assert download_extract([BOX], tmp_path / name, endpoint=server.url) == 7
    assert [path.name for path in tmp_path.iterdir()] == [name]
    extract = Extract(tmp_path / name)
    places, _ = read_places(extract, [TOWN], [])
    assert [(p["name"], p["kind"]) for p in places] == [("Ambassador", "stay"), ("Jardin", "attraction")]
    assert (places[0]["lat"], places[0]["lon"]) == (43.7312345, 7.42)
    assert [s["name"] for s in read_stops(extract, "mc-monaco", [])] == ["Port"]
    assert StreetGraph(extract.path, extract.snapshot.sha256, "foot").lines.shape == (2, 4)


def test_the_same_answers_give_the_same_bytes_in_whatever_order(server, tmp_path):
    download_extract([BOX], tmp_path / "a.osm.pbf", endpoint=server.url)
    server.answers[:] = [answer(FEATURES[::-1]), answer(STREETS[::-1])]
    download_extract([BOX], tmp_path / "b.osm.pbf", endpoint=server.url)
    assert (tmp_path / "a.osm.pbf").read_bytes() == (tmp_path / "b.osm.pbf").read_bytes()


def test_everything_that_makes_a_place_or_a_stop_is_asked_for(server, tmp_path):
    download_extract([BOX], tmp_path / "x.osm", endpoint=server.url)
    streets, *lines, features, spots = server.asked
    assert 'way["highway"]' in streets
    assert any('way["waterway"~"^(canal|river|stream)$"]' in asked for asked in lines)
    assert any('way["natural"~"^(coastline)$"]' in asked for asked in lines)
    assert "['natural'='water']" in features
    assert 'node["place"~"^(city|town|' in spots
    for key, values in asked_tags().items():
        assert all(f"['{key}'='{value}']" in features for value in values)
    assert "['tourism'='hotel']" in features
    assert "['railway'='tram_stop']" in features


def test_a_boundary_is_asked_for_whole_by_its_number_and_no_building_at_all(server, tmp_path):
    outlines = ["relation/7", "node/3", "way/9", "relation/5"]
    download_extract([BOX], tmp_path / "x.osm", outlines=outlines, endpoint=server.url)
    assert server.asked[-2].endswith(";(relation(id:5,7);>;);out;")
    assert server.asked[-1].endswith(";(way(id:9);>;);out;")
    assert not any("building" in asked for asked in server.asked)


def test_a_build_reads_five_kilometres_around_its_city_and_so_much_is_asked_for(server, tmp_path):
    download_extract([BOX], tmp_path / "x.osm", endpoint=server.url)
    south, west, north, east = map(float, server.asked[-1].split("](")[1].split(")")[0].split(","))
    assert (BOX.south - south) * 110.574 == pytest.approx(5.0, abs=0.01)
    assert (north - BOX.north, BOX.west - west) == pytest.approx((BOX.south - south, east - BOX.east), abs=1e-6)


def test_osmnx_is_left_as_it_was(server, tmp_path):
    before = {name: getattr(osmnx.settings, name) for name in dir(osmnx.settings) if not name.startswith("__")}
    download_extract([BOX], tmp_path / "x.osm", endpoint=server.url)
    assert {name: getattr(osmnx.settings, name) for name in before} == before


def test_a_busy_server_is_asked_again_and_given_up_in_the_end(server, tmp_path):
    server.answers[:] = [(429, b""), (504, b""), answer(STREETS), answer(FEATURES)]
    assert download_extract([BOX], tmp_path / "x.osm", endpoint=server.url) == 7
    server.answers[:] = [(429, b"")]
    asked = len(server.asked)
    with pytest.raises(SourceError, match=rf"found status 429, {ATTEMPTS} times; expected an extract"):
        download_extract([BOX], tmp_path / "y.osm", endpoint=server.url)
    assert len(server.asked) - asked == ATTEMPTS


@pytest.mark.parametrize(
    ("bad", "found"),
    [
        ((400, b"bad query"), "found status 400"),
        ((200, b"<!DOCTYPE html><html></html>"), r"begins with b'<!DOCTYPE"),
        ((200, b""), r"begins with b''"),
        ((200, answer(STREETS)[1][:-10]), "JSONDecodeError"),
        ((200, b'{"elements": [{"type": "way"}]}'), "KeyError"),
        (answer(FEATURES[:1], remark="runtime error: Query timed out"), "the remark 'runtime error: Query timed out'"),
    ],
    ids=["refused", "web page", "nothing", "cut off", "no id", "timed out"],
)
@pytest.mark.parametrize("when", [0, 1], ids=["at once", "half-way"])
def test_anything_but_a_whole_extract_is_refused_and_leaves_what_was_there(server, tmp_path, bad, found, when):
    server.answers[:] = [answer(STREETS)] * when + [bad]
    (tmp_path / "x.osm").write_bytes(b"the last good one")
    with pytest.raises(SourceError, match=found):
        download_extract([BOX], tmp_path / "x.osm", endpoint=server.url)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("x.osm", b"the last good one")]


def test_a_box_in_the_sea_has_no_streets(server, tmp_path):
    server.answers[:] = [answer([])]
    with pytest.raises(SourceError, match="found no way in the box"):
        download_extract([BOX], tmp_path / "x.osm", endpoint=server.url)


def test_a_server_that_cannot_be_reached_is_an_error_that_says_so(server, tmp_path):
    with pytest.raises(SourceError, match="no whole answer"):
        download_extract([BOX], tmp_path / "x.osm", endpoint="http://127.0.0.1:1/api")


def test_a_box_over_the_antimeridian_is_asked_as_its_two_halves(server, tmp_path):
    server.answers[:] = [answer(STREETS)]
    box = Box(south=-17.0, west=179.9, north=-16.8, east=-179.9)
    download_extract([box], tmp_path / "taveuni.osm", endpoint=server.url)
    spots = {asked.rpartition("](")[2].split(")")[0] for asked in server.asked if '(node["place"' in asked}
    edges = sorted([float(edge) for edge in box.split(",")[1::2]] for box in spots)
    assert edges == [[-180.0, pytest.approx(-179.8527, abs=1e-4)], [pytest.approx(179.8527, abs=1e-4), 180.0]]


def test_a_box_of_half_a_continent_and_an_unknown_ending_are_refused_before_anything_is_asked(server, tmp_path):
    asked = len(server.asked)
    with pytest.raises(SourceError, match="covers 203\\.2 square degrees"):
        download_extract([Box(south=40, west=0, north=50, east=20)], tmp_path / "x.osm", endpoint=server.url)
    with pytest.raises(SourceError, match=r"expected a file name that ends in \.osm\.pbf or \.osm"):
        download_extract([BOX], tmp_path / "x.zip", endpoint=server.url)
    assert len(server.asked) == asked


RECIPE = """name = "riviera"
[[cities]]
city_id = "mc-monaco"
name = "Monaco"
country = "MC"
box = { south = 43.72, west = 7.40, north = 43.76, east = 7.45 }
"""


def test_the_command_writes_the_extract_and_says_how_to_bind_it(server, tmp_path, capsys, monkeypatch):
    recipe = tmp_path / "riviera.toml"
    recipe.write_text(RECIPE)
    target = tmp_path / "monaco.osm.pbf"
    arguments = ["tripwright", "extract", str(recipe), "mc-monaco", str(target), "--server", server.url, "--json"]
    monkeypatch.setattr("sys.argv", arguments)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {
        "city_id": "mc-monaco", "path": str(target), "elements": 7, "size_bytes": target.stat().st_size,
        "sha256": hashlib.sha256(target.read_bytes()).hexdigest(), "licence_id": "ODbL-1.0",
    }  # fmt: skip
    monkeypatch.setattr("sys.argv", [*arguments[:3], "mc-nice", *arguments[4:]])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 1
    assert json.loads(capsys.readouterr().out)["error"].endswith("no city mc-nice; the recipe has mc-monaco")
