"""A release built again from its recipe, its lock and the raw files alone, and held against what was released.

An audit reads from a release's own files what they bear out of each other. What was computed before there were such
files, from ratings of reviews to rows that were dropped, is borne out by computing it again.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assets.families import families
from assets.release.exporting import released_tables
from assets.release.reading import PUBLISHED, OpenedRelease, ReleaseError, open_release, require_ours
from pipelines.releases.complete import built_from_lock
from pipelines.releases.judging import Judging
from pipelines.releases.open import UNKNOWN_LICENCE, open_published
from pipelines.walk.fingerprint import Code
from pipelines.walk.listener import NOBODY, Listener
from pipelines.walk.locks import read_lock
from pipelines.walk.recipes import load_recipe
from pipelines.walk.router import require_router
from schemas.counts import counted
from schemas.recipe import RecipeLock
from schemas.table import Table
from warehouse.cache import folder_of
from warehouse.home import Home
from warehouse.releases import MANIFEST

REBUILT_KEY = "rebuilt"
"""Where a home keeps, while they are needed, the empty homes in which a cluster's workers build releases again."""

SHOWN = 3
"""Rows of a file, and columns of a row, that are named; of the others, how many."""


def rebuilt_otherwise(
    release: OpenedRelease,
    home: Home,
    recipe: Path,
    *,
    no_install: bool = False,
    listener: Listener = NOBODY,
    scheduler: str | None = None,
) -> list[str]:
    """Return what of a release comes out otherwise when its recipe is built in an empty home; nothing if it is equal.

    That home has the raw files and the recorded model calls of the given one and nothing else that was ever made; it is
    a temporary folder, or, for the workers of a Dask `scheduler`, a part of the given home, and goes. Raises
    ReleaseError naming every raw file or model call that is not here, or what keeps the build from a release; for a
    public edition, which lacks values; and for a folder that was opened.
    """
    require_ours(release, "built again")
    if release.manifest.withheld is not None:
        raise ReleaseError(f"{release.version}: lacks values for their licences; `tripwright complete` builds it again")
    loaded, lock = load_recipe(recipe, families()), read_lock(recipe.with_suffix(".lock.json"))
    if lock is None:
        raise ReleaseError(f"{recipe}: found no lock beside it; expected the recipe that the release was built from")
    with _empty_home(home if scheduler else None) as empty:
        _take_raw(empty, home, lock)
        require_router(loaded, lock, no_install, listener.say)
        how = {"judging": Judging(scheduler=scheduler), "no_install": no_install}
        with empty.building():
            rebuilt = built_from_lock(empty, loaded, lock, release.manifest, Code(), listener.report, **how)
        if rebuilt.ref.version == release.version:
            return []
        return list(differences(release, open_release(empty.releases.folder(rebuilt.ref))))


def reopened_otherwise(release: OpenedRelease) -> list[str]:
    """Return what of an opened folder's release comes out otherwise when the files in it are opened again.

    Raises ReleaseError for a release of ours, and SourceError where the files are not as published.
    """
    manifest = release.manifest
    if manifest.opened is None:
        raise ReleaseError(f"{release.version} is no published folder that was opened; name its recipe with --recipe")
    licences = {snapshot.licence_id for snapshot in manifest.inputs} - {UNKNOWN_LICENCE}
    with tempfile.TemporaryDirectory(prefix="tripwright-") as folder:
        empty, published = Home(str(Path(folder) / "home")), release.folder / PUBLISHED
        family = families()[manifest.family]
        reopened = open_published(empty, family, published, next(iter(sorted(licences)), None), manifest.opened.origin)
        return list(differences(release, open_release(empty.opened.folder(reopened.ref))))


@contextmanager
def _empty_home(within: Home | None) -> Iterator[Home]:
    """Yield an empty home, a temporary folder or a part of another home, which is gone afterwards.

    That other home is held against `gc`, which frees what a killed audit left in it.
    """
    if within is None:
        with tempfile.TemporaryDirectory(prefix="tripwright-") as folder:
            yield Home(str(Path(folder) / "home"))
        return
    key = f"{REBUILT_KEY}/{uuid.uuid4().hex}"
    empty = Home(f"{within.url}/{key}")
    with within.building():
        try:
            yield empty
        finally:
            for leftover_key in list(within.store.keys(key)):
                within.store.delete(leftover_key)
            for folder in (within.store.folder(key), folder_of(empty.url, "raw").parent):
                if folder is not None:
                    shutil.rmtree(folder, ignore_errors=True)


def _take_raw(empty: Home, home: Home, lock: RecipeLock) -> None:
    """Copy into an empty home what a build starts from. Raises ReleaseError naming every file that is not here."""
    files = {snapshot.sha256: snapshot for snapshot in lock.snapshots}
    lacking = [snapshot for sha256, snapshot in files.items() if not home.snapshots.holds(sha256)]
    if lacking:
        listed = "\n".join(f"  - {s.location} ({s.source}.{s.role}, sha256 {s.sha256})" for s in lacking)
        raise ReleaseError(f"cannot be built again: not in {home.url}: {counted(len(lacking), 'raw file')}:\n{listed}")
    for snapshot in files.values():
        with home.snapshots.open(snapshot) as path:
            empty.snapshots.add(path)
    for record in home.ledger.records():
        fields = {name: value for name, value in record.items() if name not in ("key", "request")}
        empty.ledger.add(request=record["request"].encode(), **fields)
    empty.ledger.close()


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
