"""One of two releases that are compared: what its manifest says, its rows by key, and the code that made it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from assets.families import families
from assets.release.reading import OpenedRelease
from schemas.release import Manifest

if TYPE_CHECKING:
    import pyarrow as pa


Row = dict[str, Any]

UNPUBLISHED = "this release"
"""Stands for the version of a release about to be published: what says how it differs is a part of it."""


@dataclass(frozen=True)
class Side:
    """A release, on disk or about to be published. `code` is the hash of each step's code, None if it is not known."""

    manifest: Manifest
    version: str
    read: Callable[[str], pa.Table]
    hashes: dict[str, str]
    code: dict[str, str] | None

    def rows(self, name: str, key: tuple[str, ...]) -> dict[str, Row]:
        """Return a table's rows by `key/key/…`; none if the release has no such table.

        Of a release that was made when the table had another key no row is one of today's: they are numbered.
        """
        if f"{name}.parquet" not in self.hashes:
            return {}
        table = self.read(name)
        if not {*key} <= {*table.column_names}:
            return {f"row of another key/{number}": row for number, row in enumerate(table.to_pylist())}
        return {"/".join(str(row[k]) for k in key): row for row in table.to_pylist()}


def opened_side(release: OpenedRelease) -> Side:
    """Return a release on disk as a side."""
    # Of an opened folder nothing was built: it is what it is.
    code = release.build_record.code if release.manifest.opened is None else {}
    hashes = {f.path: f.sha256 for f in release.manifest.files}
    return Side(release.manifest, release.version, release.rows, hashes, code)


@cache
def fact_tables(family_name: str) -> dict[str, tuple[str, ...]]:
    """Return the key of each table that a family's tasks are made from, without those made for each task."""
    family = families()[family_name]
    context = (*family.world_tables, *family.context)
    return {t.table_name(): t.key() for t in context if "task_id" not in {c.name for c in t.columns()}}
