"""Writing a release in its family's published shape, into a folder that holds all of it or nothing."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from assets.family import ReleaseTables, families
from assets.release.reading import OpenedRelease, ReleaseError

if TYPE_CHECKING:
    import pandas as pd


class _Frames(Mapping[str, "pd.DataFrame"]):
    """The release's tables by the names their family declares, each read when it is first asked for."""

    def __init__(self, release: OpenedRelease):
        family = families()[release.manifest.family]
        named = {family.tasks: "tasks", family.certificates: "certificates", family.lineage: "lineage"}
        self._release = release
        self._files = {t.table_name(): (t, named.get(t, t.table_name())) for t in (*named, *family.context)}
        self._read: dict[str, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self._read:
            table, file = self._files[name]
            self._read[name] = table.frame(self._release.rows(file))
        return self._read[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def release_tables(release: OpenedRelease) -> ReleaseTables:
    """Return the release's tables by the names their family declares, and its section of the recipe."""
    return ReleaseTables(_Frames(release), release.manifest.section)


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
        sizes = {name: _write(unfinished.joinpath(*PurePosixPath(name).parts), data) for name, data in files.items()}
        unfinished.chmod(0o755)
        os.replace(unfinished, folder)  # noqa: PTH105
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    return sizes


def _write(path: Path, data: bytes | Iterable[bytes]) -> int:
    """Write a file whole or piece by piece and return its size, bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.writelines([data] if isinstance(data, bytes) else data)
    return path.stat().st_size
