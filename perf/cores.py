"""A whole build on one worker and on all cores, of one world in one run: how many times as fast, and the same bytes.

    python -m perf.cores spatial   [--cities 24]                                   a spatial stage, no family
    python -m perf.cores tripcraft [--cities 140] [--tasks 1000] [--flights 3446829]       at the published size
    python -m perf.cores groups    [--cities 155] [--tasks 650] [--scale 5.11]             at the published size

The world is written first and not counted. Each build runs in a process of its own, in a home of its own; printed are
its time by the clock, of it what follows the last cell (the release), its time computed, of it the building process's
own (what no other core took from it), the most memory of one of its processes, and its longest steps. Target: 1.7 × on
two cores, 4 GB a process. Exit 1 where a city is blocked or the releases differ.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from perf import scale, tripcraft_release
from perf.in_child import in_child
from pipelines.walk.walk_report import Event
from sources import invented
from sources.invented import world_cities
from tests.recipes import city_table

SEED = 11
USERS = 3_718
"""Published; the invented world writes more at this scale."""

LEVELS = {"easy": 200, "medium": 250, "hard": 200}
SLOWEST = 6
SCALE = 1.0
"""Of the cities whose space is built alone."""

SIZES = {
    "spatial": {"cities": 24},
    "tripcraft": {"cities": 140, "tasks": 1000, "flights": 3_446_829},
    "groups": {"cities": 155, "tasks": 650, "scale": 5.11},
}


def spatial(folder: Path, given: dict[str, Any]) -> Path:
    """Return a recipe of so many invented cities and their space, its world written into a home."""
    recipe = folder / "spatial.toml"
    text = scale.tiny(given["cities"], SCALE).partition("\n[families")[0]
    recipe.write_text(text, encoding="utf-8")
    in_child(tripcraft_release.write_world, recipe, folder / "home")
    return recipe


def tripcraft(folder: Path, given: dict[str, Any]) -> Path:
    """Return a recipe of TripCraft at the published size, its world written into a home."""
    recipe = folder / "published.toml"
    recipe.write_text(tripcraft_release.recipe_text(given["cities"], given["tasks"]), encoding="utf-8")
    tripcraft_release.write_flights(folder / "flights.csv", given["cities"], given["flights"])
    in_child(tripcraft_release.write_world, recipe, folder / "home")
    return recipe


def groups(folder: Path, given: dict[str, Any]) -> Path:
    """Return a recipe of groups at the published size, which binds the files of its world."""
    cities, of_world = given["cities"], {"cities": given["cities"], "scale": given["scale"], "seed": SEED}
    files = invented.generate(folder / "world", providers=["group"], **of_world)["group"]
    users = files["profiles"][0].read_bytes().splitlines(keepends=True)
    files["profiles"][0].write_bytes(b"".join(users[:USERS]))
    bound = "\n".join(f"{role} = {json.dumps(str(paths[0]))}" for role, paths in files.items())
    text = f'name = "groups"\nseed = 1\n\n[sources.group]\n{bound}\n'
    text += "".join(city_table(city, currency="USD") for city in world_cities(cities, SEED))
    tasks = {level: max(1, count * given["tasks"] // sum(LEVELS.values())) for level, count in LEVELS.items()}
    counts = ", ".join(f"{level} = {count}" for level, count in tasks.items())
    text += f'\n[families.grouptravel]\nplaces = "lists"\ncurrency = "USD"\ntasks = {{ {counts} }}\n'
    recipe = folder / "groups.toml"
    recipe.write_text(text, encoding="utf-8")
    (folder / "home").mkdir()
    return recipe


def built_on(workers: int, recipe: Path, home: Path) -> dict[str, Any]:
    """Return the versions of a build on so many workers, what is blocked, and its longest steps."""
    from pipelines.walk.build import build
    from pipelines.walk.listener import Listener
    from warehouse.home import Home

    tripcraft_release.of_published_size()
    cells_end = time.perf_counter()

    def note(_: Event) -> None:
        nonlocal cells_end
        cells_end = time.perf_counter()

    built = build(Home(str(home)), recipe, workers=workers, listener=Listener(report=note))
    release_s = time.perf_counter() - cells_end
    steps: dict[str, float] = {}
    for one in built.records:
        steps[one.step] = steps.get(one.step, 0.0) + one.seconds
    return {
        "release_s": release_s,
        "own_cpu_seconds": time.process_time(),
        "versions": {release.ref.family: release.ref.version for release in built.releases},
        "tasks": sum(release.certified for release in built.releases),
        "tables": sorted(version.sha256 for one in built.records for version in one.outputs.values()),
        "blocked": [f"{b.city_id} {b.step}: {b.reason}" for b in built.blocked],
        "steps": sorted(steps.items(), key=lambda item: -item[1])[:SLOWEST],
    }


def main() -> int:
    """Build on one worker and on all cores; return 1 where what they made differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=SIZES)
    for name, kind in (("cities", int), ("tasks", int), ("flights", int), ("scale", float)):
        parser.add_argument(f"--{name}", type=kind)
    given = parser.parse_args()
    sizes = {name: getattr(given, name) or size for name, size in SIZES[given.what].items()}
    built: dict[int, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        recipe = {"spatial": spatial, "tripcraft": tripcraft, "groups": groups}[given.what](folder, sizes)
        for workers in (1, max(2, len(os.sched_getaffinity(0)))):
            home = folder / f"home-{workers}"
            shutil.copytree(folder / "home", home)
            one = built[workers] = in_child(partial(built_on, workers), recipe, home)
            print(
                f"{given.what} {sizes}, {workers} workers: clock {one['seconds']:.1f} s, of it "
                f"{one['release_s']:.1f} s after the last cell, computed {one['cpu_seconds']:.1f} s, of it "
                f"{one['own_cpu_seconds']:.1f} s by the driver, largest process "
                f"{one['largest_mb']:,.0f} MB, {one['tasks']} tasks; "
                + ", ".join(f"{step} {seconds:.1f} s" for step, seconds in one["steps"]),
                flush=True,
            )
    alone, shared = built.values()
    print(f"{alone['seconds'] / shared['seconds']:.2f} × as fast, load average {os.getloadavg()[2]:.0f}")
    differing = [name for name in ("versions", "tables") if alone[name] != shared[name]]
    wrong = [*alone["blocked"], *shared["blocked"], *(f"the {name} differ" for name in differing)]
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
