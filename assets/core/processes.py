"""Processes that begin quickly and end with the one that started them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import wait
from multiprocessing.context import ForkServerContext

from assets.core.garbage import look_seldom
from assets.families import families

PRELOADED = ("assets.promises.certified", "duckdb", "pandas", "pyarrow.dataset", "pyarrow.parquet", "pyproj")
"""What every judge of plans imports, beside what families declare. No solver is among it: judges must not have one."""


def fresh_processes(also: Iterable[str] = ()) -> ForkServerContext:
    """Return what starts processes that have run nothing: forks of a server that has imported what they need.

    The server begins now, unless it has begun, imports the modules of `also` too, and ends with this process. Its
    forks have the environment that was this process's at that time; `begin` gives them today's. Ctrl-C is left to this
    process: the server, which by itself heeds it while it imports, would print where it was.
    """
    context = multiprocessing.get_context("forkserver")
    declared = (f"assets.{name}.family" for name in families())
    context.set_forkserver_preload([*PRELOADED, *declared, *also])
    resource_tracker.ensure_running()  # which lets Ctrl-C through again once it has begun
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return context


def begin(environment: Mapping[str, str]) -> None:
    """Take over the environment of the process that started this one, and end as soon as that is gone."""
    take_over(environment)
    end_with_parent()
    look_seldom()


def take_over(environment: Mapping[str, str]) -> None:
    """Have the environment of the process that started this one."""
    os.environ.clear()
    os.environ.update(environment)


def end_with_parent() -> None:
    """End this process as soon as the one that started it is gone: killed, it can tell nobody."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def watching_parent() -> Iterator[None]:
    """Do the same within the `with`, after which no thread is left that a fork would lack."""
    parent, (stop, stopped) = multiprocessing.parent_process(), os.pipe()

    def watch() -> None:
        if parent is not None and stop not in wait([parent.sentinel, stop]):
            os._exit(1)

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        os.close(stopped)
        watching.join()
        os.close(stop)
