"""The checks of an audit that take long, as jobs for a process each: one raw file, or some of the witnesses."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from assets.family import LazyFrames, ReleaseTables, families
from assets.release.exporting import release_tables
from assets.release.reading import open_release
from assets.step import RawFile
from schemas.source import Snapshot
from sources.locate import raw_records
from warehouse.snapshots import Snapshots
from warehouse.store import Store, StoreError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class RawJob:
    """One raw file to verify, and by locator the names that rows have from there."""

    store_url: str
    snapshot: Snapshot
    names: dict[str, list[str]]


@dataclass
class RawFound:
    """What a raw file holds: the locators that lead somewhere, and the (locator, name) pairs that stand there."""

    problem: str = ""
    records: set[str] = field(default_factory=set)
    standing: set[tuple[str, str]] = field(default_factory=set)


def check_raw(job: RawJob) -> RawFound:
    """Return what a raw file holds of what is looked for, its bytes verified against its hash."""
    try:
        with Snapshots(Store(job.store_url)).open(job.snapshot) as path:
            texts = raw_records(RawFile(job.snapshot, path), job.names)
    except StoreError as error:
        return RawFound(problem=str(error))
    pairs = ((where, name) for where, text in texts.items() for name in job.names[where] if _holds_text(text, name))
    return RawFound("", set(texts), set(pairs))


def check_witnesses(folder: Path, task_ids: list[str]) -> dict[str, list[str]]:
    """Return what the family's independent checker says of the witnesses of some tasks: violations by task."""
    release = open_release(folder)
    family = families()[release.manifest.family]
    whole = release_tables(release)
    mine = {family.tasks.table_name(), family.certificates.table_name()}

    def frame(name: str) -> pd.DataFrame:
        rows = whole.tables[name]
        return rows[rows["task_id"].isin(task_ids)].reset_index(drop=True) if name in mine else rows

    frames = LazyFrames({name: partial(frame, name) for name in whole.tables})
    return family.recheck(ReleaseTables(frames, whole.section))


def _holds_text(raw: str, value: str) -> bool:
    """Return whether a raw record holds the value, as written or as a JSON string."""
    escaped = json.dumps(value)[1:-1]
    return value in raw or escaped in raw or json.dumps(value, ensure_ascii=False)[1:-1] in raw
