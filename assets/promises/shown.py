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
from assets.promises.certified import Checker, Job, Judged, opened_once
from assets.promises.judging_process import solvers
from assets.promises.mutants import copied
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


def judge_checks(job: Job) -> Judged:
    """Return which checks refuse something of the tasks to try; no more is tried once each has.

    Offered are no plan, the witnesses of other tasks, and the task's own changed in one place: a value exchanged for
    another one that stands in such a place, in it or in another task's, or for one that stands nowhere; a list without
    an item, with one twice, or turned round. So are the records, and of one task what is said beside the plan. Of all
    changes some are tried.
    """
    opened, verdict = opened_once(job.folder), Judged()
    family = families()[opened.release.manifest.family]
    checker = Checker(family)
    tried = sorted(job.tried & opened.views.keys(), key=lambda task_id: stable_hash("shown", task_id))
    tasks = [opened.views[task_id] for task_id in tried]
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
        yield task, task.record, mutants.emptied(task.plan), None
        yield from ((task, task.record, other.plan, None) for other in others)
        plans = ((task, task.record, plan, None) for plan in changed(task.plan, last.plan, seed))
        records = ((task, record, task.plan, None) for record in changed(task.record, last.record, seed))
        yield from _some([*plans, *records], CHANGED, seed)
        if with_proof and number == 0:
            proofs = ((task, task.record, task.plan, proof) for proof in changed(task.proof, last.proof, seed))
            yield from _some([*proofs], PROOFS_CHANGED, seed)


def _some(offers: list[Offer], count: int, seed: str) -> list[Offer]:
    """Return so many of the offers, the same each time."""
    chosen = sorted(range(len(offers)), key=lambda number: stable_hash(seed, "offer", number))
    return [offers[number] for number in chosen[:count]]


def changed(whole: Any, other: Any, seed: str) -> Iterator[Any]:
    """Yield plain data changed in one place, once for each kind of place; `other` is of the same form."""
    kinds, others = _kinds(whole), _kinds(other)
    for kind, places in kinds.items():
        places.sort(key=lambda place: stable_hash(seed, *place))
        path, value = places[0], _at(whole, places[0])
        if isinstance(value, list):
            item = stable_hash(seed, "item", *path) % len(value)
            news = [value[:item] + value[item + 1 :], [*value[: item + 1], *value[item:]], value[::-1]]
        else:
            elsewhere = ([_at(whole, place) for place in places], [_at(other, place) for place in others.get(kind, ())])
            news = [next((v for v in values if v != value), value) for values in elsewhere]
            news += [mutants.other_value(value)] if value is not None else []
        if news := [new for new in news if new != value]:
            yield _with(whole, path, news[stable_hash(seed, "change", *path) % len(news)])


def _kinds(whole: Any) -> dict[Path, list[Path]]:
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

    walk(whole, ())
    return kinds


def _at(whole: Any, path: Path) -> Any:
    for part in path:
        whole = whole[part]
    return whole


def _with(whole: Any, path: Path, value: Any) -> Any:
    if not path:
        return copied(value)
    made = copied(whole)
    _at(made, path[:-1])[path[-1]] = copied(value)
    return made
