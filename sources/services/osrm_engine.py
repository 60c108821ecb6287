"""An OSRM server of our own: a city's graph prepared once from its OSM extract, served on loopback, gone when we are.

The binaries come from `osrm_install.py`, the tables through `osrm.py`.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from numpy.typing import ArrayLike

from schemas.source import SourceError
from schemas.stable import content_hash
from sources.osm.file import osm_format
from sources.services.osrm import OsrmClient, RouterSilentError
from sources.services.osrm_install import OSRM_VERSION, installed_osrm
from sources.services.routing import RoadMatrix, Router
from sources.services.supervision import run_supervised, start_supervised, stop_supervised

PROFILES = ("car", "foot", "bicycle")
STEPS_AFTER_EXTRACT = {"ch": ("osrm-contract",), "mld": ("osrm-partition", "osrm-customize")}
"""OSRM's two algorithms. Contraction hierarchies take minutes to prepare and answer about three times faster; the two
agree on every time, and on the distance of about 98 of 100 pairs (ways of equal time may differ in length)."""

MAX_TABLE_SIDE = 2000
"""Places on a side of one table request to our own server: about 50 MB of answer."""

START_TIMEOUT_S = 120.0
DEATH_IS_KNOWN_AFTER_S = 2.0
"""The connection breaks a moment before the supervisor has seen its command end."""
LOG_TAIL_CHARS = 400


class ManagedOsrm:
    """A running OSRM server for one extract and profile, inside a `with` block; `table` asks it.

    `extract` is an OSM file (.osm, .osm.bz2, .osm.pbf, told by content) and `extract_sha256` its verified hash. The
    graph is prepared on first use and kept in `cache_dir` under the hash, profile, algorithm and OSRM version. The
    server ends with the block and with this process, however that ends. If it dies before, it is started again, once
    for each table.
    """

    def __init__(
        self,
        extract: Path,
        extract_sha256: str,
        profile: str,
        algorithm: str,
        *,
        cache_dir: Path,
        table_timeout_s: float = 600.0,
    ) -> None:
        if profile not in PROFILES or algorithm not in STEPS_AFTER_EXTRACT:
            raise ValueError(
                f"profile {profile!r} and algorithm {algorithm!r}: expected one of {', '.join(PROFILES)} "
                f"and one of {', '.join(STEPS_AFTER_EXTRACT)}"
            )
        self.router = Router("osrm", OSRM_VERSION, algorithm, profile, extract_sha256)
        self._extract = extract
        self._cache_dir = cache_dir
        self._table_timeout_s = table_timeout_s
        self._graph = Path()
        self._supervisor: subprocess.Popen[bytes] | None = None
        self._client: OsrmClient | None = None
        self._port: socket.socket | None = None
        self._logs: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> ManagedOsrm:
        self._graph = prepare_graph(self._extract, self.router, self._cache_dir)
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def table(self, lat: ArrayLike, lon: ArrayLike) -> RoadMatrix:
        """Return the ways between all the points. Raises SourceError with the server's last words if it dies twice."""
        try:
            return self._running().table(lat, lon)
        except RouterSilentError:
            if not self._has_died():
                raise  # it lives, but is slower than the timeout: starting it again would not help
        self._stop()
        self._start()
        try:
            return self._running().table(lat, lon)
        except RouterSilentError as error:
            raise SourceError(f"osrm-routed died twice on the same table: {error}. {self._log_tail()}") from None

    @property
    def url(self) -> str:
        """Return the running server's address, for asking it what `table` does not."""
        return self._running().url

    def _has_died(self) -> bool:
        assert self._supervisor is not None
        try:
            self._supervisor.wait(timeout=DEATH_IS_KNOWN_AFTER_S)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _running(self) -> OsrmClient:
        if self._client is None:
            raise RuntimeError("the server runs only inside its `with` block")
        return self._client

    def _start(self) -> None:
        self._logs = tempfile.TemporaryDirectory(prefix="tripwright-osrm-")
        self._port = _reserved_port()
        number = self._port.getsockname()[1]
        command = [str(installed_osrm(self._cache_dir) / "bin" / "osrm-routed"), "--verbosity", "WARNING"]
        command += ["--ip", "127.0.0.1", "--port", str(number), "--algorithm", self.router.algorithm.upper()]
        command += ["--max-table-size", str(MAX_TABLE_SIDE), str(self._graph)]
        self._supervisor = start_supervised(command, self._log())
        self._client = OsrmClient(
            f"http://127.0.0.1:{number}",
            self.router.profile,
            router=self.router,
            max_side=MAX_TABLE_SIDE,
            timeout_s=self._table_timeout_s,
            attempts=1,
            expected_data=self.router.extract_sha256,
        )
        try:
            self._wait_until_ready()
        except BaseException:
            self._stop()
            raise

    def _wait_until_ready(self) -> None:
        assert self._supervisor is not None
        deadline = time.monotonic() + START_TIMEOUT_S
        while True:
            try:
                self._running().table([0.0], [0.0])
            except RouterSilentError:
                if self._supervisor.poll() is not None:
                    raise SourceError(
                        f"osrm-routed stopped before it was ready. {self._log_tail()} "
                        f"If the graph is damaged, delete {self._graph.parent} to prepare it again"
                    ) from None
                if time.monotonic() > deadline:
                    raise SourceError(
                        f"osrm-routed was not ready after {START_TIMEOUT_S:.0f} s. {self._log_tail()}"
                    ) from None
                time.sleep(0.02)
            else:
                return

    def _stop(self) -> None:
        if self._client is not None:
            self._client.close()
        if self._supervisor is not None:
            stop_supervised(self._supervisor)
        if self._port is not None:
            self._port.close()
        if self._logs is not None:
            self._logs.cleanup()
        self._client = self._supervisor = self._port = self._logs = None

    def _log(self) -> Path:
        assert self._logs is not None
        return Path(self._logs.name) / "log"

    def _log_tail(self) -> str:
        return _last_words(self._log())


def prepare_graph(extract: Path, router: Router, cache_dir: Path) -> Path:
    """Return the base path of the extract's graph, prepared now unless the cache has it.

    The graph's files differ between two preparations, the tables made from them do not (tested). Each graph appears
    whole or not at all, and only one process prepares it. Raises SourceError if OSRM cannot use the extract.
    """
    from filelock import FileLock

    osrm = installed_osrm(cache_dir)
    key = content_hash([router.label])
    folder = cache_dir / "graphs" / f"{router.profile}-{router.algorithm}-{key[:24]}"
    if folder.is_dir():
        return folder / "graph.osrm"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if folder.is_dir():
            return folder / "graph.osrm"
        for leftover in folder.parent.glob(f".{folder.name}-*"):
            shutil.rmtree(leftover)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as scratch:
            _prepare(extract, router, osrm, Path(scratch))
            (Path(scratch) / "graph").replace(folder)
    return folder / "graph.osrm"


def _prepare(extract: Path, router: Router, osrm: Path, scratch: Path) -> None:
    # OSRM reads the format from the name; blobs are named by hash.
    link = scratch / f"extract.{osm_format(extract)}"
    link.symlink_to(extract.resolve())
    graph = scratch / "graph" / "graph.osrm"
    graph.parent.mkdir()
    profile = osrm / "profiles" / f"{router.profile}.lua"
    extracting = ["osrm-extract", "--profile", str(profile), "--data_version", router.extract_sha256]
    commands = [[*extracting, "--output", str(graph), str(link)]]
    commands += [[tool, str(graph)] for tool in STEPS_AFTER_EXTRACT[router.algorithm]]
    for tool, *arguments in commands:
        log = scratch / "log"
        code = run_supervised([str(osrm / "bin" / tool), *arguments], log)
        if code:
            raise SourceError(
                f"{tool} could not use {extract.name} for the profile {router.profile} (exit code {code}). "
                f"{_last_words(log)} Expected an OSM extract with roads, as .osm, .osm.bz2 or .osm.pbf"
            )


def _reserved_port() -> socket.socket:
    """Return a socket that holds a free loopback port without listening, so that nobody else is given the number.

    OSRM listens with SO_REUSEPORT; sharing is allowed only once the number was found free, so two of us never share.
    """
    holder = socket.socket()
    holder.bind(("127.0.0.1", 0))
    if hasattr(socket, "SO_REUSEPORT"):
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    return holder


def _last_words(log: Path) -> str:
    text = " ".join(log.read_text(encoding="utf-8", errors="replace").split()) if log.is_file() else ""
    return f"Its last words: {text[-LOG_TAIL_CHARS:]}" if text else "It said nothing."
