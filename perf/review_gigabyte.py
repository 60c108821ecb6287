"""Reviews of a given size end to end, from the file to the places' ratings: time and memory, by rules and learned.

`python -m perf.review_gigabyte --gb 1.0` writes restaurants of one city and that many bytes of their reviews, of MAMS's
training sentences in a drawn order, 100 words each, each with one vote as useful. Then the stages that read and rate
them are built by a process of its own for each reader, one cell at a time; the baseline is the rules. Labelled
sentences are bound for both, so that both correct for what they overlook.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from assets.families import all_steps, families, stage_steps
from perf.computed import computed_s
from perf.review_reading import DATA, mams
from pipelines.walk.fingerprint import Code
from pipelines.walk.inputs import resolve
from pipelines.walk.recipes import load_recipe
from pipelines.walk.walk import Walk
from warehouse.home import Home

PLACES, WORDS, SEED = 500, 100, 1
"""Restaurants; words of a review; the seed of texts and places."""
READERS = ("rules", "learned")


def write_world(folder: Path, size_bytes: int) -> int:
    """Write businesses, reviews of that size and labelled sentences into a folder; return how many reviews."""
    rng = random.Random(SEED)
    with (folder / "business.json").open("w", encoding="utf-8") as file:
        for number in range(PLACES):
            entry = {
                "business_id": f"b{number:021d}",
                "name": f"Kitchen {number}",
                "address": f"{number} Main St",
                "city": "Made Up",
                "state": "PA",
                "latitude": 39.9 + rng.random() / 20,
                "longitude": -75.2 + rng.random() / 20,
                "stars": rng.randint(2, 10) / 2,
                "review_count": 500,
                "is_open": 1,
                "attributes": {"RestaurantsPriceRange2": "2"},
                "categories": "Restaurants, Italian",
                "hours": None,
            }
            file.write(json.dumps(entry) + "\n")
    words = " ".join(one.text for one in mams("train")).split()
    written = reviews = 0
    with (folder / "review.json").open("w", encoding="utf-8") as file:
        while written < size_bytes:
            first = rng.randrange(len(words) - WORDS)
            entry = {
                "review_id": f"r{reviews:021d}",
                "user_id": f"u{rng.randrange(10**6):021d}",
                "business_id": f"b{rng.randrange(PLACES):021d}",
                "stars": float(rng.randint(1, 5)),
                "useful": 1,
                "funny": 0,
                "cool": 0,
                "text": " ".join(words[first : first + WORDS]),
                "date": "2018-07-07 22:09:11",
            }
            written += file.write(json.dumps(entry) + "\n")
            reviews += 1
    for split in ("train", "val"):
        (folder / f"{split}.xml").write_bytes((DATA / "reviews" / f"mams_{split}.xml").read_bytes())
    return reviews


def recipe(folder: Path, engine: str) -> Path:
    """Write the recipe of one reader; return its path."""
    text = f'''name = "gigabyte"
[engines]
reviews = "{engine}"
[sources.yelp]
business = "business.json"
review = "review.json"
[sources.labelled]
train = "train.xml"
val = "val.xml"
[[cities]]
city_id = "us-pa-made-up"
name = "Made Up"
region = "PA"
country = "US"
time_zone = "America/New_York"
currency = "USD"
box = {{ south = 39.8, west = -75.3, north = 40.1, east = -75.0 }}
'''
    path = folder / f"{engine}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def build(path: Path, home: str) -> None:
    """Build what reads and rates a recipe's reviews, and print each table's rows and seconds."""
    loaded, code, opened = load_recipe(path, families()), Code(), Home(home)
    with opened.building():
        lock = resolve(opened, loaded, code)
        steps = all_steps(loaded.families.values())
        walked = Walk(opened, loaded, lock, steps, code).build(stage_steps("reviews"))
    blocked = sorted({f"{b.step}: {b.reason}" for causes in walked.blocked.values() for b in causes})
    assert not blocked, blocked
    for (name, _), made in sorted(walked.records.items()):
        print(f"  {name}: {sum(version.rows for version in made.outputs.values()):,} rows in {made.seconds:.1f} s")


def main() -> None:
    """Write the world, build it by each reader, and print times, memory and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gb", type=float, default=0.01)
    parser.add_argument("--build", nargs=2, metavar=("RECIPE", "HOME"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.build:
        build(Path(chosen.build[0]), chosen.build[1])
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        reviews = write_world(folder, int(chosen.gb * 1e9))
        size = (folder / "review.json").stat().st_size / 1e9
        print(f"{size:.2f} GB, {reviews:,} reviews of {PLACES:,} restaurants", flush=True)
        computed = {}
        for engine in READERS:
            words = [sys.executable, "-m", "perf.review_gigabyte", "--build", recipe(folder, engine), folder / engine]
            before, started = computed_s(), time.monotonic()
            subprocess.run([str(word) for word in words], check=True)
            computed[engine] = computed_s() - before
            peak_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
            print(
                f"{engine}: clock {time.monotonic() - started:.0f} s, computed {computed[engine]:.0f} s, "
                f"{reviews / computed[engine]:,.0f} reviews a second computed, largest process so far {peak_mb} MB",
                flush=True,
            )
        print(f"{READERS[-1]} beside rules, computed: {computed[READERS[-1]] / computed['rules']:.2f} ×")


if __name__ == "__main__":
    main()
