"""One task's provenance as a tree: values, what each comes from, table rows, and the raw records themselves."""

from __future__ import annotations

import datetime as dt
from typing import Any

from assets.core.worlds import task_views
from assets.promises.cells import index_of
from assets.promises.values import edges_by_task, parsed_pointer, said_of, whole_task
from assets.release.exporting import release_tables
from assets.release.reading import OpenedRelease, require_ours
from assets.step import RawFile
from schemas.json_lines import json_object
from schemas.source import LICENCES, Binding, Snapshot
from sources.formats.personal import without_personal
from sources.locate import raw_records
from warehouse.snapshots import Snapshots
from warehouse.store import StoreError


def task_tree(release: OpenedRelease, snapshots: Snapshots, task_id: str) -> dict[str, Any]:
    """Return one task's provenance: values, rows, source records with their origin, model calls, rules, certificate.

    Each raw file is verified against its hash and read once. Raises KeyError if the release has no such task, and
    ReleaseError for a published folder that was opened.
    """
    require_ours(release, "audited")
    tasks = release.table("tasks")
    task_rows = tasks[tasks["task_id"] == task_id]
    if task_rows.empty:
        close = ", ".join(tasks["task_id"].head(3))
        raise KeyError(f"no task {task_id!r} in release {release.version}; its tasks are named like {close}")
    if release.manifest.withheld is not None:
        raise KeyError(
            f"{task_id}: its values are withheld in this public edition; `tripwright complete` puts them back for "
            "whoever has the source files"
        )
    edges_by_id = edges_by_task(release.rows("lineage"))
    edges, index = edges_by_id.get(task_id, {}), index_of(release, edges_by_id)
    calls = {row["generation_id"]: row for row in release.table("generations").to_dict("records")}
    tables = release_tables(release)
    certificate = tables.certificates[tables.certificates["task_id"] == task_id]
    refs: dict[tuple[str, str], None] = {}
    values = []
    problems = []
    views = task_views(tables.tasks[tables.tasks["task_id"] == task_id], certificate)
    checks = certificate.iloc[0]["checks"] if len(certificate) else []
    for name, value, edge in (leaf for view in views for leaf in said_of(whole_task(view, checks), edges)[0]):
        edge_refs = edge.refs if edge else []
        refs |= dict.fromkeys(edge_refs)
        problems += [] if edge else [f"{name}: has no lineage"]
        how = {"kind": edge.kind, "by": edge.by} if edge else {}
        values.append(
            {"field": name, "value": value, **how, "from": [{"kind": kind, "ref": ref} for kind, ref in edge_refs]}
        )
    problems += [f"row {ref} is not in the release" for kind, ref in refs if kind == "row" and index.find(ref) is None]
    rows = {ref: row for kind, ref in refs if kind == "row" and (row := index.find(ref)) is not None}
    of_rows = (call for ref in rows for call in index.calls(ref))
    call_ids = dict.fromkeys((*(ref for kind, ref in refs if kind == "generation"), *of_rows))
    problems += [
        f"generation {ref} is not in the release, or is not what its id says"
        for ref in call_ids
        if ref not in index.generations
    ]
    calls_in_words = {ref: _call(calls[ref]) for ref in call_ids if ref in calls}
    problems += [
        f"generation {ref}: its request is no JSON with messages, which is what a model is asked"
        for ref, call in calls_in_words.items()
        if isinstance(call["request"], str)
    ]
    sources = _source_rows(release, snapshots, {ref: index.pointers(ref) for ref in rows})
    code = _code(release)
    return {
        "task_id": task_id,
        "release": release.version,
        "query": task_rows.iloc[0]["query"],
        "values": values,
        "rows": {
            ref: {
                "row": {k: _plain(v) for k, v in row.items() if k != "source_rows"},
                "source_rows": sources[ref],
            }
            for ref, row in rows.items()
        },
        "generations": calls_in_words,
        "rules": {ref: release.manifest.rules.get(ref, "") for kind, ref in sorted(refs) if kind == "rule"},
        "code": code,
        "certificate": {
            "checks": checks,
            "depends_on": certificate.iloc[0]["depends_on"] if len(certificate) else None,
        },
        "problems": problems,
    }


def _source_rows(
    release: OpenedRelease, snapshots: Snapshots, pointers: dict[str, list[str]]
) -> dict[str, list[dict[str, Any]]]:
    """Return, by row, each pointer with the raw record it names, and where, when and under which licence it was had."""
    files = {s.binding: s for s in release.manifest.inputs}
    locators_by_file: dict[Binding, set[str]] = {}
    for texts in pointers.values():
        for pointer in filter(None, map(parsed_pointer, texts)):
            locators_by_file.setdefault(pointer.binding, set()).add(pointer.locator)
    raw: dict[Binding, dict[str, str]] = {}
    problems: dict[Binding, str] = {}
    for binding, locators in locators_by_file.items():
        if binding in files:
            try:
                with snapshots.open(files[binding]) as path:
                    raw[binding] = raw_records(RawFile(files[binding], path), locators)
            except StoreError as error:
                problems[binding] = str(error)

    def entry(text: str) -> dict[str, Any]:
        pointer = parsed_pointer(text)
        if pointer is None or pointer.binding not in files:
            return {"pointer": text, "problem": "leads to no input of the release"}
        origin = {"pointer": text, **_origin(files[pointer.binding])}
        if pointer.binding in problems:
            return {**origin, "problem": problems[pointer.binding]}
        if pointer.locator not in raw[pointer.binding]:
            return {**origin, "problem": f"no record at {pointer.locator}"}
        return {**origin, "raw": without_personal(raw[pointer.binding][pointer.locator])}

    return {ref: [entry(text) for text in texts] for ref, texts in pointers.items()}


def _origin(snapshot: Snapshot) -> dict[str, Any]:
    licence = LICENCES[snapshot.licence_id]
    return {
        "file": snapshot.location,
        "sha256": snapshot.sha256,
        "licence": snapshot.licence_id,
        "licence_title": licence.title,
        "attribution": snapshot.attribution,
        "retrieved_at": snapshot.retrieved_at,
        "url": snapshot.url,
    }


def _code(release: OpenedRelease) -> dict[str, Any]:
    """Return the revision and, by step, the hash of the code that the rules are; empty where the record is not kept."""
    record = release.build_record
    step_names = {entry["step"] for entry in release.manifest.accounting}
    return {
        "revision": record.code_revision,
        "steps": {s: code for s, code in (record.code or {}).items() if s in step_names},
    }


def _plain(value: Any) -> Any:
    """Return a row's value as JSON holds it: dates as text."""
    return value.isoformat() if isinstance(value, dt.date) else value


def _call(row: dict[str, Any]) -> dict[str, Any]:
    """Return a model call as a person reads it: what was asked, what was answered, what was said of it.

    A `request` that is none of ours stays the text that it is.
    """
    return {
        "job": row["job"],
        "model": row["model"],
        "revision": row["revision"],
        "request": _chat_request(row["request"]) or row["request"],
        "answer": row["answer"],
        "verdict": row["verdict"],
    }


def _chat_request(request: str) -> dict[str, Any] | None:
    """Return a request as an object whose `messages` each have `role` and `content` as text; None for anything else."""
    request_object, _ = json_object(request.encode())
    messages = request_object.get("messages")
    are_texts = isinstance(messages, list) and all(
        isinstance(message, dict) and all(isinstance(message.get(name), str) for name in ("role", "content"))
        for message in messages
    )
    return request_object if are_texts else None
