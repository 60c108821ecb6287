"""Writing a release in its family's published shape, into a folder that holds all of it or nothing."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path, PurePosixPath

from assets.family import ReleaseTables, families
from assets.release.reading import OpenedRelease, ReleaseError


def release_tables(release: OpenedRelease) -> ReleaseTables:
    """Return the release's tables by the names their family declares."""
    family = families()[release.manifest.family]
    named = {family.tasks: "tasks", family.certificates: "certificates", family.lineage: "lineage"}
    tables = (*named, *family.context)
    return ReleaseTables({t.table_name(): t.frame(release.rows(named.get(t, t.table_name()))) for t in tables})


def export_release(release: OpenedRelease, family_name: str, folder: Path) -> dict[str, int]:
    """Write the published files below `folder` and return their sizes in bytes by relative path.

    Raises ReleaseError if the release is of another family or the folder is not empty.
    """
    if family_name != release.manifest.family:
        raise ReleaseError(
            f"the release is of family {release.manifest.family}, not {family_name!r}; use its own format"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ReleaseError(f"{folder}: found something there; expected an empty folder or none. Name another.")
    files = families()[family_name].export(release_tables(release))
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".export-"))
    try:
        for name, data in files.items():
            path = unfinished.joinpath(*PurePosixPath(name).parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        unfinished.chmod(0o755)
        os.replace(unfinished, folder)  # noqa: PTH105
    except OSError:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    return {name: len(data) for name, data in files.items()}
