"""The lines of the ledger: append-only files, one a writing process, in a folder; an object a line in a bucket.

A line that a killed process left unfinished is never read. Nothing here knows what a line says.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import errno
import fcntl
import os
import threading
import uuid
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Protocol

from warehouse.disk import full, is_full
from warehouse.store import Store, StoreError

START_BYTES = 80
"""The beginning of a line that `new` shows: enough for a key."""
READ_BYTES = 8 << 20
OPEN_FILES = 64
READERS = 16

Place = tuple[str, int, int]
"""Where a line is: its file, and for a file of many lines its first byte and its length."""


class Lines(Protocol):
    """Lines of bytes that are only ever added, whoever adds them."""

    def new(self) -> Iterator[tuple[bytes, Place]]:
        """Yield the beginning and place of every whole line that was not yielded before."""
        ...

    def read(self, place: Place) -> bytes:
        """Return the line at a place."""
        ...

    def append(self, line: bytes) -> Place:
        """Add a line and return its place. Raises StoreError, and adds nothing, if it cannot."""
        ...

    def replace_all(self, lines: Iterable[bytes]) -> None:
        """Keep exactly these lines."""
        ...

    def writing(self) -> contextlib.AbstractContextManager[bool]:
        """Hold the lock that writers take in turns; False where there is none, and others may write meanwhile."""
        ...

    def close(self) -> None:
        """Finish what was added."""
        ...


def local_lines(folder: Path) -> Lines:
    """Return the lines in the files of a folder."""
    return _Folder(folder)


def remote_lines(store: Store) -> Lines:
    """Return the lines in the objects of a bucket."""
    return _Bucket(store)


def _own_name() -> str:
    """Return a name that sorts by time, and that no other process has."""
    return f"{dt.datetime.now(dt.UTC):%Y%m%dT%H%M%S%f}-{uuid.uuid4().hex[:12]}"


class _Folder:
    """Each process appends to a file of its own; a lock that dies with its holder makes `is it new?` exact."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read_to: dict[str, int] = {}
        self._fd_by_name: dict[str, int] = {}
        self._own_file = ""
        self._own_fd = -1
        self._lock_fd = -1
        self._turn = threading.RLock()
        """Of this process's threads, between which the system's lock does not tell: they share its file."""

    def new(self) -> Iterator[tuple[bytes, Place]]:
        if not self._folder.is_dir():
            return
        with os.scandir(self._folder) as entries:
            sizes = {entry.name: entry.stat().st_size for entry in entries if entry.name.endswith(".jsonl")}
        for name in sorted(sizes):
            if sizes[name] > self._read_to.get(name, 0):
                yield from self._new_of(name)

    def _new_of(self, name: str) -> Iterator[tuple[bytes, Place]]:
        at = self._read_to.get(name, 0)
        with (self._folder / name).open("rb") as file:
            file.seek(at)
            rest = b""
            while chunk := file.read(READ_BYTES):
                complete_lines, cut, rest = (rest + chunk).rpartition(b"\n")
                for line in complete_lines.split(b"\n") if cut else ():
                    yield line[:START_BYTES], (name, at, len(line))
                    at += len(line) + 1
                self._read_to[name] = at

    def read(self, place: Place) -> bytes:
        name, start, length = place
        with self._turn:
            if name not in self._fd_by_name:
                if len(self._fd_by_name) >= OPEN_FILES:
                    os.close(self._fd_by_name.pop(next(iter(self._fd_by_name))))
                self._fd_by_name[name] = os.open(self._folder / name, os.O_RDONLY)
            return os.pread(self._fd_by_name[name], length, start)

    def append(self, line: bytes) -> Place:
        if self._own_fd >= 0 and os.fstat(self._own_fd).st_nlink == 0:  # another process put all files together
            os.close(self._own_fd)
            self._own_fd = -1
        if self._own_fd < 0:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._own_file = _own_name() + ".jsonl"
            self._own_fd = os.open(self._folder / self._own_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        start = os.fstat(self._own_fd).st_size
        try:
            if os.write(self._own_fd, line + b"\n") != len(line) + 1:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(self._own_fd, start)
            detail = f" {full('a line', self._folder, len(line), error.errno)}" if is_full(error) else ""
            raise StoreError(
                f"the ledger {self._folder} cannot be written ({error.strerror}): free space on its disk and build "
                f"again; every answer recorded so far is kept.{detail}"
            ) from None
        self._read_to[self._own_file] = start + len(line) + 1
        return self._own_file, start, len(line)

    def replace_all(self, lines: Iterable[bytes]) -> None:
        old = list(self._folder.glob("*.jsonl"))
        path = self._folder / f"{_own_name()}.tmp"
        with path.open("wb") as file:
            for line in lines:
                file.write(line + b"\n")
            file.flush()
            os.fsync(file.fileno())
        path.rename(path.with_suffix(".jsonl"))
        for gone in old:
            gone.unlink()
        for fd in self._fd_by_name.values():
            os.close(fd)
        self._fd_by_name.clear()
        self._read_to.clear()

    @contextmanager
    def writing(self) -> Iterator[bool]:
        with self._turn:
            if self._lock_fd < 0:
                self._folder.mkdir(parents=True, exist_ok=True)
                self._lock_fd = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
            fcntl.flock(self._lock_fd, fcntl.LOCK_EX)  # let go by the system when its process ends, however it ends
            try:
                yield True
            finally:
                fcntl.flock(self._lock_fd, fcntl.LOCK_UN)

    def close(self) -> None:
        with self._turn:
            for fd in (*self._fd_by_name.values(), *([self._own_fd] if self._own_fd >= 0 else [])):
                with contextlib.suppress(OSError):
                    os.fsync(fd)
                os.close(fd)
            self._fd_by_name.clear()
            self._own_fd = -1
            if self._lock_fd >= 0:
                os.close(self._lock_fd)
                self._lock_fd = -1


class _Bucket:
    """Each line is an object from the moment it is added; at the end a process joins its own into one."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._seen_keys: set[str] = set()
        self._line_by_place: dict[Place, bytes] = {}
        self._own_lines: dict[str, bytes] = {}
        self._name = _own_name()
        self._number = count()

    def new(self) -> Iterator[tuple[bytes, Place]]:
        fresh = [key for key in self._store.keys("ledger") if key not in self._seen_keys]
        with ThreadPoolExecutor(READERS) as pool:
            for key, data in zip(fresh, pool.map(self._store.read, fresh), strict=True):
                self._seen_keys.add(key)
                for number, line in enumerate(data.splitlines()):
                    self._line_by_place[key, number, len(line)] = line
                    yield line[:START_BYTES], (key, number, len(line))

    def read(self, place: Place) -> bytes:
        return self._line_by_place[place]

    def append(self, line: bytes) -> Place:
        key = f"ledger/{self._name}-{next(self._number):08d}.jsonl"
        try:
            self._store.put(key, line + b"\n")
        except OSError as error:
            raise StoreError(
                f"the ledger of {self._store.url} cannot be written: {error}; what is recorded is kept"
            ) from None
        self._seen_keys.add(key)
        self._own_lines[key] = line
        self._line_by_place[key, 0, len(line)] = line
        return key, 0, len(line)

    def replace_all(self, lines: Iterable[bytes]) -> None:
        old = list(self._store.keys("ledger"))
        self._store.put(f"ledger/{_own_name()}.jsonl", b"".join(line + b"\n" for line in lines))
        for key in old:
            self._store.delete(key)
        self._seen_keys.clear()
        self._line_by_place.clear()
        self._own_lines.clear()

    @contextmanager
    def writing(self) -> Iterator[bool]:
        yield False  # an object store has no lock: of two records of a key, the first by its file's name stands

    def close(self) -> None:
        if len(self._own_lines) > 1:
            self._store.put(f"ledger/{self._name}.jsonl", b"".join(line + b"\n" for line in self._own_lines.values()))
            for key in self._own_lines:
                self._store.delete(key)
        self._own_lines.clear()
        self._name = _own_name()
