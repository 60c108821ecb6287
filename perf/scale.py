"""How a build grows with cores, cities and a bucket, each beside the same on one worker or in a folder, in one run.

    python -m perf.scale cells [--cities 100]     cells that do nothing, 15 a city: milliseconds a cell; and its plan
    python -m perf.scale dask [--cities 100]      the same on two Dask workers
    python -m perf.scale plan [--cities 1000]     `build --plan` of cities' space, never built, in its own process
    python -m perf.scale cities [--cities 10]     tiny invented cities end to end, a task each: seconds a city
    python -m perf.scale bucket RECIPE            a first build and one with nothing to do, in a bucket and in a folder

Whole builds on one worker and on all cores are `perf.cores`. Homes are made in a folder of their own that is removed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import psutil

from assets.step import Step
from perf.in_child import in_child
from pipelines.walk import cluster
from pipelines.walk.build import build
from pipelines.walk.cell import Bench, CellResult
from pipelines.walk.fingerprint import ROOT, Code
from pipelines.walk.graph import Cell, Graph
from pipelines.walk.recipes import LoadedRecipe
from pipelines.walk.walk import Walk
from schemas.recipe import City, Recipe, RecipeLock
from schemas.recipe_values import Box
from schemas.table import Field, Table
from sources.invented import city_of, generate
from sources.invented.cities import MAX_CITIES, CitySpec, invented_cities, world_cities
from tests.dask import dask_cluster
from tests.recipes import city_table
from warehouse.home import Home

STEPS_A_CITY = 15
PLAN = """
import resource, sys
from tests.recipes import command
code, _ = command("build", sys.argv[1], "--plan", home=sys.argv[2])
used = resource.getrusage(resource.RUSAGE_SELF)
print(f"{used.ru_utime + used.ru_stime:.1f} {used.ru_maxrss / 1024:.0f}", file=sys.stderr)
sys.exit(code)
"""
WRITTEN = 12
"""Cities for which files are written, where there are more than the invented world has."""

SOUTHWARD_DEG = 2.0
"""How far cities of one round lie from the same of the next: the invented world's are in regions 1.3 degrees high."""

DELAY_S = 0.002
"""What each request of the bucket on loopback takes longer."""


def nothing() -> pd.DataFrame:
    """Return no rows."""
    return pd.DataFrame({"name": pd.Series([], dtype=str)})


def nothing_more(before: pd.DataFrame) -> pd.DataFrame:
    """Return no rows of no rows."""
    return before


class SameCode(Code):
    """Code that never changes: the steps of this script are in no package of the build."""

    def hash_of(self, *_: Any) -> str:
        """Return one text."""
        return "same"


def chain() -> dict[str, Step]:
    """Return steps that do nothing, each of a city and reading the one before."""
    tables = [
        type(
            f"Empty{n}",
            (Table,),
            {"__doc__": "Nothing.", "__annotations__": {"name": str}, "name": Field("A name.", key=True)},
        )
        for n in range(STEPS_A_CITY)
    ]
    steps = [Step(tables[0], "perf.scale:nothing")]
    steps += [Step(table, "perf.scale:nothing_more", (before,)) for before, table in pairwise(tables)]
    return {step.name: step for step in steps}


def empty(count: int) -> tuple[LoadedRecipe, RecipeLock]:
    """Return a recipe of so many cities, and the lock of its files, of which there are none."""
    cities = [
        City(city_id=f"xx-a-c{n}", name=f"C{n}", country="XX", box=Box(south=0, west=0, north=1, east=1 + n / 1000))
        for n in range(count)
    ]
    recipe = Recipe(name="empty", cities=cities)
    return LoadedRecipe(Path("empty.toml"), recipe, {}, {}), RecipeLock(recipe="empty", snapshots=[])


def cells(count: int) -> None:
    """Print what a cell costs that does nothing, built and found again, and how long a plan takes."""
    steps, (loaded, lock) = chain(), empty(count)
    last = list(steps)[-1]
    number = STEPS_A_CITY * count
    with scratch() as folder:
        home = Home(str(folder / "home"))
        for what in ("built", "found again"):
            with measured() as took:
                walked = Walk(home, loaded, lock, steps, SameCode()).build([last])
            assert walked.steps_run + walked.steps_kept == number
            clock, computed = (1000 * seconds / number for seconds in (took.s, took.computed_s))
            print(f"{number} cells {what}: {clock:.2f} ms a cell (computed {computed:.2f})")
        with measured() as took:
            stale = Walk(home, loaded, lock, steps, SameCode()).stale([last])
        assert stale == []
        print(f"plan of {number} cells: {took.s:.1f} s, this process's peak {peak_mb():.0f} MB")


@cache
def bench(home_url: str) -> Bench:
    """Return where a worker runs cells of the chain."""
    home = Home(home_url)
    return Bench(home, Graph(home, *empty(1), chain()))


def nothing_there(home_url: str, job: str, cell: Cell, digest: str) -> tuple[CellResult, str]:  # noqa: ARG001  (as its like)
    """Return what comes of a cell of the chain on this worker, and the worker's name: `run_there` of this script."""
    here = bench(home_url)
    here.graph.cities[cell.scope] = City(
        city_id=cell.scope, name="C", country="XX", box=Box(south=0, west=0, north=1, east=1)
    )
    return here.make(cell), str(os.getpid())


def on_dask(count: int) -> None:
    """Print what a cell costs that does nothing, on two Dask workers of this machine."""
    steps, (loaded, lock) = chain(), empty(count)
    number = STEPS_A_CITY * count
    cluster.run_there = importlib.import_module("perf.scale").nothing_there  # not of `__main__`: workers import it
    with scratch() as folder, dask_cluster(folder / "dask", 2) as started:
        home = Home(str(folder / "home"))

        def start(_: Bench) -> AbstractContextManager[Any]:
            return cluster.cluster(started.address, home.url, lambda: "", Code())

        walk = Walk(home, loaded, lock, steps, SameCode(), start=start)
        with start(Bench(home, walk.graph)):  # the workers have started and read their code
            pass
        others = [psutil.Process(process.pid) for process in (*started.workers, started.scheduler) if process]
        before = [sum(other.cpu_times()[:2]) for other in others]
        with measured() as took:
            walked = walk.build([list(steps)[-1]])
        assert walked.steps_run == number, walked.blocked
        theirs_s = [sum(other.cpu_times()[:2]) - s for other, s in zip(others, before, strict=True)]
        clock, computed, *theirs = (1000 * s / number for s in (took.s, took.computed_s, *theirs_s))
        print(f"{number} cells on two Dask workers: {clock:.2f} ms a cell (computed: driver {computed:.2f}, workers "
              f"{theirs[0]:.2f} and {theirs[1]:.2f}, scheduler {theirs[2]:.2f})")  # fmt: skip


def planned(count: int) -> None:
    """Print what `build --plan` takes of so many cities' space, their files at hand and nothing built."""
    with scratch() as folder:
        recipe = folder / "tiny.toml"
        recipe.write_text(bound(folder, count), encoding="utf-8")
        words = [sys.executable, "-c", PLAN, str(recipe), str(folder / "home")]
        with measured() as took:
            told = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stderr.split()
        print(f"plan of {count} cities, never built: {took.s:.1f} s, computed {told[-2]} s, peak {told[-1]} MB")


def grown(counts: list[int]) -> None:
    """Print the time a city of builds of so many tiny cities, with space and a family, each beside the first."""
    first: dict[str, float] = {}
    for count in counts:
        with scratch() as folder:
            recipe = folder / "tiny.toml"
            recipe.write_text(tiny(count), encoding="utf-8")
            took = in_child(built_whole, recipe, folder / "home")
        each = {name: took[name] / count for name in ("seconds", "cpu_seconds")}
        first = first or each
        shares = {name: each[name] / first[name] for name in each}
        print(
            f"{count} cities, {took['tasks']} tasks: {each['seconds']:.2f} s a city, {shares['seconds']:.2f} × the "
            f"first; computed {each['cpu_seconds']:.2f} s, {shares['cpu_seconds']:.2f} ×; driver's peak "
            f"{took['driver_mb']:.0f} MB, largest process {took['largest_mb']:.0f} MB",
            flush=True,
        )


def built_whole(recipe: Path, home: Path) -> dict[str, Any]:
    """Build on all cores; return how many tasks are certified and this process's peak memory."""
    built = build(Home(str(home)), recipe)
    assert built.blocked == [], built.blocked
    return {"tasks": sum(release.certified for release in built.releases), "driver_mb": peak_mb()}


def tiny(count: int, scale: float = 0.4) -> str:
    """Return a recipe of tiny invented cities with a family and space."""
    text = f'name = "tiny"\n[invented]\nproviders = ["yelp", "gtfs", "osm"]\nscale = {scale}\n'
    text += '[spatial]\nrouter = "graph"\npool_size = 20\n'
    return (
        text
        + "".join(city_table(city) for city in world_cities(many_cities(count), 5))
        + '\n[families.itinbench]\ntasks_per_city = 1\nratings = "rounded"\n'
    )


def many_cities(count: int) -> list[CitySpec]:
    """Return invented cities; those that are more than the invented world has lie south of its, numbered by round."""
    own = invented_cities(min(count, MAX_CITIES), 5)
    return [moved(own[number % len(own)], number // len(own)) for number in range(count)]


def moved(city: CitySpec, rounds: int) -> CitySpec:
    """Return a city as it stands in a later round: a few degrees further south, under another name."""
    if not rounds:
        return city
    south = SOUTHWARD_DEG * rounds
    box = city.box._replace(south=round(city.box.south - south, 4), north=round(city.box.north - south, 4))
    return replace(city, name=f"{city.name} {rounds + 1}", lat=round(city.lat - south, 4), box=box)


def bound(folder: Path, count: int) -> str:
    """Return a recipe of so many tiny cities and their space, after writing files for some, which the others share."""
    specs = world_cities(min(count, WRITTEN), 5)
    files = generate(folder / "world", providers=["osm", "gtfs"], cities=len(specs), scale=0.2, seed=5, dirt=False)
    of = {(role, city_of(path)): path for roles in files.values() for role, paths in roles.items() for path in paths}
    text = 'name = "tiny"\n[spatial]\nrouter = "graph"\npool_size = 20\n'
    for number in range(count):
        city = specs[number % len(specs)]
        text += city_table(city, city_id=f"{city['city_id']}-{number}")
        for source, role in (("osm", "extract"), ("gtfs", "feed")):
            text += f"[cities.sources.{source}]\n{role} = {json.dumps(str(of[role, city['city_id']]))}\n"
    return text


def in_a_bucket(recipe: Path) -> None:
    """Print how long a first build and one with nothing to do take in a folder and in a bucket on loopback.

    Each is a process of its own, so that the bucket's server, which is this one, takes no time from it.
    """
    from tests.bucket import bucket

    first: dict[str, float] = {}
    with bucket() as served, scratch() as folder:
        served.delay_s = DELAY_S
        os.environ["TRIPWRIGHT_CACHE"] = str(folder / "cache")
        for name, url in (("folder", str(folder / "home")), ("bucket", served.home())):
            for what in ("first build", "nothing to do"):
                before = served.requests
                took = in_child(partial(built_in, url), recipe.resolve())
                first.setdefault(what, took["seconds"])
                print(
                    f"{name}, {what}: {took['seconds']:.1f} s (computed {took['cpu_seconds']:.1f}), "
                    f"{took['seconds'] / first[what]:.2f} × the folder's; {served.requests - before} requests",
                    flush=True,
                )


def built_in(url: str, recipe: Path) -> dict[str, Any]:
    """Build in one process, in a home at an address."""
    assert not build(Home(url), recipe, workers=1).blocked
    return {}


class Took:
    """Seconds by the clock, and computed by this process."""

    s = computed_s = 0.0


@contextmanager
def measured() -> Iterator[Took]:
    """Yield what is filled in at the end."""
    took, clock, computed = Took(), time.monotonic(), time.process_time()
    yield took
    took.s, took.computed_s = time.monotonic() - clock, time.process_time() - computed


@contextmanager
def scratch() -> Iterator[Path]:
    """Yield a folder that is removed."""
    with tempfile.TemporaryDirectory(prefix="scale-") as folder:
        yield Path(folder)


def peak_mb() -> float:
    """Return this process's peak memory in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("cells", "dask", "plan", "cities", "bucket"))
    parser.add_argument("recipe", nargs="?", type=Path)
    parser.add_argument("--cities", type=int, nargs="+")
    given = parser.parse_args()
    runs: dict[str, Callable[[], None]] = {
        "cells": lambda: cells((given.cities or [100])[0]),
        "cities": lambda: grown(given.cities or [2, 10]),
        "dask": lambda: on_dask((given.cities or [100])[0]),
        "plan": lambda: planned((given.cities or [1000])[0]),
        "bucket": lambda: in_a_bucket(given.recipe or sys.exit("give a recipe")),
    }
    runs[given.what]()


if __name__ == "__main__":
    main()
