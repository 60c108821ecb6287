"""What the planners of ours reach: `python -m perf.planners RECIPE_OR_RELEASE... [--hard 100]`.

Every planner of a family (random, greedy, careful, witness) plays every task of every release, as `tripwright run`
plays them, and is scored as `tripwright calibrate` scores. A recipe is built first, with as many hard tasks as `--hard`
says. Printed by release and level: the mean in percent and the share solved, each with its interval of 95 %; and of the
hard tasks whether the planners are in order, which neighbours' intervals overlap, and how many random fails.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from assets.release.reading import open_release
from assets.runs.calibration import Calibration, Mean, calibration
from assets.runs.leaderboard import interval_text
from assets.runs.records import Head, begin, read_run
from assets.runs.scores import ScoredRun, scored_run
from assets.runs.setting import planner_names
from pipelines.commands.run import names_of
from pipelines.runs.planners import Field
from pipelines.runs.run import play_all, reader

HARD = "hard"


def main() -> None:
    """Print what each planner reaches on each release, and what Must show 1 asks of the hard tasks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("of", nargs="+", type=Path, metavar="RECIPE_OR_RELEASE")
    parser.add_argument("--hard", type=int, help="hard tasks of each family that a recipe is built with")
    parser.add_argument("--level", help="tasks of this level alone")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for of in args.of:
            for release in [of] if of.is_dir() else built(of, args.hard, Path(scratch)):
                compare(release, Path(scratch), args.level)


def compare(release: Path, scratch: Path, level: str | None) -> None:
    """Play every planner on the tasks, and print how they do."""
    runs = []
    for planner in planner_names(Field(open_release(release), None, "ours", 0).family):
        started = time.process_time()
        runs.append(played(release, planner, scratch, level))
        print(
            f"{planner}: {len(runs[-1].outcomes)} tasks in {time.process_time() - started:.1f} s computed", flush=True
        )
    head, found = runs[0].run.head, calibration(runs)
    print(f"{head.family} {head.release}")
    for name, means in found.by_planner.items():
        for one, mean in means.items():
            print(f"  {name:<24} {one or 'all':<8} {_told(mean)}")
    _print_hard(found)


def played(release: Path, planner: str, scratch: Path, level: str | None) -> ScoredRun:
    """Return the scored run of a planner: with tools where it is careful, else in the family's own setting."""
    field = Field(open_release(release), None, "ours", 0)
    head = Head(field.release.version, field.family.name, planner, "", field.setting, field.variant)
    path = scratch / f"{field.release.version}-{planner}.jsonl"
    begin(path, head)
    tasks = field.tasks(None, level)
    player = field.player(planner, [task["task_id"] for task in tasks])
    ended = play_all(tasks, player, path, reader(field.family, names_of(field)), lambda *_: None)
    assert not ended.failures, ended.failures
    return scored_run(field.family, field.tables, head.release, read_run(path))


def built(recipe: Path, hard: int | None, scratch: Path) -> list[Path]:
    """Return the releases of a recipe, built with so many hard tasks of each of its families."""
    text = recipe.read_text(encoding="utf-8")
    made = recipe.with_name(f"perf-planners-{recipe.name}")
    made.write_text(text if hard is None else with_hard(text, hard), encoding="utf-8")
    words = [sys.executable, "-m", "pipelines.cli", "build", str(made), "--home", str(scratch / "home"), "--json"]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    finally:
        made.unlink()
        made.with_name(made.name.replace(".toml", ".lock.json")).unlink(missing_ok=True)
    if done.returncode:
        raise SystemExit(f"{recipe}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return [Path(release["path"]) for release in json.loads(done.stdout)["releases"]]


def with_hard(text: str, hard: int) -> str:
    """Return a recipe with so many hard tasks: of trips a third of each length's are hard."""
    text = re.sub(r"(?m)^(hard_tasks_per_city) = \d+", rf"\1 = {hard}", text)
    text = re.sub(r"(?m)^tasks = \{ easy = (\d+), medium = (\d+), hard = \d+ \}", rf"tasks = {{ hard = {hard} }}", text)
    lengths = ", ".join(f"{days} = {hard}" for days in (3, 5, 7))
    return re.sub(r"(?m)^tasks = \{ 3 = \d+, 5 = \d+, 7 = \d+ \}", f"tasks = {{ {lengths} }}", text)


def _print_hard(found: Calibration) -> None:
    """Print the order of the planners on hard tasks, from the weakest, and where it does not hold."""
    hard = {name: means[HARD] for name, means in found.by_planner.items() if HARD in means}
    if not hard:
        print("  no level is called hard")
        return
    for (below, low), (above, high) in pairwise(hard.items()):
        order = "below" if low.percent < high.percent else "NOT BELOW"
        apart = low.interval and high.interval and low.interval[1] < high.interval[0]
        print(f"  hard: {below} is {order} {above}, intervals {'apart' if apart else 'OVERLAP'}")
    name, weakest = next(iter(hard.items()))
    print(f"  hard: {name} fails {1 - weakest.solved:.0%} of {weakest.tasks} tasks")


def _told(mean: Mean) -> str:
    low, high = mean.solved_interval
    return (
        f"{mean.tasks:>4} tasks  {mean.percent:5.1f} % ({interval_text(mean)})  "
        f"solved {mean.solved:.0%} ({low:.0%} to {high:.0%})"
    )


if __name__ == "__main__":
    main()
