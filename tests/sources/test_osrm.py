"""The OSRM client against servers that behave, limit, stumble, and answer garbage."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

from schemas.source import SourceError
from sources.services.osrm import OsrmClient, RouterSilentError

MILE_M = 1852.0


class FakeOsrm:
    """An OSRM whose roads are straight lines of latitude; `limit` is its max-table-size, `script` overrides answers."""

    def __init__(self):
        self.limit, self.script, self.asked, self.unreachable, self.roadless = 10_000, [], [], set(), set()
        self.connections = set()
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self):
                fake.connections.add(self.client_address)
                fake.asked.append(self.path)
                status, body = fake.script.pop(0) if fake.script else fake.answer(self.path)
                if status is None:
                    self.close_connection = True
                    return
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format, *args):
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def answer(self, target):
        parts = urlsplit(target)
        _, service, version, _, where = parts.path.split("/")
        assert version == "v1"
        points = [tuple(map(float, pair.split(","))) for pair in where.split(";")]
        if any(point in self.roadless for point in points):
            return 400, json.dumps({"code": "NoSegment", "message": "Could not find a matching segment"}).encode()
        if service == "nearest":
            return 200, b'{"code":"Ok","waypoints":[]}'
        asked = parse_qs(parts.query)
        rows, columns = (
            [int(i) for i in asked[k][0].split(";")] if k in asked else list(range(len(points)))
            for k in ("sources", "destinations")
        )
        if len(points) < 2:
            return 400, b'{"code":"InvalidOptions","message":"Number of coordinates needs to be at least two."}'
        if len(rows) * len(columns) > self.limit**2:
            return 400, b'{"code":"TooBig","message":"Too many table coordinates"}'

        def way(i, j):
            if (points[i], points[j]) in self.unreachable:
                return None
            return round(abs(points[i][1] - points[j][1]) * 60 * MILE_M, 1)

        distances = [[way(i, j) for j in columns] for i in rows]
        durations = [[None if d is None else d / 10 for d in row] for row in distances]
        sources = [{"distance": points[i][0], "location": points[i]} for i in rows]
        return 200, json.dumps(
            {"code": "Ok", "distances": distances, "durations": durations, "sources": sources}
        ).encode()


@pytest.fixture
def fake():
    fake = FakeOsrm()
    yield fake
    fake.server.shutdown()
    fake.server.server_close()


def client_of(fake, **options):
    return OsrmClient(fake.url, "foot", first_wait_s=0.001, **options)


LAT, LON = np.arange(23) / 100, np.arange(23) / 10
EXPECTED = np.round(np.abs(np.subtract.outer(LAT, LAT)) * 60 * MILE_M, 1)


def test_a_table_is_the_servers_answer(fake):
    answer = client_of(fake).table(LAT, LON)
    assert (answer.distances_m == EXPECTED).all()
    assert np.allclose(answer.times_s, EXPECTED / 10)
    assert np.allclose(answer.snap_distances_m, LON)
    assert answer.router.label == f"engine=osrm profile=foot server={fake.url}"
    assert fake.asked[0].startswith("/table/v1/foot/0.000000,0.000000;0.100000,0.010000;")


@pytest.mark.parametrize("limit", [1, 4, 7, 22, 23])
def test_a_limited_server_is_asked_in_blocks(fake, limit):
    fake.limit = limit
    client = client_of(fake)
    answer = client.table(LAT, LON)
    assert (answer.distances_m == EXPECTED).all()
    assert np.allclose(answer.snap_distances_m, LON)
    before = len(fake.asked)
    client.table(LAT, LON)
    side = {1: 1, 4: 2, 7: 5, 22: 11, 23: 23}[limit]
    assert len(fake.asked) - before == (-(-23 // side)) ** 2  # the size that worked is asked for at once


def test_a_proxy_that_refuses_long_addresses_gets_shorter_ones(fake):
    fake.script = [(414, b"URI Too Long"), (431, b"")]
    assert (client_of(fake).table(LAT, LON).distances_m == EXPECTED).all()


def test_one_connection_serves_all_requests(fake):
    client_of(fake, max_side=5).table(LAT, LON)
    assert len(fake.asked) == 25
    assert len(fake.connections) == 1


def test_a_single_place_is_at_no_distance_from_itself(fake):
    answer = client_of(fake).table([41.15], [8.61])
    assert (answer.distances_m.tolist(), answer.snap_distances_m.tolist()) == ([[0.0]], [8.61])


def test_no_places_need_no_request(fake):
    assert client_of(fake).table([], []).times_s.shape == (0, 0)
    assert fake.asked == []


def test_where_no_road_leads_is_nan_and_never_0(fake):
    fake.unreachable = {((0.0, 0.0), (0.1, 0.01))}
    answer = client_of(fake).table(LAT[:2], LON[:2])
    assert np.isnan(answer.distances_m).tolist() == np.isnan(answer.times_s).tolist() == [[False, True], [False, False]]


def test_a_place_without_a_road_costs_only_its_own_ways(fake):
    fake.roadless = {(0.1, 0.01)}
    answer = client_of(fake).table(LAT[:3], LON[:3])
    assert np.isnan(answer.times_s).tolist() == [[False, True, False], [True, True, True], [False, True, False]]
    assert np.isnan(answer.snap_distances_m).tolist() == [False, True, False]


@pytest.mark.parametrize("stumble", [(503, b"busy"), (429, b"slow down"), (None, b"")])
def test_a_server_that_stumbles_is_asked_again(fake, stumble):
    fake.script = [stumble, stumble]
    assert (client_of(fake).table(LAT, LON).distances_m == EXPECTED).all()
    assert len(fake.asked) == 3


def test_a_server_that_stays_busy_is_given_up(fake):
    fake.script = [(503, b"busy")] * 4
    with pytest.raises(RouterSilentError, match="answers HTTP 503, it is busy"):
        client_of(fake).table(LAT, LON)
    assert len(fake.asked) == 4


def test_a_server_that_is_not_there_is_named():
    with pytest.raises(RouterSilentError, match=r"http://127\.0\.0\.1:9 refused or dropped the connection"):
        OsrmClient("http://u:secret@127.0.0.1:9/", "car", first_wait_s=0.001).table(LAT, LON)


def test_a_slow_server_is_given_up_after_the_timeout(fake):
    given_up = threading.Event()
    fake.answer = lambda _: (200, b"{}") if given_up.wait() else None
    with pytest.raises(RouterSilentError, match=r"gave no answer within 0.05 s"):
        client_of(fake, timeout_s=0.05, attempts=2).table(LAT, LON)
    given_up.set()


OK = {"code": "Ok", "distances": [[0, 1], [1, 0]], "durations": [[0, 1], [1, 0]], "sources": [{"distance": 1}] * 2}


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        (b"<html>Welcome</html>", "HTTP 200 application/json beginning b'<html>Welcome</html>'"),
        (b"[]", "HTTP 200 application/json beginning b'\\[\\]'"),
        ({}, "HTTP 200 application/json beginning b'\\{\\}'"),
        (OK | {"distances": [[0, 1]]}, "`distances` of shape \\(1, 2\\) where \\(2, 2\\) were asked for"),
        (OK | {"durations": [[0, 1], [1]]}, "`durations` that are not numbers or null in rows of one length"),
        (OK | {"durations": "fast"}, "`durations` that are not numbers"),
        (OK | {"durations": None}, "`durations` of shape"),
        (OK | {"distances": [[0, -6], [1, 0]]}, "`distances` below 0"),
        (OK | {"sources": [{}, {}]}, "`sources` without the distance"),
        (OK | {"sources": [{"distance": 1}]}, "1 `sources` where 2 were asked for"),
        (b'{"code": "Ok", "distances": [[0, NaN], [1, 0]]}', "HTTP 200"),
    ],
)
def test_garbage_is_shown_and_named(fake, answer, found):
    fake.script = [(200, answer if isinstance(answer, bytes) else json.dumps(answer).encode())]
    with pytest.raises(SourceError, match=f"answered {found}.*expected an answer of OSRM's Table service"):
        client_of(fake).table(LAT[:2], LON[:2])


def test_what_osrm_rounds_below_zero_is_zero(fake):
    fake.script = [(200, json.dumps(OK | {"distances": [[0, -1.1], [1, None]]}).encode())]
    distances = client_of(fake).table(LAT[:2], LON[:2]).distances_m
    assert (distances[0].tolist(), distances[1, 0], np.isnan(distances[1, 1])) == ([0.0, 0.0], 1.0, True)


def test_a_refusal_is_passed_on(fake):
    fake.script = [(400, b'{"code":"InvalidUrl","message":"URL string malformed"}')]
    with pytest.raises(SourceError, match="refuses the request: InvalidUrl: URL string malformed"):
        client_of(fake).table(LAT, LON)


def test_a_server_that_refuses_everything_ends_in_an_error(fake):
    fake.limit = 0
    with pytest.raises(SourceError, match="refuses even a table of one way: Too many table coordinates"):
        client_of(fake).table(LAT, LON)


def test_another_servers_answer_is_not_taken_for_ours(fake):
    with pytest.raises(SourceError, match="answers from data 'None'; expected 'ab12': another server listens there"):
        client_of(fake, expected_data="ab12").table(LAT, LON)


@pytest.mark.parametrize(("lat", "lon"), [(91.0, 0.0), (0.0, 181.0), (float("nan"), 0.0)])
def test_coordinates_off_the_globe_are_not_sent(fake, lat, lon):
    with pytest.raises(ValueError, match="not within ±90, ±180"):
        client_of(fake).table([lat], [lon])
    assert fake.asked == []


@pytest.mark.parametrize("url", ["ftp://host", "no address", ""])
def test_an_address_that_is_none_is_named(url):
    with pytest.raises(SourceError, match="cannot be asked"):
        OsrmClient(url, "car", first_wait_s=0.001).table(LAT, LON)
