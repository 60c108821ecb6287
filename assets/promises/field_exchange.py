"""Every field of the record judged: exchanged for another's value, the checker must refuse it and the words differ.

Runs where `certified` runs, in processes that have imported no solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from assets.families import families
from assets.family import Family, TaskView
from assets.promises.certified import Checker, Job, JobVerdict, opened_once
from assets.promises.judging_process import solvers
from assets.promises.kept_orders import recalling
from assets.promises.mutants import copy_of
from assets.promises.words import Words
from schemas.counts import counted
from schemas.stable import stable_hash

OTHER_WISHES = 3
"""Values of a field, of other tasks and of the family's wishes each, for which a record's own is exchanged in turn."""

WISHES_TRIED = 30
"""Tasks with which a field of the record is tried at most."""

FEWEST_TRIED = 3
"""Of fewer tries of a field nothing is concluded: a witness may suit what one other task asks."""

FEWEST_READ = 10
"""Of fewer tasks nothing is concluded of their words: values that differ may be said alike, as one child of each."""

REFUSALS = 5
"""So many refusals show that a field is judged; it is tried no further."""


@recalling
def judge_fields(job: Job) -> JobVerdict:
    """Return of each field of the record how often it was exchanged, in the tasks to try, and how often refused.

    A field that five tasks refuse to have exchanged is tried no further. All fields are one job, so that the counts do
    not depend on how tasks are shared out. A field that words are never found to say otherwise is a problem.
    """
    opened, verdict = opened_once(job.folder), JobVerdict()
    family = families()[opened.release.manifest.family]
    checker, world = Checker(family), partial(opened.world, family)
    words = Words(family, [], verdict.offered)
    views = list(opened.views.values())
    fields = {view.task_id: dict(_fields(view.record)) for view in views}
    for name in dict.fromkeys(name for task_fields in fields.values() for name in task_fields):
        if name.split("/")[0] in family.unjudged or name in family.unjudged:
            continue
        counts = verdict.fields.setdefault(name, [0, 0])  # never tried, if all tasks ask the same: said as that
        tries = [
            (task, others) for task, others in _exchanges(family, name, views, fields, job.trial_task_ids) if others
        ]
        for task, others in tries:
            counts[0] += 1
            broken = (
                checker.first(_with(task.record, name, other), task.plan, world(task), proof)
                for proof in (None, task.proof)  # what is said beside a plan takes longer to judge: last
                for other in others
            )
            refused_by = next((check for check in broken if check is not None), None)
            counts[1] += refused_by is not None
            verdict.refused_by |= {refused_by} if refused_by is not None else set()
            if counts[1] == REFUSALS:
                break
        is_beside = name.split("/")[0] in family.unread or name in family.unread
        if is_beside:
            continue
        is_said = any(
            words.tell(task, _with(task.record, name, other), world(task)) for task, others in tries for other in others
        )
        verdict.problems += [
            f"{task.task_id}: {family.read} finds its words otherwise than its record, once it was asked of others; "
            "what it says must depend on what it is given alone"
            for task, _ in tries[:1]
            if words.tell(task, copy_of(task.record), world(task))
        ]
        if is_said:
            verdict.said_in_words.add(name)
        elif len(tries) >= FEWEST_READ:
            verdict.problems.append(
                f"record/{name}: {family.read} reads the words of {counted(len(tries), 'task')} as saying it, "
                "whatever the record says of it; read it, or declare it in `unread`"
            )
    verdict.problems += [*checker.unstated, *solvers(family)]
    return verdict


def _exchanges(
    family: Family,
    name: str,
    views: Sequence[TaskView],
    fields: Mapping[str, Mapping[str, Any]],
    task_ids: frozenset[str],
) -> Iterator[tuple[TaskView, list[Any]]]:
    """Yield tasks that have a field of the record, and for each some values of other tasks and wishes to try it by."""
    task_values = list(
        {
            str(task_fields[name]): task_fields[name]
            for task_fields in fields.values()
            if task_fields.get(name) is not None
        }.values()
    )
    tasks_with_field = [view for view in views if view.task_id in task_ids and name in fields[view.task_id]]
    tasks_with_field.sort(key=lambda view: stable_hash("wish", name, view.task_id))
    for task in tasks_with_field[:WISHES_TRIED]:
        yield (
            task,
            [
                other
                for options in (task_values, family.wishes.get(name, ()))
                for other in sorted(
                    (o for o in options if o != fields[task.task_id][name]),
                    key=lambda o: stable_hash(task.task_id, name, str(o)),
                )[:OTHER_WISHES]
            ],
        )


def _fields(record: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield a record's fields, those of a struct in it one by one."""
    for name, value in record.items():
        if isinstance(value, dict) and value and all(not isinstance(inner, dict) for inner in value.values()):
            yield from ((f"{name}/{key}", inner) for key, inner in value.items())
        else:
            yield name, value


def _with(record: dict[str, Any], name: str, value: Any) -> dict[str, Any]:
    changed = copy_of(record)
    *outer, last = name.split("/")
    holder = changed[outer[0]] if outer else changed
    holder[last] = copy_of(value)
    return changed
