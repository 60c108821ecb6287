"""A GroupTravelBench release at the published size: from lists of places to certified tasks, time and memory.

    python -m perf.grouptravel_release [--cities 155] [--scale 5.11] [--tasks 200 250 200]

The invented lists (338,000 places at the default scale), fares and users are written first and not counted. Counted is
the build, in a process of its own with its children: by the clock, computed, and the most memory they held together;
then what its steps took. Last come the proofs of the together optimum and the searches for splits, over some of the
release's tasks in this process. The targets: 600 s and 4 GB, and a median of 0.1 s for the optimum.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import duckdb

from assets.grouptravel.drafting import read_draft
from assets.grouptravel.facts.world import World
from assets.grouptravel.solver import solve
from assets.grouptravel.tables import GroupCalendar, GroupCity, GroupFare, GroupPoi
from assets.grouptravel.vocabulary import EN
from assets.grouptravel.witness.teams import Splits
from perf.tripcraft_release import in_child
from sources import invented
from tests.recipes import city_table

SEED = 11
USERS = 3_718
"""Published (3.A); the invented world writes more at this scale."""

SAMPLE = 100
SHOWN_S = 1.0


def write_recipe(folder: Path, cities: int, scale: float, tasks: list[int]) -> Path:
    """Return a recipe of invented cities that binds invented files as if they were real, after writing both."""
    files = invented.generate(folder / "world", providers=["group"], cities=cities, scale=scale, seed=SEED)["group"]
    users = files["profiles"][0].read_bytes().splitlines(keepends=True)
    files["profiles"][0].write_bytes(b"".join(users[:USERS]))
    bound = "\n".join(f'{role} = "{paths[0]}"' for role, paths in files.items())
    text = f'name = "groups"\nseed = 1\n\n[sources.group]\n{bound}\n'
    for city in invented.world_cities(cities, SEED):
        text += city_table(city, currency="USD")
    counts = ", ".join(f"{level} = {n}" for level, n in zip(("easy", "medium", "hard"), tasks, strict=True))
    text += f'\n[families.grouptravel]\nplaces = "lists"\ncurrency = "USD"\ntasks = {{ {counts} }}\n'
    recipe = folder / "groups.toml"
    recipe.write_text(text, encoding="utf-8")
    return recipe


def build_release(recipe: Path, home: Path) -> dict[str, Any]:
    """Return the release, what is blocked, and the clock and computed seconds of the steps and of the release."""
    from pipelines.walk.build import build
    from pipelines.walk.walk import Event
    from warehouse.home import Home

    clock, computed = defaultdict[str, float](float), defaultdict[str, float](float)
    last = [time.perf_counter(), _computed()]

    def note(name: str) -> None:
        now = [time.perf_counter(), _computed()]
        clock[name] += now[0] - last[0]
        computed[name] += now[1] - last[1]
        last[:] = now

    def report(event: Event) -> None:
        note("recipe and inputs" if event.status == "running" and not clock else event.step)

    built = build(Home(str(home)), recipe, report=report)
    note("release and its page")
    return {
        "steps": [(name, clock[name], computed[name]) for name in clock],
        "blocked": [f"{b.city_id} {b.step}: {b.reason}" for b in built.blocked],
        "releases": [(str(Home(str(home)).releases.folder(r.ref)), r.tasks, r.certified) for r in built.releases],
    }


def main() -> None:
    """Print what the build took, step by step where it is long, and the searches' times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cities", type=int, default=155)
    parser.add_argument("--scale", type=float, default=5.11)
    parser.add_argument("--tasks", type=int, nargs=3, default=[200, 250, 200])
    parser.add_argument("--folder", type=Path, help="Keep the world and the home here; give an empty folder.")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.folder or Path(scratch)
        recipe = write_recipe(folder, chosen.cities, chosen.scale, chosen.tasks)
        built = in_child(build_release, recipe, folder / "home")
        for cause in built["blocked"]:
            print(f"blocked: {cause}")
        seconds, computed, peak_gb = built["seconds"], built["cpu_seconds"], built["peak_mb"] / 1024
        print(f"raw files to release: {seconds:.0f} s by the clock, {computed:.0f} s computed, peak {peak_gb:.2f} GB")
        for name, clock, own in built["steps"]:
            if clock >= SHOWN_S:
                print(f"  {name:<24} {clock:8.1f} s by the clock {own:8.1f} s computed")
        for path, tasks, certified in built["releases"]:
            print(f"{certified} of {tasks} tasks certified")
            _measures(Path(path))
            _searches(Path(path))


def _measures(folder: Path) -> None:
    """Print the release's own statistics, beside the paper's where it has them."""
    for name, rows in json.loads((folder / "manifest.json").read_text())["measures"].items():
        print(f"{name}:")
        for row in rows if isinstance(rows, list) else [rows]:
            print(f"  {row}")


def _computed() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


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
    for name, found in (("together optimum", sorted(optimum[1:])), ("splits and their bound", sorted(splits[1:]))):
        middle, late = (found[int(len(found) * part)] for part in (0.5, 0.99))
        print(f"{name}, computed: median {middle:.3f} s, 99 % {late:.3f} s, most {found[-1]:.3f} s, {len(found)} tasks")


if __name__ == "__main__":
    main()
