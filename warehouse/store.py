"""A folder or an object store: write-once blobs and small pointers that are replaced as a whole.

Nothing here knows what the bytes mean. Nothing outside may assume a local path or a rename.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import fsspec
from fsspec.implementations.local import LocalFileSystem

from schemas.errors import ExpectedError

CHUNK_BYTES = 1 << 20
SCRATCH = "tmp"


class StoreError(ExpectedError):
    """What the store holds is missing or not what its name says."""


class Store:
    """Bytes under keys (`a/b/c`), in the folder or bucket that `url` names.

    On a folder a key appears by an atomic rename of a complete file, on an object store by one put:
    either way a reader sees all of it or nothing, whenever the writer was killed.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._fs, root = fsspec.core.url_to_fs(url)
        self._root = str(root).rstrip("/")
        self._is_local = isinstance(self._fs, LocalFileSystem)
        if self._is_local:
            self._root = str(Path(self._root).absolute())

    def __repr__(self) -> str:
        return f"Store({self.url!r})"

    def exists(self, key: str) -> bool:
        """Return whether the key holds bytes."""
        if self._is_local:
            return os.path.exists(self._path(key))  # noqa: PTH110  (asked thousands of times a build)
        return bool(self._fs.exists(self._path(key)))

    def read(self, key: str) -> bytes:
        """Return the key's bytes. Raises StoreError if there are none."""
        try:
            return bytes(self._fs.cat_file(self._path(key)))
        except FileNotFoundError:
            raise StoreError(f"{self.url} holds no `{key}`; build again to make it") from None

    def put(self, key: str, data: bytes | memoryview, *, synced: bool = True) -> None:
        """Set the key to the bytes, replacing what was there, as one step, whenever the writer is killed.

        Without `synced` a power failure may leave the key empty: for what its readers can do without.
        """
        if not self._is_local:
            self._fs.pipe_file(self._path(key), bytes(data))
            return
        path = f"{self._path(SCRATCH)}/{os.getpid()}-{uuid.uuid4().hex}"
        with _made(path).open("wb") as file:
            file.write(data)
            if synced:
                file.flush()
                os.fsync(file.fileno())
        os.replace(path, _made(self._path(key)))  # noqa: PTH105

    def put_file(self, key: str, path: Path) -> None:
        """Move a finished local file to the key, as one step."""
        if not self._is_local:
            self._fs.put_file(str(path), self._path(key))
            return
        with path.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(path, _made(self._path(key)))  # noqa: PTH105

    def delete(self, key: str) -> None:
        """Remove the key, if it is there."""
        if self.exists(key):
            self._fs.rm_file(self._path(key))

    def size(self, key: str) -> int:
        """Return how many bytes the key holds."""
        return int(self._fs.size(self._path(key)))

    def keys(self, prefix: str) -> Iterator[str]:
        """Yield every key below a prefix (a folder's name), in order."""
        root = self._path(prefix)
        if self._fs.exists(root):
            for path in sorted(str(p) for p in self._fs.find(root)):
                yield path.removeprefix(self._root + "/")

    def all_keys(self) -> Iterator[str]:
        """Yield every key there is, in order, but not what is being written."""
        if self._fs.exists(self._root):
            for path in sorted(str(p) for p in self._fs.find(self._root)):
                key = path.removeprefix(self._root + "/")
                if not key.startswith(f"{SCRATCH}/"):
                    yield key

    @contextmanager
    def local(self, key: str) -> Iterator[Path]:
        """Yield a local path to read the key's bytes from; valid inside the `with` only."""
        if self._is_local:
            path = Path(self._path(key))
            if not path.exists():
                raise StoreError(f"{self.url} holds no `{key}`; build again to make it")
            yield path
            return
        with self.scratch() as folder:
            path = folder / "blob"
            try:
                self._fs.get_file(self._path(key), str(path))
            except FileNotFoundError:
                raise StoreError(f"{self.url} holds no `{key}`; build again to make it") from None
            yield path

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """Yield an empty local folder, on the store's own disk where it has one, removed afterwards."""
        parent: str | None = None
        if self._is_local:
            parent = self._path(SCRATCH)
            Path(parent).mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=parent, prefix=f"{os.getpid()}-"))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def sweep_scratch(self) -> None:
        """Remove what processes that are gone left in the scratch folder (kill -9 leaves it)."""
        if not self._is_local or not Path(self._path(SCRATCH)).exists():
            return
        for folder in Path(self._path(SCRATCH)).iterdir():
            owner = folder.name.split("-")[0]
            if owner.isdigit() and _is_running(int(owner)):
                continue
            if folder.is_dir():
                shutil.rmtree(folder, ignore_errors=True)
            else:
                folder.unlink(missing_ok=True)

    def folder(self, key: str) -> Path | None:
        """Return the local folder behind a key, to print for people; None on an object store."""
        return Path(self._path(key)) if self._is_local else None

    def _path(self, key: str) -> str:
        parts = key.split("/")
        if not key or any(part in ("", ".", "..") or "\\" in part or "\0" in part for part in parts):
            raise ValueError(f"`{key}` is not a key; expected names joined by /")
        return f"{self._root}/{key}"


def _made(path: str) -> Path:
    """Return the path, in a folder that is there."""
    folder = os.path.dirname(path)  # noqa: PTH120  (asked thousands of times a build)
    if not os.path.isdir(folder):  # noqa: PTH112
        Path(folder).mkdir(parents=True, exist_ok=True)
    return Path(path)


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file's bytes, in hex, read in chunks."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()
