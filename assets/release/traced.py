"""The values of a release's tasks, what its lineage says that each comes from, and the rows that this names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from assets.family import families
from assets.release.reading import OpenedRelease
from schemas.generation import generation_id
from schemas.source import RowPointer

if TYPE_CHECKING:
    import pandas as pd

TASK_VALUES = ("query", "record_json", "repairs_json")
NO_VALUES = ("task_id", "city_id", "depends_on")
"""Columns of a certificate that say which it is; all others, a family's own too, hold values."""


def traced_values(tasks: pd.DataFrame, certificates: pd.DataFrame) -> Iterator[tuple[str, str, Any]]:
    """Yield (task_id, field, value) for every leaf of every task and certificate."""
    proven = tuple(column for column in certificates.columns if column not in NO_VALUES)
    for frame, columns in ((tasks, TASK_VALUES), (certificates, proven)):
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


def covering(edges: dict[str, list[tuple[str, str]]], name: str) -> list[tuple[str, str]]:
    """Return the edges of the field itself or of the nearest part of the task that holds it."""
    while name:
        if name in edges:
            return edges[name]
        name = name.rpartition("/")[0]
    return []


class RowIndex:
    """The context rows that a release's lineage names, by `table/key/key…`, and its model calls that fit their ids."""

    def __init__(self, release: OpenedRelease) -> None:
        """Read every context table of the release once, and keep what is named: there may be millions of flights."""
        import pyarrow as pa
        import pyarrow.compute as pc

        family = families()[release.manifest.family]
        self._manifest = release.manifest
        self.generations = {
            row["generation_id"]
            for row in release.table("generations").to_dict("records")
            if generation_id(row["request_json"].encode(), row["revision"]) == row["generation_id"]
        }
        lineage = release.rows("lineage")
        named = lineage["ref"].filter(pc.call_function("equal", [lineage["kind"], pa.scalar("row")])).unique()
        self._rows: dict[str, dict[str, Any]] = {}
        for table in family.context:
            for rows in release.batches(table.table_name()):
                refs = table.refs(rows)
                is_named = pc.call_function("is_in", [refs], pc.SetLookupOptions(named))
                found = zip(refs.filter(is_named).to_pylist(), rows.filter(is_named).to_pylist(), strict=True)
                self._rows |= dict(found)

    def find(self, ref: str) -> dict[str, Any] | None:
        """Return the row, or None if the release has none of that name."""
        return self._rows.get(ref)

    def pointers(self, ref: str) -> list[str]:
        """Return the row's source pointers; none if it has none, or is not there."""
        row = self.find(ref) or {}
        return list(row.get("source_rows") or [])

    def unresolved(self, kind: str, ref: str) -> str | None:
        """Return why an edge leads nowhere, or None."""
        if kind == "row":
            return None if self.find(ref) is not None else f"row {ref} is not in the release"
        if kind == "rule":
            return None if ref in self._manifest.rules else f"rule {ref} is not declared in the manifest"
        if kind == "recipe":
            return (
                None if ref in self._manifest.section or ref == "seed" else f"recipe key {ref} is not in the manifest"
            )
        known = ref in self.generations
        return None if known else f"generation {ref} is not in the release, or is not what its id says"


def parsed_pointer(text: str) -> RowPointer | None:
    """Return the pointer, or None if the text is not one."""
    try:
        return RowPointer.parse(text)
    except ValueError:
        return None
