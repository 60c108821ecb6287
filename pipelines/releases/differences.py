"""How one release differs from another that was made again: parts of the manifest, and rows of tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from assets.families import families
from assets.release.exporting import released_tables
from assets.release.reading import OpenedRelease
from schemas.counts import counted
from schemas.table import Table
from warehouse.releases import MANIFEST

SHOWN = 3
"""Rows of a file, and columns of a row, that are named; of the others, how many."""


def differences(release: OpenedRelease, rebuilt: OpenedRelease) -> Iterator[str]:
    """Yield the fields of the manifest and the rows of tables in which two releases differ, else the files that do."""
    stated, actual = (json.loads(one.manifest.model_dump_json(exclude={"files"})) for one in (release, rebuilt))
    for name in actual:
        if stated[name] != actual[name]:
            yield f"{MANIFEST}: {name} comes out otherwise: {_inner(stated[name], actual[name])}"
    tables = released_tables(families()[release.manifest.family])
    stated_files, expected = ({file.path: file for file in one.manifest.files} for one in (release, rebuilt))
    for path in sorted({*stated_files, *expected}):
        if path not in expected or path not in stated_files:
            yield f"{path}: {'is not made' if path in stated_files else 'is made, and is not here'}"
        elif stated_files[path].sha256 != expected[path].sha256:
            table = tables.get(path, tables["tasks.parquet"])
            detail = _rows(path.removesuffix(".parquet"), table, release, rebuilt) if path.endswith(".parquet") else ""
            yield f"{path}: comes out otherwise{detail}"


def _inner(stated: Any, actual: Any) -> str:
    if isinstance(stated, dict) and isinstance(actual, dict):
        names = [name for name in {**stated, **actual} if stated.get(name) != actual.get(name)]
        return "; ".join(f"{name} {_short(stated.get(name))}, not {_short(actual.get(name))}" for name in names[:SHOWN])
    return f"{_short(stated)}, not {_short(actual)}"


def _rows(name: str, table: type[Table], release: OpenedRelease, rebuilt: OpenedRelease) -> str:
    """Return which rows of a table differ, and in which columns."""
    stated_rows, expected = (
        dict(zip(table.refs(rows).to_pylist(), rows.to_pylist(), strict=True))
        for rows in (release.rows(name), rebuilt.rows(name))
    )
    others = [ref for ref in {**stated_rows, **expected} if stated_rows.get(ref) != expected.get(ref)]
    details = []
    for ref in others[:SHOWN]:
        row, right = stated_rows.get(ref), expected.get(ref)
        if row is None or right is None:
            details.append(f"{ref} {'is not made' if row else 'is made, and is not here'}")
            continue
        columns = [column for column in {**row, **right} if row.get(column) != right.get(column)]
        changes = (f"{c} is {_short(row.get(c))}, comes out as {_short(right.get(c))}" for c in columns[:SHOWN])
        details.append(f"{ref}: {', '.join(changes)}")
    if not others:
        return ": its rows are the same, its bytes are not"
    return f" in {counted(len(others), 'row')}: {'; '.join(details)}{' …' if len(others) > SHOWN else ''}"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}…"
