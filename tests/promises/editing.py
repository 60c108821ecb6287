"""A release with rows changed and sealed again, as whoever has write access could do it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from assets.families import families
from assets.release import card, croissant
from assets.release.audit_said import public_tables, whole_tables
from assets.release.exporting import released_tables
from assets.release.reading import unverified_release
from schemas.release import Manifest
from schemas.table import TableError
from warehouse.releases import manifest_bytes
from warehouse.store import Store, sha256_of
from warehouse.tables import Tables

Rows = list[dict[str, Any]]


def edited(release: Path, into: Path, changes: Mapping[str, Callable[[Rows], Rows]]) -> Path:
    """Return a copy of a release, below `into`, with tables changed and every hash in its manifest made anew."""
    folder = shutil.copytree(release, into / "edited", ignore=shutil.ignore_patterns("record"))
    for name, change in changes.items():
        path = folder / f"{name}.parquet"
        table = pq.read_table(path)
        written(folder, name, pa.Table.from_pylist(change(table.to_pylist()), schema=table.schema))
    return sealed(folder)


def written(folder: Path, name: str, rows: pa.Table) -> None:
    """Write a table of a release as tripwright does; rows that no declaration takes, in whatever way there is."""
    manifest = unverified_release(folder).manifest
    declared = released_tables(families()[manifest.family])
    table = declared.get(f"{name}.parquet", declared["tasks.parquet"])
    try:
        with TemporaryDirectory() as kept:
            tables = Tables(Store(kept))
            tables.copy_to(tables.write(table, rows), folder / f"{name}.parquet")
    except TableError:
        pq.write_table(rows, folder / f"{name}.parquet")


def sealed(
    folder: Path, texts: Mapping[str, bytes] | None = None, change: Callable[[dict[str, Any]], None] | None = None
) -> Path:
    """Return the folder with other texts, its manifest changed, and every hash and count in it made anew."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for name, data in (texts or {}).items():
        (folder / name).write_bytes(data)
        if name not in {file["path"] for file in manifest["files"]}:
            manifest["files"].append({"path": name})
    for file in manifest["files"]:
        file["sha256"] = sha256_of(folder / file["path"])
        file["size_bytes"] = (folder / file["path"]).stat().st_size
        if file["path"].endswith(".parquet"):
            file["rows"] = pq.ParquetFile(folder / file["path"]).metadata.num_rows
    if change is not None:
        change(manifest)
    try:
        body = manifest_bytes(Manifest.model_validate(manifest))
    except ValidationError:  # what no manifest says
        body = json.dumps(manifest).encode()
    (folder / "manifest.json").write_bytes(body)
    return folder


def described_anew(folder: Path) -> Path:
    """Return a sealed release with the card and the description that its manifest and its files make."""
    release = unverified_release(folder)
    is_whole = release.manifest.withheld is None
    described = {file.path: file for file in release.manifest.files}
    declared = whole_tables(release) if is_whole else public_tables(release)
    tables = {name: table for name, table in declared.items() if name in described}
    parquet = [described[name] for name in tables]
    texts = {
        "README.md": card.dataset_card(
            release.manifest,
            {file.path: file.rows or 0 for file in parquet},
            release.rows("tasks"),
            release.rows("certificates"),
        ).encode(),
        croissant.FILE_NAME: croissant.croissant(release.manifest, tables, parquet),
    }
    return sealed(folder, texts)
