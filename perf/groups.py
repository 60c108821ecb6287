"""How good groups' plans and bounds are: `python -m perf.groups RELEASE … [--tries 20000] [--tasks 60] [--seed 1]`.

Of each release of GroupTravelBench: the gaps between best plan and bound, the seconds that plan and bound together take
again, what the best plan costs of the tightest budget, the greedy baseline's share of the bound by difficulty, the
reference agents' share of calls that an export records, and an attacker: so many plans a task, half of them from
nothing and half from the witness. With `--kept FILE` each task's outcome is kept as a line, and not sought again.
Exit 1 where an accepted plan is above the bound.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from assets.core.worlds import task_views
from assets.family import TaskView
from assets.grouptravel.baseline import plans
from assets.grouptravel.difficulty import DIFFICULTIES
from assets.grouptravel.facts.world import World, trip_of
from assets.grouptravel.gaps import gap, gaps
from assets.grouptravel.records import published_task, skeleton_of, tables_of
from assets.grouptravel.release_scores import score_release
from assets.grouptravel.solver import solve
from assets.grouptravel.tools.agents import share_recorded
from assets.grouptravel.tools.sandbox import tools
from assets.grouptravel.tools.warm import warm_keys
from assets.grouptravel.witness.program import Program
from assets.grouptravel.world import world
from assets.release.call_cache import cache_key
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from assets.rows import ReleaseTables
from tests.assets.grouptravel.attacked import Ground, Remembered, draft_of, scorer
from tests.assets.grouptravel.attacker import attack

BINDS = 0.85
SHARES = ("gu_share", "gu_share_bound")


class Found(NamedTuple):
    """What was found of one task: seconds of CPU for plan and bound together, their gap, and the attack's outcome."""

    solve_s: float
    gap: float
    accepted: int
    best: int | None
    known: float
    bound: float


def main() -> int:
    """Print everything, and exit 1 where a bound is beaten."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("release", nargs="+")
    parser.add_argument("--tries", type=int, default=20_000)
    parser.add_argument("--tasks", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--kept", type=Path, help="A file of outcomes.")
    args = parser.parse_args()
    beaten = 0
    for release in args.release:
        tables, _, views = _opened(release)
        print(f"{release}: {len(views)} tasks", flush=True)
        _gaps_and_budgets(views)
        _greedy(tables, views)
        _agents(tables, views)
        chosen = views[:: max(1, math.ceil(len(views) / args.tasks))]
        beaten += _told(_outcomes(release, [view.task_id for view in chosen], args), args.tries)
        sys.stdout.flush()
    return int(bool(beaten))


def _outcomes(release: str, task_ids: list[str], args: argparse.Namespace) -> list[Found]:
    """Return the outcome of each task, those that are kept without another attack."""
    lines = args.kept.read_text(encoding="utf-8").splitlines() if args.kept and args.kept.exists() else []
    kept = {tuple(job): Found(*found) for job, found in map(json.loads, lines)}
    jobs = [(release, task_id, args.tries, args.seed) for task_id in task_ids]
    with ProcessPoolExecutor(args.workers) as pool:
        left = [job for job in jobs if job not in kept]
        for job, found in zip(left, pool.map(_attacked, left), strict=True):
            kept[job] = found
            if args.kept:
                with args.kept.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([job, found]) + "\n")
    return [kept[job] for job in jobs]


@cache
def _opened(release: str) -> tuple[ReleaseTables, World, list[TaskView]]:
    tables = release_tables(open_release(Path(release)))
    return tables, world(tables), task_views(tables.tasks, tables.certificates)


def _gaps_and_budgets(views: list[TaskView]) -> None:
    for row in gaps([view.proof["reachable"] for view in views]):
        print(f"  gap, {row['plans']}: median {row['median']:.1%}, nine of ten {row['nine_of_ten']:.1%}, worst "
              f"{row['worst']:.1%}; none in {row['share_that_meets_the_bound']:.0%}")  # fmt: skip
    shares = []
    for view in views:
        budgets = [
            e["preference"]["global_constraints"]["avg_budget"] for e in view.record["user_preferences"].values()
        ]
        shares.append(view.proof["cost"] / min(budgets))
    binding = sum(share >= BINDS for share in shares) / len(shares)
    print(f"  best plan's cost of the tightest budget: median {statistics.median(shares):.2f}, at least {BINDS:.0%} in "
          f"{binding:.0%} of the tasks")  # fmt: skip


def _greedy(tables: ReleaseTables, views: list[TaskView]) -> None:
    """Print the greedy baseline's share of the bounds by difficulty, together and with splits, of accepted plans."""
    scored = score_release(tables, plans(tables), "ours")["trials"]
    levels = {view.task_id: view.level for view in views}
    for level in (level for level in DIFFICULTIES if level in levels.values()):
        here = [trial for trial in scored if levels[trial["task_id"]] == level]
        valid = [trial for trial in here if not trial["issues"]]
        together, split = (sum(trial[share] for trial in valid) / max(1, len(valid)) for share in SHARES)
        print(f"  greedy, {level}: mean share of the bound together {together:.1f} %, with splits {split:.1f} %, "
              f"of the {len(valid)} plans of {len(here)} that are accepted")  # fmt: skip


def _agents(tables: ReleaseTables, views: list[TaskView]) -> None:
    known = {tool.name: tool for tool in tools(tables)}
    keys = warm_keys(tables.tasks, known, tables.section["language"])
    rows = {row["task_id"]: row for row in tables.tasks.to_dict("records")}
    tasks: list[Mapping[str, Any]] = [
        {**published_task(rows[view.task_id]), "days": view.record["days"]} for view in views
    ]
    call = lambda tool, arguments: json.loads(known[tool].call(arguments).result)  # noqa: E731  (a callback of one line)
    recorded = share_recorded(
        tasks, tables.section["language"], call, lambda tool, arguments: cache_key(arguments) in keys[tool]
    )
    for name, found in recorded.items():
        print(f"  agent {name}: {found['total']:.1%} of {found['calls']} calls recorded")


def _attacked(job: tuple[str, str, int, int]) -> Found:
    release, task_id, tries, seed = job
    _, made, views = _opened(release)
    [view] = [view for view in views if view.task_id == task_id]
    trip = trip_of(skeleton_of(task_id, view.record), tables_of(view.record), made.names)
    part, reachable = made.part(trip), view.proof["reachable"]
    _load_the_solver()
    started = time.process_time()
    best = solve(trip, part.pois, part.fares, part.vocabulary)
    solve_s = time.process_time() - started
    part.pois.ways = Remembered(part.pois.ways)
    ground = Ground(trip, part.pois, part.fares, part.vocabulary, (*trip.tables, *trip.children))
    score = scorer(trip, part.pois, part.fares, words=part.vocabulary)
    outcomes = [
        attack(ground, score, tries=tries // 2, seed=seed, start=start) for start in (None, draft_of(view.plan, ground))
    ]
    found = [best_value for best_value, _, _ in outcomes if best_value is not None]
    accepted = sum(accepted for _, _, accepted in outcomes)
    return Found(solve_s, gap(best.total, best.bound), accepted, max(found, default=None),
                 reachable["split_utility"], reachable["split_bound"])  # fmt: skip


@cache
def _load_the_solver() -> None:
    """Solve one small program, so that no task's seconds hold the loading of libraries."""
    program = Program()
    program.exactly([program.count(1, 1), program.count(1, 1)], 1)
    program.solve(1.0)


def _told(found: list[Found], tries: int) -> int:
    """Print the outcome of the attacks, and return how many bounds were beaten."""
    seconds = sorted(one.solve_s for one in found)
    over = [one for one in found if one.best is not None and one.best > one.bound]
    better = [one for one in found if one.best is not None and one.best > one.known]
    print(f"  plan and bound together again: median {statistics.median(seconds):.2f} s, most {seconds[-1]:.2f} s, "
          f"worst gap {max(one.gap for one in found):.1%}")  # fmt: skip
    print(f"  attacked: {len(found)} tasks, {tries} plans each, {sum(one.accepted for one in found)} accepted; above "
          f"the bound {len(over)}, above our best plan {len(better)} ({len(better) / len(found):.0%})")  # fmt: skip
    return len(over)


if __name__ == "__main__":
    sys.exit(main())
