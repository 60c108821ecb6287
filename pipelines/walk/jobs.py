"""A job: the recipe and lock of one build, kept in the home, so that any process that can read it can run its cells."""

from __future__ import annotations

import hashlib
import json
import os
from functools import lru_cache
from pathlib import Path

from assets.family import all_steps, families
from pipelines.walk.cell import Bench, Made
from pipelines.walk.graph import Cell, Graph
from pipelines.walk.recipes import LoadedRecipe
from pipelines.walk.shards import Shard
from schemas.recipe import Recipe, RecipeLock
from warehouse.home import Home
from warehouse.store import StoreError

JOBS_KEY = "jobs"
BENCHES = 4
"""Recipes that one worker keeps read."""


def keep_job(home: Home, loaded: LoadedRecipe, lock: RecipeLock) -> str:
    """Return the key under which the home keeps a recipe and its lock, by the hash of both."""
    job = {"recipe": loaded.recipe.model_dump(mode="json"), "lock": lock.model_dump(mode="json")}
    data = json.dumps({**job, "path": str(loaded.path)}).encode()
    key = f"{JOBS_KEY}/{hashlib.sha256(data).hexdigest()}.json"
    if not home.store.exists(key):
        home.store.put(key, data)
    return key


def job_of(home: Home, key: str) -> tuple[LoadedRecipe, RecipeLock]:
    """Return the recipe and lock that the home keeps under a key. Raises StoreError if their bytes have changed."""
    data = home.store.read(key)
    if key != f"{JOBS_KEY}/{hashlib.sha256(data).hexdigest()}.json":
        raise StoreError(f"{home.url}: the job `{key}` has changed; delete it and build again")
    job = json.loads(data)
    recipe = Recipe.model_validate(job["recipe"])
    known = families()
    chosen = {name: known[name] for name in recipe.families}
    sections = {name: known[name].section.model_validate(section) for name, section in recipe.families.items()}
    return LoadedRecipe(Path(job["path"]), recipe, chosen, sections), RecipeLock.model_validate(job["lock"])


@lru_cache(maxsize=BENCHES)
def bench(home_url: str, key: str) -> Bench:
    """Return where this process runs the cells of a job."""
    home = Home(home_url)
    loaded, lock = job_of(home, key)
    return Bench(home, Graph(home, loaded, lock, all_steps(loaded.families.values())))


def run_here(home_url: str, key: str, cell: Cell | Shard) -> tuple[Made, str]:
    """Return what came of a cell in this process, and which process that is: what a worker runs."""
    return bench(home_url, key).made(cell), f"process {os.getpid()}"
