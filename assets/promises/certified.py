"""Certified: every witness judged from the release's files, and the checker itself tried with what it must refuse.

Runs in processes that have imported no solver: one that finds it has says so instead of a verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from assets.core.worlds import task_views, world_for, worlds_of
from assets.families import families
from assets.family import Family, TaskView, Violation
from assets.named import load
from assets.promises import mutants
from assets.promises.cells import Rows
from assets.promises.faithful import faithful
from assets.promises.judging_process import solvers
from assets.promises.kept_orders import KeptOrders, recalling
from assets.promises.mutants import copy_of
from assets.promises.values import PLANNED, Edge, edges_by_task
from assets.promises.words import Words
from assets.release.exporting import release_tables
from assets.release.reading import OpenedRelease, unverified_release
from assets.rows import ReleaseTables
from assets.runs.setting import RunSetting, setting_of
from schemas.stable import stable_hash

MOST_SAMPLED = 200
"""Tasks with which a checker is tried, of a release that has more."""


@dataclass
class JobVerdict:
    """What came of some tasks: violations of witnesses, plans offered and refused by kind, and every problem."""

    accepted: int = 0
    offered: Counter[str] = field(default_factory=Counter)
    fields: dict[str, list[int]] = field(default_factory=dict)
    """By field of the record: how often it was exchanged for another task's, and how often that was refused."""
    uses: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    refused_by: set[str] = field(default_factory=set)
    """By what names something was refused that was offered to show which checks judge."""
    said_in_words: set[str] = field(default_factory=set)
    """Fields of the record of which the words of a task were found to say something else than another value."""

    def add(self, other: JobVerdict) -> None:
        """Take over what another process found."""
        self.accepted += other.accepted
        self.offered.update(other.offered)
        self.refused_by |= other.refused_by
        self.said_in_words |= other.said_in_words
        self.uses |= other.uses
        self.problems += other.problems
        for name, (tries, refusals) in other.fields.items():
            counts = self.fields.setdefault(name, [0, 0])
            counts[0], counts[1] = counts[0] + tries, counts[1] + refusals


@dataclass(frozen=True)
class Job:
    """Some tasks of a release to judge; with `trial_task_ids` the checker is tried."""

    folder: Path
    task_ids: tuple[str, ...]
    trial_task_ids: frozenset[str]
    orders: KeptOrders | None = None
    """Shortest orders that judges found before; an audit is given none, and seeks all of them."""


def sample(tasks: Sequence[tuple[str, str, str]]) -> frozenset[str]:
    """Return the tasks with which the checker is tried: all of a few, else as many of each city and level as may be.

    Takes (task_id, city_id, level).
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for task_id, city_id, level in sorted(tasks, key=lambda task: stable_hash("tried", task[0])):
        groups.setdefault((city_id, level), []).append(task_id)
    task_ids: list[str] = []
    while len(task_ids) < min(MOST_SAMPLED, len(tasks)):
        for key in sorted(groups):
            if groups[key] and len(task_ids) < MOST_SAMPLED:
                task_ids.append(groups[key].pop(0))
    return frozenset(task_ids)


@recalling
def judge(job: Job, rows: Rows) -> JobVerdict:
    """Return what the family's checker says of the witnesses, and of what it must refuse.

    `rows` are, by table and key, those that the lineage of the plans of the tasks to try names.
    """
    opened, verdict = opened_once(job.folder), JobVerdict()
    family, tables = families()[opened.release.manifest.family], opened.tables
    checker = Checker(family)
    edges = _from_cells(opened.release, job.trial_task_ids.intersection(job.task_ids))
    checks_by_task = dict(zip(tables.certificates["task_id"], tables.certificates["checks"], strict=True))
    trial = _Trial(
        family,
        checker,
        list(opened.views.values()),
        edges,
        rows,
        verdict,
        setting_of(family.name),
    )
    words = Words(family, list(opened.views.values()), verdict.offered)
    for task_id in job.task_ids:
        task = opened.views.get(task_id)
        if task is None:
            verdict.problems.append(f"{task_id}: has no certificate")
            continue
        world = opened.world(family, task)
        broken = checker.broken(task.record, task.plan, world, task.proof)
        broken += [f"check {c['check']} is said not to hold" for c in checks_by_task[task_id] if c["holds"] is False]
        broken += _misstated_checks(family, task, checks_by_task[task_id])
        verdict.problems += [f"{task_id}: the witness is not accepted: {text}" for text in broken]
        verdict.accepted += not broken
        verdict.uses[task_id] = _rows_used(family, task, world, verdict)
        verdict.problems += words.disagree(task, world, task_id in job.trial_task_ids)
        if task_id in job.trial_task_ids and not broken:
            trial.run(task, world)
    verdict.problems += [*checker.unstated, *solvers(family)]
    return verdict


def _from_cells(release: OpenedRelease, task_ids: Collection[str]) -> dict[str, dict[str, Edge]]:
    """Return the edges of what these tasks' plans take from cells."""
    import pyarrow as pa
    import pyarrow.compute as pc

    is_of_tasks = pc.field("task_id").isin(pa.array(sorted(task_ids), pa.string()))
    cells = release.rows("lineage").filter(is_of_tasks & (pc.field("kind") == "cells"))
    is_of_plan = pc.call_function("starts_with", [cells["field"]], pc.MatchSubstringOptions(PLANNED))
    return edges_by_task(cells.filter(is_of_plan))


@recalling
def judge_as_published(job: Job) -> tuple[dict[str, Any], list[str]]:
    """Return what the published checker says of the exported witnesses of the whole release, and every problem."""
    opened = opened_once(job.folder)
    return faithful(families()[opened.release.manifest.family], opened.release, opened.tables)


@dataclass(frozen=True)
class Opened:
    """A release as a process reads it once for all its jobs."""

    release: OpenedRelease
    tables: ReleaseTables
    worlds: Mapping[str, Any]
    views: dict[str, TaskView]

    def world(self, family: Family, task: TaskView) -> Any:
        """Return the world that a task lives in."""
        return world_for(self.worlds, family, task.city_id)


@lru_cache(maxsize=1)
def opened_once(folder: Path) -> Opened:
    """Return the candidate in a folder, with its tables and worlds, all of them read; the last asked for is kept."""
    release = unverified_release(folder)
    family, tables = families()[release.manifest.family], release_tables(release)
    views = {view.task_id: view for view in task_views(tables.tasks, tables.certificates)}
    worlds = worlds_of(family, tables)
    return Opened(release, tables, {name: worlds[name] for name in worlds}, views)


class Checker:
    """A family's checker; what it raises is a refusal, since it accepts nothing."""

    def __init__(self, family: Family) -> None:
        self._check_name, self._checks = family.check, family.checks
        self._checks_asking: Callable[..., Any] = load(family.asked) if family.asked else lambda _: family.checks
        self._unstated: set[tuple[str, str]] = set()
        self._check: Callable[..., Any] = load(family.check)
        self._verify = load(family.verify) if family.verify else None

    def broken(self, record: Any, plan: Any, world: Any, proof: Any = None) -> list[str]:
        """Return what is broken by a plan, and by what is said of it where a proof is given."""
        try:
            return [
                f"{violation.check}: {violation.text}" for violation in self._violations(record, plan, world, proof)
            ]
        except Exception as error:
            return [f"{self._check_name} failed: {type(error).__name__}: {error}"]

    def refuses(self, record: Any, plan: Any, world: Any, proof: Any = None) -> bool:
        """Return whether anything is broken; what else is, of a checker that yields what it finds, is not asked."""
        try:
            return any(True for _ in self._violations(record, plan, world, proof))
        except Exception:
            return True

    def first(self, record: Any, plan: Any, world: Any, proof: Any = None) -> str | None:
        """Return the first check that says that something is broken; None if none does.

        To fail on a record that may be asked is not to judge it.
        """
        try:
            return next((violation.check for violation in self._violations(record, plan, world, proof)), None)
        except Exception:
            return None

    def refusing(self, record: Any, plan: Any, world: Any, proof: Any = None) -> set[str]:
        """Return the checks that say that something is broken, as far as the checker comes."""
        names = set[str]()
        with suppress(Exception):  # a plan of another form: what fails on it refuses it, by no name
            names.update(violation.check for violation in self._violations(record, plan, world, proof))
        return names

    @property
    def unstated(self) -> list[str]:
        """Return what was refused under a name of which certificates say something else, or nothing."""
        return [f"{self._check_name} refuses a plan by {name!r}, {why}" for name, why in sorted(self._unstated)]

    def _violations(self, record: Any, plan: Any, world: Any, proof: Any) -> Iterator[Violation]:
        is_sound = True
        for violation in self._check(copy_of(record), copy_of(plan), world):
            is_sound = False
            self._hold(violation.check, record)
            yield violation
        if is_sound and proof is not None and self._verify is not None:
            yield from self._verify(copy_of(record), copy_of(plan), copy_of(proof), world)

    def _hold(self, name: str, record: Any) -> None:
        """Note a check by whose name a plan is refused, and which is not declared, or said to ask nothing here."""
        if name not in self._checks:
            self._unstated.add((name, f"which is none of its checks; expected one of {', '.join(self._checks)}"))
        elif name not in self._checks_asking(copy_of(record)):
            self._unstated.add((name, "which `asked` says asks nothing of the record; expected it among those"))


@dataclass
class _Trial:
    """Offers a checker what it must refuse."""

    family: Family
    checker: Checker
    tasks: list[TaskView]
    edges: dict[str, dict[str, Edge]]
    """By task and field, of values of the plan alone."""
    rows: Rows
    verdict: JobVerdict
    setting: RunSetting

    def run(self, task: TaskView, world: Any) -> None:
        """Offer the mutants of one witness; what is not refused is a problem that names the check."""
        for kind, what, plan in self._plans(task):
            self.verdict.offered[kind] += 1
            if not self.checker.refuses(task.record, plan, world):
                offer = f"{kind.replace('_', ' ')}{f' ({what})' if what else ''}"
                self.verdict.problems.append(f"{task.task_id}: {self.family.check} accepts {offer}; it must refuse it")
        self._other_witness(task, world)
        self._offer_wish_less(task, world)
        self._passing(task, world)

    def _offer_wish_less(self, task: TaskView, world: Any) -> None:
        """Offer the witness for a record that asks for one wish less: who knows witnesses by heart refuses it."""
        if not (self.setting.wishes_of and self.setting.with_wishes):
            return
        wishes = load(self.setting.wishes_of)(task.record)
        if not wishes:
            return
        less = wishes[stable_hash("less", task.task_id) % len(wishes)]
        self.verdict.offered[mutants.WISH_LESS] += 1
        eased = load(self.setting.with_wishes)(task.record, [wish for wish in wishes if wish != less])
        for text in self.checker.broken(eased, task.plan, world)[:1]:
            self.verdict.problems.append(
                f"{task.task_id}: {self.family.check} refuses its witness where {less[0]}={less[1]} is not asked for: "
                f"{text}; it must accept it"
            )

    def _passing(self, task: TaskView, world: Any) -> None:
        """Ask what counts planners as passing of the witness, which must pass, and of the empty plan."""
        if self.family.passes is None:
            return
        for what, plan, expected in (
            ("witness", task.plan, True),
            ("empty plan", mutants.empty_plan(task.plan), False),
        ):
            try:
                is_passed = bool(load(self.family.passes)(task.record, copy_of(plan), world))
            except Exception as error:  # the family's own function: its fault is shown as the task's
                self.verdict.problems.append(
                    f"{task.task_id}: {self.family.passes} failed: {type(error).__name__}: {error}"
                )
                return
            if is_passed != expected:
                outcome = "passes" if is_passed else "does not pass"
                self.verdict.problems.append(f"{task.task_id}: {self.family.passes} says that the {what} {outcome}")

    def _plans(self, task: TaskView) -> Iterator[tuple[str, str, Any]]:
        yield "the_empty_plan", "", mutants.empty_plan(task.plan)
        for kind, number in (("a_plan_without_its_last_day", -1), ("a_plan_without_its_first_day", 0)):
            shorter = mutants.without_a_day(task.plan, number)
            if shorter is not None:
                yield kind, "", shorter
        task_edges = [*self.edges.get(task.task_id, {}).values()]
        cells = [
            ((table, key, column), row.get(column))
            for edge in task_edges
            for table, key, column in edge.cells
            if (row := self.rows.get(table, {}).get(key)) is not None
        ]
        names = mutants.names_in(task.plan, task, [(f"{t}/{k}", value) for (t, k, c), value in cells if "name" in c])
        if names:
            yield "a_plan_with_an_unknown_place", names[0], mutants.with_unknown(task.plan, names[0])
        changed = next(mutants.changeable(task.plan, task, [edge.field for edge in task_edges]), None)
        if changed is not None:
            yield "a_plan_with_one_value_changed", changed, mutants.with_changed_value(task.plan, changed)
        if not names or changed is None:
            self.verdict.problems.append(
                f"{task.task_id}: no value of its plan is traced to a row; nothing can be tried"
            )

    def _other_witness(self, task: TaskView, world: Any) -> None:
        """Offer the witness of a task of another length or city, else of other wishes."""
        first = stable_hash("other", task.task_id) % len(self.tasks)
        others = [o for o in (*self.tasks[first:], *self.tasks[:first]) if o.record != task.record]
        is_apart = any(_is_apart(other, task) for other in others)
        other = next((o for o in others if not is_apart or _is_apart(o, task)), None)
        if other is None:
            return
        self.verdict.offered["the_witness_of_another_task"] += 1
        if self.checker.refuses(task.record, other.plan, world):
            return
        if is_apart:
            self.verdict.problems.append(
                f"{task.task_id}: {self.family.check} accepts the witness of {other.task_id}, a trip of another length "
                "or city; it must refuse it"
            )
        else:
            self.verdict.offered[mutants.SERVES_TWO] += 1


def _is_apart(other: TaskView, task: TaskView) -> bool:
    return other.city_id != task.city_id or _length(other) != _length(task)


def _length(task: TaskView) -> int:
    plan = task.plan
    return len(mutants.days_of(plan) or [])


def _misstated_checks(family: Family, task: TaskView, checks: list[dict[str, Any]]) -> list[str]:
    """Return the checks that a certificate should name and does not, or says nothing of though they are asked."""
    checks_that_ask = set(load(family.asked)(task.record)) if family.asked else set(family.checks)
    holds_by_check = {check["check"]: check["holds"] for check in checks}
    return [f"check {name} is not stated" for name in family.checks if name not in holds_by_check] + [
        f"check {name} is said to ask nothing" for name in checks_that_ask if holds_by_check.get(name, True) is None
    ]


def _rows_used(family: Family, task: TaskView, world: Any, verdict: JobVerdict) -> set[tuple[str, str]]:
    try:
        rows = family.call("uses", task, world)
        wrong = [row for row in rows if not (isinstance(row, tuple) and [type(part) for part in row] == [str, str])]
        if wrong:
            raise TypeError(
                f"{wrong[0]!r:.80} is no row; expected ('place', 'city/id'): a table's name and a row's key"
            )
        return set(rows)
    except Exception as error:  # the family's own function: its fault is shown as the task's
        verdict.problems.append(f"{task.task_id}: {family.uses} failed: {type(error).__name__}: {error}")
        return set()
