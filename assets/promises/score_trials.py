"""Scores tell: what a family's `score` gives for the witnesses, it gives for no other plans.

Its figures are all that a reader of a leaderboard sees, and no checker looks at them; its rows say which tasks are
solved.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from assets.families import families
from assets.family import Family
from assets.named import load
from assets.promises import mutants
from assets.promises.certified import Checker, Job, JobVerdict, opened_once
from assets.promises.mutants import SCORED, copy_of
from assets.rows import ReleaseTables
from assets.runs.setting import outcome_of, score_rows, setting_of

MOST_SCORED = 10
"""Tasks whose plans are scored, evenly spaced by id [I]: figures of so many differ where a plan counts for anything."""

OURS = "ours"
"""The variant by which a release says what the witness and the reference planners reach."""

SHOWN = 3


def judge_scores(job: Job) -> JobVerdict:
    """Return what is wrong with the scores of the witnesses of some tasks to try.

    By each variant they are other than those of witnesses that tasks exchanged and the checker refuses; by `ours` they
    are the same in any order and other than those of no plans; a row of a witness is solved, one of an empty plan is
    not, and one of an exchanged plan is where the family's `passes` says so.
    """
    opened, task_ids, verdict = opened_once(job.folder), sorted(job.trial_task_ids), JobVerdict()
    family = families()[opened.release.manifest.family]
    count = min(MOST_SCORED, len(task_ids))
    views = [opened.views[task_ids[n * len(task_ids) // count]] for n in range(count)]
    sampled_tables, checker = opened.tables.only([view.task_id for view in views]), Checker(family)
    witnesses = {view.task_id: view.plan for view in views}
    exchanged = {
        view.task_id: other.plan
        for view, other in zip(views, views[1:] + views[:1], strict=True)
        if checker.refuses(view.record, other.plan, opened.world(family, view))
    }
    verdict.offered[SCORED] = len(exchanged)
    faults: list[str] = []
    for variant in dict.fromkeys((OURS, *family.variants)):
        score = partial(_scores, family, sampled_tables, variant)
        by = "" if variant == OURS else f" by `{variant}`"
        witness_scores, exchanged_scores = score(witnesses), score({**witnesses, **exchanged}) if exchanged else None
        if variant == OURS:
            if witness_scores.figures != score(dict(reversed(witnesses.items()))).figures:
                faults.append("gives the witnesses other figures in another order")
            if witness_scores.figures == score({}).figures:
                faults.append("gives no plans the witnesses' figures; expected others")
            empty = score({view.task_id: mutants.empty_plan(view.plan) for view in views})
            faults += _wrong_outcomes(witness_scores.is_solved_by_task, "the witness", dict.fromkeys(witnesses, True))
            faults += _wrong_outcomes(empty.is_solved_by_task, "an empty plan", dict.fromkeys(witnesses, False))
            if exchanged_scores is not None and family.passes is not None:
                passes = load(family.passes)
                passing = {
                    view.task_id: bool(
                        passes(view.record, copy_of(exchanged[view.task_id]), opened.world(family, view))
                    )
                    for view in views
                    if view.task_id in exchanged
                }
                faults += _wrong_outcomes(
                    exchanged_scores.is_solved_by_task, "a plan of which `passes` says otherwise", passing
                )
        if exchanged_scores is not None and exchanged_scores.figures == witness_scores.figures:
            faults.append(f"gives plans that the checker refuses the witnesses' figures{by}; expected others")
    verdict.problems += [f"{family.score} {text}" for text in faults]
    return verdict


@dataclass(frozen=True)
class _Scores:
    """What a score gives: its figures as text, and by task whether its row says that it is solved."""

    figures: str
    is_solved_by_task: dict[str, bool]


def _scores(family: Family, tables: ReleaseTables, variant: str, plans: Mapping[str, Any]) -> _Scores:
    handed_in = [{"task_id": task_id, "plan": plan} for task_id, plan in plans.items()]
    scores, setting = family.call("score", tables, handed_in, variant), setting_of(family.name)
    rows = score_rows(setting, scores) if variant == OURS else {}
    solved = {task_id: outcome_of(setting, rows.get(task_id)).is_solved for task_id in plans}
    return _Scores(json.dumps(scores["aggregate"], sort_keys=True), solved)


def _wrong_outcomes(solved: Mapping[str, bool], what: str, expected: Mapping[str, bool]) -> Iterator[str]:
    """Yield the tasks of which the rows of a score say otherwise than expected, by what they were handed in."""
    for is_solved in (True, False):
        wrong = [task for task, expects in expected.items() if expects != is_solved and solved[task] == is_solved]
        if wrong:
            outcome = "solves" if is_solved else "does not solve"
            yield f"has rows by which {what} {outcome} {', '.join(wrong[:SHOWN])}; expected the opposite"
