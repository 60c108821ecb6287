"""A job: the recipe and lock of one build, kept in the home, so that any process that can read it can run its cells."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from assets.families import all_steps, families
from pipelines.walk.cell import Bench, CellResult
from pipelines.walk.graph import Cell, Graph
from pipelines.walk.recipes import LoadedRecipe
from pipelines.walk.router import require_router
from pipelines.walk.shards import Shard
from schemas.recipe import Recipe, RecipeLock
from schemas.source import SourceError
from warehouse.home import Home
from warehouse.store import StoreError

JOBS_KEY = "jobs"
BENCHES = 4
"""Recipes that one thread of a worker keeps read."""


@dataclass(frozen=True)
class AskedJob:
    """A job as it was kept: its recipe, its lock, and whether who runs it must not fetch OSRM."""

    loaded: LoadedRecipe
    lock: RecipeLock
    no_install: bool


def keep_job(home: Home, loaded: LoadedRecipe, lock: RecipeLock, *, no_install: bool = False) -> str:
    """Return the key under which the home keeps a job, by the hash of all that it says."""
    job = {"recipe": loaded.recipe.model_dump(mode="json"), "lock": lock.model_dump(mode="json")}
    data = json.dumps({**job, "path": str(loaded.path), "no_install": no_install}).encode()
    key = f"{JOBS_KEY}/{hashlib.sha256(data).hexdigest()}.json"
    if not home.store.exists(key):
        home.store.put(key, data)
    return key


def job_of(home: Home, key: str) -> AskedJob:
    """Return the job that the home keeps under a key. Raises StoreError if their bytes have changed."""
    data = home.store.read(key)
    if key != f"{JOBS_KEY}/{hashlib.sha256(data).hexdigest()}.json":
        raise StoreError(f"{home.url}: the job `{key}` has changed; delete it and build again")
    job = json.loads(data)
    recipe = Recipe.model_validate(job["recipe"])
    all_families = families()
    recipe_families = {name: all_families[name] for name in recipe.families}
    sections = {name: all_families[name].section.model_validate(section) for name, section in recipe.families.items()}
    loaded = LoadedRecipe(Path(job["path"]), recipe, recipe_families, sections)
    return AskedJob(loaded, RecipeLock.model_validate(job["lock"]), job["no_install"])


def bench(home_url: str, key: str) -> Bench:
    """Return where this thread runs the cells of a job. Raises SourceError if it needs OSRM and must not fetch it.

    No other thread runs its cells there: a bench keeps what the last one read and what solves its shards.
    """
    return _BENCHES.of(home_url, key)


class _Benches(threading.local):
    """The benches of each thread."""

    def __init__(self) -> None:
        self.of = lru_cache(maxsize=BENCHES)(_new_bench)


def _new_bench(home_url: str, key: str) -> Bench:
    home = Home(home_url)
    job = job_of(home, key)
    require_router(job.loaded, job.lock, job.no_install)
    return Bench(home, Graph(home, job.loaded, job.lock, all_steps(job.loaded.families.values())))


_BENCHES = _Benches()


def run_packed(home_url: str, key: str, packed: bytes) -> tuple[CellResult, str]:
    """Return what came of a pickled cell in this process, and which process that is: what a worker runs."""
    return run_here(home_url, key, pickle.loads(packed))  # noqa: S301  (our own driver's)


def run_here(home_url: str, key: str, cell: Cell | Shard) -> tuple[CellResult, str]:
    """Return what came of a cell in this process, and which process that is."""
    who = f"process {os.getpid()}"
    try:
        job_bench = bench(home_url, key)
    except SourceError as error:
        return CellResult(None, str(error)), who
    return job_bench.make(cell), who
