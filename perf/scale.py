"""How a build grows with cores, cities and a bucket, each beside the same on one worker or in a folder, in one run.

    python -m perf.scale cells [--cities 100]     cells that do nothing, 15 a city: milliseconds a cell; and its plan
    python -m perf.scale cities [--cities 10]     tiny invented cities end to end: seconds a city
    python -m perf.scale cores [--cities 24]      a spatial stage on one worker and on all cores
    python -m perf.scale bucket RECIPE            a first build and one with nothing to do, in a bucket and in a folder

Homes are made in a folder of their own that is removed.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd

from assets.step import Step
from pipelines.walk.build import build
from pipelines.walk.fingerprint import Code
from pipelines.walk.recipes import LoadedRecipe
from pipelines.walk.walk import Walk
from schemas.recipe import Box, City, Recipe, RecipeLock
from schemas.table import Field, Table
from sources.invented.cities import world_cities
from tests.recipes import city_table
from warehouse.home import Home

STEPS_A_CITY = 15
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


def cells(count: int) -> None:
    """Print what a cell costs that does nothing, built and found again, and how long a plan takes."""
    steps = chain()
    cities = [
        City(city_id=f"xx-a-c{n}", name=f"C{n}", country="XX", box=Box(south=0, west=0, north=1, east=1))
        for n in range(count)
    ]
    recipe = Recipe(name="empty", cities=cities)
    loaded, lock = LoadedRecipe(Path("empty.toml"), recipe, {}, {}), RecipeLock(recipe="empty", snapshots=[])
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


def grown(counts: list[int]) -> None:
    """Print the time a city of builds of so many tiny cities, each beside the first."""
    first = None
    for count in counts:
        with scratch() as folder:
            recipe = folder / "tiny.toml"
            recipe.write_text(tiny(count), encoding="utf-8")
            with measured() as took:
                built = build(Home(str(folder / "home")), recipe)
            assert built.blocked == []
            each = took.s / count
            first = first or each
            print(
                f"{count} cities: {each:.2f} s a city, {each / first:.2f} × the first; driver's peak {peak_mb():.0f} MB"
            )


def tiny(count: int) -> str:
    """Return a recipe of tiny invented cities with a family and space."""
    text = 'name = "tiny"\n[invented]\nproviders = ["yelp", "gtfs", "osm"]\nscale = 0.2\n'
    text += '[spatial]\nrouter = "graph"\npool_size = 20\n'
    return (
        text
        + "".join(city_table(city) for city in world_cities(count, 5))
        + "\n[families.itinbench]\ntasks_per_city = 1\n"
    )


def on_cores(count: int) -> None:
    """Print how long a build of so many cities takes on one worker and on all cores."""
    took_s = {}
    for workers in (1, len(os.sched_getaffinity(0))):
        with scratch() as folder:
            recipe = folder / "tiny.toml"
            recipe.write_text(
                tiny(count).partition("\n[families")[0].replace("scale = 0.2", "scale = 1.0"), encoding="utf-8"
            )
            with measured() as took:
                built = build(Home(str(folder / "home")), recipe, workers=workers)
            assert built.blocked == []
            took_s[workers] = took.s
            print(f"{count} cities' space, {workers} workers: clock {took.s:.1f} s")
    print(f"{took_s[1] / min(took_s.values()):.2f} × as fast")


def in_a_bucket(recipe: Path) -> None:
    """Print how long a first build and one with nothing to do take in a folder and in a bucket on loopback."""
    from tests.bucket import bucket

    first = {}
    with bucket() as served, scratch() as folder:
        served.delay_s = DELAY_S
        os.environ["TRIPWRIGHT_CACHE"] = str(folder / "cache")
        for name, url in (("folder", str(folder / "home")), ("bucket", served.home())):
            for what in ("first build", "nothing to do"):
                before = served.requests
                with measured() as took:
                    build(Home(url), recipe, workers=1)
                first.setdefault(what, took.s)
                ratio = took.s / first[what]
                print(
                    f"{name}, {what}: {took.s:.1f} s, {ratio:.2f} × the folder's; {served.requests - before} requests"
                )


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
    parser.add_argument("what", choices=("cells", "cities", "cores", "bucket"))
    parser.add_argument("recipe", nargs="?", type=Path)
    parser.add_argument("--cities", type=int, nargs="+")
    given = parser.parse_args()
    runs: dict[str, Callable[[], None]] = {
        "cells": lambda: cells((given.cities or [100])[0]),
        "cities": lambda: grown(given.cities or [2, 10]),
        "cores": lambda: on_cores((given.cities or [24])[0]),
        "bucket": lambda: in_a_bucket(given.recipe or sys.exit("give a recipe")),
    }
    runs[given.what]()


if __name__ == "__main__":
    main()
