"""Many invented cities through the spatial stage by the walk: how much of the time is the steps' own.

Run from the repository's root: `python -m perf.spatial_walk [--cities 140] [--scale 1.0] [--router graph]`. The world
is written first and not counted. Counted is the whole walk: fingerprints, reading, validating and writing tables,
records, checks. A step's own time is that of its function alone. Prints both, the share outside (at most 10 %), and the
walk that finds everything built.
"""

from __future__ import annotations

import argparse
import functools
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from assets.families import all_steps, families, stage_steps
from pipelines.walk.fingerprint import Code
from pipelines.walk.inputs import resolve
from pipelines.walk.recipes import LoadedRecipe, load_recipe
from pipelines.walk.walk import Walk
from pipelines.walk.walk_report import WalkResult
from schemas.recipe import RecipeLock
from sources.invented import world_cities
from tests.recipes import city_table
from warehouse.home import Home

LIMIT = 0.10


def recipe_text(cities: int, scale: float, router: str, pool_size: int) -> str:
    """Return a recipe of invented cities, each with a map, timetables and listings."""
    text = f'name = "walk"\n\n[invented]\nproviders = ["osm", "gtfs", "airbnb"]\nscale = {scale}\nseed = 5\n'
    text += f'\n[spatial]\ntrip_dates = [2024-11-12]\nrouter = "{router}"\npool_size = {pool_size}\n'
    for city in world_cities(cities, 5):
        text += city_table(city)
    return text


def now() -> np.ndarray:
    """Return the seconds of the clock, which other work on the machine slows, and those this process computed."""
    return np.array([time.perf_counter(), time.process_time()])


def timed(function: Callable[..., Any], spent: list[np.ndarray]) -> Callable[..., Any]:
    """Return the function, which notes how long each call takes."""

    @functools.wraps(function)
    def run(*arguments: Any, **config: Any) -> Any:
        start = now()
        try:
            return function(*arguments, **config)
        finally:
            spent.append(now() - start)

    return run


def walk(
    home: Home, loaded: LoadedRecipe, lock: RecipeLock, code: Code
) -> tuple[WalkResult, np.ndarray, dict[str, list[np.ndarray]]]:
    """Return what a walk left, its seconds, and each step's own seconds, call by call."""
    spent: dict[str, list[np.ndarray]] = defaultdict(list)
    steps = {name: replace(step) for name, step in all_steps(loaded.families.values()).items()}
    for name, step in steps.items():
        vars(step)["function"] = timed(step.function, spent[name])  # in place of the one that is loaded when run
    start = now()
    walked = Walk(home, loaded, lock, steps, code).build(stage_steps("spatial"))
    return walked, now() - start, spent


def main() -> None:
    """Write the world, walk it twice, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cities", type=int, default=140)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--router", choices=("graph", "osrm"), default="graph")
    parser.add_argument("--pool-size", type=int, default=1000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "walk.toml"
        text = recipe_text(chosen.cities, chosen.scale, chosen.router, chosen.pool_size)
        path.write_text(text, encoding="utf-8")
        loaded, code, home = load_recipe(path, families()), Code(), Home(str(Path(scratch) / "home"))
        with home.building():
            start = time.perf_counter()
            lock = resolve(home, loaded, code)
            print(f"{chosen.cities} cities written in {time.perf_counter() - start:.1f} s", flush=True)
            walked, whole, spent = walk(home, loaded, lock, code)
            _, again, _ = walk(home, loaded, lock, code)
    for name, calls in sorted(spent.items(), key=lambda item: -sum(call[0] for call in item[1])):
        if calls:
            print("  {:<20} {:>5} calls {:8.1f} s, {:8.1f} s computed".format(name, len(calls), *np.sum(calls, axis=0)))
    for cause in walked.causes(step for step, _ in walked.blocked):
        print(f"  blocked: {cause.city_id} {cause.step}: {cause.reason[:200]}")
    own = np.array([call for calls in spent.values() for call in calls]).sum(axis=0)
    steps = walked.steps_run
    for i, what in enumerate(("by the clock", "computed")):
        total, inside, second = whole[i], own[i], again[i]
        outside = total - inside
        print(f"{what}: walk {total:.1f} s, the steps' own functions {inside:.1f} s, {steps} steps")
        each = outside / steps * 1e3
        print(f"  outside {outside:.1f} s = {outside / total:.1%} (at most {LIMIT:.0%}), {each:.1f} ms a step")
        print(f"  again, with everything built: {second:.2f} s, {second / steps * 1e3:.2f} ms a step")


if __name__ == "__main__":
    main()
