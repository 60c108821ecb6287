"""A recipe built in three ways: one process on a folder, all cores, Dask workers without a shared disk in a bucket.

    python -m perf.three_ways RECIPE [--note]      with --note the result goes into perf/README.md

Each build is a process of its own with a home of its own; the cluster's three workers have a cache each and nothing
else in common. The gate shares out its tasks however few they are. Exit 1 where a city is blocked, or the bytes of a
release's files or the hash of a table differ.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from perf.in_child import in_child
from perf.trials_noted import commit, ended
from tests.bucket import bucket
from tests.dask import dask_cluster
from warehouse.home import Home

WORKERS = 3
TASKS_A_JOB = 2
"""Tasks that are worth a job of the gate here: even a small recipe's are judged on several workers."""


def released(home: Home) -> dict[str, str]:
    """Return the hash of every file of a home's releases but their records, which say when and how long."""
    found = {}
    for ref in home.releases.find(""):
        prefix = f"releases/{ref.recipe}/{ref.family}/{ref.version}"
        for key in home.store.keys(prefix):
            if not key.startswith(f"{prefix}/record/"):
                found[key] = hashlib.sha256(home.store.read(key)).hexdigest()
    return found


def built(tasks_a_job: int, url: str, workers: int | None, scheduler: str | None, recipe: Path) -> dict[str, Any]:
    """Return what a build in a home at an address released, what is blocked, and who ran its cells."""
    from assets.promises import gate
    from pipelines.walk.build import build
    from pipelines.walk.listener import Listener

    gate.FEWEST_TASKS_A_JOB = tasks_a_job
    home, who = Home(url), set[str]()
    listener = Listener(report=lambda event: who.add(event.worker))
    made = build(home, recipe, workers=workers, scheduler=scheduler, listener=listener)
    return {
        "released": released(home),
        "tables": set(home.store.keys("tables")),
        "tasks": sum(release.certified for release in made.releases),
        "blocked": [f"{b.city_id} {b.step}: {b.reason}" for b in made.blocked],
        "who": len(who - {""}),
    }


def main() -> int:
    """Build in three ways; return 1 where what they made differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("--note", action="store_true", help="Write the result into perf/README.md.")
    given = parser.parse_args()
    rows, wrong, ways = [], [], {}
    with tempfile.TemporaryDirectory() as name, bucket() as served, ExitStack() as opened:
        folder, cores = Path(name), max(2, len(os.sched_getaffinity(0)))
        os.environ["TRIPWRIGHT_CACHE"] = str(folder / "cache")
        for way, url, workers, has_cluster in (
            ("one process, a folder", str(folder / "one"), 1, False),
            (f"{cores} processes, a folder", str(folder / "all"), cores, False),
            (f"{WORKERS} Dask workers, a bucket", served.home(), None, True),
        ):
            cluster = opened.enter_context(dask_cluster(folder / "dask", WORKERS)) if has_cluster else None
            way_of = partial(built, TASKS_A_JOB, url, workers, cluster.address if cluster else None)
            one = ways[way] = in_child(way_of, given.recipe.resolve())
            wrong += [f"{way}: {blocked}" for blocked in one["blocked"]]
            rows.append(
                f"| {way} | {len(one['released'])} | {one['tasks']} | {len(one['tables'])} | {one['who']} | "
                f"{one['seconds']:.0f} s |"
            )
            print(rows[-1], flush=True)
    (first, alone), *others = ways.items()
    wrong += [] if alone["released"] else [f"{first}: nothing is released"]
    for way, one in others:
        for what in ("released", "tables"):
            wrong += [f"{way}: {what} otherwise than by {first}"] if one[what] != alone[what] else []
    lines = [
        "## Three ways",
        "",
        f"`python -m perf.three_ways {given.recipe}`, commit {commit()}, load average {os.getloadavg()[2]:.0f}: the "
        "hashes of all files of all releases and of all tables compared with those of the first way; "
        f"{len(wrong)} wrong. The server of the bucket runs on the same machine.",
        "",
        "| built by | files released | tasks | tables | processes that ran cells | clock |",
        "|---|---|---|---|---|---|",
        *rows,
    ]
    return ended("three ways", lines, wrong, note=given.note)


if __name__ == "__main__":
    sys.exit(main())
