"""Releases: folders named by the hash of their content, that exist once their manifest does."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from schemas.release import Manifest, ReleasedFile
from schemas.table import Table
from warehouse.cache import folder_of
from warehouse.disk import put_whole
from warehouse.own_key import is_signed, signature
from warehouse.store import Store, StoreError, sha256_of
from warehouse.tables import Tables, TableVersion

MANIFEST = "manifest.json"
PAGE_FILE = "record/report.html"
"""A release's page, below its folder."""

VERSION_CHARACTERS = 16

LATEST_PARTS = 4
"""Of a pointer to a newest release, `<shelf>/<recipe>/<family>/latest`; what else is called so is none."""

MOST_SIGNERS = 8
"""Users of a home who need not make a release again that others made before; what more there are make it again."""


def manifest_bytes(manifest: Manifest) -> bytes:
    """Return what is written of a manifest: its hash is the release's version."""
    return (manifest.model_dump_json(indent=1) + "\n").encode()


def _whose(body: bytes) -> tuple[str, str] | None:
    """Return of which recipe and family a manifest is; None of one that cannot be read."""
    try:
        manifest = json.loads(body)
        return str(manifest["recipe"]), str(manifest["family"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


@dataclass(frozen=True)
class ReleaseRef:
    """Where a release is: its recipe, family, version and folder."""

    recipe: str
    family: str
    version: str
    key: str


class Releases:
    """The releases of a store, under `<shelf>/<recipe>/<family>/<version>/`.

    Public editions, and published folders that were opened, are on shelves of their own.
    """

    def __init__(self, store: Store, tables: Tables, shelf: str = "releases") -> None:
        self._store = store
        self._tables = tables
        self._shelf = shelf

    def publish(
        self,
        draft: Manifest,
        tables: Mapping[str, tuple[type[Table], TableVersion]],
        texts: Mapping[str, bytes],
        record: Mapping[str, bytes],
        fingerprint: str | None = None,
    ) -> tuple[ReleaseRef, bool]:
        """Write a release and return where it is, and whether it is new.

        `tables` and `texts` are the hashed files by name; `record` is kept beside them, unhashed; `fingerprint`, if
        given, stands for everything the release was made from, and finds it again. The manifest, with the files filled
        in, is written last: before that the release does not exist, whenever the writer is killed. A release that is
        there already keeps its record, and what of its files is damaged is written anew.
        """
        files = self.file_descriptions(tables) + [
            ReleasedFile(path=name, sha256=hashlib.sha256(data).hexdigest(), size_bytes=len(data))
            for name, data in texts.items()
        ]
        manifest = draft.model_copy(update={"files": sorted(files, key=lambda f: f.path)})
        body = manifest_bytes(manifest)
        version = hashlib.sha256(body).hexdigest()[:VERSION_CHARACTERS]
        ref = ReleaseRef(draft.recipe, draft.family, version, f"{self._key(draft.recipe, draft.family)}/{version}")
        self._cut_link(ref)
        is_new = not self._store.exists(f"{ref.key}/{MANIFEST}")
        intact_paths = {
            file.path for file in manifest.files if not is_new and self._holds(f"{ref.key}/{file.path}", file.sha256)
        }
        for name, (_, table_version) in tables.items():
            if name not in intact_paths:
                with self._store.scratch() as folder:
                    self._tables.copy_to(table_version, folder / "table")
                    self._store.put_file(f"{ref.key}/{name}", folder / "table")
        for name in texts.keys() - intact_paths:
            self._store.put(f"{ref.key}/{name}", texts[name])
        for name, data in record.items() if is_new else ():
            self._store.put(f"{ref.key}/record/{name}", data)
        if self._store.read_if_there(f"{ref.key}/{MANIFEST}") != body:
            self._store.put(f"{ref.key}/{MANIFEST}", body)
        self.set_latest(ref)
        if fingerprint is not None:
            self._note_made(fingerprint, f"{draft.recipe}/{draft.family}/{version}".encode())
        return ref, is_new

    def _note_made(self, fingerprint: str, pointer: bytes) -> None:
        """Write what was made, signed, and keep the signatures of others who made the same."""
        key, (stated, *signers) = f"released/{fingerprint}", self._made(fingerprint)
        others = [line for line in signers if stated == pointer and not is_signed(key, pointer, line)]
        own = signature(key, pointer)
        lines = [*([own.encode()] if own is not None else []), *others]
        self._store.put(key, b"\n".join([pointer, *lines[:MOST_SIGNERS]]))

    def file_descriptions(self, tables: Mapping[str, tuple[type[Table], TableVersion]]) -> list[ReleasedFile]:
        """Return what a manifest says of each table: its hash, size, rows and columns."""
        return [
            ReleasedFile(
                path=name,
                sha256=version.sha256,
                size_bytes=self._size(version),
                rows=version.rows,
                columns={f.name: str(f.type) for f in table.arrow_schema()},
            )
            for name, (table, version) in tables.items()
        ]

    def made_from(self, fingerprint: str, recipe: str, family: str) -> ReleaseRef | None:
        """Return the recipe's release of the family that was made from inputs with this fingerprint, if any is here.

        A pointer that is damaged, or leads to another's release, is as if never made: both are made again.
        """
        pointer, *_ = self._made(fingerprint)
        whose, _, version = pointer.decode(errors="replace").rpartition("/")
        if whose != f"{recipe}/{family}" or not re.fullmatch(f"[0-9a-f]{{{VERSION_CHARACTERS}}}", version):
            return None
        ref = ReleaseRef(recipe, family, version, f"{self._key(recipe, family)}/{version}")
        return ref if next(self._store.keys(ref.key), None) is not None else None

    def is_made_here(self, fingerprint: str) -> bool:
        """Return whether this user made what was made from inputs with this fingerprint, and has the key still.

        Whoever can write in a home can point to any release.
        """
        pointer, *signers = self._made(fingerprint)
        return any(is_signed(f"released/{fingerprint}", pointer, line) for line in signers[:MOST_SIGNERS])

    def _made(self, fingerprint: str) -> list[bytes]:
        """Return the pointer to what was made, and the signatures of those who made it."""
        return (self._store.read_if_there(f"released/{fingerprint}") or b"").split(b"\n")

    def manifest(self, ref: ReleaseRef) -> Manifest:
        """Return the release's manifest. Raises StoreError if it cannot be read."""
        key = f"{ref.key}/{MANIFEST}"
        try:
            return Manifest.model_validate_json(self._store.read(key))
        except ValidationError:
            raise StoreError(
                f"{self._store.url}/{key}: damaged: found no manifest of this format. Build its recipe again, which "
                "makes the release anew; if that is gone, delete the release's folder."
            ) from None

    def latest(self, recipe: str, family: str) -> ReleaseRef | None:
        """Return the newest release of a recipe's family, or None.

        Raises StoreError if the pointer to it is damaged, or leads to a release of something else. It is not taken as
        absent: the next release would then be compared with none.
        """
        version = self.latest_version(recipe, family)
        if version is None:
            return None
        ref = ReleaseRef(recipe, family, version, f"{self._key(recipe, family)}/{version}")
        body = self._store.read_if_there(f"{ref.key}/{MANIFEST}")
        if body is None:
            return None
        whose = _whose(body)
        if whose not in (None, (recipe, family)):
            raise StoreError(
                f"{self._store.url}/{ref.key}: found a release of {'/'.join(whose)[:80]!r}, expected one of "
                f"{recipe}/{family}. Delete that folder and {self._key(recipe, family)}/latest, and build the recipe "
                "again."
            )
        return ref

    def latest_version(self, recipe: str, family: str) -> str | None:
        """Return how the newest release is called, which may be gone; None if none was made. Raises as `latest`."""
        key = f"{self._key(recipe, family)}/latest"
        data = self._store.read_if_there(key)
        if data is None:
            return None
        version = data.decode(errors="replace")
        if not re.fullmatch(f"[0-9a-f]{{{VERSION_CHARACTERS}}}", version):
            versions = self.versions(recipe, family)
            such = f", such as {versions[0]}" if versions else ""
            raise StoreError(
                f"{self._store.url}/{key}: found {version[:80]!r}, expected a version of {VERSION_CHARACTERS} hex "
                f"digits{such}. Write the newest release's there, or delete the file: the next release is then "
                "compared with none."
            )
        return version

    def versions(self, recipe: str, family: str) -> list[str]:
        """Return the versions of every release of a recipe's family that is here."""
        return sorted(ref.version for ref in self.find("") if (ref.recipe, ref.family) == (recipe, family))

    def set_latest(self, ref: ReleaseRef) -> None:
        """Make this the newest release of its recipe's family."""
        key, version = f"{self._key(ref.recipe, ref.family)}/latest", ref.version.encode()
        if self._store.read_if_there(key) != version:
            self._store.put(key, version)

    def remove(self, ref: ReleaseRef) -> None:
        """Take a release away, its manifest first: from then on it does not exist.

        Of a folder that is a link only the link goes: what it leads to is somebody's own.
        """
        if self._cut_link(ref):
            return
        self._store.delete(f"{ref.key}/{MANIFEST}")
        for key in list(self._store.keys(ref.key)):
            self._store.delete(key)

    def _cut_link(self, ref: ReleaseRef) -> bool:
        """Take away a link that stands in a release's place, and return whether there was one.

        Through it, files would be written and deleted outside of the home.
        """
        folder = self._store.folder(ref.key)
        if folder is None or not folder.is_symlink():
            return False
        folder.unlink()
        return True

    def all_latest(self) -> list[ReleaseRef]:
        """Return the newest release of every recipe and family. Raises StoreError for a pointer that leads to none."""
        releases = []
        parts = [key.split("/") for key in self._store.keys(self._shelf)]
        for _, recipe, family, _ in [part for part in parts if len(part) == LATEST_PARTS and part[-1] == "latest"]:
            newest = self.latest(recipe, family)
            key = f"{self._key(recipe, family)}/latest"
            if newest is None:
                raise StoreError(
                    f"{self._store.url}/{key}: found a version that is not there; expected one with its {MANIFEST}. "
                    "Build its recipe again, which makes a newest release, or delete the file."
                )
            releases.append(newest)
        return releases

    def find(self, version: str) -> list[ReleaseRef]:
        """Return every release whose version starts with the text."""
        releases = []
        for key in self._store.keys(self._shelf):
            parts = key.split("/")
            if len(parts) == 5 and parts[4] == MANIFEST and parts[3].startswith(version):
                releases.append(ReleaseRef(parts[1], parts[2], parts[3], "/".join(parts[:4])))
        return releases

    def folder(self, ref: ReleaseRef) -> Path:
        """Return the release's local folder; of a bucket a copy that this machine keeps, brought up to date now."""
        folder = self._store.folder(ref.key)
        return folder if folder is not None else self._local_copy(ref)

    def _local_copy(self, ref: ReleaseRef) -> Path:
        """Return a copy of a release of a bucket.

        What was copied before is copied again where its bytes are not those that the bucket's manifest names, or, of
        what no manifest names, where the bucket has another number of them.
        """
        folder, hashes = folder_of(self._store.url, ref.key), self._hashes(ref)
        for key in self._store.keys(ref.key):
            name = key.removeprefix(f"{ref.key}/")
            path = folder / name
            if path.is_file():
                sha256 = hashes.get(name)
                if sha256_of(path) == sha256 if sha256 else path.stat().st_size == self._store.size(key):
                    continue
            path.parent.mkdir(parents=True, exist_ok=True)
            with self._store.local(key) as fetched:
                put_whole(path, fetched.read_bytes(), f"the copy of {name}")
        return folder

    def _hashes(self, ref: ReleaseRef) -> dict[str, str]:
        """Return the hashes of a release's files, its manifest among them; none of a manifest that cannot be read."""
        data = self._store.read_if_there(f"{ref.key}/{MANIFEST}")
        if data is None:
            return {}
        hashes = {MANIFEST: hashlib.sha256(data).hexdigest()}
        try:
            return hashes | {file.path: file.sha256 for file in Manifest.model_validate_json(data).files}
        except ValueError:  # whoever opens the release says so
            return hashes

    def _key(self, recipe: str, family: str) -> str:
        return f"{self._shelf}/{recipe}/{family}"

    def _holds(self, key: str, sha256: str) -> bool:
        """Return whether a file is there with the bytes that it should have."""
        if not self._store.exists(key):
            return False
        with self._store.local(key) as path:
            return sha256_of(path) == sha256

    def _size(self, version: TableVersion) -> int:
        with self._store.local(version.key) as path:
            return path.stat().st_size
