"""Time to solve, certify and cluster 500 Philadelphia tasks, and the exact tours against a plain recursion.

Run from the repository's root: `python perf/itinbench_witness.py ../shared/data/itinbench`. Prints CPU seconds of one
process, so that other work on the machine counts little.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from assets.family import Solved
from assets.itinbench.checks.certify import Checker
from assets.itinbench.checks.tours import Day, best_trip, planar
from assets.itinbench.inspect import inspect_folder
from assets.itinbench.published.published_folder import read_folder
from assets.itinbench.scoring import score
from assets.itinbench.solver import cluster_map, matching, solve_from
from assets.itinbench.tables import ItinbenchPlace, Record
from assets.itinbench.witness.assignment import best_days
from assets.itinbench.words.labels import read_cuisine, read_meals, read_orientation, read_price, read_rating
from schemas.reviews import ATTRIBUTES

TASKS = 500
KINDS = {"stay": "hotels", "restaurant": "restaurants", "attraction": "attractions"}


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU seconds that the work took, and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def pool(rows: dict[str, list[dict[str, Any]]]) -> pd.DataFrame:
    """Return the published places as a pool."""
    found = []
    for kind, stem in KINDS.items():
        for line in rows[stem]:
            row: dict[str, Any] = {"city_id": "us-pa-philadelphia", "kind": kind, "source_rows": []}
            row |= {"place_id": line["business_id"], "native_id": line["business_id"], "stars": line["stars"]}
            row |= {"name": line["name"], "address": line["address"]}
            row |= {"lat": line["latitude"], "lon": line["longitude"], "price_level": read_price(line["price"])}
            row |= {key: read_cuisine(line.get(key, "Not Applicable")) for key in ("cuisine_1", "cuisine_2")}
            row |= {"meals": read_meals(line.get("good_for_meal", ""))}
            for attribute in ATTRIBUTES[kind]:
                read, label = (
                    (read_orientation, f"{attribute} oriented") if kind == "attraction" else (read_rating, attribute)
                )
                row[attribute] = read(attribute, line[label])
            found.append(row)
    frame = pd.DataFrame(found, columns=[column.name for column in ItinbenchPlace.columns()])
    return frame.astype({c.name: "Int64" for c in ItinbenchPlace.columns() if c.type is int})


def record(info: dict[str, list[str]]) -> Record:
    """Return a published record in our vocabulary."""
    return {
        "days": int(info["day"][0][0]),
        "price": info["price"][0].split()[0],
        "orientation": info["attraction"][0].split()[0],
        "cuisine": info["cuisine"][0],
        "restaurant": [phrase[5:] for phrase in info["restaurant"]],
        "hotel": [phrase[5:] for phrase in info["hotel"]],
    }


def plain_recursion(days: list[Day]) -> float:
    """Return the least trip by memoised recursion over (visits left, last visit): the baseline."""
    points = [visit for day in days for visit in day.visits]
    stay, size = days[0].start, len(days[0].visits)

    @cache
    def rest(left: frozenset[int], last: int) -> float:
        done = len(points) - len(left)
        home = planar(points[last], stay) if done % size == 0 else 0.0
        if not left:
            return home
        here = stay if home or done % size == 0 else points[last]
        return home + min(planar(here, points[i]) + rest(left - {i}, i) for i in left)

    return min(planar(stay, points[i]) + rest(frozenset(range(len(points))) - {i}, i) for i in range(len(points)))


def main(folder: Path) -> None:
    """Print the timings."""
    rows = read_folder(folder)
    places = pool(rows)
    checker = Checker(places)
    records = [record(line["eval_info"]) for line in rows["evals"]]
    matching_s, pools = timed(lambda: [matching(places, r) for r in records])
    solvable = [i for i in range(len(records)) if isinstance(solve_from(records[i], pools[i], task_id="warm"), Solved)]
    chosen = list(itertools.islice(itertools.cycle(solvable), TASKS))
    solve_s, found = timed(lambda: [solve_from(records[i], pools[i], task_id=f"t{n}") for n, i in enumerate(chosen)])
    plans = [w.plan for w in found]
    check_s, broken = timed(
        lambda: [v for i, plan in zip(chosen, plans, strict=True) for v in checker.violations(plan, records[i])]
    )
    cluster_s, _ = timed(lambda: [cluster_map(pd.concat(list(p.values()))) for p in pools])
    tasks = {f"t{n}": records[i] for n, i in enumerate(chosen)}
    lines = [{"task_id": f"t{n}", "plan": plan} for n, plan in enumerate(plans)]
    score_s, _ = timed(lambda: score(lines, tasks, places))
    inspect_s, _ = timed(lambda: inspect_folder(folder))
    print(f"matching  {matching_s:6.2f} s for {len(pools)} records")
    print(f"solve     {solve_s:6.2f} s for {TASKS} tasks, given their matching places")
    print(f"certify   {check_s:6.2f} s for {TASKS} witnesses, {len(broken)} violations")
    print(f"together  {matching_s + solve_s + check_s:6.2f} s; wanted at most 25")
    print(f"clusters  {cluster_s:6.2f} s for {len(pools)} records; wanted at most 15")
    print(f"score     {score_s:6.2f} s for {TASKS} plans")
    print(f"inspect   {inspect_s:6.2f} s for {len(records)} queries")

    rng = np.random.default_rng(1)
    stay, *visits = [(40 + float(x), -75 + float(y)) for x, y in rng.random((13, 2))]
    days = [Day(stay, stay, tuple(visits[i : i + 4])) for i in (0, 4, 8)]
    best_trip(days)
    from_stay = np.array([planar(stay, v) for v in visits])
    between = np.array([[planar(a, b) for b in visits] for a in visits])
    best_days(from_stay, between, 1e-9)
    plain_s, plain = timed(lambda: plain_recursion(days))
    scorer_s, scorers = timed(lambda: min(best_trip(days)[0] for _ in range(20)))
    solver_s, solvers = timed(lambda: min(best_days(from_stay, between, 1e-9)[0] for _ in range(20)))
    print(
        f"3 days of 4: plain recursion {plain_s * 1000:.0f} ms; scorer 1/{plain_s * 20 / scorer_s:.0f} of it, "
        f"solver 1/{plain_s * 20 / solver_s:.0f}; optima {plain:.6f} {scorers:.6f} {solvers:.6f}"
    )
    four = [*days, Day(stay, stay, tuple((a + 0.01, b) for a, b in visits[:4]))]
    best_trip(four)
    four_s, _ = timed(lambda: [best_trip(four) for _ in range(5)])
    print(f"4 days of 4: scorer {four_s * 200:.0f} ms a trip")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
