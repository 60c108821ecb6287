"""The cells that a release's lineage names: rows of its tables by key, and the model calls behind its values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assets.families import families
from assets.promises.values import Edge, edges_by_task
from assets.release.reading import OpenedRelease
from schemas.generation import generation_id
from schemas.nested import plain_of
from schemas.table import Table

TASK = "task"
"""The table of a cell that is another value of the same task."""


Rows = Mapping[str, Mapping[str, dict[str, Any]]]
"""Rows of tables, by table and key."""


@dataclass(frozen=True)
class CellIndex:
    """Rows of a release that lineage names, each read once: there may be millions of flights."""

    release: OpenedRelease
    tables: Mapping[str, type[Table]]
    """The tables that cells may be of, by name."""
    rows: Rows
    generations: frozenset[str]
    """The model calls that are what their ids say."""

    def row(self, table: str, key: str) -> dict[str, Any] | None:
        """Return a row, or None if the release has none of that key."""
        return self.rows.get(table, {}).get(key)

    def find(self, ref: str) -> dict[str, Any] | None:
        """Return the row of a name `table/key`, or None if the release has none of it."""
        table, _, key = ref.partition("/")
        return self.row(table, key)

    def pointers(self, ref: str) -> list[str]:
        """Return a row's source pointers; none if it has none, or is not there."""
        return list((self.find(ref) or {}).get("source_rows") or [])

    def calls(self, ref: str) -> list[str]:
        """Return the model calls behind a row's values; none if it names none, or is not there."""
        return list((self.find(ref) or {}).get("generation_ids") or [])

    def others(self, table: str, key: str, column: str, most: int) -> list[Any]:
        """Return so many other values of a column, at most, that other rows than this have."""
        own_value = (self.row(table, key) or {}).get(column)
        other_values: list[Any] = []
        for other_key, row in self.rows.get(table, {}).items():
            value = row.get(column)
            if other_key != key and value is not None and value != own_value and value not in other_values:
                other_values.append(value)
                if len(other_values) == most:
                    break
        return other_values


def rows_of(release: OpenedRelease, table: type[Table], keys: set[str] | None = None) -> dict[str, dict[str, Any]]:
    """Return the rows of these keys, or all of them, by key, as their declaration reads them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    name = table.table_name()
    refs_asked_for = pa.array([f"{name}/{key}" for key in sorted(keys or ())], pa.string())
    nested = [(column.name, plain_of(column.shape)) for column in table.columns() if column.shape.is_nested]
    rows_by_key: dict[str, dict[str, Any]] = {}
    for rows in release.batches(name):
        nested_columns = [(column, plain) for column, plain in nested if column in rows.column_names]
        refs = table.refs(rows)
        if keys is not None:
            is_named = pc.call_function("is_in", [refs], pc.SetLookupOptions(refs_asked_for))
            refs, rows = refs.filter(is_named), rows.filter(is_named)
        for ref, row in zip(refs.to_pylist(), rows.to_pylist(), strict=True):
            for column, plain in nested_columns:
                row[column] = plain(row[column])
            rows_by_key[ref[len(name) + 1 :]] = row
    return rows_by_key


def index_of(release: OpenedRelease, edges: Mapping[str, Mapping[str, Edge]] | None = None) -> CellIndex:
    """Return the rows and model calls that a release's lineage names, `edges` if it is read already."""
    family = families()[release.manifest.family]
    tables = {table.table_name(): table for table in (*family.world_tables, *family.context)}
    file_names = {file.path for file in release.manifest.files}
    keys_by_table = _keys_by_table(edges_by_task(release.rows("lineage")) if edges is None else edges)
    released_keys = {
        name: keys for name, keys in keys_by_table.items() if name in tables and f"{name}.parquet" in file_names
    }
    rows = {name: rows_of(release, tables[name], keys) for name, keys in released_keys.items()}
    calls = (
        row["generation_id"]
        for row in release.rows("generations").to_pylist()
        if generation_id(row["request"].encode(), row["revision"]) == row["generation_id"]
    )
    return CellIndex(release, tables, rows, frozenset(calls))


def _keys_by_table(edges: Mapping[str, Mapping[str, Edge]]) -> dict[str, set[str]]:
    keys_by_table: dict[str, set[str]] = defaultdict(set)
    for table, key, _ in (cell for task_edges in edges.values() for edge in task_edges.values() for cell in edge.cells):
        keys_by_table[table].add(key)
    return keys_by_table
