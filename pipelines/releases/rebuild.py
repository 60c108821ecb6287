"""A release built again from its recipe, its lock and the raw files alone, and held against what was released.

An audit reads from a release's own files what they bear out of each other. What was computed before there were such
files, from ratings of reviews to rows that were dropped, is borne out by computing it again.
"""

from __future__ import annotations

import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from assets.families import families
from assets.release.reading import OpenedRelease, ReleaseError, open_release, require_ours
from pipelines.releases.complete import built_from_lock
from pipelines.releases.differences import differences
from pipelines.releases.judging import Judging
from pipelines.walk.fingerprint import Code
from pipelines.walk.listener import NOBODY, Listener
from pipelines.walk.locks import read_lock
from pipelines.walk.recipes import load_recipe
from pipelines.walk.router import require_router
from schemas.counts import counted
from schemas.recipe import RecipeLock
from warehouse.cache import folder_of
from warehouse.home import Home

REBUILT_KEY = "rebuilt"
"""Where a home keeps, while they are needed, the empty homes in which a cluster's workers build releases again."""


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
