"""Raw files by content hash: the bytes that everything is traced to. Verified on every read, never changed."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from schemas.source import Snapshot, SourceError
from warehouse.cache import folder_of
from warehouse.disk import writing
from warehouse.store import CHUNK_BYTES, Store, StoreError, sha256_of

SEEN = "raw/seen.json"
RACY_NS = 2_000_000_000


def _seen_of(data: bytes | None) -> dict[str, list[Any]]:
    """Return what was hashed before, by path: nothing where the memory is damaged, which is then made anew."""
    try:
        memory = json.loads(data) if data else {}
    except (ValueError, RecursionError):
        return {}
    entries = memory.items() if isinstance(memory, dict) else ()
    return {path: entry for path, entry in entries if _is_seen(entry)}


def _is_seen(entry: Any) -> bool:
    """Return whether an entry is size, time, inode and hash."""
    is_four = isinstance(entry, list) and len(entry) == 4
    return is_four and all(type(n) is int for n in entry[:3]) and bool(re.fullmatch("[0-9a-f]{64}", str(entry[3])))


class Snapshots:
    """The raw store: `raw/<first two>/<sha256>`, and a memory of files already hashed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._memory = folder_of(store.url, "raw") / "seen.json"
        self._hashed_files = self._remembered_files()
        self._is_one_of_many = self._is_changed = False

    @property
    def url(self) -> str:
        """Return the store's url, from which another process opens the same store."""
        return self._store.url

    def add(self, path: Path) -> tuple[str, int, str]:
        """Copy a file's bytes into the store; return its sha256, size in bytes and modification time (UTC, ISO 8601).

        A file whose path, size and modification time were seen before is not read again.
        Raises SourceError if the file is missing, empty, or changes while it is read.
        """
        if path.is_dir():
            raise SourceError(f"{path}: found a folder; expected a file. Name one in it, or several, in the recipe.")
        if not path.is_file():
            raise SourceError(f"{path}: found no file; expected one here. Put it there, or name another in the recipe.")
        before = path.stat()
        modified = dt.datetime.fromtimestamp(before.st_mtime, dt.UTC).replace(microsecond=0).isoformat()
        if before.st_size == 0:
            raise SourceError(f"{path}: found an empty file; expected the provider's rows. Get it again.")
        identity = [before.st_size, before.st_mtime_ns, before.st_ino]
        record = self._hashed_files.get(str(path.resolve()))
        if record and record[:3] == identity and self._store.exists(_key(record[3])):
            return record[3], before.st_size, modified
        with self._store.scratch() as folder:
            copy = folder / "raw"
            digest = hashlib.sha256()
            disk_errors = writing(f"a copy of the source file {path.name}", folder, size_bytes=before.st_size)
            with disk_errors, path.open("rb") as source, copy.open("wb") as target:
                while chunk := source.read(CHUNK_BYTES):
                    digest.update(chunk)
                    target.write(chunk)
            after = path.stat()
            if [after.st_size, after.st_mtime_ns, after.st_ino] != identity:
                raise SourceError(f"{path}: changed while it was read. Wait until it is complete, then build again.")
            sha256 = digest.hexdigest()
            if not self._store.exists(_key(sha256)):
                self._store.put_file(_key(sha256), copy)
        now_ns = int(dt.datetime.now(dt.UTC).timestamp() * 1e9)
        if now_ns - before.st_mtime_ns > RACY_NS:
            self._hashed_files[str(path.resolve())] = [*identity, sha256]
            self._is_changed = True
            if not self._is_one_of_many:
                self._remember()
        return sha256, before.st_size, modified

    @contextmanager
    def adding_many(self) -> Iterator[None]:
        """Write the memory of hashed files once, at the end, and not after each file that is added inside the `with`.

        A process that is killed meanwhile hashes them again.
        """
        self._is_one_of_many = True
        try:
            yield
        finally:
            self._is_one_of_many = False
            if self._is_changed:
                self._remember()

    def sha256_of(self, path: Path) -> str:
        """Return the sha256 of a file, from memory if it was hashed before and is as it was then; nothing is kept."""
        state = path.stat()
        record = self._hashed_files.get(str(path.resolve()))
        if record and record[:3] == [state.st_size, state.st_mtime_ns, state.st_ino]:
            return record[3]
        return sha256_of(path)

    def _remembered_files(self) -> dict[str, list[Any]]:
        """Return the files that this machine hashed before: of its own paths, so kept beside a bucket, not in it."""
        if self._store.is_local:
            data = self._store.read_if_there(SEEN)
        else:
            data = self._memory.read_bytes() if self._memory.is_file() else None
        return _seen_of(data)

    def _remember(self) -> None:
        self._is_changed = False
        data = json.dumps(self._hashed_files, sort_keys=True).encode()
        if self._store.is_local:
            self._store.put(SEEN, data)
            return
        self._memory.parent.mkdir(parents=True, exist_ok=True)
        partial = self._memory.with_suffix(f".{os.getpid()}")
        partial.write_bytes(data)
        partial.replace(self._memory)

    def holds(self, sha256: str) -> bool:
        """Return whether the bytes are here (not whether they are intact)."""
        return self._store.exists(_key(sha256))

    def size_bytes(self, sha256: str) -> int:
        """Return how many bytes a file has that is here."""
        return self._store.size(_key(sha256))

    @contextmanager
    def open(self, snapshot: Snapshot) -> Iterator[Path]:
        """Yield a local path to the snapshot's bytes, verified against its hash.

        Raises StoreError naming the file if the bytes are missing or have changed.
        """
        if not self.holds(snapshot.sha256):
            raise StoreError(
                f"the raw file {snapshot.location} ({snapshot.source}.{snapshot.role}, sha256 {snapshot.sha256[:12]}…) "
                "is not in the store; put the file back in its place and build again"
            )
        with self._store.blob(_key(snapshot.sha256), snapshot.sha256) as (path, actual_sha256):
            if actual_sha256 != snapshot.sha256:
                raise StoreError(
                    f"the raw file {snapshot.location} ({snapshot.source}.{snapshot.role}) has changed in the store: "
                    f"expected sha256 {snapshot.sha256}, found {actual_sha256}. Delete {path} and build again."
                )
            yield path


def _key(sha256: str) -> str:
    return f"raw/{sha256[:2]}/{sha256}"
