"""Hostile trials, counted: damaged files over all readers, a model server's behaviours, a disk that fills up.

    python -m perf.trials            one seed of each file's damage, every behaviour under two budgets, six full disks
    python -m perf.trials --disks    thirty full disks alone
    python -m perf.trials --full     more seeds, thirty full disks; writes count, seeds and commit into perf/README.md

Killed commands are `perf/kills.py`.

Exit 1 where a trial shows an undeclared exception, a hang, too much memory, or a row, call or key unaccounted for.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

from perf.trials_noted import commit, ended
from pipelines.walk.build import build
from tests.hostile.asked import MAX_COST, PRICE_A_CALL
from tests.hostile.full_disk import released_on, small_disk, through_full_disks
from tests.hostile.test_files import MEMORY_MB, base_files, results_of, trials
from tests.hostile.test_full_disk import small
from tests.hostile.test_model_wire import BUDGETS
from tests.hostile.test_model_wire import MEMORY_MB as WIRE_MEMORY_MB
from tests.hostile.wire_server import BEHAVIOURS, KEY, WireServer
from tests.recipes import hashed_files
from warehouse.home import Home

ROOT = Path(__file__).parents[1]
FULL_SEEDS = 20
DISK_TIMES, FEW_DISK_TIMES = 30, 6


def file_trials(seeds: range) -> tuple[dict[str, int], list[str], int]:
    """Return how many damaged files came to what, what was wrong, and the most memory in MB."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        results = results_of(trials(base_files(folder), seeds), folder / "target")
    wrong = [f"{r['provider']}.{r['role']} {r['damage']} (seed {r['seed']}): {r['said'][:200]}" for r in results
             if r["outcome"] in ("undeclared", "unaccounted")]  # fmt: skip
    peak = max(r["peak_mb"] for r in results)
    wrong += [f"{peak} MB of memory"] if peak >= MEMORY_MB else []
    return dict(Counter(r["outcome"] for r in results)), wrong, peak


def wire_trials() -> tuple[int, list[str], int]:
    """Return how many behaviours were asked, what was wrong, and the most memory in MB."""
    wrong, count, peak = [], 0, 0
    with (
        WireServer() as server,
        subprocess.Popen(
            [sys.executable, "-m", "tests.hostile.asked"], cwd=ROOT, env=os.environ | {"WIRE_KEY": KEY}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        ) as child,
    ):  # fmt: skip
        assert child.stdin is not None and child.stdout is not None
        for name, budget in product(BEHAVIOURS, BUDGETS):
            trial = f"{name}/{budget}"
            child.stdin.write(f"{name} {server.url}/{trial}/v1 {budget}\n")
            child.stdin.flush()
            result: dict[str, Any] = json.loads(child.stdout.readline())
            count, peak = count + 1, max(peak, int(result["peak_mb"]))
            is_unpaid = server.charged[trial] * PRICE_A_CALL > result["cost"] + 1e-9
            is_over = budget == "small" and result["cost"] > MAX_COST + 1e-9
            if result["wrong"] or result["has_key"] or is_unpaid or is_over:
                wrong.append(f"{name}, {budget} budget: {result}")
        child.stdin.close()
    wrong += [f"{peak} MB of memory"] if peak >= WIRE_MEMORY_MB else []
    return count, wrong, peak


def disk_trials(times: int, seed: int) -> tuple[str, list[str]]:
    """Return how often the disk filled up and how often the size was told, and what was wrong."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        recipe = small(folder, cities=5 if times > FEW_DISK_TIMES else 1)
        with small_disk(folder / "disk") as disk:
            trial = through_full_disks(disk, recipe, times, seed)
            found = released_on(disk, trial)
        undisturbed = build(Home(str(folder / "home")), recipe, workers=1)
        same = hashed_files(folder / "home" / undisturbed.releases[0].ref.key)
    wrong = trial.wrong + (["the bytes differ in the end"] if found != same else [])
    moments = len(set(trial.at))
    wrong += [f"only {moments} moments of {times}"] if moments < times else []
    return f"{moments} at as many moments, {trial.sized} with the size", wrong


def main() -> int:
    """Run the trials; return 1 where one shows a fault."""
    given = argparse.ArgumentParser(description="Hostile trials, counted.")
    given.add_argument("--full", action="store_true", help="Many seeds; the result is written into perf/README.md.")
    given.add_argument("--seed", type=int, default=1, help="The first seed.")
    given.add_argument("--seeds", type=int, default=FULL_SEEDS, help="How many seeds of damage a full run tries.")
    given.add_argument("--disks", action="store_true", help="The thirty full disks alone; nothing is written.")
    options = given.parse_args()
    if options.disks:
        filled, disk_wrong = disk_trials(DISK_TIMES, options.seed)
        print(f"commit {commit()}, seed {options.seed}: {filled}; {len(disk_wrong)} wrong")
        print("\n".join(disk_wrong))
        return 1 if disk_wrong else 0
    seeds = range(options.seed, options.seed + (options.seeds if options.full else 1))
    started = time.monotonic()
    outcomes, wrong, peak = file_trials(seeds)
    asked, wire_wrong, wire_peak = wire_trials()
    filled, disk_wrong = disk_trials(DISK_TIMES if options.full else FEW_DISK_TIMES, seeds[0])
    lines = [
        "## Hostile trials",
        "",
        f"`python -m perf.trials{f' --full --seeds {len(seeds)}' if options.full else ''}`, commit {commit()}, "
        f"seeds {seeds[0]} to {seeds[-1]}, {time.monotonic() - started:.0f} s.",
        "",
        "| trials | count | came to | wrong | most memory |",
        "|---|---|---|---|---|",
        f"| damaged files over all readers | {sum(outcomes.values()):,} | "
        f"{', '.join(f'{n:,} {what}' for what, n in sorted(outcomes.items()))} | {len(wrong)} | {peak} MB |",
        f"| a model server's behaviours, two budgets each | {asked} | | {len(wire_wrong)} | {wire_peak} MB |",
        f"| a disk of 50 MB (tmpfs) that fills up while a build is at work | {filled} | | {len(disk_wrong)} | |",
    ]
    return ended("trials", lines, [*wrong, *wire_wrong, *disk_wrong], note=options.full)


if __name__ == "__main__":
    sys.exit(main())
