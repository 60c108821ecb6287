"""TripCraft at the published size, from raw files to a certified release: time, memory, and how long witnesses take.

Run from the repository's root: `python -m perf.tripcraft_release [--cities 140] [--queries 1000] [--flights 3446829]`.
140 invented cities hold what Table 5 counts in each: 28 restaurants, 36 attractions, 20 stays, 157 events a month, and
flights between them (1.A). The world is written first and not counted; queries are of the published mix.
Counted is `pipelines.walk.build` in a process of its own: reading, cleaning, tables, drafting, solving, checking,
lineage, release. Prints its time, the processor's time, the peak memory of it and its children, the slowest steps, the
time of each witness (found or refused), and what the gate computed, its judging processes included, beside what the
build did without it and without the planners that every release is measured by. Targets: 10 minutes, 4 GB, median
0.3 s, 99 % 3 s, the gate at most 15 % of the rest.
"""

from __future__ import annotations

import argparse
import csv
import json
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any

from assets.tripcraft.section import PUBLISHED_COUNTS
from perf.computed import computed_s
from perf.in_child import in_child
from sources.invented import listings, world, world_cities
from sources.invented.flight_days import flights
from sources.invented.travelplanner import COLUMNS, row_of
from tests.recipes import city_table

SEED = 5
PER_CITY = {"restaurant": 28, "attraction": 36, "stay": 20, "other": 4}
LISTINGS = 20
PROVIDERS = ("tripadvisor", "airbnb", "gtfs", "events", "numbeo", "openflights")
SLOWEST = 14


def main() -> None:
    """Write the world, build it in a child, and print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cities", type=int, default=140)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--flights", type=int, default=3_446_829)
    parser.add_argument(
        "--folder", type=Path, help="Keep the world and the home here; what is built is not built again."
    )
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = chosen.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        recipe = folder / "published.toml"
        recipe.write_text(recipe_text(chosen.cities, chosen.queries), encoding="utf-8")
        if not (folder / "flights.csv").exists():
            write_flights(folder / "flights.csv", chosen.cities, chosen.flights)
        written = in_child(write_world, recipe, folder / "home")
        print(f"world written in {written['seconds']:.0f} s (not counted)", flush=True)
        built = in_child(build_release, recipe, folder / "home")
        show(built, sum(in_child(plan_again, Path(made))["planners"] for made in built["folders"]))


def recipe_text(cities: int, queries: int) -> str:
    """Return the recipe: invented cities, and queries of the published mix."""
    published = {days: sum(levels.values()) for days, levels in PUBLISHED_COUNTS.items()}
    tasks = ", ".join(f"{days} = {queries * count // sum(published.values())}" for days, count in published.items())
    text = f'name = "published"\nseed = {SEED}\n\n[invented]\nproviders = {json.dumps(PROVIDERS)}\nseed = {SEED}\n'
    text += f'\n[sources.travelplanner]\nflights = "flights.csv"\n\n[families.tripcraft]\ntasks = {{ {tasks} }}\n'
    text += 'reference_meal = { amount = 20.0, currency = "USD" }\n'
    for city in world_cities(cities, SEED):
        text += city_table(city, currency="USD")
    return text


def write_flights(path: Path, cities: int, rows: int) -> None:
    """Write so many flights between the cities in TravelPlanner's format, of as many timetables as it takes."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        left, timetable = rows, 0
        specs = world.make_world(cities, 1.0, SEED).cities
        while left > 0:
            one = world.make_world(specs, 1.0, SEED + timetable)
            for flight in islice(flights(one, on_time=False), left):
                writer.writerow(row_of(flight._replace(number=rows - left + 1)))
                left -= 1
            timetable += 1


def of_published_size() -> None:
    """Make the invented world's cities as large as the published ones, on average."""
    world.PLACES_PER_CITY.update(PER_CITY)
    listings.LISTINGS_PER_CITY = LISTINGS


def write_world(recipe: Path, home: Path) -> dict[str, Any]:
    """Write the raw files and lock them."""
    from assets.families import families
    from pipelines.walk.fingerprint import Code
    from pipelines.walk.inputs import resolve
    from pipelines.walk.recipes import load_recipe
    from warehouse.home import Home

    of_published_size()
    resolve(Home(str(home)), load_recipe(recipe, families()), Code())
    return {}


def build_release(recipe: Path, home: Path) -> dict[str, Any]:
    """Return what building took, step by step, how long each witness did, and what gate and planners computed."""
    from assets.tripcraft import planning
    from pipelines.releases import release
    from pipelines.walk.build import build
    from warehouse.home import Home

    of_published_size()
    solve, witnesses = planning.solve, []

    def timed(*given: Any, **more: Any) -> Any:
        start = time.process_time()
        found = solve(*given, **more)
        witnesses.append(time.process_time() - start)
        return found

    planning.solve = timed
    gate, gates = release.gate, []

    def computing(*given: Any, **more: Any) -> Any:
        before = computed_s()
        report = gate(*given, **more)
        gates.append(computed_s() - before)
        return report

    release.gate = computing
    built = build(Home(str(home)), recipe, workers=1)
    steps: dict[str, float] = {}
    for step in built.records:
        steps[step.step] = steps.get(step.step, 0.0) + step.seconds
    releases = Home(str(home)).releases
    manifests = [releases.manifest(release.ref) for release in built.releases]
    return {
        "folders": [str(releases.folder(release.ref)) for release in built.releases],
        "blocked": [f"{b.city_id} {b.step}: {b.reason}" for b in built.blocked],
        "counts": [manifest.counts for manifest in manifests],
        "measures": [manifest.measures for manifest in manifests],
        "steps": sorted(steps.items(), key=lambda item: -item[1])[:SLOWEST],
        "witnesses": sorted(witnesses),
        "gate": sum(gates),
    }


def plan_again(folder: Path) -> dict[str, Any]:
    """Return what the planners compute that every release is measured by: a build has them in another process."""
    from assets.families import families
    from assets.release.difficulty import difficulty, pass_counts
    from assets.release.exporting import release_tables
    from assets.release.reading import open_release
    from assets.runs.reference import reference_rows

    release = open_release(folder)
    family, before = families()[release.manifest.family], computed_s()
    tables = release_tables(release)
    for planned in (pass_counts, difficulty, reference_rows):
        planned(family, tables)
    return {"planners": computed_s() - before}


def show(built: dict[str, Any], planners: float) -> None:
    """Print the measurements, and the share of the gate where one was passed."""
    for cause in built["blocked"]:
        print(f"blocked: {cause}")
    for counts, measures in zip(built["counts"], built["measures"], strict=True):
        print(f"{counts['certified']} of {counts['tasks']} tasks certified; draws {measures['draws']}")
        for found in measures["redrawn"]:
            print(f"  drawn again {found['draws']:5}: {found['why']}")
        for name in ("rows", "witness_metrics"):
            print(f"{name}: {', '.join('{} {}'.format(*row.values()) for row in measures[name])}")
    seconds, cpu = built["seconds"], built["cpu_seconds"]
    print(
        f"raw files to release: {seconds:.1f} s by the clock, {cpu:.1f} s computed, peak {built['peak_mb']:,.0f} MB, "
        f"the largest process {built['largest_mb']:,.0f} MB"
    )
    if gate := built["gate"]:
        rest = cpu - gate - planners
        print(
            f"the gate: {gate:.1f} s computed, {gate / rest:.1%} of the rest of the build ({rest:.1f} s); "
            f"baseline and reference planners {planners:.1f} s, in neither"
        )
    for name, spent in built["steps"]:
        print(f"  {name:<24} {spent:8.1f} s")
    times = built["witnesses"]
    if times:
        at = {part: times[min(len(times) - 1, int(len(times) * part))] for part in (0.5, 0.9, 0.99)}
        shown = ", ".join(f"{part:.0%} {seconds:.3f} s" for part, seconds in at.items())
        print(f"{len(times)} searches for witnesses, computed: {shown}, most {times[-1]:.3f} s, all {sum(times):.1f} s")


if __name__ == "__main__":
    main()
