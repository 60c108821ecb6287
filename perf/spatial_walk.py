"""Many invented cities through the spatial stage by the walk: how much of the time is the steps' own.

Run from the repository's root: `python -m perf.spatial_walk [--cities 140] [--scale 0.3] [--router graph]`. The world
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

from assets.family import all_steps, families, stage_steps
from pipelines.fingerprint import Code
from pipelines.recipes import LoadedRecipe, load_recipe, resolve
from pipelines.walk import Walk, Walked
from schemas.recipe import RecipeLock
from sources.invented import world_cities
from warehouse.home import Home

LIMIT = 0.10


def recipe_text(cities: int, scale: float, router: str, pool_size: int) -> str:
    """Return a recipe of invented cities, each with a map, timetables and listings."""
    text = f'name = "walk"\n\n[invented]\nproviders = ["osm", "gtfs", "airbnb"]\nscale = {scale}\nseed = 5\n'
    text += f'\n[spatial]\ntrip_dates = [2024-11-12]\nrouter = "{router}"\npool_size = {pool_size}\n'
    for city in world_cities(cities, 5):
        area = ", ".join(f"{edge} = {degrees}" for edge, degrees in city["box"].items())
        text += (
            f'\n[[cities]]\ncity_id = "{city["city_id"]}"\nname = "{city["name"]}"\n'
            f'region = "{city["region"].upper()}"\ncountry = "{city["country"].upper()}"\nbox = {{ {area} }}\n'
        )
    return text


def timed(function: Callable[..., Any], spent: list[float]) -> Callable[..., Any]:
    """Return the function, which notes how long each call takes."""

    @functools.wraps(function)
    def run(*arguments: Any, **config: Any) -> Any:
        start = time.perf_counter()
        try:
            return function(*arguments, **config)
        finally:
            spent.append(time.perf_counter() - start)

    return run


def walk(
    home: Home, loaded: LoadedRecipe, lock: RecipeLock, code: Code
) -> tuple[Walked, float, dict[str, list[float]]]:
    """Return what a walk left, its seconds, and each step's own seconds, call by call."""
    spent: dict[str, list[float]] = defaultdict(list)
    steps = {
        name: replace(step, run=timed(step.run, spent[name]))
        for name, step in all_steps(loaded.families.values()).items()
    }
    start = time.perf_counter()
    walked = Walk(home, loaded, lock, steps, code).build(stage_steps("spatial"))
    return walked, time.perf_counter() - start, spent


def main() -> None:
    """Write the world, walk it twice, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cities", type=int, default=140)
    parser.add_argument("--scale", type=float, default=0.3)
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
    own = sum(map(sum, spent.values()))
    for name, calls in sorted(spent.items(), key=lambda item: -sum(item[1])):
        if calls:
            print(f"  {name:<20} {len(calls):>5} calls {sum(calls):8.1f} s")
    for cause in sorted(set(walked.blocked.values()), key=lambda b: (b.city_id, b.step)):
        print(f"  blocked: {cause.city_id} {cause.step}: {cause.reason[:200]}")
    print(f"whole walk {whole:.1f} s, the steps' own functions {own:.1f} s, {walked.steps_run} steps")
    share = (whole - own) / whole
    each = (whole - own) / walked.steps_run
    print(f"outside: {whole - own:.1f} s = {share:.1%} (at most {LIMIT:.0%}), {each * 1e3:.1f} ms a step")
    print(f"the walk again, with everything built: {again:.2f} s, {again / walked.steps_run * 1e3:.2f} ms a step")


if __name__ == "__main__":
    main()
