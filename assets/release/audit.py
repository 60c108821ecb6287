"""The audit of a release: every value of every task followed to source bytes or to a declared rule.

Works from the release's folder and a raw store alone; says what it could not verify, and never counts it as verified.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assets.family import families
from assets.release.exporting import release_tables
from assets.release.reading import OpenedRelease, file_problems
from assets.step import RawFile
from schemas.generation import generation_id
from schemas.source import RowPointer, Snapshot
from sources.locate import raw_records
from warehouse.snapshots import Snapshots
from warehouse.store import StoreError

if TYPE_CHECKING:
    import pandas as pd

TASK_VALUES = ("query", "record_json", "repairs_json")
CERTIFICATE_VALUES = ("witness_json", "values_json", "checks_json")
MAX_PROBLEMS = 50


@dataclass
class AuditReport:
    """What an audit verified, and every problem it found (empty: the release holds)."""

    tasks: int = 0
    values: int = 0
    rows: int = 0
    source_rows: int = 0
    raw_files: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Return whether everything resolved."""
        return not self.problems

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {
            "holds": self.holds,
            "tasks": self.tasks,
            "values": self.values,
            "rows": self.rows,
            "source_rows": self.source_rows,
            "raw_files": self.raw_files,
            "problems": self.problems,
        }


def audit_release(release: OpenedRelease, snapshots: Snapshots) -> AuditReport:
    """Return what holds of a whole release and everything that does not."""
    report = AuditReport()
    report.problems += file_problems(release)
    if report.problems:
        return report
    family = families()[release.manifest.family]
    tasks, certificates = release.table("tasks"), release.table("certificates")
    edges = edges_by_task(release.table("lineage"))
    report.tasks = len(tasks)
    certified = set(certificates["task_id"])
    report.problems += [f"{t}: has no certificate" for t in tasks["task_id"] if t not in certified]
    index = RowIndex(release)
    used: set[str] = set()
    for task_id, name, value in _values(tasks, certificates):
        report.values += 1
        refs = _covering(edges.get(task_id, {}), name)
        if not refs:
            report.problems.append(f"{task_id}: {name} = {str(value)[:60]!r} has no lineage")
        for kind, ref in refs:
            problem = _unresolved(release, index, kind, ref)
            if problem:
                report.problems.append(f"{task_id}: {name}: {problem}")
            elif kind == "row":
                used.add(ref)
    report.rows = len(used)
    _follow_to_bytes(release, snapshots, index, sorted(used), report)
    for task_id, violations in sorted(family.recheck(release_tables(release)).items()):
        report.problems += [f"{task_id}: the witness is not accepted: {violation}" for violation in violations]
    return report


def task_tree(release: OpenedRelease, snapshots: Snapshots, task_id: str) -> dict[str, Any]:
    """Return one task's provenance as a tree: values, what each comes from, table rows, raw records with their origin.

    Raises KeyError if the release has no such task.
    """
    tasks, certificates = release.table("tasks"), release.table("certificates")
    mine = tasks[tasks["task_id"] == task_id]
    if mine.empty:
        close = ", ".join(tasks["task_id"].head(3))
        raise KeyError(f"no task {task_id!r} in release {release.version}; its tasks are named like {close}")
    edges = edges_by_task(release.table("lineage")).get(task_id, {})
    index = RowIndex(release)
    rows: dict[str, Any] = {}
    calls = {row["generation_id"]: row for row in release.table("generations").to_dict("records")}
    generations: dict[str, Any] = {}
    values = []
    for _, name, value in _values(mine, certificates[certificates["task_id"] == task_id]):
        refs = _covering(edges, name)
        values.append({"field": name, "value": value, "from": [{"kind": kind, "ref": ref} for kind, ref in refs]})
        for kind, ref in refs:
            if kind == "generation" and ref in calls:
                generations[ref] = _call(calls[ref])
            if kind == "row" and ref not in rows and (row := index.find(ref)) is not None:
                rows[ref] = {
                    "row": {k: _plain(v) for k, v in row.items() if k != "source_rows"},
                    "source_rows": [_source_row(release, snapshots, pointer) for pointer in row["source_rows"]],
                }
    return {
        "task_id": task_id,
        "release": release.version,
        "query": mine.iloc[0]["query"],
        "values": values,
        "rows": rows,
        "generations": generations,
        "rules": {ref: release.manifest.rules.get(ref, "") for ref in _rules(values)},
    }


def _rules(values: list[dict[str, Any]]) -> list[str]:
    return sorted({source["ref"] for value in values for source in value["from"] if source["kind"] == "rule"})


def _values(tasks: pd.DataFrame, certificates: pd.DataFrame) -> Iterator[tuple[str, str, Any]]:
    """Yield (task_id, field, value) for every leaf of every task and certificate."""
    for frame, columns in ((tasks, TASK_VALUES), (certificates, CERTIFICATE_VALUES)):
        for row in frame.to_dict("records"):
            for column in columns:
                value = row[column]
                if column.endswith("_json"):
                    yield from ((row["task_id"], name, leaf) for name, leaf in _leaves(column, json.loads(value)))
                else:
                    yield row["task_id"], column, value


def _leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict) and value:
        for key in value:
            yield from _leaves(f"{name}/{key}", value[key])
    elif isinstance(value, list) and value:
        for number, item in enumerate(value):
            yield from _leaves(f"{name}/{number}", item)
    else:
        yield name, value


def edges_by_task(lineage: pd.DataFrame) -> dict[str, dict[str, list[tuple[str, str]]]]:
    """Return, by task and field, what the field comes from."""
    edges: dict[str, dict[str, list[tuple[str, str]]]] = {}
    columns = (lineage[c].tolist() for c in ("task_id", "field", "kind", "ref"))
    for task_id, name, kind, ref in zip(*columns, strict=True):
        edges.setdefault(task_id, {}).setdefault(name, []).append((kind, ref))
    return edges


def _covering(edges: dict[str, list[tuple[str, str]]], name: str) -> list[tuple[str, str]]:
    """Return the edges of the field itself or of the nearest part of the task that holds it."""
    while name:
        if name in edges:
            return edges[name]
        name = name.rpartition("/")[0]
    return []


class RowIndex:
    """The rows of a release's context tables by `table/key/key…`, and its model calls that are what their ids say."""

    def __init__(self, release: OpenedRelease) -> None:
        """Read every context table of the release once."""
        family = families()[release.manifest.family]
        self.generations = {
            row["generation_id"]
            for row in release.table("generations").to_dict("records")
            if generation_id(row["request_json"].encode(), row["revision"]) == row["generation_id"]
        }
        self._rows: dict[str, dict[str, Any]] = {}
        for table in family.context:
            for row in release.table(table.table_name()).to_dict("records"):
                self._rows["/".join([table.table_name(), *(str(row[k]) for k in table.key())])] = row

    def find(self, ref: str) -> dict[str, Any] | None:
        """Return the row, or None if the release has none of that name."""
        return self._rows.get(ref)


def _unresolved(release: OpenedRelease, index: RowIndex, kind: str, ref: str) -> str | None:
    """Return why an edge leads nowhere, or None."""
    if kind == "row":
        return None if index.find(ref) is not None else f"row {ref} is not in the release"
    if kind == "rule":
        return None if ref in release.manifest.rules else f"rule {ref} is not declared in the manifest"
    if kind == "recipe":
        return None if ref in release.manifest.section or ref == "seed" else f"recipe key {ref} is not in the manifest"
    return None if ref in index.generations else f"generation {ref} is not in the release, or is not what its id says"


def _follow_to_bytes(
    release: OpenedRelease, snapshots: Snapshots, index: RowIndex, refs: list[str], report: AuditReport
) -> None:
    """Follow the rows' pointers into the raw files, verify these, and check that each row's name stands there."""
    by_hash = {s.sha256: s for s in release.manifest.inputs}
    wanted: dict[str, set[str]] = {}
    for ref in refs:
        row = index.find(ref) or {}
        pointers = row.get("source_rows") or []
        if not len(pointers):
            report.problems.append(f"{ref}: has no source row")
        for text in pointers:
            pointer = _parsed(text)
            if pointer is None or pointer.sha256 not in by_hash:
                report.problems.append(f"{ref}: {text[:100]} leads to no input of the release")
            else:
                wanted.setdefault(pointer.sha256, set()).add(pointer.locator)
    records: dict[tuple[str, str], str] = {}
    for sha256 in sorted(by_hash):
        snapshot = by_hash[sha256]
        try:
            with snapshots.open(snapshot) as path:
                found = raw_records(RawFile(snapshot, path), wanted.get(sha256, set()))
        except StoreError as error:
            report.problems.append(str(error))
            continue
        report.raw_files += 1
        report.source_rows += len(found)
        records |= {(sha256, locator): text for locator, text in found.items()}
        lost = sorted(wanted.get(sha256, set()) - set(found))
        report.problems += [f"{snapshot.location}: has no record at {locator}" for locator in lost[:MAX_PROBLEMS]]
    for ref in refs:
        row = index.find(ref) or {}
        pointers = [p for text in row.get("source_rows") or [] if (p := _parsed(text))]
        texts = [records[p.sha256, p.locator] for p in pointers if (p.sha256, p.locator) in records]
        if texts and "name" in row and not any(_holds_text(text, str(row["name"])) for text in texts):
            report.problems.append(f"{ref}: its name {row['name'][:60]!r} stands in none of its source rows")


def _holds_text(raw: str, value: str) -> bool:
    """Return whether a raw record holds the value, as written or as a JSON string."""
    escaped = json.dumps(value)[1:-1]
    return value in raw or escaped in raw or json.dumps(value, ensure_ascii=False)[1:-1] in raw


def _parsed(text: str) -> RowPointer | None:
    try:
        return RowPointer.parse(text)
    except ValueError:
        return None


def _plain(value: Any) -> Any:
    """Return a row's value as JSON holds it: dates as text."""
    return value.isoformat() if isinstance(value, dt.date) else value


def _source_row(release: OpenedRelease, snapshots: Snapshots, text: str) -> dict[str, Any]:
    """Return a pointer with the raw record it names, and where, when and under which licence that was had."""
    pointer = RowPointer.parse(text)
    snapshot = next((s for s in release.manifest.inputs if s.sha256 == pointer.sha256), None)
    if snapshot is None:
        return {"pointer": text, "problem": "leads to no input of the release"}
    entry: dict[str, Any] = {"pointer": text, **_origin(snapshot)}
    try:
        with snapshots.open(snapshot) as path:
            found = raw_records(RawFile(snapshot, path), [pointer.locator])
    except StoreError as error:
        return {**entry, "problem": str(error)}
    if pointer.locator not in found:
        return {**entry, "problem": f"no record at {pointer.locator}"}
    return {**entry, "raw": found[pointer.locator]}


def _call(row: dict[str, Any]) -> dict[str, Any]:
    """Return a model call as a person reads it: what was asked, what was answered, what was said of it."""
    return {
        "job": row["job"],
        "model": row["model"],
        "revision": row["revision"],
        "request": json.loads(row["request_json"]),
        "answer": row["answer"],
        "verdict": row["verdict"],
    }


def _origin(snapshot: Snapshot) -> dict[str, Any]:
    return {
        "file": snapshot.location,
        "licence": snapshot.licence_id,
        "retrieved_at": snapshot.retrieved_at,
        "url": snapshot.url,
    }
