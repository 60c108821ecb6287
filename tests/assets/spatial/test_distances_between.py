"""Roads between cities: a server's own answer where one is named, a marked estimate where none is."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from assets.spatial.city_distance import distances_between
from schemas.recipe import City, SpatialSection
from schemas.recipe_values import Box

CITIES = [
    City(city_id=f"xx-a-{name}", name=name, country="XX", box=Box(south=lat, west=0, north=lat + 1, east=1))
    for name, lat in (("one", 10), ("two", 12))
]


@pytest.fixture
def server():
    """Yield the address of a server that answers every table with 100 km and 3,600 s."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            snap = [{"distance": 1.0, "location": [0, 0], "name": "", "hint": ""}] * 2
            grid = {"distances": [[0, 100_000], [100_000, 0]], "durations": [[0, 3600], [3600, 0]]}
            body = json.dumps({"code": "Ok", "sources": snap, "destinations": snap, **grid}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format, *args):
            return None

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as running:
        threading.Thread(target=running.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def test_a_named_server_is_asked(server):
    found = distances_between(cities=CITIES, spatial=SpatialSection(server=server))
    assert found["distance_m"].tolist() == [100_000, 100_000]
    assert found["is_estimate"].tolist() == [False, False]


def test_without_a_server_the_rows_are_marked_estimates():
    found = distances_between(cities=CITIES, spatial=None)
    assert found["is_estimate"].tolist() == [True, True]
    assert found["distance_m"].tolist() == (found["geodesic_m"] * 1.2).round(1).tolist()
