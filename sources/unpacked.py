"""A raw file's bytes, unpacked if they are gzip, whatever its name says."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from schemas.source import SourceError
from sources.jsonl import RawInput

_GZIP_MAGIC = b"\x1f\x8b"


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
