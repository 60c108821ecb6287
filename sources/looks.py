"""What a file looks like: its kind, the columns or keys that it names and its first bytes; and that in words.

Which source it is of is told in `recognise.py`.
"""

from __future__ import annotations

import bz2
import csv
import io
import re
import zipfile
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sources.formats.csv_records import OTHER_SEPARATORS
from sources.formats.shape import Shape, shape_of
from sources.formats.unpacking import packing

HEAD_BYTES = 1 << 16
EMPTY_ZIP = b"PK\x05\x06"
"""What an archive begins with that holds nothing (APPNOTE.TXT, 4.3.16)."""

GZIP = zlib.MAX_WBITS | 16
"""What zlib calls data with gzip's header."""


@dataclass(frozen=True)
class Look:
    """A file's shape, its first bytes as they are, and its columns or keys; of a zip those of its members."""

    shape: Shape
    head: bytes
    columns: frozenset[str]

    def has(self, *names: str) -> bool:
        """Return whether the file has all of these columns or keys."""
        return set(names) <= self.columns

    @cached_property
    def unpacked(self) -> bytes:
        """Return the first bytes, unpacked if they are bzip2 or gzip."""
        try:
            if self.head.startswith(b"BZh"):
                return bz2.BZ2Decompressor().decompress(self.head, HEAD_BYTES)
            if self.head.startswith(b"\x1f\x8b"):
                return zlib.decompressobj(GZIP).decompress(self.head, HEAD_BYTES)
        except (OSError, zlib.error):
            return b""
        return self.head

    @property
    def text(self) -> str:
        """Return the first bytes as text, without a mark or blanks before it."""
        return self.unpacked.decode("utf-8-sig", "replace").lstrip()


def look_at(path: Path) -> Look:
    """Return what a file looks like, whatever it is."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if head.startswith(b"PAR1"):
        return Look(Shape("parquet", frozenset(), 0), head, _parquet_columns(path))
    try:
        shape = shape_of(path)
    except (csv.Error, UnicodeDecodeError, RecursionError, zipfile.BadZipFile):
        shape = Shape("unknown", frozenset(), path.stat().st_size)
    columns = {name.rpartition(":")[2] if shape.kind == "zip" else name for name in shape.names}
    if shape.kind == "csv":
        columns |= _late_header(head)
    return Look(shape, head, frozenset(columns))


def description(look: Look) -> str:
    """Return what a file is that is of no source, in words."""
    if not look.head:
        return "is empty"
    if look.head.startswith(EMPTY_ZIP):
        return "is a zip archive without files"
    names = ", ".join(repr(name)[1:-1] for name in sorted(look.columns)[:8])
    if look.shape.kind == "zip":
        return f"is a zip archive of {names}"
    if look.shape.kind == "parquet" and names:
        return f"is a Parquet file of {names}"
    if packed_in := packing(look.head):
        return f"is {packed_in[0]}"
    text = look.text
    if re.match(r"<!doctype html|<html", text, re.IGNORECASE):
        return "is a web page (HTML), not the file that it links to or says is missing"
    if mark := separator(look):
        return f"has {OTHER_SEPARATORS[mark]} between its columns, not commas, and begins {text[:60]!r}"
    return f"begins {text[:40]!r}{f' and names {names}' if names else ''}"


def separator(look: Look) -> str:
    """Return the mark between the columns of a table that has none of commas; empty for anything else."""
    header, _, rows = look.text.partition("\n")
    row = rows.partition("\n")[0]
    counts = {mark: header.count(mark) for mark in OTHER_SEPARATORS}
    return next((m for m, count in counts.items() if count and "," not in header and row.count(m) >= count), "")


def _parquet_columns(path: Path) -> frozenset[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return frozenset(pq.read_schema(path).names)
    except (pa.ArrowInvalid, OSError):
        return frozenset()


def _late_header(head: bytes) -> set[str]:
    """Return the columns of a table that begins after a few lines of preamble."""
    text = head.decode("utf-8-sig", "replace")
    try:
        rows = list(csv.reader(io.StringIO("\n".join(text.splitlines()[:8]))))
    except csv.Error:
        return set()
    return next(({cell.strip() for cell in row} for row in rows if "Country Code" in row), set())
