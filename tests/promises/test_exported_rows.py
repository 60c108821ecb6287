"""Exported files that exchange tasks among their rows, though each query stands in them: an audit names the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from assets.families import families
from assets.named import load
from assets.release.audit_exports import exports_otherwise
from assets.release.audit_said import said_otherwise
from assets.release.exporting import release_tables
from assets.release.reading import OpenedRelease, open_release

Files = dict[str, Any]
Rows = list[dict[str, Any]]


def rows_changed(files: Files, name: str, change: Callable[[Rows], Rows]) -> Files:
    """Return the files with the rows of those of a name changed."""

    def changed(data: bytes) -> bytes:
        rows = change([json.loads(line) for line in data.splitlines()])
        return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode()

    return {path: changed(data) if path.endswith(name) else data for path, data in files.items()}


def exchanged(*keys: str) -> Callable[[Rows], Rows]:
    """Return what gives each row the next one's values of some keys."""
    return lambda rows: [row | {k: rows[n - 1][k] for k in keys} for n, row in enumerate(rows)]


LIES: tuple[tuple[str, Callable[[Files], Files], str], ...] = (
    (
        "itinbench",
        lambda files: rows_changed(files, "humanQuerys.jsonl", exchanged("query")),
        "humanQuerys.jsonl, us-in-krellospire/witnesses.jsonl: 2 tasks told otherwise by index",
    ),
    (
        "itinbench",
        lambda files: rows_changed(files, "witnesses.jsonl", exchanged("task_id")),
        "witnesses.jsonl: 2 of 2 rows hold the plan of one task under another's name",
    ),
    (
        "itinbench",
        lambda files: {
            **files,
            "gold.json": json.dumps([
                {"query": json.loads(q)["query"], "best": json.loads(p)["plan"]}
                for q, p in zip(
                    files["us-in-krellospire/humanQuerys.jsonl"].splitlines(),
                    reversed(files["us-in-krellospire/witnesses.jsonl"].splitlines()),
                    strict=True,
                )
            ]).encode(),
        },
        "gold.json: 2 of 2 rows hold the plan of one task under another's name",
    ),
    (
        "grouptravel",
        lambda files: rows_changed(files, "test.jsonl", exchanged("task_id")),
        "test.jsonl: 6 of 6 rows hold the words of one task under another's name",
    ),
    (
        "tripcraft",
        lambda files: rows_changed(files, "annotation_3day.jsonl", lambda rows: rows[::-1]),
        "annotation_3day.jsonl, tripcraft_3day.csv: 4 tasks told otherwise by their order",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("name", "lie", "told"), LIES, ids=[f"{name} {told}" for name, _, told in LIES])
def test_files_that_exchange_tasks_are_named(small_world, monkeypatch, name, lie, told):
    family, tables = families()[name], release_tables(open_release(small_world.releases[name]))
    assert [*exports_otherwise(family, tables)] == []
    real = load(family.export)
    monkeypatch.setattr(family.export.replace(":", "."), lambda tables: lie(dict(real(tables))))
    problems = [*exports_otherwise(family, tables)]
    assert any(told in problem for problem in problems), problems


def test_an_audit_reads_exported_files_back(release: OpenedRelease, snapshots, monkeypatch):
    real = load("assets.itinbench.export:export")
    lie = LIES[0][1]
    monkeypatch.setattr("assets.itinbench.export.export", lambda tables: lie(dict(real(tables))))
    verified = release.manifest.promises["verified_tables"]
    problems = [*said_otherwise(release, snapshots, verified)]
    assert problems
    assert all("tasks told otherwise by index" in problem for problem in problems)
    monkeypatch.setattr("assets.itinbench.export.export", lambda tables: {"a.jsonl": b"{"})
    (problem,) = said_otherwise(release, snapshots, verified)
    assert "its files cannot be read back: JSONDecodeError" in problem
