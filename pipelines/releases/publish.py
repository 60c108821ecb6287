"""Sending a release to where others get it: a folder, an object store, or the Hugging Face Hub.

Whatever the target: what is there already is not sent again, every file is compared with its hash after it was sent,
and the manifest goes last, so that what a killed transfer leaves is no release. What a licence forbids is not sent.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from assets.release.audit_said import forbidden_values, licences_otherwise
from assets.release.licences import computed_licence, sharing_problems
from assets.release.reading import OpenedRelease, ReleaseError, file_problems, require_ours
from assets.release.withholding import PICTURES
from schemas.counts import counted
from schemas.extras import require
from warehouse.backends import is_store
from warehouse.disk import writing
from warehouse.releases import MANIFEST
from warehouse.snapshots import Snapshots
from warehouse.store import Store, sha256_of

HUB = "hf://datasets/"
HUB_VARIABLE = "HF_TOKEN"
"""The environment variable that holds the Hub's token."""
HUB_OWN = (".gitattributes",)
"""Files that the Hub puts into every repository itself."""


class Target(Protocol):
    """Where a release goes."""

    def names(self) -> set[str]:
        """Return the names of the files that are there."""
        ...

    def holds(self, name: str, path: Path) -> bool:
        """Return whether the file is there with the same bytes, told by what is stored there."""
        ...

    def send(self, name: str, path: Path) -> None:
        """Put the file there, as one step."""
        ...

    def sweep(self) -> None:
        """Take away what a killed transfer left half sent."""
        ...


@dataclass
class Sending:
    """What a release would send or has sent: each file's size in bytes, what is there already, and the licence."""

    release: str
    target: str
    licence: str
    files: dict[str, int]
    already_there: list[str] = field(default_factory=list)
    sent: list[str] = field(default_factory=list)
    is_done: bool = False

    @property
    def bytes_to_send(self) -> int:
        """Return the size of what is not there yet."""
        return sum(size for name, size in self.files.items() if name not in self.already_there)

    def as_json(self) -> dict[str, Any]:
        """Return what `publish` answers under `--json`."""
        return {**vars(self), "bytes_to_send": self.bytes_to_send}


def open_target(text: str) -> Target:
    """Return the target of a folder's path, a bucket's address, or `hf://datasets/USER/NAME`.

    Raises ReleaseError for an address of another kind.
    """
    if not text.startswith(HUB) and not is_store(text):
        raise ReleaseError(f"{text}: expected a folder, s3://BUCKET/PREFIX or {HUB}USER/NAME")
    return _Hub(text.removeprefix(HUB)) if text.startswith(HUB) else _Stored(text)


def publish(
    release: OpenedRelease,
    target: Target,
    name: str,
    snapshots: Snapshots,
    *,
    do: bool = False,
    say: Callable[[str], None] = lambda _: None,
) -> Sending:
    """Return what publishing would send; with `do`, send it and verify it.

    Raises ReleaseError if the release is damaged, if a licence forbids sharing a part of it, if the target holds
    another release or files that are not of this one, if what arrived is not what was sent, or if the release is a
    published folder that was opened.
    """
    require_ours(release, "published: it is not ours to pass on")
    problems = file_problems(release)
    if problems:
        raise ReleaseError("not published; the release is not whole:\n" + "\n".join(f"  - {p}" for p in problems))
    forbidden = sharing_problems(release.manifest) or [
        *licences_otherwise(release.manifest),
        *forbidden_values(release, snapshots),
    ]
    if forbidden:
        listed = "\n".join(f"  - {problem}" for problem in forbidden)
        raise ReleaseError(
            f"not published; it holds what may not be shared:\n{listed}\n"
            "Publish its public edition instead: `tripwright build RECIPE --public --withhold` makes it."
        )
    paths = _pictures(release) | {file.path: release.folder / file.path for file in release.manifest.files}
    paths[MANIFEST] = release.folder / MANIFEST  # the last: a release exists once its manifest does
    others = sorted(target.names() - set(paths))
    if others:
        raise ReleaseError(
            f"{name}: found {counted(len(others), 'file')} of something else, such as {', '.join(others[:3])}; "
            "expected none. Name an empty target, or remove them."
        )
    sending = Sending(
        release=release.version,
        target=name,
        licence=computed_licence(release.manifest),
        files={path: source.stat().st_size for path, source in paths.items()},
        already_there=[path for path, source in paths.items() if target.holds(path, source)],
    )
    _require_ours(target, paths, name, release.version)
    if not do:
        return sending
    target.sweep()
    for path, source in paths.items():
        if path in sending.already_there:
            continue
        _require_ours(target, paths, name, release.version)  # another may have been published there meanwhile
        if path == MANIFEST:
            _require_all(target, {p: s for p, s in paths.items() if p != MANIFEST}, name)
        say(f"{path}, {sending.files[path]:,} bytes")
        target.send(path, source)
        sending.sent.append(path)
    _require_all(target, paths, name)
    sending.is_done = True
    return sending


def _pictures(release: OpenedRelease) -> dict[str, Path]:
    """Return the maps of the release's cities, which its card shows and no hash holds; none of what is withheld.

    Raises ReleaseError for one that is a link: what it leads to is none of the release's.
    """
    cities = [] if release.manifest.lacking_tables else release.manifest.cities
    names = (f"{PICTURES}{city['city_id']}.png" for city in cities)
    paths = {name: release.folder / name for name in names if (release.folder / name).is_file()}
    links = [name for name, path in paths.items() if path.resolve() != release.folder.resolve() / name]
    if links:
        raise ReleaseError(f"not published; {', '.join(links)}: a link that leads out of its place; expected a picture")
    return paths


def _require_ours(target: Target, paths: dict[str, Path], name: str, version: str) -> None:
    """Raise ReleaseError if the target has the manifest of another release."""
    if MANIFEST in target.names() and not target.holds(MANIFEST, paths[MANIFEST]):
        raise ReleaseError(
            f"{name}: found the manifest of another release; expected none. A release is never put over another: who "
            f"reads there would get files of both. Name an empty target, such as one that ends in {version}."
        )


def _require_all(target: Target, paths: dict[str, Path], name: str) -> None:
    wrong = [path for path, source in paths.items() if not target.holds(path, source)]
    if wrong:
        raise ReleaseError(
            f"{name}: {', '.join(wrong[:5])} did not arrive as sent ({counted(len(wrong), 'file')}); the manifest goes "
            "last, and only then. Publish again: what is whole there is not sent again."
        )


class _Stored:
    """A folder or bucket; each file is read back and its hash compared."""

    def __init__(self, url: str) -> None:
        self._store = Store(url)

    def names(self) -> set[str]:
        return set(self._store.all_keys())

    def holds(self, name: str, path: Path) -> bool:
        if not self._store.exists(name) or self._store.size(name) != path.stat().st_size:
            return False
        with self._store.local(name) as stored:
            return sha256_of(stored) == sha256_of(path)

    def send(self, name: str, path: Path) -> None:
        with self._store.scratch() as folder:
            copy = folder / "file"
            with writing(f"the release's {name}", folder, size_bytes=path.stat().st_size):
                shutil.copyfile(path, copy)
            self._store.put_file(name, copy)

    def sweep(self) -> None:
        self._store.sweep_scratch()


class _Hub:
    """A dataset repository of the Hugging Face Hub; hashes are those that the Hub computed of what it stored."""

    def __init__(self, repository: str) -> None:
        if repository.count("/") != 1 or not all(repository.split("/")):
            raise ReleaseError(f"{HUB}{repository}: expected {HUB}USER/NAME")
        token = os.environ.get(HUB_VARIABLE)
        if not token:
            raise ReleaseError(
                f"${HUB_VARIABLE} is not set; expected a token of the Hugging Face Hub that may write {repository}"
            )
        require("hub")
        from huggingface_hub import HfApi

        self._api = HfApi(token=token, endpoint=os.environ.get("HF_ENDPOINT"))
        self._repository = repository
        self._there: dict[str, tuple[int, str]] | None = None

    def names(self) -> set[str]:
        return set(self._files()) - set(HUB_OWN)

    def holds(self, name: str, path: Path) -> bool:
        size, stored = self._files().get(name, (-1, ""))
        return size == path.stat().st_size and stored in (sha256_of(path), _git_blob(path))

    def send(self, name: str, path: Path) -> None:
        self._api.create_repo(self._repository, repo_type="dataset", exist_ok=True)
        self._api.upload_file(
            path_or_fileobj=path,
            path_in_repo=name,
            repo_id=self._repository,
            repo_type="dataset",
            commit_message=f"Add {name}",
        )
        self._there = None

    def sweep(self) -> None:
        """The Hub keeps nothing that is half sent."""

    def _files(self) -> dict[str, tuple[int, str]]:
        """Return size and hash of each file there; none where the repository is not made yet."""
        from huggingface_hub.errors import RepositoryNotFoundError
        from huggingface_hub.hf_api import RepoFile

        if self._there is None:
            try:
                entries = list(self._api.list_repo_tree(self._repository, repo_type="dataset", recursive=True))
            except RepositoryNotFoundError:
                entries = []
            files = [entry for entry in entries if isinstance(entry, RepoFile)]
            self._there = {f.path: (f.size, f.lfs.sha256 if f.lfs else f.blob_id) for f in files}
        return self._there


def _git_blob(path: Path) -> str:
    """Return the name that git gives a file's bytes."""
    data = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
