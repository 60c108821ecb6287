"""Kills, counted: a worker, the driver and the scheduler killed (kill -9) at random moments, and a bucket with faults.

    python -m perf.cluster_kills            one of each kind
    python -m perf.cluster_kills --full     20 workers, 10 drivers, 5 schedulers, 2 buckets with faults; noted here
    python -m perf.cluster_kills --full --from 25      the same from the 25th of them, where a run was ended before

Each trial builds two invented cities in a bucket of its own, on three Dask workers that share no folder. A moment is
the n-th request of the bucket, n drawn from those of a build that nothing disturbs. A driver or scheduler that was
killed is started again and the build with it. Exit 1 where the release's bytes differ from those of one process on a
folder, where a table or record is not what its name or seal says, or a lease is left that holds for longer than it may.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import cached_property
from pathlib import Path

from perf.three_ways import released
from perf.trials_noted import commit, ended
from pipelines.walk.build import build
from pipelines.walk.fingerprint import ROOT
from schemas.source import SourceError
from tests.bucket import Bucket, bucket
from tests.dask import Dask, dask_cluster
from tests.pipelines.conftest import recipe_text
from warehouse.home import Home
from warehouse.leases import LASTS_S, LEASES_KEY

WORKERS = 3
CITIES, TASKS = 2, 3
FULL = {"worker": 20, "driver": 10, "scheduler": 5, "faults": 2}
SMALL = dict.fromkeys(FULL, 1)
FAULTS = 0.05
"""The share of requests that the bucket answers with 500, 503, not at all though it did them, or slowly."""


class Trials:
    """One recipe built again and again, each time in a bucket of its own."""

    def __init__(self, folder: Path, served: Bucket, cluster: Dask, seed: int) -> None:
        self._folder, self._served, self._cluster = folder, served, cluster
        self._moments = random.Random(seed)
        self.struck: Counter[str] = Counter()
        self.recipe = folder / "small.toml"
        text = recipe_text(cities=CITIES, tasks=TASKS)
        self.recipe.write_text(text, encoding="utf-8")
        alone = Home(str(folder / "home"))
        assert not build(alone, self.recipe, workers=1).blocked
        self._expected = released(alone)

    def run(self, kind: str) -> list[str]:
        """Return what was wrong after one trial."""
        home = Home(self._served.home())
        ahead = self._moments.randint(1, self.requests) if kind != "faults" else 0
        moment = self._served.requests + ahead
        if kind == "faults":
            self._served.faults = FAULTS
            self._build(home)
            self._served.faults = 0.0
        else:
            getattr(self, f"_{kind}")(home, moment)
        self.struck[kind] += moment not in self._served.at  # a build may be over before its moment
        self._served.at.clear()
        return [f"{kind}, request {moment}: {problem}" for problem in self._problems(home)]

    @cached_property
    def requests(self) -> int:
        """Return how many requests a build on the cluster asks of the bucket."""
        before, home = self._served.requests, Home(self._served.home())
        self._build(home)
        problems = self._problems(home)
        assert not problems, problems
        return self._served.requests - before

    def _worker(self, home: Home, moment: int) -> None:
        victim = self._moments.randrange(WORKERS)
        self._served.at[moment] = self._cluster.workers[victim].kill
        self._build(home)
        if self._cluster.workers[victim].poll() is not None:
            self._cluster.workers.pop(victim)
            self._cluster.start_worker()

    def _driver(self, home: Home, moment: int) -> None:
        words = ["build", str(self.recipe), "--home", home.url, "--scheduler", self._cluster.address, "--json"]
        child = subprocess.Popen([sys.executable, "-m", "pipelines.cli", *words], cwd=ROOT, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)  # fmt: skip
        self._served.at[moment] = child.kill
        child.wait()
        self._build(home)

    def _scheduler(self, home: Home, moment: int) -> None:
        scheduler = self._cluster.scheduler
        assert scheduler is not None
        self._served.at[moment] = scheduler.kill
        try:
            self._build(home)
        except SourceError as error:
            # Killed before the driver came to it, it is not found.
            assert any(said in str(error) for said in ("the scheduler went away", "found no Dask scheduler")), error
        self._cluster.close()
        self._cluster.start_scheduler()
        for _ in range(WORKERS):
            self._cluster.start_worker()
        self._build(home)

    def _build(self, home: Home) -> None:
        built = build(home, self.recipe, scheduler=self._cluster.address)
        assert not built.blocked, built.blocked

    def _problems(self, home: Home) -> list[str]:
        found = [] if released(home) == self._expected else ["the release's bytes differ"]
        found += [f"{key} is not what its name says" for key in home.store.keys("tables")
                  if hashlib.sha256(home.store.read(key)).hexdigest() != Path(key).stem]  # fmt: skip
        found += [f"{key} is torn" for key in home.store.keys("built") if home.built.load(key) is None]
        for key in home.store.keys(LEASES_KEY):
            left_s = json.loads(home.store.read(key))["until"] - time.time()
            if left_s > LASTS_S:
                found.append(f"{key} holds for {left_s:.0f} s more")
        return found


def main() -> int:
    """Run the trials; return 1 where one shows a fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="All of them; the result is written into perf/README.md.")
    parser.add_argument("--only", choices=FULL, help="One kind of them.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=1, dest="first", help="The first trial, counted from 1.")
    given = parser.parse_args()
    counts = FULL if given.full else SMALL
    counts = {given.only: counts[given.only]} if given.only else counts
    started, wrong, took = time.monotonic(), [], dict[str, float]()
    with bucket() as served, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["TRIPWRIGHT_CACHE"] = str(folder / "driver")
        with dask_cluster(folder / "cluster", WORKERS) as cluster:
            trials = Trials(folder, served, cluster, given.seed)
            order = [kind for kind, count in counts.items() for _ in range(count)]
            random.Random(given.seed).shuffle(order)
            ran = Counter(order[given.first - 1 :])
            for number, kind in enumerate(order[given.first - 1 :], given.first):
                begun = time.monotonic()
                wrong += trials.run(kind)
                took[kind] = took.get(kind, 0.0) + time.monotonic() - begun
                print(f"{number} of {len(order)}, {kind}: {len(wrong)} wrong, {dict(trials.struck)} struck", flush=True)
        failed = served.failed
    said = {"worker": "a worker killed", "driver": "the driver killed, and the build begun again",
            "scheduler": "the scheduler killed, the cluster and the build begun again",
            "faults": f"one request in {1 / FAULTS:.0f} answered with a fault ({failed} in all)"}  # fmt: skip
    lines = [
        "## Kills",
        "",
        f"`python -m perf.cluster_kills{' --full' if given.full else ''}`, commit {commit()}, seed {given.seed}, from "
        f"trial {given.first}, load "
        f"average {os.getloadavg()[2]:.0f}, {time.monotonic() - started:.0f} s: builds of two invented cities on "
        f"{WORKERS} Dask workers that share no folder, in a bucket.",
        "",
        "| trials | count | of them while the build ran | wrong | seconds each |",
        "|---|---|---|---|---|",
        *(f"| {said[kind]} | {count} | {trials.struck[kind]} | {sum(text.startswith(kind) for text in wrong)} | "
          f"{took[kind] / count:.0f} |" for kind, count in ran.items()),
    ]  # fmt: skip
    return ended("cluster kills", lines, wrong, note=given.full and not given.only and given.first == 1)


if __name__ == "__main__":
    sys.exit(main())
