"""Work spread over the machine's cores in processes of their own; the results are those of one process, in order."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")

FEW = 20
"""Jobs that are done before other processes would have started."""


def each(work: Callable[[Job], Result], jobs: Sequence[Job], *, few: int = FEW) -> list[Result]:
    """Return the result of every job, in the order of the jobs; more than a `few` are shared out among the cores.

    `work` is a function of a module and depends on its job alone. Processes are spawned, since a fork would copy the
    locks of other threads. Raises what `work` raises, and ChildProcessError if one of the processes died.
    """
    workers = min(len(os.sched_getaffinity(0)), len(jobs))
    if workers < 2 or len(jobs) <= few:
        return [work(job) for job in jobs]
    spawned = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=spawned, initializer=end_with_parent)
    try:
        return list(pool.map(work, jobs))
    except BrokenProcessPool:
        raise ChildProcessError(
            f"one of {workers} processes that shared {len(jobs)} jobs ({work.__qualname__}) died, perhaps for want of "
            "memory; nothing of this step is kept. Build again; what was built before it stays."
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def end_with_parent() -> None:
    """End this process as soon as the one that spawned it is gone: killed, it can tell nobody."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
