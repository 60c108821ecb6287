"""An extract is fetched whole or not at all, from a server on loopback that behaves as Overpass does on a bad day."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar
from urllib.parse import parse_qs

import pytest

from schemas.recipe import Box
from schemas.source import SourceError
from sources.overpass import ATTEMPTS, download_extract, extract_query

BOX = Box(south=43.72, west=7.40, north=43.76, east=7.45)
WHOLE = b'<?xml version="1.0"?>\n<osm version="0.6"><node id="1" lat="43.73" lon="7.41"/></osm>\n'


@pytest.fixture
def server():
    class Handler(BaseHTTPRequestHandler):
        answers: ClassVar[list[tuple[int, dict[str, str], bytes]]] = []
        asked: ClassVar[list[str]] = []
        url: ClassVar[str] = ""

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.asked.append(parse_qs(body)["data"][0])
            status, headers, content = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(headers.get("True-Length", len(content))))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format, *args):
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        Handler.url = f"http://127.0.0.1:{running.server_port}/api/interpreter"
        yield Handler
        running.shutdown()
        thread.join()


def test_the_answer_is_kept_as_it_came(server, tmp_path):
    server.answers[:] = [(200, {}, WHOLE)]
    path = download_extract(BOX, tmp_path / "monaco.osm", endpoint=server.url)
    assert path.read_bytes() == WHOLE
    assert server.asked == [extract_query(BOX)]
    assert [p.name for p in tmp_path.iterdir()] == ["monaco.osm"]


def test_a_busy_server_is_asked_again_as_late_as_it_says(server, tmp_path):
    server.answers[:] = [(429, {"Retry-After": "7"}, b""), (504, {}, b""), (200, {}, WHOLE)]
    waited: list[float] = []
    download_extract(BOX, tmp_path / "x.osm", endpoint=server.url, wait=waited.append)
    assert waited == [7.0, 10.0]


def test_a_server_that_stays_busy_is_given_up(server, tmp_path):
    server.answers[:] = [(429, {}, b"")]
    waited: list[float] = []
    with pytest.raises(SourceError, match=r"found status 429; expected an extract"):
        download_extract(BOX, tmp_path / "x.osm", endpoint=server.url, wait=waited.append)
    assert (len(waited), waited[-1]) == (ATTEMPTS - 1, 40.0)


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ((400, {}, b"bad query"), "found status 400"),
        ((200, {}, b"<!DOCTYPE html><html></html>"), r"begins with b'<!DOCTYPE"),
        ((200, {}, b""), r"begins with b''"),
        ((200, {}, WHOLE[:-10]), "an answer that breaks off"),
        (
            (200, {}, WHOLE.replace(b"</osm>", b"<remark> runtime error: Query timed out </remark></osm>")),
            "the remark 'runtime error: Query timed out'",
        ),
        ((200, {"True-Length": "9999"}, WHOLE), "no whole answer"),
    ],
    ids=["refused", "web page", "nothing", "cut off", "timed out", "connection lost"],
)
def test_anything_but_a_whole_extract_is_refused_and_leaves_nothing_behind(server, tmp_path, answer, found):
    server.answers[:] = [answer]
    with pytest.raises(SourceError, match=found):
        download_extract(BOX, tmp_path / "x.osm", endpoint=server.url, wait=lambda _: None)
    assert list(tmp_path.iterdir()) == []


def test_a_server_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SourceError, match=r"^http://127.0.0.1:9/x: found no whole answer \(ConnectionError"):
        download_extract(BOX, tmp_path / "x.osm", endpoint="http://127.0.0.1:9/x", wait=lambda _: None)


def test_a_continent_is_not_asked_for(tmp_path):
    with pytest.raises(SourceError, match=r"the box covers 100.0 square degrees; expected at most 4"):
        download_extract(Box(south=0, west=175, north=10, east=-175), tmp_path / "x", endpoint="http://127.0.0.1:9")


def test_a_box_over_the_antimeridian_is_asked_in_two_halves():
    query = extract_query(Box(south=-17, west=179.5, north=-16, east=-179.5))
    for kind in ("way", "node", "rel"):
        assert f"{kind}(-17.0000000,179.5000000,-16.0000000,180.0000000);" in query
        assert f"{kind}(-17.0000000,-180.0000000,-16.0000000,-179.5000000);" in query
