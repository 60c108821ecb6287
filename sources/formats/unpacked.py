"""What a reader is given, and its bytes, unpacked if they are gzip, whatever the name says."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from schemas.source import Snapshot, SourceError

_GZIP_MAGIC = b"\x1f\x8b"


class RawInput(Protocol):
    """One raw file: what the lock says of it, and where its bytes can be read."""

    @property
    def snapshot(self) -> Snapshot:
        """The file's entry in the lock."""
        ...

    @property
    def path(self) -> Path:
        """A local path to the bytes."""
        ...


@contextmanager
def unpacked(file: RawInput) -> Iterator[BinaryIO]:
    """Yield the file's bytes. Raises SourceError where a gzip file is damaged."""
    with file.path.open("rb") as raw:
        is_gzip = raw.read(2) == _GZIP_MAGIC
        raw.seek(0)
        if not is_gzip:
            yield raw
            return
        try:
            with gzip.open(raw) as inside:
                yield cast(BinaryIO, inside)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise SourceError(
                f"{file.snapshot.location}: found a damaged gzip file ({error}); expected a whole one. Get it again."
            ) from error
