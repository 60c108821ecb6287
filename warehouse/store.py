"""A folder or a bucket: write-once blobs and small pointers that are replaced as a whole.

Nothing here knows what the bytes mean. Nothing outside may assume a local path or a rename.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from schemas.errors import ExpectedError
from warehouse.backends import SCRATCH, backend_of
from warehouse.cache import BlobCache, cache_folder, folder_of
from warehouse.owners import is_left, mark

CHUNK_BYTES = 1 << 20


class StoreError(ExpectedError):
    """What the store holds is missing or not what its name says."""


class Store:
    """Bytes under keys (`a/b/c`), in the folder or bucket that `url` names.

    On a folder a key appears by an atomic rename of a complete file, on an object store by one put:
    either way a reader sees all of it or nothing, whenever the writer was killed.
    """

    def __init__(self, url: str) -> None:
        """Open the store. Raises StoreError for an address that is neither a folder nor an S3 bucket."""
        self.url = url
        try:
            self._backend = backend_of(url)
        except ValueError as error:
            raise StoreError(str(error)) from None
        self._root, self.is_local = self._backend.root, self._backend.is_local
        self._cache = BlobCache(cache_folder() / "blobs")

    def __repr__(self) -> str:
        return f"Store({self.url!r})"

    @property
    def address(self) -> str:
        """Return what names the store to processes that were started in another folder: a folder's whole path."""
        return self._root if self.is_local else self.url

    def exists(self, key: str) -> bool:
        """Return whether the key holds bytes."""
        return self._backend.exists(self._path(key))

    def read(self, key: str) -> bytes:
        """Return the key's bytes. Raises StoreError if there are none."""
        return self.read_tagged(key)[0]

    def read_tagged(self, key: str) -> tuple[bytes, str]:
        """Return the key's bytes, and what `swap` knows them by. Raises StoreError if there are none."""
        try:
            return self._backend.read(self._path(key))
        except FileNotFoundError:
            raise self._missing(key) from None

    def read_if_there(self, key: str) -> bytes | None:
        """Return the key's bytes, None if there are none: one request where `exists` and `read` are two."""
        try:
            return self._backend.read(self._path(key))[0]
        except (FileNotFoundError, NotADirectoryError):
            return None

    def put(self, key: str, data: bytes | memoryview, *, synced: bool = True) -> None:
        """Set the key to the bytes, replacing what was there, as one step, whenever the writer is killed.

        Without `synced` a power failure may leave the key empty: for what its readers can do without.
        """
        self._backend.put(self._path(key), data, synced)

    def put_new(self, key: str, data: bytes) -> bool:
        """Set the key to the bytes unless it holds any; return whether it did so. Of several writers one does."""
        return self._backend.put_new(self._path(key), data)

    def swap(self, key: str, data: bytes, tag: str) -> bool:
        """Replace the bytes that `read_tagged` gave with this tag; return False if they were replaced meanwhile."""
        return self._backend.swap(self._path(key), data, tag)

    def put_file(self, key: str, path: Path) -> None:
        """Move a finished local file to the key, as one step."""
        self._backend.put_file(self._path(key), path)

    def delete(self, key: str) -> None:
        """Remove the key, if it is there."""
        self._backend.delete(self._path(key))

    def size(self, key: str) -> int:
        """Return how many bytes the key holds."""
        return self._backend.size(self._path(key))

    def keys(self, prefix: str) -> Iterator[str]:
        """Yield every key below a prefix (a folder's name), in order."""
        for path in self._backend.find(self._path(prefix)):
            yield path.removeprefix(self._root + "/")

    def all_keys(self) -> Iterator[str]:
        """Yield every key there is, in order, but not what is being written."""
        for path in self._backend.find(self._root):
            key = path.removeprefix(self._root + "/")
            if not key.startswith(f"{SCRATCH}/"):
                yield key

    @contextmanager
    def local(self, key: str) -> Iterator[Path]:
        """Yield a local path to read the key's bytes from; valid inside the `with` only."""
        if self.is_local:
            path = Path(self._path(key))
            if not path.exists():
                raise self._missing(key)
            yield path
            return
        with self.scratch() as folder:
            path = folder / "blob"
            self._fetch(key, path)
            yield path

    @contextmanager
    def blob(self, key: str, sha256: str) -> Iterator[tuple[Path, str]]:
        """Yield a local path to bytes that should have this hash, and the hash that they have.

        What was read of a bucket before is taken from this machine's cache; bytes that went bad there are fetched anew.
        """
        if self.is_local:
            with self.local(key) as path:
                yield path, sha256_of(path)
            return
        with self.scratch() as folder:
            path = folder / "blob"
            self._cache.link(sha256, path, lambda partial: self._fetch(key, partial))
            actual_sha256 = sha256_of(path)
            if actual_sha256 != sha256:
                self._cache.drop(sha256)
                path.unlink()
                self._fetch(key, path)
                actual_sha256 = sha256_of(path)
            yield path, actual_sha256

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """Yield an empty local folder, on the store's own disk where it has one, removed afterwards."""
        parent = Path(self._path(SCRATCH)) if self.is_local else folder_of(self.url, SCRATCH)
        parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=parent, prefix=mark()))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def sweep_scratch(self) -> None:
        """Remove what processes that are gone left in the scratch folder (kill -9 leaves it)."""
        parent = Path(self._path(SCRATCH)) if self.is_local else folder_of(self.url, SCRATCH)
        if not parent.exists():
            return
        for folder in parent.iterdir():
            if not is_left(folder):
                continue
            if folder.is_dir():
                shutil.rmtree(folder, ignore_errors=True)
            else:
                with suppress(OSError):
                    folder.unlink(missing_ok=True)

    def folder(self, key: str) -> Path | None:
        """Return the local folder behind a key, to print for people; None on an object store."""
        return Path(self._path(key)) if self.is_local else None

    def _fetch(self, key: str, path: Path) -> None:
        try:
            self._backend.get_file(self._path(key), path)
        except FileNotFoundError:
            raise self._missing(key) from None

    def _missing(self, key: str) -> StoreError:
        return StoreError(f"{self.url} holds no `{key}`; build again to make it")

    def _path(self, key: str) -> str:
        parts = key.split("/")
        if not key or any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
            raise ValueError(f"`{key}` is not a key; expected names joined by /")
        return f"{self._root}/{key}"


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file's bytes, in hex, read in chunks."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()
