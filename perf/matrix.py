"""Distance matrices: 1,000 × 1,000 by our client beside one raw request, 300 × 300 on the graph beside bare Dijkstra.

Run from the repository's root with an OSM extract: `python -m perf.matrix EXTRACT.osm.pbf [foot] [mld]`.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import requests
from scipy.sparse.csgraph import dijkstra

from sources.osm.streets import StreetGraph
from sources.services.osrm import PROFILE_IN_URL
from sources.services.osrm_engine import ManagedOsrm
from sources.services.osrm_install import default_cache_dir, install_osrm

T = TypeVar("T")
REPEATS = 5
PLACES, PLACES_ON_THE_GRAPH = 1000, 300


def main(extract: Path, profile: str = "foot", algorithm: str = "mld") -> None:
    """Print how long each way of making a table takes, and the ratios."""
    sha256 = hashlib.sha256(extract.read_bytes()).hexdigest()
    install_osrm(default_cache_dir())

    graph, read_s = timed(lambda: StreetGraph(extract, sha256, profile))
    print(f"street graph of {extract.name} read in {read_s:.1f} s")
    rng = np.random.default_rng(0)
    ends = graph.lines[rng.integers(0, len(graph.lines), PLACES)]
    lat, lon = (ends[:, i] + rng.normal(0, 2e-4, len(ends)) for i in (0, 1))

    start = time.perf_counter()
    with ManagedOsrm(extract, sha256, profile, algorithm, cache_dir=default_cache_dir()) as engine:
        print(f"OSRM {algorithm} {profile} prepared (or found) and serving after {time.perf_counter() - start:.1f} s")
        where = ";".join(f"{x:.6f},{y:.6f}" for y, x in zip(lat, lon, strict=True))
        address = f"{engine.url}/table/v1/{PROFILE_IN_URL[profile]}/{where}?annotations=distance,duration"
        with requests.Session() as session:
            raw, ours = [], []
            for _ in range(REPEATS):
                raw.append(timed(lambda: json.loads(session.get(address, timeout=600).content))[1])
                ours.append(timed(lambda: engine.table(lat, lon))[1])
    compare(f"{PLACES:,} x {PLACES:,} table, clock", ours, "one raw request, parsed", raw, 1.2)

    lat, lon = lat[:PLACES_ON_THE_GRAPH], lon[:PLACES_ON_THE_GRAPH]
    weighted, vertex = graph.graph_with(*graph.snap(lat, lon)[:2])
    for name, clock in (("clock", time.perf_counter), ("computed", time.process_time)):
        bare, ours = [], []
        for _ in range(REPEATS):
            bare.append(timed(lambda: dijkstra(weighted, indices=vertex), clock)[1])
            ours.append(timed(lambda: graph.table(lat, lon), clock)[1])
        compare(f"{len(lat)} x {len(lat)} on the graph, {name}", ours, "bare scipy dijkstra", bare, 1.3)


def timed(work: Callable[[], T], clock: Callable[[], float] = time.perf_counter) -> tuple[T, float]:
    """Return what the work returns, and how long it took in seconds of the clock."""
    start = clock()
    made = work()
    return made, clock() - start


def compare(what: str, ours: list[float], baseline: str, theirs: list[float], limit: float) -> None:
    """Print the median times and their ratio."""
    mine, base = float(np.median(ours)), float(np.median(theirs))
    print(f"{what}: {mine:.2f} s; {baseline}: {base:.2f} s; {mine / base:.2f} x (at most {limit})")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
