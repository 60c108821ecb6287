"""GroupTravelBench at the published size, from raw files to a released set, gate included: time and memory.

Run from the repository's root: `python -m perf.group_release [--cities 155] [--scale 5.11] [--tasks 200 250 200]`.
The invented lists of places (338,000 at the default scale), fares, climate and 3,718 users are written first and not
counted. Counted is `pipelines.walk.build` in a process of its own with its children: by the clock, computed, the most
memory of one process and of all together, and the slowest steps; `release` is all after the last step: the gate, the
page and the files. Then come the release's own statistics of words and bounds. Exit 1 where nothing was released.
Targets: 10 minutes on two cores, 4 GB a process.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from perf.computed import computed_s
from perf.in_child import in_child
from sources import invented
from tests.recipes import city_table

SEED = 11
USERS = 3_718
"""Published (3.A); the invented world writes more at this scale."""

WORKERS = 2
SHOWN_S = 1.0
SHOWN = ("gaps_to_the_bounds", "similar_queries", "implausible")


def main() -> int:
    """Write the world, build it in a child, print what it took, and exit 1 where nothing was released."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cities", type=int, default=155)
    parser.add_argument("--scale", type=float, default=5.11)
    parser.add_argument("--tasks", type=int, nargs=3, default=[200, 250, 200], help="Easy, medium, hard.")
    parser.add_argument("--folder", type=Path, help="Keep the world and the home here; give an empty folder.")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = (chosen.folder or Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        recipe, places = write_recipe(folder, chosen.cities, chosen.scale, chosen.tasks)
        print(f"{places:,} places in {chosen.cities} cities", flush=True)
        built = in_child(build_release, recipe, folder / "home")
        show(built)
        return int(not built["releases"])


def write_recipe(folder: Path, cities: int, scale: float, tasks: list[int]) -> tuple[Path, int]:
    """Return a recipe that binds invented files as real ones, after writing both, and how many places it has."""
    files = invented.generate(folder / "world", providers=["group"], cities=cities, scale=scale, seed=SEED)["group"]
    users = files["profiles"][0].read_bytes().splitlines(keepends=True)
    files["profiles"][0].write_bytes(b"".join(users[:USERS]))
    bound = "\n".join(f"{role} = {json.dumps(str(paths[0]))}" for role, paths in files.items())
    text = f'name = "groups"\nseed = 1\n\n[sources.group]\n{bound}\n'
    for city in invented.world_cities(cities, SEED):
        text += city_table(city, currency="USD")
    counts = ", ".join(f"{level} = {n}" for level, n in zip(("easy", "medium", "hard"), tasks, strict=True))
    text += f'\n[families.grouptravel]\nplaces = "lists"\ncurrency = "USD"\ntasks = {{ {counts} }}\n'
    recipe = folder / "groups.toml"
    recipe.write_text(text, encoding="utf-8")
    listed = json.loads(files["poi"][0].read_bytes())
    return recipe, sum(map(len, listed.values()))


def build_release(recipe: Path, home: Path) -> dict[str, Any]:
    """Return the release's counts and statistics, what is blocked, and the clock and computed seconds of each step."""
    from pipelines.walk.build import build
    from pipelines.walk.listener import Listener
    from pipelines.walk.walk_report import Event
    from warehouse.home import Home

    clock, computed = defaultdict[str, float](float), defaultdict[str, float](float)
    last = [time.perf_counter(), computed_s()]

    def note(name: str) -> None:
        now = [time.perf_counter(), computed_s()]
        clock[name] += now[0] - last[0]
        computed[name] += now[1] - last[1]
        last[:] = now

    def report(event: Event) -> None:
        note("recipe and inputs" if event.status == "running" and not clock else event.step)

    built = build(Home(str(home)), recipe, listener=Listener(report=report), workers=WORKERS)
    note("release")
    manifests = [Home(str(home)).releases.manifest(release.ref) for release in built.releases]
    return {
        "steps": [(name, clock[name], computed[name]) for name in clock],
        "blocked": [f"{b.city_id} {b.step}: {b.reason}" for b in built.blocked],
        "releases": [(manifest.counts, manifest.measures) for manifest in manifests],
    }


def show(built: dict[str, Any]) -> None:
    """Print what the build took, step by step where it is long, and the release's statistics."""
    for cause in built["blocked"]:
        print(f"blocked: {cause}")
    print(
        f"raw files to release: {built['seconds']:.0f} s by the clock, {built['cpu_seconds']:.0f} s computed, largest "
        f"process {built['largest_mb'] / 1024:.2f} GB, all together {built['peak_mb'] / 1024:.2f} GB"
    )
    for name, clock, own in sorted(built["steps"], key=lambda step: -step[1]):
        if clock >= SHOWN_S:
            print(f"  {name:<26} {clock:8.1f} s by the clock {own:8.1f} s computed")
    for counts, measures in built["releases"]:
        print(f"{counts['certified']} of {counts['tasks']} tasks certified")
        for name in (name for name in SHOWN if name in measures):
            print(f"{name}: {json.dumps(measures[name])}")


if __name__ == "__main__":
    sys.exit(main())
