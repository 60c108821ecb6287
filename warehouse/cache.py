"""What this machine keeps of buckets: bytes under their hash, so many at most of all; those longest unused go first."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import uuid
from collections.abc import Callable
from pathlib import Path

from schemas.errors import ExpectedError

CACHE_VARIABLE = "TRIPWRIGHT_CACHE"
LIMIT_VARIABLE = "TRIPWRIGHT_CACHE_MB"
LIMIT_MB = 4096
MIB = 1 << 20


def cache_folder() -> Path:
    """Return the folder of things that can be fetched again: `$TRIPWRIGHT_CACHE`, or the user's cache."""
    folder = os.environ.get(CACHE_VARIABLE)
    if folder:
        return Path(folder)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tripwright"


def folder_of(url: str, part: str) -> Path:
    """Return this machine's folder for a part of the store at an address."""
    return cache_folder() / "stores" / hashlib.sha256(url.encode()).hexdigest()[:16] / part


def limit_bytes() -> int:
    """Return how much is kept at most. Raises ExpectedError if $TRIPWRIGHT_CACHE_MB is no whole number."""
    limit_text = os.environ.get(LIMIT_VARIABLE, str(LIMIT_MB))
    if not limit_text.isdigit():
        raise ExpectedError(f"${LIMIT_VARIABLE}: found {limit_text!r}; expected a whole number of MiB")
    return int(limit_text) * MIB


class BlobCache:
    """Files named by the hash of their bytes. Processes share it: a file appears whole, and one in use may go."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def link(self, name: str, target: Path, fetch: Callable[[Path], None]) -> None:
        """Make `target` a name of the file, fetched if it is not here; the target stays when the cache lets it go."""
        cached_file = self._folder / name
        with contextlib.suppress(OSError):
            os.link(cached_file, target)
            os.utime(cached_file)
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        partial = self._folder / f"{name}.{os.getpid()}-{uuid.uuid4().hex[:8]}.part"
        try:
            fetch(partial)
            try:
                os.link(partial, target)
            except OSError:  # another disk
                shutil.copyfile(partial, target)
            partial.replace(cached_file)
        finally:
            partial.unlink(missing_ok=True)
        self._trim()

    def drop(self, name: str) -> None:
        """Forget a file whose bytes are not what its name says."""
        (self._folder / name).unlink(missing_ok=True)

    def _trim(self) -> None:
        """Remove what was unused for longest until the rest is within the limit."""
        limit, files = limit_bytes(), []
        for path in self._folder.iterdir():
            with contextlib.suppress(FileNotFoundError):
                state = path.stat()
                files.append((state.st_mtime, state.st_size, path))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= limit:
                return
            path.unlink(missing_ok=True)
            total -= size
