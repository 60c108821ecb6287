"""A city of which only the name is given: found by a geocoder, its map asked for, from servers on loopback."""

from __future__ import annotations

import json
import threading
import tomllib
import xml.etree.ElementTree as ET
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import osmnx
import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from schemas.source import SourceError
from sources.services.nominatim import geocoded_town
from sources.services.overpass import ATTEMPTS
from tests.pipelines.test_new import street_village
from tests.sources.osm_text import node, osm, relation, way

SOUTH, WEST, NORTH, EAST = 47.199, 4.499, 47.209, 4.509
RING = [[WEST, SOUTH], [EAST, SOUTH], [EAST, NORTH], [WEST, NORTH], [WEST, SOUTH]]


def place(**what: Any) -> dict[str, Any]:
    """Return a place as Nominatim tells it: the boundary of Beaune, but for what is said otherwise."""
    return {
        "osm_type": "relation", "osm_id": 5, "class": "boundary", "type": "administrative", "addresstype": "town",
        "display_name": "Beaune, Côte-d'Or, France", "importance": 0.5, "lat": "47.204", "lon": "4.504",
        "boundingbox": ["47.199", "47.209", "4.499", "4.509"], "geojson": {"type": "Polygon", "coordinates": [RING]},
        "namedetails": {"name": "Beaune", "name:ja": "ボーヌ"}, **what,
    }  # fmt: skip


def village() -> list[dict[str, Any]]:
    """Return the elements of an invented village with its boundary, as Overpass tells them."""
    nodes, ways = street_village(47.2, 4.5)
    corners = [node(9000 + n, lat, lon) for n, (lon, lat) in enumerate(RING[:4])]
    edge = [way(9000, [9000, 9001, 9002, 9003, 9000])]
    town = relation(5, [("way", 9000, "outer")], boundary="administrative", admin_level="8", name="Beaune")
    found = []
    for element in ET.fromstring(osm(*nodes, *corners, *ways, *edge, town)):
        tags = {tag.get("k"): tag.get("v") for tag in element.iter("tag")}
        told: dict[str, Any] = {"type": element.tag, "id": int(element.get("id", "")), "tags": tags}
        if element.tag == "node":
            told |= {"lat": float(element.get("lat", "")), "lon": float(element.get("lon", ""))}
        told |= {"nodes": [int(nd.get("ref", "")) for nd in element.iter("nd")]} if element.tag == "way" else {}
        told |= {"members": [m.attrib | {"ref": int(m.get("ref", ""))} for m in element.iter("member")]}
        found.append(told)
    return found


@pytest.fixture
def server(monkeypatch):
    class Handler(BaseHTTPRequestHandler):
        places: ClassVar[list[tuple[int, Any]]] = []
        asked: ClassVar[list[dict[str, list[str]]]] = []
        maps_asked: ClassVar[list[str]] = []
        url: ClassVar[str] = ""

        def do_GET(self):
            address = urlsplit(self.path)
            if address.path == "/search":
                self.asked.append(parse_qs(address.query))
                status, content = self.places.pop(0) if len(self.places) > 1 else self.places[0]
                self.reply(status, content if isinstance(content, bytes) else json.dumps(content).encode())
            else:
                self.reply(200, b"Connected as: 1\nRate limit: 2\n2 slots")

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.maps_asked.append(parse_qs(body)["data"][0])
            elements = [e for e in village() if e["type"] != "relation" or "relation(id:5)" in self.maps_asked[-1]]
            self.reply(200, json.dumps({"version": 0.6, "elements": elements}).encode())

        def reply(self, status: int, content: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format, *args):
            """Say nothing."""

    without_pauses = SimpleNamespace(sleep=lambda seconds: None)  # osmnx's own: a build keeps its leases by the clock
    for module in ("osmnx._nominatim", "osmnx._overpass"):
        monkeypatch.setattr(f"{module}.time", without_pauses)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.02,))
        thread.start()
        Handler.url = f"http://127.0.0.1:{running.server_port}"
        Handler.places[:] = [(200, [place()])]
        yield Handler
        running.shutdown()
        thread.join()


def run(server: Any, *words: Any) -> Any:
    servers = ["--server", f"{server.url}/api", "--geocoder", server.url]
    return CliRunner().invoke(app, [*map(str, words), *servers])


def test_a_name_alone_ends_in_releases_from_a_map_that_is_kept_beside_the_recipe(server, tmp_path):
    done = run(server, "new", "Beaune", "--tasks", 1, "--out", tmp_path, "--home", tmp_path / "home", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert all(r["tasks"] == r["certified"] > 0 for r in told["releases"])
    assert {"tripcraft", "grouptravel"} <= {r["family"] for r in told["releases"]}
    assert told["cities"][0]["area"].startswith("its boundary, relation/5 of admin_level 8")
    (asked,) = tmp_path.glob("beaune-*.osm.pbf")
    assert f'extract = ["{asked.name}"]' in (tmp_path / "beaune.toml").read_text()
    assert f"asking {server.url} where Beaune is" in done.stderr
    assert "Beaune is Beaune, Côte-d'Or, France (relation/5)\n" in done.stderr


def test_the_map_that_was_asked_for_gives_the_recipe_that_the_same_file_gives(server, tmp_path):
    assert run(server, "init", "Beaune", "--out", tmp_path).exit_code == 0
    asked = (tmp_path / "beaune.toml").read_text()
    assert "Its area is that of its boundary, relation/5 of admin_level 8." in asked
    words = ["init", "Beaune", "--map", *tmp_path.glob("beaune-*.osm.pbf"), "--out", tmp_path / "other.toml"]
    assert run(server, *words).exit_code == 0
    assert (tmp_path / "other.toml").read_text() == asked.replace('name = "beaune"', 'name = "other"')
    assert len(server.asked) == 1


def test_a_map_that_is_there_is_not_asked_for_again_but_by_force(server, tmp_path):
    assert run(server, "init", "Beaune, France", "--out", tmp_path).exit_code == 0
    (tmp_path / "beaune.toml").unlink()
    asked = len(server.maps_asked)
    assert run(server, "init", "Beaune", "--out", tmp_path).exit_code == 0
    assert len(server.maps_asked) == asked
    assert run(server, "init", "Beaune", "--out", tmp_path, "--force").exit_code == 0
    assert len(server.maps_asked) == 2 * asked


def test_of_two_towns_of_one_name_none_is_built_from_the_other_s_map(server, tmp_path):
    assert run(server, "init", "Beaune, France", "--out", tmp_path / "one.toml").exit_code == 0
    asked = len(server.maps_asked)
    server.places[:] = [(200, [place(osm_id=6, display_name="Beaune, Somewhere")])]
    run(server, "init", "Beaune, Somewhere", "--out", tmp_path / "two.toml")
    assert len(server.maps_asked) == 2 * asked
    assert len(list(tmp_path.glob("beaune-*.osm.pbf"))) == 2


def test_a_recipe_is_named_after_its_file_so_that_two_of_a_city_share_a_home(server, tmp_path):
    for out, name in ((tmp_path, "beaune"), (tmp_path / "My own.toml", "my-own"), (tmp_path / "—.toml", "beaune")):
        assert run(server, "init", "Beaune", "--out", out).exit_code == 0
        path = out / "beaune.toml" if out.is_dir() else out
        assert tomllib.loads(path.read_text(encoding="utf-8"))["name"] == name


def test_several_cities_are_asked_for_as_one_map(server, tmp_path):
    far = [[x + 2.0, y] for x, y in RING]
    nuits = place(
        osm_id=7, lon="6.504", namedetails={"name": "Nuits"}, geojson={"type": "Polygon", "coordinates": [far]}
    )
    server.places[:] = [(200, [place()]), (200, [nuits])]
    done = run(server, "init", "Beaune", "Nuits", "--out", tmp_path)
    assert [asked["q"] for asked in server.asked] == [["Beaune"], ["Nuits"]]
    assert server.maps_asked[-1].endswith("(relation(id:5,7);>;);out;")
    assert len({asked.partition("poly:")[2] for asked in server.maps_asked if 'way["highway"]' in asked}) == 2
    assert len(list(tmp_path.glob("beaune-nuits-*.osm.pbf"))) == 1
    assert "expected cities apart" in done.stderr  # this server has none of the second's elements


def test_a_city_is_called_as_it_was_asked_for_if_it_bears_that_name_and_else_as_its_map_does(server):
    assert geocoded_town("ボーヌ, France", endpoint=server.url).name == "ボーヌ"
    assert geocoded_town("the wine town", endpoint=server.url).name == "Beaune"


def test_country_and_region_and_what_stands_after_a_comma_say_which_of_a_name(server):
    geocoded_town("Beaune, by Dijon", country="FR", region="Burgundy", endpoint=server.url)
    assert server.asked[-1]["q"] == ["Beaune, by Dijon, Burgundy"]
    assert server.asked[-1]["countrycodes"] == ["fr"]


def test_a_town_comes_before_a_country_of_its_name_and_the_best_known_first_and_others_are_told(server):
    country = place(osm_id=1, addresstype="country", importance=0.9, display_name="Luxembourg")
    town = place(osm_id=2, addresstype="city", importance=0.7, display_name="Luxembourg, Luxembourg")
    small = place(osm_id=3, addresstype="town", importance=0.1, display_name="Luxemburg, Wisconsin")
    cafe = place(osm_id=4, osm_type="node", importance=0.95, **{"class": "amenity", "type": "cafe"})
    house = place(osm_id=7, osm_type="way", importance=0.95, addresstype="building", type="yes")
    park = place(osm_id=6, importance=0.95, type="protected_area", addresstype="protected_area")
    server.places[:] = [(200, [country, small, cafe, house, park, town])]
    found = geocoded_town("Luxembourg", endpoint=server.url)
    assert (found.native_id, found.others) == ("relation/2", ("Luxemburg, Wisconsin", "Luxembourg"))


def test_a_town_that_is_a_node_reaches_as_far_as_its_kind(server):
    server.places[:] = [(200, [place(osm_type="node", osm_id=8, **{"class": "place", "type": "village"})])]
    found = geocoded_town("Beaune", endpoint=server.url)
    assert found.native_id == "node/8"
    assert (found.box.north - found.box.south) * 110.574 == pytest.approx(4.0, abs=0.01)


@pytest.mark.parametrize("what", [{"class": "place", "type": "town"}, {"type": "census"}, {"osm_type": "way"}])
def test_an_outline_that_is_no_administrative_boundary_says_where_to_look(server, what):
    server.places[:] = [(200, [place(**what)])]
    box = geocoded_town("Beaune", endpoint=server.url).box
    assert (box.south, box.west, box.north, box.east) == (SOUTH, WEST, NORTH, EAST)


def test_of_several_parts_the_town_s_box_is_that_of_the_one_it_lies_in(server):
    island = [[[0.0, 10.0], [9.0, 10.0], [9.0, 19.0], [0.0, 10.0]]]
    server.places[:] = [(200, [place(geojson={"type": "MultiPolygon", "coordinates": [island, [RING]]})])]
    box = geocoded_town("Beaune", endpoint=server.url).box
    assert (box.south, box.west, box.north, box.east) == (SOUTH, WEST, NORTH, EAST)


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ((200, []), "found no town named 'Atlantis'"),
        ((200, [{}, 7, None, place(geojson={"type": "Polygon", "coordinates": []})]), "found no town named 'Atlantis'"),
        ((200, [place(lat="north", osm_id="x; out")]), "found no town named 'Atlantis'"),
        ((200, {"error": "no"}), "begins with b'"),
        ((200, b"<html>\x1b[31m"), "begins with b'<html>"),
        ((403, b"go away"), "found status 403"),
        ((429, b""), f"found status 429, {ATTEMPTS} times"),
    ],
    ids=["nothing", "no places", "no numbers", "an object", "a page", "refused", "busy"],
)
def test_what_is_no_town_ends_with_what_was_found_and_what_to_do_and_leaves_nothing(server, tmp_path, answer, found):
    server.places[:] = [answer]
    with pytest.raises(SourceError, match="--map FILE") as refused:
        geocoded_town("Atlantis", endpoint=server.url)
    assert found in str(refused.value)
    done = run(server, "init", "Atlantis", "--out", tmp_path)
    assert done.exit_code == 1
    assert found in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == []


def test_who_is_not_online_is_told_to_give_a_map_and_nothing_is_left(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["new", "Beaune", "--home", tmp_path / "home", "--geocoder", "http://127.0.0.1:1"]
    done = CliRunner().invoke(app, list(map(str, words)))
    assert done.exit_code == 1
    assert "no whole answer" in done.stderr
    assert "--map FILE" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_a_geocoder_says_acts_on_no_terminal(server, tmp_path):
    server.places[:] = [(200, [place(display_name="Beaune\x1b[31m\u202e\n[bold]x")])]
    done = run(server, "init", "Beaune", "--out", tmp_path)
    assert "Beaune is Beaune [31m [bold]x (relation/5)" in done.stderr.replace("  ", " ")
    assert not {"\x1b", "\u202e"} & set(done.stderr)


def test_osmnx_is_left_as_it_was(server):
    before = {name: getattr(osmnx.settings, name) for name in dir(osmnx.settings) if not name.startswith("__")}
    geocoded_town("Beaune", endpoint=server.url)
    assert {name: getattr(osmnx.settings, name) for name in before} == before


def test_files_that_are_no_map_do_not_stand_for_one_and_a_map_given_with_them_does(server, tmp_path):
    elements, ways = street_village(47.2, 4.5)
    given = tmp_path / "given.osm"
    given.write_text(osm(*elements, node(8000, 47.204, 4.504, place="town", name="Beaune"), *ways))
    done = run(server, "init", "Beaune", "--with", given, "--out", tmp_path)
    assert done.exit_code == 0, done.output
    assert server.asked == []
    assert Path(tmp_path / "beaune.toml").read_text().count("given.osm") == 1
