"""Where cells run: in this process, or on every core of this machine. One seam: a cell goes in, a future comes out."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, Protocol

from assets.core.processes import begin, fresh_processes
from pipelines.walk.cell import Bench, CellResult
from pipelines.walk.graph import Cell
from pipelines.walk.jobs import run_packed
from pipelines.walk.shards import Shard
from schemas.errors import ExpectedError

WORKERS_VARIABLE = "TRIPWRIGHT_WORKERS"
STARTS_AFTER_S = 3.0
"""A build that is over within this time starts no other process: to import what they need costs a core two seconds,
and each reads anew what the first had read."""

MANY_CELLS = 20
"""With so many cells that wait to be begun, others are started before that time."""

MOST_CELLS_HERE = 500
"""With more cells that wait none runs in this process: what one reads of very many cities would stay in it, 600 MB of a
thousand."""

PRELOADED = (
    "matplotlib.figure",
    "pipelines.releases.beside",
    "pipelines.walk.jobs",
    "scipy.sparse.csgraph",
    "scipy.spatial",
    "shapely",
    "sklearn.cluster",
)
"""What cells import that takes long, beside what judges do."""

KEPT_FREE_MB = 500
TRIES = 3
"""So often is a cell begun whose process died, each time with the others that ran beside it."""

MIB = 1 << 20

Done = Future[tuple[CellResult, str]]


class Executor(Protocol):
    """Runs cells somewhere else, or here."""

    @property
    def workers(self) -> int:
        """Return how many cells run at once."""
        ...

    @property
    def has_others(self) -> bool:
        """Return whether other processes than this one run cells, now or as soon as they are given one."""
        ...

    def expect(self, cells: int) -> None:
        """Take note of how many cells wait to be begun."""
        ...

    def room(self, memory_mb: int) -> bool:
        """Return whether a cell that needs so much memory can be begun now."""
        ...

    def submit(self, cell: Cell | Shard, memory_mb: int) -> Done:
        """Return the future of what comes of a cell, and of who ran it."""
        ...


class InProcess:
    """Runs each cell at once, in this process."""

    workers = 1
    has_others = False

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def expect(self, cells: int) -> None:
        """Do nothing: there is no other process to start."""

    def room(self, memory_mb: int) -> bool:  # noqa: ARG002  (the seam's)
        """Return True: a cell is done before the next is asked for."""
        return True

    def submit(self, cell: Cell | Shard, memory_mb: int) -> Done:  # noqa: ARG002  (the seam's)
        """Return the future of a cell that is done."""
        done: Done = Future()
        done.set_result((self._bench.make(cell), ""))
        return done


class Cores:
    """Runs cells in processes of their own, as many as there are cores and as memory allows.

    The first run in a thread of this process, unless very many wait; others are started once a build has taken a few
    seconds, or many cells wait, and are given cells once they can begin them. A process that dies takes those beside it
    along: their cells are begun again, each at most `TRIES` times.
    `job` keeps the recipe for them and returns its key.
    """

    def __init__(self, bench: Bench, home_url: str, job: Callable[[], str], workers: int, memory_mb: int) -> None:
        self.workers = workers
        self._bench, self._home_url, self._job = bench, home_url, job
        self._memory_mb, self._used_mb = memory_mb, 0
        self._first_at: float | None = None
        self._is_here_busy, self._most_waiting = False, 0
        self._pool: ProcessPoolExecutor | None = None
        self._watched, self._held = multiprocessing.Pipe(duplex=False)
        self._is_closed = False
        self._starting: threading.Thread | None = None
        self._running = 0
        self._lock = threading.RLock()

    @property
    def has_others(self) -> bool:
        """Return whether this build has taken long enough for other processes to be worth their start."""
        with self._lock:
            if self._first_at is None:
                self._first_at = time.monotonic()
            return self._can_others()

    def expect(self, cells: int) -> None:
        """Have other processes started at once, where many wait."""
        with self._lock:
            self._most_waiting = max(self._most_waiting, cells)
            self._can_others()

    def room(self, memory_mb: int) -> bool:
        """Return whether a worker is free and memory enough; the only cell there is may always be begun."""
        with self._lock:
            if not self._running:
                return True
            if self._used_mb + memory_mb > self._memory_mb or self._running >= self.workers:
                return False
            return self._can_others()

    def submit(self, cell: Cell | Shard, memory_mb: int) -> Done:
        """Return the future of what comes of a cell, and of the process that ran it."""
        done: Done = Future()
        with self._lock:
            self._running += 1
            self._used_mb += memory_mb
            if self._first_at is None:
                self._first_at = time.monotonic()
            is_here = not self._can_others() and not self._is_here_busy and self._most_waiting <= MOST_CELLS_HERE
            self._is_here_busy = self._is_here_busy or is_here
        done.add_done_callback(lambda _: self._ended(memory_mb, is_here))
        if is_here:
            threading.Thread(target=self._run_here, args=(cell, done), daemon=True).start()
        else:
            # Packed at once: a pool packs in a thread of its own, while what a shard shares with its cell may change.
            self._send(pickle.dumps(cell), done, TRIES)
        return done

    def close(self) -> None:
        """End the processes at once; what they had begun is not kept."""
        with self._lock:
            self._is_closed = True
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)
        self._held.close()  # at which they end: Python would wait until they are done

    def _can_others(self) -> bool:
        """Return whether other processes can begin a cell at once; has them get ready as soon as they are due."""
        if self._pool is not None:
            return True
        is_due = self._first_at is not None and time.monotonic() - self._first_at >= STARTS_AFTER_S
        if self._starting is None and (is_due or self._most_waiting >= MANY_CELLS):
            self._starting = threading.Thread(target=_get_ready, daemon=True)
            self._starting.start()
        return self._starting is not None and not self._starting.is_alive()

    def _ended(self, memory_mb: int, was_here: bool) -> None:
        with self._lock:
            self._running -= 1
            self._used_mb -= memory_mb
            if was_here:
                self._is_here_busy = False

    def _run_here(self, cell: Cell | Shard, done: Done) -> None:
        try:
            outcome = self._bench.make(cell)
        except BaseException as error:
            done.set_exception(error)
        else:
            done.set_result((outcome, "here"))

    def _send(self, packed: bytes, done: Done, tries: int) -> None:
        with self._lock:
            if self._is_closed:
                done.cancel()
                return
            if self._pool is None:
                self._pool = ProcessPoolExecutor(
                    self.workers, fresh_processes(PRELOADED), _begin_worker, (dict(os.environ), self._watched)
                )
            pool = self._pool
            try:
                sent = pool.submit(run_packed, self._home_url, self._job(), packed)
            except BrokenProcessPool:
                self._pool = None
                self._send(packed, done, tries)
                return
        sent.add_done_callback(lambda future: self._came(future, pool, packed, done, tries))

    def _came(self, future: Done, pool: ProcessPoolExecutor, packed: bytes, done: Done, tries: int) -> None:
        error = future.exception() if not future.cancelled() else None
        if future.cancelled():
            done.cancel()
        elif error is None:
            done.set_result(future.result())
        elif not isinstance(error, BrokenProcessPool):
            done.set_exception(error)
        elif tries > 1:
            with self._lock:
                if self._pool is pool:
                    self._pool = None
            self._send(packed, done, tries - 1)
        else:
            text = f"{TRIES} processes that ran it died, perhaps for want of memory; build again with fewer --workers"
            done.set_result((CellResult(None, text), ""))


@contextmanager
def cores(
    bench: Bench,
    home_url: str,
    job: Callable[[], str],
    workers: int | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Iterator[Executor]:
    """Yield what runs a recipe's cells on this machine: `workers` at once, else $TRIPWRIGHT_WORKERS, else all cores."""
    count = workers or workers_here()
    if count == 1:
        yield InProcess(bench)
        return
    memory_mb = free_memory_mb()
    if memory_mb < count * KEPT_FREE_MB:
        say(f"{memory_mb} MB of memory are free: fewer than {count} cells run at once")
    running = Cores(bench, home_url, job, count, memory_mb)
    try:
        yield running
    finally:
        running.close()


def workers_here() -> int:
    """Return how many cells run at once: $TRIPWRIGHT_WORKERS, else the cores that this process may use.

    Raises ExpectedError if the variable is no whole number from 1 on.
    """
    number = os.environ.get(WORKERS_VARIABLE)
    if number is None:
        return len(os.sched_getaffinity(0))
    if not number.isdigit() or int(number) < 1:
        raise ExpectedError(f"${WORKERS_VARIABLE}: found {number!r}; expected a whole number of cells to run at once")
    return int(number)


def free_memory_mb() -> int:
    """Return the memory in MiB that cells may use: what the system or the group of processes has left, less a reserve.

    Linux tells both; where neither is told, one cell at a time is begun.
    """
    limits_mb = [_meminfo_mb(), _cgroup_mb()]
    free_mb = [value for value in limits_mb if value is not None]
    return max(0, min(free_mb) - KEPT_FREE_MB) if free_mb else 0


def _meminfo_mb() -> int | None:
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) // 1024
    return None


def _cgroup_mb() -> int | None:
    with contextlib.suppress(OSError, ValueError):
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
        used = int(Path("/sys/fs/cgroup/memory.current").read_text())
        return None if limit == "max" else max(0, int(limit) - used) // MIB
    return None


def _get_ready() -> None:
    with contextlib.suppress(OSError):  # whoever is given a cell says so in its turn
        first = fresh_processes(PRELOADED).Process()
        first.start()
        first.join()


def _begin_worker(environment: dict[str, str], watched: Any) -> None:
    """Leave Ctrl-C to the driver, and end with it, or as soon as it closes its end of the pipe that is watched."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    begin(environment)
    threading.Thread(target=_end_after, args=(watched,), daemon=True).start()


def _end_after(watched: Any) -> None:
    wait([watched])
    os._exit(1)
