"""The gate: nothing is released but through it, and an audit runs the same later, from the release's files alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from assets.core.own_processes import OwnProcesses
from assets.core.worlds import task_views
from assets.families import families
from assets.family import Family
from assets.promises.all_read import all_read
from assets.promises.cells import CellIndex, Rows, index_of
from assets.promises.certified import Job, JobVerdict, judge, judge_as_published, opened_once, sample
from assets.promises.check_trials import judge_checks
from assets.promises.correction_effects import applied
from assets.promises.executed_code import watched
from assets.promises.field_exchange import FEWEST_TRIED, judge_fields
from assets.promises.no_solution import hold_no_solution
from assets.promises.place_renaming import renamable, renamed_places
from assets.promises.row_removal import REMOVED_ROWS, removed_rows
from assets.promises.said_own import said_elsewhere
from assets.promises.score_trials import judge_scores
from assets.promises.sources import SourcesReport, rows_from_sources
from assets.promises.traceable import TraceReport, run_derivations, trace
from assets.promises.values import PLANNED, Edge, edges_by_task, said_twice
from assets.promises.verdicts import KeptVerdicts
from assets.promises.whole import whole
from assets.release.exporting import release_tables
from assets.release.reading import OpenedRelease, require_ours
from assets.rows import ReleaseTables
from schemas.counts import counted
from schemas.stable import content_hash, stable_hash
from warehouse.snapshots import Snapshots

if TYPE_CHECKING:
    import pandas as pd

FEWEST_TASKS_A_JOB = 300
"""So few tasks are worth a process of their own: it imports the family and makes its world first, some two seconds."""

Answer = TypeVar("Answer")


class Judges(Protocol):
    """Who judges jobs of a release elsewhere, at once and in processes that have imported no solver."""

    @property
    def workers(self) -> int:
        """Return how many jobs are judged at once."""
        ...

    def submit(self, judge: Callable[..., Answer], /, *given: Any) -> Future[Answer]:
        """Return the future of what one of the judges of this room gives for a job and what else it is given."""
        ...


@dataclass
class GateReport:
    """What the gate found: how much it verified, and every problem (none: the release may exist)."""

    tasks: int = 0
    certified: int = 0
    tried_tasks: int = 0
    offered: dict[str, int] = field(default_factory=dict)
    fields_judged: dict[str, list[int]] = field(default_factory=dict)
    refusing_checks: list[str] = field(default_factory=list)
    """The family's checks that refused something of what was offered to show it."""
    silent_checks: list[str] = field(default_factory=list)
    """The family's other checks: nothing shows that they judge."""
    values: dict[str, int] = field(default_factory=dict)
    """By kind, the values whose lineage holds."""
    fields: dict[str, dict[str, int]] = field(default_factory=dict)
    """The same by what the lineage says it of: a leaf, or what something holds of which nothing else is said."""
    all_values: int = 0
    contradicted: int = 0
    """Values whose lineage holds, of rows that their records do not bear out."""
    rows: int = 0
    sources: dict[str, Any] = field(default_factory=dict)
    published: dict[str, Any] = field(default_factory=dict)
    no_solution: dict[str, int] = field(default_factory=dict)
    """Tasks without a solution that hold, and the plans that were offered for them, by kind; empty where none are."""
    unjudged: list[str] = field(default_factory=list)
    """Fields of the record that the family says no check judges."""
    not_read: list[str] = field(default_factory=list)
    """Fields of the record that nothing shows the words of tasks to say: planners are given them beside, or not."""
    problems: list[str] = field(default_factory=list)
    verified_tables: set[str] = field(default_factory=set)
    """Tables of which every row was read again from the records that it points to."""
    computed: dict[str, list[str]] = field(default_factory=dict)
    """By table of facts, the columns that no record tells: our steps computed them, before there was a release."""
    unverified: list[dict[str, Any]] = field(default_factory=list)

    def add_verdict(self, family: Family, verdict: JobVerdict) -> None:
        """Take over what the checker says of witnesses, and which fields of the record it does not look at."""
        self.certified = verdict.accepted
        self.fields_judged = dict(sorted(verdict.fields.items()))
        self.not_read = sorted({*verdict.fields, *family.unjudged} - verdict.said_in_words)
        self.problems += verdict.problems
        self.problems += [
            f"record/{name}: {family.check} accepts every plan whatever the record says of it (tried "
            f"{counted(tries, 'time')}); judge it, or declare it in `unjudged`"
            for name, (tries, refused) in self.fields_judged.items()
            if tries >= FEWEST_TRIED and not refused
        ]

    def add_trials(self, family: Family, verdict: JobVerdict) -> None:
        """Take over what was offered, and which checks are shown to refuse anything, once all trials are made."""
        self.offered = dict(sorted(verdict.offered.items()))
        self.refusing_checks = sorted(verdict.refused_by.intersection(family.checks))
        self.silent_checks = sorted(set(family.checks) - verdict.refused_by)

    def add_trace(self, traced: TraceReport) -> None:
        """Take over of how many values the lineage holds."""
        self.values, self.rows = dict(sorted(traced.counts.items())), len(traced.rows)
        self.fields = {name: dict(sorted(counts.items())) for name, counts in sorted(traced.fields.items())}
        self.all_values = traced.values
        self.problems += traced.problems

    def add_sources(self, family: Family, sourced: SourcesReport, traced: TraceReport) -> None:
        """Take over which rows their records bear out, and count the values that rest on others."""
        self.sources, self.verified_tables = sourced.counts, sourced.verified
        self.problems += sourced.problems
        self.computed = _computed_columns(family, sourced.compared)
        resting = set[str]().union(*(traced.rows.get(ref, ()) for ref in sourced.contradicted))
        self.contradicted = len(resting & traced.pointers_that_hold)
        self.unverified = sourced.unverified

    def add_unsolvable(self, verdict: JobVerdict) -> None:
        """Take over how many tasks without a solution hold; their problems come with those of other trials."""
        self.no_solution = (
            {"tasks": verdict.accepted, **dict(sorted(verdict.offered.items()))} if verdict.accepted else {}
        )

    def add_unread(self, problems: list[str], unverified: list[dict[str, Any]]) -> None:
        """Take over what no other part of the gate has read; what is said already is not said again."""
        self.problems += [problem for problem in problems if problem not in self.problems]
        files_named = {entry["what"] for entry in self.unverified}
        self.unverified += [entry for entry in unverified if entry["what"] not in files_named]

    def as_manifest(self) -> dict[str, Any]:
        """Return what a manifest says of it: the counts."""
        field_names = (
            "tried_tasks",
            "offered",
            "fields_judged",
            "refusing_checks",
            "silent_checks",
            "values",
            "fields",
            "rows",
        )
        field_names += ("sources", "published", "no_solution", "unjudged", "not_read")
        counts = {name: value for name, value in asdict(self).items() if name in field_names}
        return {**counts, "verified_tables": sorted(self.verified_tables)}


def gate(
    release: OpenedRelease,
    snapshots: Snapshots,
    workers: int | None = None,
    kept: KeptVerdicts | None = None,
    judges: Judges | None = None,
) -> GateReport:
    """Return what holds of a release, read from its folder, and what does not.

    `workers` processes judge witnesses, as many as there are processors if None; where there are tasks enough to share
    out, `judges` do it instead. What is found depends on neither.
    Witnesses of which `kept` holds the verdict, by all that it rests on, are not judged again.
    Raises ReleaseError for a published folder that was opened.
    """
    require_ours(release, "certified")
    family = families()[release.manifest.family]
    tables = release_tables(release)
    tasks, certificates = tables.tasks, tables.certificates
    certified, trial_task_ids = set(certificates["task_id"]), _trial_task_ids(tables)
    report = GateReport(tasks=len(tasks), tried_tasks=len(trial_task_ids), problems=_strangers(release, tables))
    report.unjudged = sorted(family.unjudged)
    most = judges.workers if judges is not None else workers or os.cpu_count() or 1
    shares = min(most, max(1, len(certified) // FEWEST_TASKS_A_JOB))
    with OwnProcesses(shares, watched, opened_once, release.folder) as processes, OwnProcesses(1) as bare_process:
        pool = judges if judges is not None and shares > 1 else processes
        views, lineage = task_views(tasks, certificates), release.rows("lineage")
        checks = dict(zip(certificates["task_id"], certificates["checks"], strict=True))
        edges = edges_by_task(lineage)
        index = index_of(release, edges)
        report.problems += said_twice(lineage)
        name = kept.name_of(release, family) if kept is not None else ""
        kept_verdict = kept.get(name) if kept is not None else None
        job = Job(release.folder, (), trial_task_ids, kept.orders if kept is not None else None)
        as_published = pool.submit(judge_as_published, job)  # takes longest, so begins first
        rows = _rows_behind(trial_task_ids, edges, index)
        judging = [] if kept_verdict is not None else _judging(job, sorted(certified), rows, shares, pool)
        names = renamable(views, edges, rows, trial_task_ids) if kept_verdict is None else {}
        renaming = [pool.submit(renamed_places, replace(job, trial_task_ids=frozenset()), names)] if names else []
        is_tried_anew = bool(trial_task_ids) and kept_verdict is None
        judging_scores_and_checks = (
            [pool.submit(trial, job) for trial in (judge_scores, judge_checks)] if is_tried_anew else []
        )
        unsolvable = pool.submit(hold_no_solution, job)
        verdict = kept_verdict or _together(judging)
        report.add_verdict(family, verdict)
        traced = trace(
            family,
            [(view, checks[view.task_id]) for view in views],
            edges,
            index,
            verdict.uses,
            release.manifest.rules,
            lambda calls: bare_process.submit(run_derivations, calls).result(),
        )
        report.add_trace(traced)
        report.problems += _elsewhere(tasks, traced, index)
        judging_without_rows = [] if kept_verdict is not None else _without_rows(release, traced, job, pool)
        sourced = rows_from_sources(release, family, index, traced, snapshots)
        report.add_sources(family, sourced, traced)
        report.published, problems = as_published.result()
        unsolvable_judged = unsolvable.result()
        report.add_unsolvable(unsolvable_judged)
        tried_elsewhere = _together([*judging_without_rows, *renaming, *judging_scores_and_checks])
        verdict.offered.update(tried_elsewhere.offered)
        verdict.refused_by |= tried_elsewhere.refused_by
        report.add_trials(family, verdict)
        report.problems += [*problems, *unsolvable_judged.problems, *whole(release, family), *tried_elsewhere.problems]
        report.problems += said_elsewhere(release, family)
        report.add_unread(*all_read(release, family, snapshots))
        report.add_unread(*applied(release, family, index, snapshots))
        if kept is not None and kept_verdict is None and not tried_elsewhere.problems:
            kept.keep(name, verdict)
    return report


def _trial_task_ids(tables: ReleaseTables) -> frozenset[str]:
    """Return the tasks with which the checker is tried, of those that have a certificate."""
    tasks, certified = tables.tasks, set(tables.certificates["task_id"])
    levels = zip(tasks["task_id"], tasks["city_id"], tasks["level"], strict=True)
    return sample([entry for entry in levels if entry[0] in certified])


def _strangers(release: OpenedRelease, tables: ReleaseTables) -> list[str]:
    """Return every task without a certificate, certificate without a task, task about another city, and task twice.

    Two tasks are one that differ in nothing but what no check judges, such as a number of their own.
    """
    unjudged = families()[release.manifest.family].unjudged
    tasks, certified = tables.tasks, set(tables.certificates["task_id"])
    problems = [f"{t}: has no certificate" for t in tasks["task_id"] if t not in certified]
    problems += [f"{t}: has a certificate, and is no task" for t in sorted(certified - set(tasks["task_id"]))]
    cities = {city["city_id"] for city in release.manifest.cities}
    for task_id, city_id in zip(tasks["task_id"], tasks["city_id"], strict=True):
        unknown = sorted(set(city_id.split("+")) - cities)
        problems += [f"{task_id}: is about {', '.join(unknown)}, no city of the release"] if unknown else []
    first: dict[str, str] = {}
    for task_id, city_id, record in zip(tasks["task_id"], tasks["city_id"], tasks["record"], strict=True):
        equal_task = first.setdefault(content_hash([city_id, _without(record, unjudged)]), task_id)
        problems += (
            [f"{task_id}: asks the same as {equal_task}; tasks of a release are distinct"]
            if equal_task != task_id
            else []
        )
    return problems


def _without(record: Mapping[str, Any], fields: Collection[str], within: str = "") -> dict[str, Any]:
    """Return a record without these fields, by `/` where they stand in another."""
    return {
        name: _without(value, fields, f"{within}{name}/") if isinstance(value, dict) else value
        for name, value in record.items()
        if f"{within}{name}" not in fields
    }


def _elsewhere(tasks: pd.DataFrame, traced: TraceReport, index: CellIndex) -> list[str]:
    """Return the cities that tasks have places in and are not about: counts and splits by city go by what they say."""
    cities = dict(zip(tasks["task_id"], tasks["city_id"].str.split("+"), strict=True))
    strange: dict[str, set[str]] = {}
    for (table, key), fields in traced.rows.items():
        row = index.row(table, key) or {}
        if row.get("place_id") and row.get("city_id"):
            for task_id in {field.partition(":")[0] for field in fields}:
                if row["city_id"] not in cities.get(task_id, ()):
                    strange.setdefault(task_id, set()).add(row["city_id"])
    return [
        f"{task_id}: has places in {', '.join(sorted(ids))}; its city_id, {'+'.join(cities[task_id])}, must say so"
        for task_id, ids in sorted(strange.items())
        if task_id in cities
    ]


def _computed_columns(family: Family, compared: set[tuple[str, str]]) -> dict[str, list[str]]:
    """Return, by table, the columns of which no cell was compared, but for pointers, and what is believed."""
    columns_by_table = {family.tables.certificate.table_name(): [*family.believed]} if family.believed else {}
    for table in (*family.world_tables, *family.context):
        name, pointers = table.table_name(), {"source_rows", "generation_ids"}
        computed_columns = [
            c.name for c in table.columns() if c.name not in pointers and (name, c.name) not in compared
        ]
        columns_by_table |= {name: computed_columns} if computed_columns else {}
    drawn = {family.tables.task.table_name(): ["repairs", "drawn"]}
    return columns_by_table | drawn | {"rejections": ["row", "reason", "detail"]}


def _rows_behind(task_ids: Collection[str], edges: Mapping[str, Mapping[str, Edge]], index: CellIndex) -> Rows:
    """Return the rows of the release that the lineage of these tasks' plans names, by table and key."""
    rows_by_table: dict[str, dict[str, dict[str, Any]]] = {}
    for edge in (edge for task_id in task_ids for edge in edges.get(task_id, {}).values()):
        for table, key, _ in edge.cells if edge.field.startswith(PLANNED) else ():
            if (row := index.row(table, key)) is not None:
                rows_by_table.setdefault(table, {})[key] = row
    return rows_by_table


def _judging(
    job: Job, task_ids: list[str], rows: Rows, shares: int, pool: Judges | OwnProcesses
) -> list[Future[JobVerdict]]:
    """Return what the checker will have said of all tasks, in so many shares and one job of all fields."""
    chunks = [tuple(task_ids[n::shares]) for n in range(shares)]
    fields = pool.submit(judge_fields, job)
    return [*(pool.submit(judge, replace(job, task_ids=chunk), rows) for chunk in chunks), fields]


def _without_rows(
    release: OpenedRelease, traced: TraceReport, job: Job, pool: Judges | OwnProcesses
) -> list[Future[JobVerdict]]:
    """Return whether tasks' witnesses hold without a row that they are said to use: then they do not use it.

    What is said beside a plan rests on rows that the plan uses, too, whether somebody judges it or not. The only row of
    a table is taken from nobody: without it there is no world to try the others in.
    """
    family = families()[release.manifest.family]
    sizes = {file.path: file.rows for file in release.manifest.files}
    world = {t.table_name() for t in family.world_tables if sizes.get(f"{t.table_name()}.parquet") != 1}
    by_task: dict[str, list[tuple[str, str]]] = {}
    for (table, key), fields in traced.rows.items():
        for task_id, _, name in (where.partition(":") for where in fields) if table in world else ():
            if name.startswith((PLANNED, "proof/")) and task_id in job.trial_task_ids:
                by_task.setdefault(task_id, []).append((table, key))
    task_ids = sorted(by_task, key=lambda task_id: stable_hash("removed", task_id))[:REMOVED_ROWS]
    removed = {t: min(by_task[t], key=lambda row: stable_hash(t, *row)) for t in task_ids}
    return [pool.submit(removed_rows, replace(job, task_ids=tuple(task_ids), trial_task_ids=frozenset()), removed)]


def _together(calls: list[Future[JobVerdict]]) -> JobVerdict:
    """Return what all calls found together, its problems in an order that no sharing out decides."""
    verdict = JobVerdict()
    for call in calls:
        verdict.add(call.result())
    verdict.problems = sorted(set(verdict.problems))
    return verdict
