"""How tasks without a solution hold: `python -m perf.unsolvable RELEASE... [--count 100]`.

Of each release so many are drawn. Printed: how many were found, how large their clashes are, in how many each wish of
the clash, taken away alone, leaves a task whose plan the family's own checker accepts, and how many the careful planner
names, by the request and the tools alone; beside them, how many it hands a plan in for.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path
from typing import Any

from assets.core.claims import claim_in
from assets.core.worlds import world_for, worlds_of
from assets.named import load
from assets.release.reading import open_release
from pipelines.runs.planners import Field


def main() -> None:
    """Print, by release, what was drawn, what is certified of it, and what the careful planner says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("releases", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="Print each clash and the end of what the planner says.")
    args = parser.parse_args()
    for release in args.releases:
        field = Field(open_release(release), None, "ours", args.seed)
        started = time.process_time()
        assert field.runs.unsolvable is not None and field.runs.is_right is not None
        rows = load(field.runs.unsolvable)(field.tables, args.count, args.seed)
        seconds = time.process_time() - started
        sizes = sorted(Counter(len(row["proof"]["clash"]) for row in rows).items())
        freed = sum(all(_is_met(field, row, one) for one in row["proof"]["without"]) for row in rows)
        is_right, player = load(field.runs.is_right), field.player("careful", [row["task_id"] for row in rows])
        named = gave_plan = 0
        for row in rows:
            text = _text(player(row))
            named += bool(is_right(field.tables, row, text, None))
            gave_plan += bool(text) and claim_in(text) is None
            if args.show:
                print(f"  {row['task_id']}: {row['proof']['clash']}; said: {text[-200:]!r}")
        print(f"{field.family.name} {field.release.version}: {len(rows)} of {args.count} in {seconds:.1f} s computed")
        print(f"  wishes that clash: {', '.join(f'{size} in {count}' for size, count in sizes)}")
        print(f"  each wish of the clash, taken away, leaves a plan in {freed}")
        print(f"  the careful planner names the clash in {named}, hands in a plan in {gave_plan}", flush=True)


def _is_met(field: Field, row: dict[str, Any], one: dict[str, Any]) -> bool:
    """Return whether the plan meets all that the record asks but one wish, by the family's own checker."""
    assert field.runs.wishes_of is not None and field.runs.with_wishes is not None
    kept = [wish for wish in load(field.runs.wishes_of)(row["record"]) if wish != tuple(one["wish"])]
    eased = load(field.runs.with_wishes)(row["record"], kept)
    worlds = worlds_of(field.family, field.tables)
    world = world_for(worlds, field.family, row["city_id"])
    unkept = load(field.runs.unkept)(eased, one["plan"], world) if field.runs.unkept else []
    return not unkept and not any(field.family.call("check", eased, one["plan"], world))


def _text(playing: Any) -> str:
    """Return what a planner by rules hands in."""
    try:
        next(playing)
    except StopIteration as end:
        return end.value.text
    raise TypeError("the careful planner waits for nothing")


if __name__ == "__main__":
    main()
