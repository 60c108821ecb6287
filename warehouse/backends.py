"""How bytes lie under paths: in an S3 bucket, in a folder, or in this process's memory.

In a folder what is absent is put by a hard link, and what is known swapped under a lock.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
from fsspec.implementations.local import LocalFileSystem

from warehouse.backend import Backend, Tagged
from warehouse.bucket import bucket_at
from warehouse.disk import discard, writing
from warehouse.owners import mark

SCRATCH = "tmp"


BUCKETS, FOLDERS = ("s3", "s3a"), (None, "file", "local", "memory")
"""Protocols of addresses of buckets, and of folders, which have none as a rule."""


def is_store(url: str) -> bool:
    """Return whether an address is of a folder or of an S3 bucket."""
    return fsspec.core.split_protocol(url)[0] in (*BUCKETS, *FOLDERS)


def backend_of(url: str) -> Backend:
    """Return how bytes lie at an address. Raises ValueError for what is neither a folder nor an S3 bucket."""
    protocol = fsspec.core.split_protocol(url)[0]
    if protocol in BUCKETS:
        return bucket_at(url)
    if not is_store(url):
        raise ValueError(
            f"{url}: found an address of `{protocol}`; expected a folder or s3://BUCKET/PREFIX. Other stores are not "
            "tried: a home needs writes on conditions"
        )
    fs, root = fsspec.core.url_to_fs(url)
    if not isinstance(fs, LocalFileSystem):
        return _Memory(fs, str(root))
    if os.path.lexists(root) and not os.path.isdir(root):  # noqa: PTH112
        raise ValueError(f"{url}: found what is no folder; expected one, or the name of one to make")
    try:
        str(root).encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{root}: found a path that is not in UTF-8; expected one, by which tables can be read. Name another, or, "
            "where it looks right in the terminal, set LANG to a locale of UTF-8 (LANG=C.UTF-8)"
        ) from None
    return _Folder(str(root))


class _Folder:
    """Files of a folder of this machine, or of one that several machines mount."""

    is_local = True

    def __init__(self, root: str) -> None:
        self.root = str(Path(root).absolute())

    def exists(self, path: str) -> bool:
        return os.path.exists(path)  # noqa: PTH110  (asked thousands of times a build)

    def read(self, path: str) -> Tagged:
        data = Path(path).read_bytes()
        return data, hashlib.sha256(data).hexdigest()

    def put(self, path: str, data: bytes | memoryview, synced: bool) -> None:
        with writing(self._quoted_path(path), self.root, size_bytes=len(data)):
            partial = self._write_scratch_file(data, synced)
            try:
                os.replace(partial, path_with_folder(path))  # noqa: PTH105
            except OSError:
                os.unlink(partial)  # noqa: PTH108
                raise

    def put_new(self, path: str, data: bytes) -> bool:
        with writing(self._quoted_path(path), self.root, size_bytes=len(data)):
            partial = self._write_scratch_file(data, synced=False)
            try:
                os.link(partial, path_with_folder(path))
            except FileExistsError:
                return False
            finally:
                os.unlink(partial)  # noqa: PTH108
            return True

    def swap(self, path: str, data: bytes, tag: str) -> bool:
        with self._alone():
            try:
                _, now = self.read(path)
            except FileNotFoundError:
                return False
            if now != tag:
                return False
            self.put(path, data, synced=True)
        return True

    def put_file(self, path: str, file: Path) -> None:
        # Its bytes are on this disk: only its name is new.
        with writing(self._quoted_path(path), self.root, size_bytes=0):
            with file.open("rb") as opened:
                os.fsync(opened.fileno())
            os.replace(file, path_with_folder(path))  # noqa: PTH105

    def get_file(self, path: str, file: Path) -> None:
        file.write_bytes(Path(path).read_bytes())

    def delete(self, path: str) -> None:
        Path(path).unlink(missing_ok=True)

    def size(self, path: str) -> int:
        return Path(path).stat().st_size

    def find(self, folder: str) -> list[str]:
        return sorted(
            f"{where}/{name}" for where, _, names in os.walk(folder, onerror=_raise_unless_gone) for name in names
        )

    def _write_scratch_file(self, data: bytes | memoryview, synced: bool) -> str:
        path = f"{self.root}/{SCRATCH}/{mark()}{uuid.uuid4().hex}"
        try:
            with path_with_folder(path).open("wb") as file:
                file.write(data)
                if synced:
                    file.flush()
                    os.fsync(file.fileno())
        except OSError:
            discard(Path(path))
            raise
        return path

    def _quoted_path(self, path: str) -> str:
        return f"`{path.removeprefix(self.root + '/')}`"

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold a lock that the system lets go when its holder ends, however it ends."""
        with path_with_folder(f"{self.root}/{SCRATCH}/swap").open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


class _Memory:
    """Bytes in this process's memory, through fsspec: for tests of what is said of every store."""

    is_local = False
    _alone = threading.RLock()

    def __init__(self, fs: Any, root: str) -> None:
        self._fs, self.root = fs, root.rstrip("/")

    def exists(self, path: str) -> bool:
        return bool(self._fs.exists(path))

    def read(self, path: str) -> Tagged:
        data = bytes(self._fs.cat_file(path))
        return data, hashlib.sha256(data).hexdigest()

    def put(self, path: str, data: bytes | memoryview, synced: bool) -> None:  # noqa: ARG002  (memory never is)
        self._fs.pipe_file(path, bytes(data))

    def put_new(self, path: str, data: bytes) -> bool:
        with self._alone:
            if self.exists(path):
                return False
            self.put(path, data, synced=False)
        return True

    def swap(self, path: str, data: bytes, tag: str) -> bool:
        with self._alone:
            if not self.exists(path) or self.read(path)[1] != tag:
                return False
            self.put(path, data, synced=False)
        return True

    def put_file(self, path: str, file: Path) -> None:
        self.put(path, file.read_bytes(), synced=False)
        file.unlink()

    def get_file(self, path: str, file: Path) -> None:
        file.write_bytes(self.read(path)[0])

    def delete(self, path: str) -> None:
        if self.exists(path):
            self._fs.rm_file(path)

    def size(self, path: str) -> int:
        return int(self._fs.size(path))

    def find(self, folder: str) -> list[str]:
        return sorted(str(path) for path in self._fs.find(folder)) if self._fs.exists(folder) else []


def _raise_unless_gone(error: OSError) -> None:
    """Raise the error of a folder that could not be listed: what is in it is not absent. One that is gone is empty."""
    if not isinstance(error, FileNotFoundError):
        raise error


def path_with_folder(path: str) -> Path:
    """Return the path, in a folder that is there."""
    folder = os.path.dirname(path)  # noqa: PTH120  (asked thousands of times a build)
    if not os.path.isdir(folder):  # noqa: PTH112
        Path(folder).mkdir(parents=True, exist_ok=True)
    return Path(path)
