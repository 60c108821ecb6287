"""Which checks are shown to judge: those that refuse a witness, or what is said beside it, with one thing changed.

None of the changes must be refused, for it may do no harm; but of a check that none of them moves nothing shows that it
looks at anything, and the card names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assets.families import families
from assets.family import TaskView
from assets.promises import mutants
from assets.promises.certified import Checker, Job, JobVerdict, opened_once
from assets.promises.judging_process import solvers
from assets.promises.mutants import copy_of
from schemas.stable import stable_hash

MOST_TRIED = 3
"""Tasks of which something is changed, where checks are left that nothing has moved [I]."""

OTHERS = 3
"""Other tasks' witnesses that are offered for each [I]."""

CHANGED, PROOFS_CHANGED = 40, 10
"""Changes of a task's witness and record, and of what is said beside one task's witness, which takes some ten times as
long to judge [I]."""

Path = tuple[str | int, ...]

Offer = tuple[TaskView, Any, Any, Any]
"""A task, a record, a plan, and what is said beside the plan or None."""


def judge_checks(job: Job) -> JobVerdict:
    """Return which checks refuse something of the tasks to try; no more is tried once each has.

    Offered are no plan, the witnesses of other tasks, and the task's own changed in one place: a value exchanged for
    another one that stands in such a place, in it or in another task's, or for one that stands nowhere; a list without
    an item, with one twice, or turned round. So are the records, and of one task what is said beside the plan. Of all
    changes some are tried.
    """
    opened, verdict = opened_once(job.folder), JobVerdict()
    family = families()[opened.release.manifest.family]
    checker = Checker(family)
    task_ids = sorted(job.trial_task_ids & opened.views.keys(), key=lambda task_id: stable_hash("shown", task_id))
    tasks = [opened.views[task_id] for task_id in task_ids]
    worlds = {task.task_id: opened.world(family, task) for task in tasks[:MOST_TRIED]}
    for task, record, plan, proof in _offers(tasks, with_proof=family.verify is not None):
        verdict.refused_by |= checker.refusing(record, plan, worlds[task.task_id], proof)
        if verdict.refused_by.issuperset(family.checks):
            break
    verdict.problems += solvers(family)
    return verdict


def _offers(tasks: Sequence[TaskView], *, with_proof: bool) -> Iterator[Offer]:
    """Yield what is offered to a checker: nothing of it need be refused."""
    for number, task in enumerate(tasks[:MOST_TRIED]):
        others = [tasks[(number + n) % len(tasks)] for n in range(1, 1 + OTHERS)]
        last, seed = others[-1], task.task_id
        yield task, task.record, mutants.empty_plan(task.plan), None
        yield from ((task, task.record, other.plan, None) for other in others)
        plans = ((task, task.record, plan, None) for plan in mutants_of(task.plan, last.plan, seed))
        records = ((task, record, task.plan, None) for record in mutants_of(task.record, last.record, seed))
        yield from _some([*plans, *records], CHANGED, seed)
        if with_proof and number == 0:
            proofs = ((task, task.record, task.plan, proof) for proof in mutants_of(task.proof, last.proof, seed))
            yield from _some([*proofs], PROOFS_CHANGED, seed)


def _some(offers: list[Offer], count: int, seed: str) -> list[Offer]:
    """Return so many of the offers, the same each time."""
    numbers = sorted(range(len(offers)), key=lambda number: stable_hash(seed, "offer", number))
    return [offers[number] for number in numbers[:count]]


def mutants_of(original: Any, other: Any, seed: str) -> Iterator[Any]:
    """Yield plain data changed in one place, once for each kind of place; `other` is of the same form."""
    kinds, other_kinds = _kinds(original), _kinds(other)
    for kind, places in kinds.items():
        places.sort(key=lambda place: stable_hash(seed, *place))
        path, value = places[0], _at(original, places[0])
        if isinstance(value, list):
            item = stable_hash(seed, "item", *path) % len(value)
            new_values = [value[:item] + value[item + 1 :], [*value[: item + 1], *value[item:]], value[::-1]]
        else:
            values_elsewhere = (
                [_at(original, place) for place in places],
                [_at(other, place) for place in other_kinds.get(kind, ())],
            )
            new_values = [next((v for v in values if v != value), value) for values in values_elsewhere]
            new_values += [mutants.other_value(value)] if value is not None else []
        if new_values := [new_value for new_value in new_values if new_value != value]:
            yield _with(original, path, new_values[stable_hash(seed, "change", *path) % len(new_values)])


def _kinds(original: Any) -> dict[Path, list[Path]]:
    """Return where leaves and lists stand, by their path without the numbers of items."""
    kinds: dict[Path, list[Path]] = {}

    def walk(value: Any, path: Path) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(inner, (*path, key))
            return
        if value != []:
            kinds.setdefault(tuple("[]" if isinstance(part, int) else part for part in path), []).append(path)
        if isinstance(value, list):
            for number, inner in enumerate(value):
                walk(inner, (*path, number))

    walk(original, ())
    return kinds


def _at(nested: Any, path: Path) -> Any:
    for part in path:
        nested = nested[part]
    return nested


def _with(original: Any, path: Path, value: Any) -> Any:
    if not path:
        return copy_of(value)
    copy = copy_of(original)
    _at(copy, path[:-1])[path[-1]] = copy_of(value)
    return copy
