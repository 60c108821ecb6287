"""A GroupTravelBench release at the published size: from lists of places to certified tasks, time and memory.

    python -m perf.grouptravel_release [--cities 155] [--scale 4.5] [--tasks 200 250 200]

The invented lists, fares and users are written first and not counted. Counted is `tripwright build`, a process of its
own with its children; then the medians of the proof of the together optimum and of the search for splits, over some of
the release's tasks in this process. The targets: 600 s and 4 GB, and a median of 0.1 s for the optimum.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

from assets.grouptravel.drafting import read_draft
from assets.grouptravel.facts.world import World
from assets.grouptravel.solver import solve
from assets.grouptravel.tables import GroupCalendar, GroupCity, GroupFare, GroupPoi
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.witness.teams import Splits
from sources import invented
from tests.recipes import city_table

ROOT = Path(__file__).resolve().parents[1]
SEED = 11
SAMPLE = 40


def recipe_text(cities: int, tasks: list[int], files: invented.Files) -> str:
    """Return a recipe of the invented cities that binds the files, as if they were real."""
    bound = "\n".join(f'{role} = "{paths[0]}"' for role, paths in files["group"].items())
    text = f'name = "groups"\nseed = 1\n\n[sources.group]\n{bound}\n'
    for city in invented.world_cities(cities, SEED):
        text += city_table(city, currency="USD")
    counts = ", ".join(f"{level} = {n}" for level, n in zip(("easy", "medium", "hard"), tasks, strict=True))
    return text + f'\n[families.grouptravel]\nplaces = "lists"\ncurrency = "USD"\ntasks = {{ {counts} }}\n'


def main() -> None:
    """Print what the build took, step by step where it is long, and the medians of the searches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cities", type=int, default=155)
    parser.add_argument("--scale", type=float, default=4.5)
    parser.add_argument("--tasks", type=int, nargs=3, default=[200, 250, 200])
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        files = invented.generate(
            folder / "world", providers=["group"], cities=chosen.cities, scale=chosen.scale, seed=SEED
        )
        recipe = folder / "groups.toml"
        recipe.write_text(recipe_text(chosen.cities, chosen.tasks, files), encoding="utf-8")
        words = [sys.executable, "-m", "pipelines.cli", "build", str(recipe), "--home", str(folder / "home"), "--json"]
        started, before = time.monotonic(), _computed()
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        took, computed = time.monotonic() - started, _computed() - before
        if done.returncode:
            sys.exit(done.stdout[-2000:] + done.stderr[-2000:])
        peak_gb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
        (release,) = json.loads(done.stdout)["releases"]
        certified = f"{release['certified']} of {release['tasks']} tasks certified, {release['rejected']} rejected"
        print(f"build: {took:.0f} s by the clock, {computed:.0f} s computed, peak {peak_gb:.2f} GB; {certified}")
        for line in done.stderr.splitlines():
            found = re.search(r"in ([0-9.]+) s", line)
            if found and float(found[1]) >= 2:
                print(f"  {line.strip()}")
        _searches(Path(release["path"]))


def _computed() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _searches(folder: Path) -> None:
    frames = {
        table: duckdb.read_parquet(str(folder / f"{table.table_name()}.parquet")).df()
        for table in (GroupCity, GroupPoi, GroupFare, GroupCalendar)
    }
    world = World(frames[GroupCity], frames[GroupPoi], frames[GroupFare], frames[GroupCalendar], EN)
    print(f"{len(frames[GroupPoi]):,} places in {len(frames[GroupCity])} cities")
    drafts = duckdb.read_parquet(str(folder / "group_draft.parquet")).df().set_index("task_id", drop=False)
    tasks = duckdb.read_parquet(str(folder / "tasks.parquet")).df()
    optimum, splits = [], []
    for row in tasks.iloc[:: max(1, len(tasks) // SAMPLE)].to_dict("records"):
        skeleton, _ = read_draft(drafts.loc[row["task_id"]].to_dict())
        entries = json.loads(row["record_json"])["user_preferences"]
        trip = world.trip(skeleton, {int(user[4:]): entry["preference"] for user, entry in entries.items()})
        at = time.process_time()
        best = solve(trip, world.pois, world.fares, EN)
        optimum.append(time.process_time() - at)
        at = time.process_time()
        search = Splits(trip, best, world.pois, world.fares, EN, with_compromise=False)
        search.bound()
        list(search.plans())
        splits.append(time.process_time() - at)
    for name, found in (("together optimum", optimum[1:]), ("splits and their bound", splits[1:])):
        print(f"{name}: median {statistics.median(found):.3f} s computed, most {max(found):.3f} s, {len(found)} tasks")


if __name__ == "__main__":
    main()
