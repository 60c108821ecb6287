"""Where each value of each task comes from, as compact tables: fields, what they lead to, and the source records."""

from __future__ import annotations

from typing import Any

from assets.promises.cells import index_of
from assets.promises.values import edges_by_task
from assets.release.reading import OpenedRelease
from assets.step import RawFile
from schemas.source import LICENCES, Binding, RowPointer, Sharing
from sources.formats.personal import without_personal
from sources.locate import raw_records
from warehouse.snapshots import Snapshots
from warehouse.store import StoreError

MAX_RAW_CHARACTERS = 400
MAX_VALUE_CHARACTERS = 120
MAX_POINTERS = 12
"""What the page shows of one row; the rest is counted, and `tripwright audit TASK_ID` shows all of it."""


def provenance(release: OpenedRelease, snapshots: Snapshots) -> dict[str, Any]:
    """Return `fields`, `refs`, `files` and, by task, a flat list of indices: field, ref, field, ref.

    A ref is `{kind, ref}` and, for a row, its values and its source records `[file, locator, raw]`; `raw` is null where
    the licence does not let rows be passed on, and where the raw bytes are not at hand.
    """
    edges_by_id = edges_by_task(release.rows("lineage"))
    index = index_of(release, edges_by_id)
    fields: dict[str, int] = {}
    refs: dict[tuple[str, str], int] = {}
    tasks: dict[str, list[int]] = {}
    for task_id, edges in edges_by_id.items():
        flat = tasks.setdefault(task_id, [])
        for field, edge in edges.items():
            for ref in edge.refs:
                flat += [fields.setdefault(field, len(fields)), refs.setdefault(ref, len(refs))]
    rows = {ref: row for kind, ref in refs if kind == "row" and (row := index.find(ref)) is not None}
    pointers = {ref: [RowPointer.parse(text) for text in row.get("source_rows") or []] for ref, row in rows.items()}
    raw = _raw(release, snapshots, pointers)
    files = {snapshot.binding: number for number, snapshot in enumerate(release.manifest.inputs)}
    return {
        "fields": list(fields),
        "refs": [
            {"kind": kind, "ref": ref, **(_row(rows[ref], pointers[ref], files, raw) if ref in rows else {})}
            for kind, ref in refs
        ],
        "rules": release.manifest.rules,
        "files": [
            {
                "source": s.source,
                "role": s.role,
                "location": s.location,
                "sha256": s.sha256,
                "licence": s.licence_id,
                "retrieved_at": s.retrieved_at,
            }
            for s in release.manifest.inputs
        ],
        "tasks": tasks,
    }


def _row(
    row: dict[str, Any], pointers: list[RowPointer], files: dict[Binding, int], raw: dict[tuple[Binding, str], str]
) -> dict[str, Any]:
    first_pointers = pointers[:MAX_POINTERS]
    return {
        "values": {key: _short(value, MAX_VALUE_CHARACTERS) for key, value in row.items() if _is_told(key, value)},
        "sources": [[files[p.binding], p.locator, raw.get((p.binding, p.locator))] for p in first_pointers],
        "more": len(pointers) - len(first_pointers),
    }


def _is_told(key: str, value: Any) -> bool:
    return key != "source_rows" and not (value is None or value == "" or value == [] or value != value)


def _short(value: Any, limit: int) -> str:
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _raw(
    release: OpenedRelease, snapshots: Snapshots, pointers: dict[str, list[RowPointer]]
) -> dict[tuple[Binding, str], str]:
    """Return the beginning of each record that may be shown, each file read once."""
    locators_by_file: dict[Binding, set[str]] = {}
    for row_pointers in pointers.values():
        for pointer in row_pointers[:MAX_POINTERS]:
            locators_by_file.setdefault(pointer.binding, set()).add(pointer.locator)
    raw: dict[tuple[Binding, str], str] = {}
    for snapshot in release.manifest.inputs:
        locators = locators_by_file.get(snapshot.binding)
        if not locators or LICENCES[snapshot.licence_id].sharing is not Sharing.ROWS:
            continue
        try:
            with snapshots.open(snapshot) as path:
                texts = raw_records(RawFile(snapshot, path), locators)
        except StoreError:
            continue  # a release that was copied away from its home has no raw bytes; the page says so
        text_by_locator = {
            locator: _short(without_personal(text), MAX_RAW_CHARACTERS) for locator, text in texts.items()
        }
        raw |= {(snapshot.binding, locator): text for locator, text in text_by_locator.items()}
    return raw
