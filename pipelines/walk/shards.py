"""Shards: parts of one cell's work that other processes and machines do for it, while the driver keeps it together.

What a cell needs to see whole (drawing, telling records apart) stays with the cell; what each slot needs alone (its
plan) is a shard's. A shard's results are kept under the hash of all they rest on, so that a build that was killed does
not seek them again. How jobs are shared out changes no byte.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from assets.step import Job
from pipelines.walk.graph import Cell
from schemas.source import SourceError
from schemas.stable import content_hash
from warehouse.build_records import seal_of
from warehouse.store import Store

if TYPE_CHECKING:
    from pipelines.walk.executors import Done, Executor

SHARDS_KEY = "shards"
JOBS_A_SHARD = 10
"""Slots of one shard at most: its way to another machine costs little beside them, and all machines have some."""

SHARES_LEFT = 2
"""A shard has at most one of so many equal shares for each worker of what is left: none works long after the others."""

LEAST_SHARED = 2
"""Fewer jobs than these are done by the cell's own process."""


class LostError(SourceError):
    """What ran the cells is gone: no cell's fault, and the end of the build."""


class FaultError(Exception):
    """The code of a shard failed, and not its data."""


@dataclass(frozen=True)
class Shard:
    """Some jobs of a cell: plain data that runs anywhere.

    One without jobs has a process read what such jobs need, and keep it ready.
    """

    cell: Cell
    jobs: tuple[Job, ...]

    @property
    def step(self) -> str:
        """Return the cell's step."""
        return self.cell.step

    @property
    def scope(self) -> str:
        """Return the cell's scope."""
        return self.cell.scope

    @property
    def key(self) -> str:
        """Return where the results are kept: by the cell's fingerprint and what each job asks."""
        digest = content_hash([self.cell.fingerprint, [job.about for job in self.jobs]])
        return f"{SHARDS_KEY}/{digest[:2]}/{digest}.json"


def kept_results(store: Store, shard: Shard) -> list[Any] | None:
    """Return the results that the home keeps of a shard; None if there are none, or their bytes have changed."""
    data = store.read_if_there(shard.key)
    if data is None:
        return None
    try:
        record = json.loads(data)
        results = record["results"]
        return results if record["seal"] == seal_of(results) and len(results) == len(shard.jobs) else None
    except (ValueError, KeyError, TypeError):
        return None


def keep_results(store: Store, shard: Shard, results: list[Any]) -> None:
    """Keep the results of a shard. Raises TypeError for one that is no plain JSON: read back, it would be another."""
    if json.loads(json.dumps(results)) != results:
        raise TypeError(f"step `{shard.step}`: the results of its shards must be plain JSON, lists instead of tuples")
    store.put(shard.key, json.dumps({"seal": seal_of(results), "results": results}).encode(), synced=False)


class Sharing:
    """Has the jobs of one cell done: by the cell's own process while it is alone, then by all that run cells."""

    def __init__(self, executor: Executor, cell: Cell, memory_mb: int) -> None:
        self._executor, self._cell, self._memory_mb = executor, cell, memory_mb

    def prepare(self) -> None:
        """Have the others read what plans are sought in, while this process draws what is asked of them."""
        for _ in range(self._executor.workers if self._executor.has_others else 0):
            if self._executor.room(self._memory_mb):
                self._executor.submit(Shard(self._cell, ()), self._memory_mb)

    def __call__(self, jobs: Iterable[Job], alone: Callable[[Job], Any], most: int) -> list[Any]:
        """Return what comes of every job, in the order of the jobs, of which there are `most` at most.

        Jobs are taken as they are wanted, so that the first are done while the last are made. `alone` does one here.
        Raises SourceError where the processes that did a job died, and what `alone` raises.
        """
        done: list[Any] = []
        remaining_jobs = iter(jobs)
        while not self._executor.has_others:
            job = next(remaining_jobs, None)
            if job is None:
                return done
            done.append(alone(job))
        first = list(islice(remaining_jobs, LEAST_SHARED))
        if len(first) < LEAST_SHARED:
            return [*done, *map(alone, first)]
        return [*done, *self._shared(chain(first, remaining_jobs), most - len(done))]

    def _shared(self, jobs: Iterator[Job], most: int) -> Iterator[Any]:
        shard_results: list[list[Any]] = []
        running: dict[Done, int] = {}
        next_jobs = self._next_jobs(jobs, most)
        while next_jobs or running:
            while next_jobs and (not running or self._executor.room(self._memory_mb)):
                running[self._executor.submit(Shard(self._cell, next_jobs), self._memory_mb)] = len(shard_results)
                shard_results.append([])
                most -= len(next_jobs)
                next_jobs = self._next_jobs(jobs, most)  # made while others work
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                outcome, _ = done.result()
                if outcome.results is None:
                    raise FaultError(outcome.reason) if outcome.is_fault else SourceError(outcome.reason)
                shard_results[running.pop(done)] = outcome.results
        return chain.from_iterable(shard_results)

    def _next_jobs(self, jobs: Iterator[Job], most: int) -> tuple[Job, ...]:
        """Return the jobs of the next shard, where at most so many are left."""
        share = -(-most // (SHARES_LEFT * self._executor.workers))
        return tuple(islice(jobs, max(1, min(JOBS_A_SHARD, share))))
