"""A full disk, told: which it is, what was being written to it, how much is missing, and what to do."""

from __future__ import annotations

import errno
import math
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from warehouse.owners import part

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
SPILLED = ("No space left on device", "max_temp_directory_size")
"""What DuckDB says where it cannot spill to a disk: as the system says it, or of its own limit, nine tenths of it."""

REMEDY = (
    "Free that much there (tripwright gc --delete frees what no release needs), or choose a home on another disk with "
    "--home; what was built so far is kept"
)

QUOTA_REMEDY = (
    "Free space that is counted as yours (tripwright gc --delete frees what no release needs), have the quota raised, "
    "or choose a home on another disk with --home; what was built so far is kept"
)
FILES_REMEDY = (
    "Remove files there (tripwright gc --delete removes what no release needs), or choose a home on another disk with "
    "--home; what was built so far is kept"
)
LIMIT_REMEDY = (
    "Raise it (ulimit -f; a disk formatted as FAT holds files of at most 4 GB), or choose a home on another disk with "
    "--home; what was built so far is kept"
)

Size = int | Callable[[], int] | None


class DiskFullError(OSError):
    """A disk holds no more."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.errno = errno.ENOSPC


@contextmanager
def writing(what: str, *places: str | os.PathLike[str] | None, size_bytes: Size = None) -> Iterator[None]:
    """Tell a full disk inside the `with`: what is written, where, and its size, None where only writing it tells.

    Where the error does not say, the disk of the place with the least left is told. Raises DiskFullError for a full
    disk; every other error passes.
    """
    try:
        yield
    except DiskFullError:
        raise
    except Exception as error:
        if not is_full(error):
            raise
        # Of a copy the second name is where it was to go.
        names = (error.filename2, error.filename) if isinstance(error, OSError) else ()
        file_name = next((name for name in names if isinstance(name, str)), None)
        folders = [existing(Path(place)) for place in ((file_name,) if file_name else places) if place is not None]
        place = min(folders or [Path.cwd()], key=lambda folder: shutil.disk_usage(folder).free)
        size = size_bytes() if callable(size_bytes) else size_bytes
        raise full(what, place, size, error.errno if isinstance(error, OSError) else None) from error


def put_whole(path: Path, data: bytes, what: str) -> None:
    """Write a file that a person named, whole or not at all; `what` it is, a full disk is told with.

    What is no ordinary file (a pipe, /dev/stdout) is written to as it is; a link's file is replaced, not the link.
    """
    if path.is_relative_to("/dev") or (path.exists() and not path.is_file()):
        _put_as_it_is(path, data)
        return
    target = path.resolve()
    partial = part(target.parent)
    with writing(what, target.parent, size_bytes=len(data)):
        try:
            partial.write_bytes(data)
            partial.replace(target)
        except BaseException as error:
            discard(partial)
            if isinstance(error, OSError) and error.filename:
                error.filename = str(path)
            raise


def discard(path: Path) -> None:
    """Remove what was begun of a file, if that can be done: where it cannot, what went wrong before is what is told."""
    with suppress(OSError):
        path.unlink()


def standard_stream(path: Path) -> TextIO | None:
    """Return the standard stream of this process that goes into a file, None where none does."""
    for stream, number in ((sys.stdout, 1), (sys.stderr, 2)):
        with suppress(OSError):
            if os.path.samestat(path.stat(), os.fstat(number)):
                return stream
    return None


def _put_as_it_is(path: Path, data: bytes) -> None:
    """Write to what is no ordinary file.

    A standard stream of this process is written to where it stands: opened once more, /dev/stdout of a file begins at
    the file's first byte, and what is said later would go over it.
    """
    if (stream := standard_stream(path)) is None:
        path.write_bytes(data)
        return
    stream.flush()
    with open(1 if stream is sys.stdout else 2, "wb", closefd=False) as file:
        file.write(data)


def is_full(error: Exception) -> bool:
    """Return whether an error says that a disk is full, DuckDB's too."""
    if isinstance(error, OSError):
        return error.errno in FULL
    return type(error).__module__.startswith("_duckdb") and any(phrase in str(error) for phrase in SPILLED)


def full(
    what: str, place: str | os.PathLike[str], size_bytes: int | None, number: int | None = errno.ENOSPC
) -> DiskFullError:
    """Return the error of a disk that takes no more where something of this size was to be written.

    `number` is the system's error. A disk that has room holds no more where a quota is used up, where no file more has
    a place (no inode is free), or no file so large is allowed: which of these it is, is said.
    """
    folder = existing(Path(place))
    free_bytes = shutil.disk_usage(folder).free
    # A file takes whole blocks, and its name may take one more.
    stat = os.statvfs(folder)
    block = stat.f_frsize
    needed = None if size_bytes is None else (math.ceil(size_bytes / block) + 1) * block
    disk, room = f"the disk mounted at {_mount(folder)}", f"{_size(free_bytes)} are left"
    writing_it = f"{what} was being written to {folder}"
    size = "" if needed is None else f"; it needs {_size(needed)}"
    if number == errno.EDQUOT:
        return DiskFullError(
            f"your quota on {disk} is used up, though {room} there: {writing_it}{size}. {QUOTA_REMEDY}"
        )
    if number == errno.EFBIG:
        return DiskFullError(
            f"no file so large may be written to {disk}, though {room} there: {writing_it}{size}. It is a limit of "
            f"this process or of that disk. {LIMIT_REMEDY}"
        )
    if stat.f_files and not stat.f_favail:
        return DiskFullError(
            f"{disk} holds no more files (all its {stat.f_files:,} inodes are taken), though {room}: {writing_it}{size}"
            f". {FILES_REMEDY}"
        )
    if needed is not None and free_bytes >= needed + block:
        return DiskFullError(
            f"{disk} took no more, and now {room}: {writing_it}{size}. It was full for a moment, or a quota of the "
            f"folder or of its group is used up (df and quota tell). {REMEDY}"
        )
    if needed is None:
        missing = f"at least {_size(block)} are missing, and how much in all is known only once it is written"
    else:
        missing = f"it needs {_size(needed)}, so {_size(max(needed - free_bytes, block))} are missing"
    return DiskFullError(f"{disk} is full: {room}, and {writing_it}; {missing}. {REMEDY}")


def existing(path: Path) -> Path:
    """Return the path, or the nearest folder above it that is there."""
    path = path.absolute()
    return next(parent for parent in (path, *path.parents) if parent.exists())


def _mount(path: Path) -> Path:
    path = path.resolve()
    return next(parent for parent in (path, *path.parents) if parent.is_mount())


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{math.ceil(count / 1e3):,} kB"
