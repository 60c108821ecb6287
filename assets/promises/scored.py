"""Scores tell: what a family's `score` gives for the witnesses, it gives for no other plans.

Its figures are all that a reader of a leaderboard sees, and no checker looks at them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from assets.families import families
from assets.family import Family
from assets.promises.certified import Checker, Job, Judged, opened_once
from assets.promises.mutants import SCORED
from assets.rows import ReleaseTables

MOST_SCORED = 10
"""Tasks whose plans are scored, evenly spaced by id [I]: figures of so many differ where a plan counts for anything."""


def judge_scores(job: Job) -> Judged:
    """Return what is wrong with the scores of the witnesses of some tasks to try, by the variant `ours`.

    They are the same in any order, and other than those of no plans, and of witnesses that tasks exchanged and the
    checker refuses.
    """
    opened, tried, verdict = opened_once(job.folder), sorted(job.tried), Judged()
    family = families()[opened.release.manifest.family]
    count = min(MOST_SCORED, len(tried))
    views = [opened.views[tried[n * len(tried) // count]] for n in range(count)]
    some, checker = opened.tables.only([view.task_id for view in views]), Checker(family)
    witnesses = {view.task_id: view.plan for view in views}
    exchanged = {
        view.task_id: other.plan
        for view, other in zip(views, views[1:] + views[:1], strict=True)
        if checker.refuses(view.record, other.plan, opened.world(family, view))
    }
    verdict.offered[SCORED] = len(exchanged)
    others = {"no plans": {}, "plans that the checker refuses": {**witnesses, **exchanged}}
    figures = _figures(family, some, witnesses)
    if figures != _figures(family, some, dict(reversed(witnesses.items()))):
        verdict.problems.append(f"{family.score} gives the witnesses other figures in another order")
    verdict.problems += [
        f"{family.score} gives {what} the witnesses' figures; expected others"
        for what, plans in others.items()
        if plans != witnesses and _figures(family, some, plans) == figures
    ]
    return verdict


def _figures(family: Family, tables: ReleaseTables, plans: Mapping[str, Any]) -> str:
    given = [{"task_id": task_id, "plan": plan} for task_id, plan in plans.items()]
    return json.dumps(family.call("score", tables, given, "ours")["aggregate"], sort_keys=True)
