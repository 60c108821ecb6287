"""The managed engine with the real OSRM: its tables are the server's own answers, and nothing of it stays behind.

The binaries are fetched once into the user's cache. Where they cannot be had, these tests fail and are not skipped.
"""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
import requests

from schemas.source import SourceError
from sources.services.osrm import OsrmClient
from sources.services.osrm_engine import ManagedOsrm, prepare_graph
from sources.services.osrm_install import default_cache_dir, install_osrm
from sources.services.routing import Router

NO_SHA = "0" * 64


@pytest.fixture(scope="module")
def osrm():
    """Return the folder of the real binaries."""
    return install_osrm(default_cache_dir())


@pytest.fixture(scope="module")
def cache(osrm, tmp_path_factory):
    """Return an empty cache that has the binaries."""
    folder = tmp_path_factory.mktemp("cache")
    (folder / "osrm").mkdir()
    (folder / "osrm" / osrm.name).symlink_to(osrm)
    return folder


@pytest.fixture(scope="module")
def monaco(shared_data) -> tuple[Path, str]:
    path = shared_data / "osm" / "monaco.osm.pbf"
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


def street_of(path: Path) -> tuple[Path, str]:
    """Return an extract of one straight street along the equator, 11 nodes 0.001 degrees apart, and its hash."""
    nodes = "".join(f'<node id="{i + 1}" lat="0" lon="{i / 1000}"/>' for i in range(11))
    refs = "".join(f'<nd ref="{i + 1}"/>' for i in range(11))
    way = f'<way id="1">{refs}<tag k="highway" v="residential"/></way>'
    path.write_text(f'<?xml version="1.0"?><osm version="0.6">{nodes}{way}</osm>')
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


RNG = np.random.default_rng(5)
LAT, LON = RNG.uniform(43.73, 43.748, 40), RNG.uniform(7.412, 7.435, 40)


def supervisor_of(osrm: ManagedOsrm) -> subprocess.Popen[bytes]:
    assert osrm._supervisor is not None
    return osrm._supervisor


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def pids_of(name: str) -> set[int]:
    """Return the processes that run a program of this name and are not yet reaped zombies."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            _, _, rest = status.read_text().partition("(")
        except OSError:
            continue
        command, _, fields = rest.rpartition(")")
        if command == name and fields.split()[0] != "Z":
            found.add(int(status.parent.name))
    return found


def wait_until(holds):
    while not holds():  # it comes, or this never ends
        time.sleep(0.02)


@pytest.mark.parametrize("algorithm", ["ch", "mld"])
def test_a_table_is_the_servers_own_answer(cache, monaco, algorithm):
    with ManagedOsrm(monaco[0], monaco[1], "car", algorithm, cache_dir=cache) as osrm:
        table = osrm.table(LAT, LON)
        where = ";".join(f"{x:.6f},{y:.6f}" for y, x in zip(LAT, LON, strict=True))
        url = f"{osrm.url}/table/v1/driving/{where}?annotations=distance,duration"
        said = requests.get(url, timeout=600).json()
    assert table.distances_m.tolist() == said["distances"]
    assert table.times_s.tolist() == said["durations"]
    assert table.snap_distances_m.tolist() == [source["distance"] for source in said["sources"]]
    assert (table.distances_m > table.distances_m.T).any(), "one-way streets make ways there and back differ"
    assert table.router == Router("osrm", "26.10.0", algorithm, "car", monaco[1])


def test_a_graph_prepared_again_gives_the_same_tables(cache, monaco):
    answers = []
    for name in ("once", "again"):
        own = cache / name
        own.mkdir()
        (own / "osrm").symlink_to(cache / "osrm")
        with ManagedOsrm(monaco[0], monaco[1], "car", "ch", cache_dir=own) as osrm:
            answers.append(osrm.table(LAT, LON))
    assert answers[0].distances_m.tobytes() == answers[1].distances_m.tobytes()
    assert answers[0].times_s.tobytes() == answers[1].times_s.tobytes()


def test_a_graph_is_prepared_once_for_an_extract_profile_and_algorithm(cache, monaco):
    base = [prepare_graph(monaco[0], Router("osrm", "26.10.0", "mld", p, monaco[1]), cache) for p in ("foot", "car")]
    assert base[0].parent != base[1].parent
    before = base[0].parent.stat().st_mtime_ns
    router = Router("osrm", "26.10.0", "mld", "foot", monaco[1])
    assert prepare_graph(Path("does not exist any more"), router, cache) == base[0]
    assert base[0].parent.stat().st_mtime_ns == before


def test_a_preparation_that_was_killed_leaves_nothing_in_the_way(cache, monaco):
    router = Router("osrm", "26.10.0", "mld", "car", NO_SHA)
    name = prepare_graph(monaco[0], router, cache).parent.name
    other = cache / "killed"
    other.mkdir()
    (other / "osrm").symlink_to(cache / "osrm")
    leftover = other / "graphs" / f".{name}-dead"
    (leftover / "graph").mkdir(parents=True)
    prepare_graph(monaco[0], router, other)
    assert sorted(path.name for path in (other / "graphs").iterdir()) == [name, f"{name}.lock"]


def test_a_server_killed_mid_run_is_started_again(cache, monaco):
    with ManagedOsrm(monaco[0], monaco[1], "foot", "mld", cache_dir=cache) as osrm:
        before = osrm.table(LAT, LON)
        (server,) = children_of(supervisor_of(osrm).pid)
        os.kill(server, signal.SIGKILL)
        after = osrm.table(LAT, LON)
    assert after.times_s.tolist() == before.times_s.tolist()


def test_a_supervisor_killed_takes_the_server_with_it_and_is_replaced(cache, monaco):
    with ManagedOsrm(monaco[0], monaco[1], "foot", "mld", cache_dir=cache) as osrm:
        first = supervisor_of(osrm).pid
        os.kill(first, signal.SIGKILL)
        osrm.table(LAT, LON)
        assert supervisor_of(osrm).pid != first


def test_a_server_that_cannot_live_is_given_up_with_its_last_words(cache, monaco, tmp_path):
    with ManagedOsrm(monaco[0], monaco[1], "foot", "mld", cache_dir=cache) as osrm:
        osrm._graph = tmp_path / "no graph"
        supervisor_of(osrm).terminate()
        with pytest.raises(SourceError, match=r"osrm-routed stopped before it was ready. Its last words: .*no graph"):
            osrm.table(LAT, LON)


@pytest.mark.parametrize("ending", ["return", "raise", "os._exit(1)", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_no_process_is_left_behind_however_a_build_ends(cache, monaco, ending, tmp_path):
    script = tmp_path / "build.py"
    script.write_text(
        textwrap.dedent(f"""
        import os, signal, sys
        from pathlib import Path
        from sources.services.osrm_engine import ManagedOsrm
        def build():
            extract, cache = Path({str(monaco[0])!r}), Path({str(cache)!r})
            with ManagedOsrm(extract, {monaco[1]!r}, "foot", "mld", cache_dir=cache) as osrm:
                osrm.table([43.735], [7.42])
                print("up", flush=True)
                sys.stdin.readline()
                {ending}
        build()
        """)
    )
    before = pids_of("osrm-routed")
    build = subprocess.Popen(
        [sys.executable, str(script)],
        cwd=Path(__file__).resolve().parents[2],
        env={**os.environ, "PYTHONPATH": "."},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert build.stdout is not None
    assert build.stdout.readline() == b"up\n"
    ours = pids_of("osrm-routed") - before
    assert ours
    build.communicate(b"\n")
    wait_until(lambda: not ours & pids_of("osrm-routed"))


def test_two_servers_never_share_a_port(cache, monaco):
    with (
        ManagedOsrm(monaco[0], monaco[1], "foot", "mld", cache_dir=cache) as one,
        ManagedOsrm(monaco[0], monaco[1], "bicycle", "mld", cache_dir=cache) as two,
    ):
        assert one.url != two.url
        assert (one.table(LAT, LON).times_s >= two.table(LAT, LON).times_s).mean() > 0.5


def test_a_kept_file_without_a_suffix_is_read_by_its_content(cache, tmp_path):
    blob, sha = street_of(tmp_path / "street.osm")
    blob = blob.rename(tmp_path / sha)
    with ManagedOsrm(blob, sha, "foot", "mld", cache_dir=cache) as osrm:
        table = osrm.table([0.0, 0.0001], [0.002, 0.007])
    assert table.distances_m[0, 1] == pytest.approx(556.6, rel=0.002)
    assert table.times_s[0, 1] == pytest.approx(556.6 / (5 / 3.6), rel=0.002)
    assert table.snap_distances_m.round(1).tolist() == [0.0, 11.1]


def test_a_place_in_the_sea_is_far_from_the_network(cache, monaco):
    with ManagedOsrm(monaco[0], monaco[1], "foot", "mld", cache_dir=cache) as osrm:
        snap = osrm.table([43.735, 43.70], [7.42, 7.45]).snap_distances_m
    assert snap[0] < 50
    assert snap[1] > 3000


def test_a_server_that_limits_its_radius_leaves_the_sea_unreachable(cache, monaco):
    with ManagedOsrm(monaco[0], monaco[1], "foot", "mld", cache_dir=cache) as osrm:
        near = OsrmClient(osrm.url, "foot", max_side=2)
        original = near._ask_once
        near._ask_once = lambda path: original(path + "&radiuses=" + ";".join(["200"] * (path.count(",") - 1 or 1)))
        table = near.table([43.735, 43.70, 43.74], [7.42, 7.45, 7.43])
    assert np.isnan(table.times_s).tolist() == [[False, True, False], [True, True, True], [False, True, False]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04 a zip", "begins b'PK.*expected an OpenStreetMap extract .*Unpack the archive"),
        (b"", "is empty; expected an OpenStreetMap extract"),
        (b'<?xml version="1.0"?><osm version="0.6"></osm>', "osrm-extract could not use extract for the profile car"),
        (b'<?xml version="1.0"?><osm version="0.6"><node', "osrm-extract could not use extract for the profile car"),
        (b"\x00\x00\x00\x0d\x0a\x09OSMHeader\x18\x7f broken", "osrm-extract could not use extract"),
    ],
)
def test_what_is_no_extract_is_named(cache, tmp_path, content, message):
    extract = tmp_path / "extract"
    extract.write_bytes(content)
    sha = hashlib.sha256(content).hexdigest()
    with pytest.raises(SourceError, match=message), ManagedOsrm(extract, sha, "car", "ch", cache_dir=cache):
        pytest.fail("a server without roads was started")
    assert not list((cache / "graphs").glob(".*")), "a failed preparation leaves no scratch"


@pytest.mark.parametrize(("profile", "algorithm"), [("boat", "ch"), ("car", "dijkstra")])
def test_an_unknown_profile_or_algorithm_is_refused(cache, monaco, profile, algorithm):
    with pytest.raises(ValueError, match="expected one of car, foot, bicycle and one of ch, mld"):
        ManagedOsrm(monaco[0], monaco[1], profile, algorithm, cache_dir=cache)


def test_without_the_binaries_one_is_told_how_to_get_them(tmp_path, monaco):
    with (
        pytest.raises(SourceError, match=r"is not installed .*run `tripwright doctor --install-osrm`"),
        ManagedOsrm(monaco[0], monaco[1], "car", "ch", cache_dir=tmp_path),
    ):
        pytest.fail("a server was started without its binaries")
