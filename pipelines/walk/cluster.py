"""Cells on the workers of a Dask cluster, whoever started them: SSH, SLURM, Kubernetes or a cloud.

A worker runs the driver's code with the driver's libraries, or is refused by name. It needs the home, which both must
be able to write: a bucket, or a folder that all machines mount under the same path.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from functools import cache
from typing import Any

from pipelines.walk.cell import CellResult
from pipelines.walk.executors import Done
from pipelines.walk.fingerprint import Code
from pipelines.walk.graph import Cell
from pipelines.walk.jobs import run_here
from pipelines.walk.shards import LostError, Shard
from schemas.extras import require
from warehouse.store import StoreError

AHEAD = 2
"""Cells that each worker thread has been given at once, so that none waits for the driver."""

ANSWERS_WITHIN_S = 30
ASKS_EVERY_S = 1.0
"""How often the scheduler is asked for its workers; more join, and some die, while a build runs."""

LOST_TIMES = 10
"""So often is a cell begun again whose worker died; Dask calls it killed after that."""

SHOWN = 3

CLIENT_LOGGERS = ("distributed", "distributed.client", "tornado.application")


class ClusterError(LostError):
    """A cluster cannot be used: it does not answer, or its workers run something else."""


class Cluster:
    """Runs cells on the workers of one scheduler."""

    has_others = True

    def __init__(self, client: Any, home_url: str, job: Callable[[], str], state: dict[str, str]) -> None:
        self._client, self._home_url, self._job, self._digest = client, home_url, job, _digest(state)
        self._pool = client.get_executor(pure=False, retries=LOST_TIMES)
        self._running = 0
        self._threads, self._asked_at = 0, -ASKS_EVERY_S

    @property
    def workers(self) -> int:
        """Return how many cells run at once, by what the scheduler said last; at least 2, the driver never runs any.

        Raises ClusterError if it does not answer.
        """
        if time.monotonic() - self._asked_at >= ASKS_EVERY_S:
            with _reached():
                self._threads = sum(self._client.nthreads().values())
            self._asked_at = time.monotonic()
        return max(2, self._threads)

    def expect(self, cells: int) -> None:
        """Do nothing: the workers are there."""

    def room(self, memory_mb: int) -> bool:  # noqa: ARG002  (a worker's memory is what it was started with)
        """Return whether a worker has little enough before it."""
        return self._running < AHEAD * self.workers

    def submit(self, cell: Cell | Shard, memory_mb: int) -> Done:  # noqa: ARG002  (the seam's)
        """Return the future of what comes of a cell, and of the worker that ran it."""
        done: Done = Future()
        self._running += 1
        with _reached():
            sent = self._pool.submit(run_there, self._home_url, self._job(), cell, self._digest)
        sent.add_done_callback(lambda future: self._came(future, cell, done))
        return done

    def call(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Return the future of what a function of the driver's code gives on a worker.

        The future raises what the function raises, and ClusterError where workers died of it or run other code.
        """
        done: Future[Any] = Future()
        with _reached():
            sent = self._pool.submit(called_there, self._digest, function, *arguments)
        sent.add_done_callback(lambda future: self._settle(future, f"{function.__name__} ran", done))
        return done

    def _came(self, future: Future[Any], cell: Cell | Shard, done: Done) -> None:
        self._running -= 1
        if not future.cancelled() and type(future.exception()).__name__ == "KilledWorker":
            done.set_result((CellResult(None, DIED), ""))
        else:
            self._settle(future, f"{cell.step} {cell.scope} was made", done)

    def _settle(self, future: Future[Any], meanwhile: str, done: Future[Any]) -> None:
        if future.cancelled():
            done.set_exception(ClusterError(f"{GONE} while {meanwhile}; {AGAIN}"))
            return
        error = future.exception()
        if error is None:
            done.set_result(future.result())
        elif type(error).__name__ == "KilledWorker":
            done.set_exception(ClusterError(f"while {meanwhile}: {DIED}"))
        elif isinstance(error, OSError) and self._client.status != "running":
            done.set_exception(ClusterError(f"{GONE}: {error}; {AGAIN}"))
        elif isinstance(error, ImportError):  # of what was sent: nothing that runs there imports what may be missing
            done.set_exception(ClusterError(f"while {meanwhile}: a worker joined {NO_CODE} ({error}); {FROM_THEM}"))
        else:
            done.set_exception(error)


@contextmanager
def _reached() -> Iterator[None]:
    """Raise ClusterError where the scheduler cannot be reached inside the `with`."""
    try:
        yield
    except (OSError, RuntimeError, TimeoutError) as error:
        raise ClusterError(f"{GONE}: {error}; {AGAIN}") from None


GONE = "the scheduler went away"
NO_CODE = "that cannot import the driver's code"
FROM_THEM = "start it from the driver's code and libraries"
SAME_HOME = "Start it where the driver's home is: a folder under the same path, or a bucket, with its address and keys"
DIED = f"{LOST_TIMES} workers that ran it died, perhaps for want of memory; give each more of it"
AGAIN = "what was built is kept: start the cluster again, and the command again"


@contextmanager
def cluster(address: str, home_url: str, job: Callable[[], str], code: Code) -> Iterator[Cluster]:
    """Yield what runs a recipe's cells on the cluster of the scheduler at an address, such as `tcp://host:8786`.

    Raises MissingExtraError if Dask is not installed; ClusterError if the scheduler does not answer, has no worker, or
    has workers that do not run this code.
    """
    require("dask")
    from distributed import Client
    from distributed.comm.addressing import get_address_host_port

    try:
        get_address_host_port(address)  # a client that cannot read its address waits a minute for its own end
        client: Any = Client(address, timeout=ANSWERS_WITHIN_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise ClusterError(f"{address}: found no Dask scheduler ({error}); start one with: dask scheduler") from None
    with _unlogged():
        try:
            with contextlib.suppress(TimeoutError):
                client.wait_for_workers(1, timeout=ANSWERS_WITHIN_S)
            state = code.everything()
            _require_same(address, state, _code_states(client))
            yield Cluster(client, home_url, job, state)
        finally:
            client.close()


@contextmanager
def _unlogged() -> Iterator[None]:
    """Keep tracebacks to Dask's client of a scheduler that went away, or that was left while it answered.

    `ClusterError` says the one in a line; the other is of a build that ends in an error of its own.
    """
    loggers = [logging.getLogger(name) for name in CLIENT_LOGGERS]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def _code_states(client: Any) -> dict[str, dict[str, str] | Exception]:
    """Return, by worker, the state of its code, or why it cannot tell it; nothing of one that died meanwhile."""
    from distributed.comm.core import CommClosedError

    answers = client.run(here, on_error="return") if client.nthreads() else {}
    return {worker: state for worker, state in answers.items() if not isinstance(state, CommClosedError)}


def here() -> dict[str, str]:
    """Return the state of every module of this process's code and of every library that it imports."""
    return _state()


def run_there(home_url: str, job: str, cell: Cell | Shard, digest: str) -> tuple[CellResult, str]:
    """Return what came of a cell on this worker, and the worker's name. Raises ClusterError if its code is another."""
    outcome, _ = called_there(digest, run_here, home_url, job, cell)
    return outcome, _name()


def called_there(digest: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a function gives on this worker.

    Raises ClusterError, with the worker's name, if its code is not the driver's or it cannot use the driver's home.
    """
    if _own_digest() != digest:
        raise ClusterError(f"worker {_name()} joined with other code or libraries than the driver's; {FROM_THEM}")
    try:
        return function(*arguments)
    except (OSError, StoreError) as error:
        raise ClusterError(f"worker {_name()} cannot use what the driver can: {error}. {SAME_HOME}") from error


def _name() -> str:
    return f"{socket.gethostname()} {os.getpid()}"


def _require_same(address: str, state: dict[str, str], states: Mapping[str, dict[str, str] | Exception]) -> None:
    """Raise ClusterError naming each worker that runs other code, and where it differs."""
    if not states:
        raise ClusterError(f"{address}: the scheduler has no worker; start some with: dask worker {address}")
    problems = []
    for worker, worker_state in sorted(states.items()):
        if isinstance(worker_state, Exception):
            problems.append(f"  - {worker}: one {NO_CODE} ({worker_state})")
            continue
        names = sorted(name for name in state.keys() | worker_state.keys() if state.get(name) != worker_state.get(name))
        if names:
            more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
            details = "; ".join(
                f"{n}: {_state_text(worker_state.get(n))}, here {_state_text(state.get(n))}" for n in names[:SHOWN]
            )
            problems.append(f"  - {worker}: {details}{more}")
    if problems:
        raise ClusterError(
            f"{address}: {len(problems)} of {len(states)} workers run other code or libraries than this driver:\n"
            + "\n".join(problems)
            + "\nStart them from the same revision, with: uv sync --locked --inexact --extra dask"
        )


def _state_text(state: str | None) -> str:
    return "absent" if state is None else state[:24]


@cache
def _state() -> dict[str, str]:
    return Code().everything()


@cache
def _own_digest() -> str:
    return _digest(_state())


def _digest(state: dict[str, str]) -> str:
    return hashlib.sha256(repr(sorted(state.items())).encode()).hexdigest()
