"""A Dask scheduler and workers on this machine that share no folder, as processes of their own that can be killed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipelines.walk.fingerprint import ROOT

SELDOM = {
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "5s",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
}
"""Nobody looks at how busy these workers are: asked as often as by default, each takes four hundredths of a core."""


class Dask:
    """A scheduler and its workers, each worker with a cache of its own."""

    def __init__(self, folder: Path, workers: int) -> None:
        self._folder, self._started = folder, 0
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []
        self.start_scheduler()
        for _ in range(workers):
            self.start_worker()

    def start_scheduler(self) -> None:
        """Start the scheduler, at the address that it has had."""
        self.scheduler = self._start("dask_scheduler", "--host", "127.0.0.1", "--port", str(self._port))

    def start_worker(self, code: Path = ROOT) -> None:
        """Start one worker more, which runs the code in a folder."""
        kept = str(self._folder / f"worker-{self._started + 1}")
        words = ("--nthreads", "1", "--no-nanny", "--local-directory", kept)
        self.workers.append(self._start("dask_worker", self.address, *words, code=code))

    def close(self) -> None:
        """Kill all of it."""
        for process in (*self.workers, self.scheduler):
            if process is not None:
                process.kill()
                process.wait()
        self.workers = []

    def _start(self, program: str, *words: str, code: Path = ROOT) -> subprocess.Popen[bytes]:
        self._started += 1
        cache = str(self._folder / f"cache-{self._started}")
        given = os.environ | SELDOM | {"TRIPWRIGHT_CACHE": cache, "PYTHONPATH": str(code)}
        said = [sys.executable, "-m", f"distributed.cli.{program}", *words, "--no-dashboard"]
        return subprocess.Popen(said, env=given, cwd=self._folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextmanager
def dask_cluster(folder: Path, workers: int) -> Iterator[Dask]:
    """Yield a scheduler with so many workers, found by their environment a bucket's server that runs already."""
    folder.mkdir(parents=True, exist_ok=True)
    cluster = Dask(folder, workers)
    try:
        yield cluster
    finally:
        cluster.close()
