"""The audit of a release: every value of every task followed to source bytes or to a declared rule.

Works from the release's folder and a raw store alone; says what it could not verify, and never counts it as verified.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from typing import Any, TypeVar

from assets.release.audit_jobs import RawFound, RawJob, check_raw, check_witnesses
from assets.release.reading import OpenedRelease, file_problems
from assets.release.traced import RowIndex, covering, edges_by_task, parsed_pointer, traced_values
from schemas.source import Snapshot
from warehouse.snapshots import Snapshots

MAX_PROBLEMS = 50
TASKS_A_JOB = 50
"""Fewer tasks than this are one job; more are shared among as few as there are workers: each reads the world anew."""
SMALL_BYTES = 32 * 2**20
"""Raw files of fewer bytes together, with fewer tasks than a job's, are checked in this process: sooner done."""

T = TypeVar("T")


@dataclass
class Unverified:
    """A raw file that is not at hand, or a table's withheld column, and how many values rest on it."""

    what: str
    why: str
    values: int


@dataclass
class AuditReport:
    """What an audit verified, what it could not verify, and every problem it found (none: the release holds)."""

    tasks: int = 0
    values: int = 0
    verified: int = 0
    rows: int = 0
    source_rows: int = 0
    raw_files: int = 0
    problems: list[str] = field(default_factory=list)
    unverified: list[Unverified] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Return whether everything was verified and resolved."""
        return not self.problems and not self.unverified

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "holds": self.holds,
            "tasks": self.tasks,
            "values": self.values,
            "values_verified": self.verified,
            "values_not_verified": self.values - self.verified,
            "rows": self.rows,
            "source_rows": self.source_rows,
            "raw_files": self.raw_files,
            "problems": self.problems,
            "unverified": [vars(entry) for entry in self.unverified],
        }


def audit_release(release: OpenedRelease, snapshots: Snapshots, workers: int | None = None) -> AuditReport:
    """Return what holds of a whole release, what does not, and what could not be verified here.

    `workers` processes check raw files and witnesses, as many as there are processors if None; the order of what is
    found does not depend on them.
    """
    report = AuditReport()
    report.problems += file_problems(release)
    if report.problems:
        return report
    if release.manifest.withheld is not None:
        return _of_public_edition(release, report)
    tasks, certificates = release.table("tasks"), release.table("certificates")
    report.tasks = len(tasks)
    certified = set(certificates["task_id"])
    report.problems += [f"{t}: has no certificate" for t in tasks["task_id"] if t not in certified]
    index = RowIndex(release)
    by_row, unresolved = _values(release, index, report)
    report.rows = len(by_row)
    jobs = _raw_jobs(release, snapshots, index, by_row, report)
    ids, workers = sorted(certified), workers or os.cpu_count() or 1
    together = max(TASKS_A_JOB, -(-len(ids) // workers))
    chunks = [ids[n : n + together] for n in range(0, len(ids), together)]
    is_small = len(chunks) <= 1 and sum(job.snapshot.size_bytes for job in jobs) < SMALL_BYTES
    calls = [*(partial(check_raw, job) for job in jobs), *(partial(check_witnesses, release.folder, c) for c in chunks)]
    results = _in_order(calls, 1 if is_small else workers)
    found = dict(zip((job.snapshot.sha256 for job in jobs), results[: len(jobs)], strict=True))
    absent = [s for s in _files(release) if not snapshots.holds(s.sha256)]
    _judge_raw(release, index, by_row, found, absent, report)
    report.verified = _verified(index, by_row, absent, report.values - unresolved)
    for task_id, violations in sorted({k: v for part in results[len(jobs) :] for k, v in part.items()}.items()):
        report.problems += [f"{task_id}: the witness is not accepted: {violation}" for violation in violations]
    return report


def _values(release: OpenedRelease, index: RowIndex, report: AuditReport) -> tuple[dict[str, set[int]], int]:
    """Count the values; return, by row, the numbers of the values that come from it, and how many lead nowhere."""
    edges = edges_by_task(release.table("lineage"))
    by_row: dict[str, set[int]] = {}
    unresolved = 0
    known: dict[tuple[str, str], str | None] = {}
    for task_id, name, value in traced_values(release.table("tasks"), release.table("certificates")):
        number = report.values
        report.values += 1
        refs = covering(edges.get(task_id, {}), name)
        problems = [] if refs else [f"{task_id}: {name} = {str(value)[:60]!r} has no lineage"]
        for kind, ref in refs:
            if (kind, ref) not in known:
                known[kind, ref] = index.unresolved(kind, ref)
            problem = known[kind, ref]
            if problem:
                problems.append(f"{task_id}: {name}: {problem}")
            elif kind == "row":
                by_row.setdefault(ref, set()).add(number)
        report.problems += problems
        unresolved += bool(problems)
    return by_row, unresolved


def _files(release: OpenedRelease) -> list[Snapshot]:
    """Return each of the release's raw files once: one file may be bound for several cities."""
    return list({s.sha256: s for s in release.manifest.inputs}.values())


def _raw_jobs(
    release: OpenedRelease, snapshots: Snapshots, index: RowIndex, by_row: Iterable[str], report: AuditReport
) -> list[RawJob]:
    """Return a job for each raw file that is here, with what the rows say stands in it."""
    known = {s.sha256 for s in _files(release)}
    wanted: dict[str, dict[str, list[str]]] = {sha256: {} for sha256 in known}
    for ref in sorted(by_row):
        row = index.find(ref) or {}
        pointers = index.pointers(ref)
        if not pointers:
            report.problems.append(f"{ref}: has no source row")
        for text in pointers:
            pointer = parsed_pointer(text)
            if pointer is None or pointer.sha256 not in known:
                report.problems.append(f"{ref}: {text[:100]} leads to no input of the release")
            else:
                names = wanted[pointer.sha256].setdefault(pointer.locator, [])
                names += [str(row["name"])] if "name" in row else []
    here = (s for s in _files(release) if snapshots.holds(s.sha256))
    largest_first = sorted(here, key=lambda s: (-s.size_bytes, s.sha256))
    return [RawJob(snapshots.url, snapshot, wanted[snapshot.sha256]) for snapshot in largest_first]


def _judge_raw(
    release: OpenedRelease,
    index: RowIndex,
    by_row: dict[str, set[int]],
    found: dict[str, RawFound],
    absent: list[Snapshot],
    report: AuditReport,
) -> None:
    """Write down which raw files do not hold what the rows say, and which are not here to be asked."""
    lost: dict[str, set[str]] = {}
    gone = {s.sha256 for s in absent}
    resting: dict[str, set[int]] = {}
    names = []
    for ref in sorted(by_row):
        row = index.find(ref) or {}
        pointers = [p for text in index.pointers(ref) if (p := parsed_pointer(text))]
        for pointer in pointers:
            if pointer.sha256 in gone:
                resting.setdefault(pointer.sha256, set()).update(by_row[ref])
            elif pointer.sha256 in found and pointer.locator not in found[pointer.sha256].records:
                lost.setdefault(pointer.sha256, set()).add(pointer.locator)
        at_hand = [p for p in pointers if p.sha256 in found and p.locator in found[p.sha256].records]
        whole = len(at_hand) == len(pointers)
        if whole and at_hand and "name" in row:
            name = str(row["name"])
            if not any((p.locator, name) in found[p.sha256].standing for p in at_hand):
                names.append(f"{ref}: its name {name[:60]!r} stands in none of its source rows")
    for snapshot in _files(release):
        result = found.get(snapshot.sha256)
        if result is not None and result.problem:
            report.problems.append(result.problem)
        elif result is not None:
            report.raw_files += 1
            report.source_rows += len(result.records)
            where = sorted(lost.get(snapshot.sha256, ()))
            report.problems += [f"{snapshot.location}: has no record at {locator}" for locator in where[:MAX_PROBLEMS]]
    report.problems += names
    report.unverified += [
        Unverified(
            f"{s.location} ({s.source}.{s.role}, sha256 {s.sha256})",
            f"the raw file is not in {_store_name(s)}",
            len(resting.get(s.sha256, ())),
        )
        for s in absent
    ]


def _store_name(snapshot: Snapshot) -> str:
    return f"the store; it is under {snapshot.licence_id}" + (f", from {snapshot.url}" if snapshot.url else "")


def _verified(index: RowIndex, by_row: dict[str, set[int]], absent: list[Snapshot], resolved: int) -> int:
    """Return how many of the resolved values rest on no raw file that is absent."""
    gone = {s.sha256 for s in absent}
    doubtful: set[int] = set()
    for ref, values in by_row.items():
        pointers = (parsed_pointer(text) for text in index.pointers(ref))
        if any(p is not None and p.sha256 in gone for p in pointers):
            doubtful |= values
    return resolved - len(doubtful)


def _of_public_edition(release: OpenedRelease, report: AuditReport) -> AuditReport:
    """Return what can be said of a release that lacks values: its files are whole; the values need completing."""
    withheld = release.manifest.withheld
    assert withheld is not None
    report.tasks = release.manifest.counts["tasks"]
    report.unverified = [
        Unverified(f"{table}: {', '.join(columns)}", "withheld for the sources' licences", sum(columns.values()))
        for table, columns in withheld.cells.items()
    ]
    report.values = sum(entry.values for entry in report.unverified)
    return report


def _in_order(calls: list[Callable[[], T]], workers: int) -> list[Any]:
    """Return what each call gives, in their order, computed by so many processes."""
    if workers == 1 or len(calls) < 2:
        return [call() for call in calls]
    with ProcessPoolExecutor(min(workers, len(calls)), mp_context=get_context("spawn")) as pool:
        futures = [pool.submit(call) for call in calls]
        return [future.result() for future in futures]
