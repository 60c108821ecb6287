"""A release with rows changed and sealed again, as whoever has write access could do it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from warehouse.store import sha256_of

Rows = list[dict[str, Any]]


def edited(release: Path, into: Path, changes: Mapping[str, Callable[[Rows], Rows]]) -> Path:
    """Return a copy of a release, below `into`, with tables changed and every hash in its manifest made anew."""
    folder = shutil.copytree(release, into / "edited", ignore=shutil.ignore_patterns("record"))
    for name, change in changes.items():
        path = folder / f"{name}.parquet"
        table = pq.read_table(path)
        pq.write_table(pa.Table.from_pylist(change(table.to_pylist()), schema=table.schema), path)
    return sealed(folder)


def sealed(
    folder: Path, texts: Mapping[str, bytes] | None = None, change: Callable[[dict[str, Any]], None] | None = None
) -> Path:
    """Return the folder with other texts, its manifest changed, and every hash in it made anew."""
    manifest = json.loads((folder / "manifest.json").read_text())
    for name, data in (texts or {}).items():
        (folder / name).write_bytes(data)
        if name not in {file["path"] for file in manifest["files"]}:
            manifest["files"].append({"path": name})
    for file in manifest["files"]:
        file["sha256"] = sha256_of(folder / file["path"])
        file["size_bytes"] = (folder / file["path"]).stat().st_size
    if change is not None:
        change(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder
