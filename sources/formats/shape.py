"""What a file is made of (its kind, members and columns, not its rows), to tell a provider's next file from the last.

A reader would find the same and more, but only after the last good file was given up.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from sources.formats.unpacked import MARKS, UNPACKING_FAULTS, member_problem

SAMPLE_ROWS = 1000
SAMPLE_BYTES = 1 << 22
SHRUNK_TO = 0.5
"""A file of less than this share of the last one's bytes has lost rows, whatever it still holds."""


@dataclass(frozen=True)
class Shape:
    """A file's kind, what it names (columns, keys, members), its bytes, and why it is not whole ("" if it is)."""

    kind: str
    names: frozenset[str]
    size_bytes: int
    problem: str = ""


def shape_of(path: Path) -> Shape:
    """Return a file's shape, whatever it is; reads its beginning, and of a zip archive the members' beginnings."""
    size = path.stat().st_size
    with path.open("rb") as file:
        first = file.read(SAMPLE_BYTES)
    if first.startswith(b"PK\x03\x04"):
        return _zip_shape(path, size)
    if first.startswith(b"\x1f\x8b"):
        try:
            with gzip.open(path) as unpacked:
                first = unpacked.read(SAMPLE_BYTES)
        except (OSError, EOFError, zlib.error) as error:
            return Shape("gzip", frozenset(), size, f"not whole gzip data ({error})")
        kind, names = _text_shape(first)
        return Shape(f"gzip {kind}", names, size)
    if b"OSMHeader" in first[:64]:
        return Shape("osm.pbf", frozenset(), size)
    return Shape(*_text_shape(first), size)


def worse(old: Shape, new: Shape) -> str:
    """Return how the new file falls short of the old: broken, another kind, names lost, or half its size; "" if not."""
    if new.problem and not old.problem:
        return new.problem
    if new.kind != old.kind:
        return f"was {old.kind}, is {new.kind}"
    lost = sorted(old.names - new.names)
    if lost:
        shown = ", ".join(lost[:5]) + (f" and {len(lost) - 5} more" if len(lost) > 5 else "")
        return f"its schema changed: it no longer has {shown}"
    if new.size_bytes < old.size_bytes * SHRUNK_TO:
        return f"shrank from {old.size_bytes:,} to {new.size_bytes:,} bytes"
    return ""


def _zip_shape(path: Path, size: int) -> Shape:
    """Return the shape of an archive; its bytes are those of its members, however well they are packed."""
    names: set[str] = set()
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
            for member in archive.infolist():
                names.add(member.filename)
                if member.filename.lower().endswith((".txt", ".csv")):
                    with archive.open(member) as file:
                        header = next(csv.reader(io.TextIOWrapper(file, "utf-8-sig", "replace")), [])
                    names |= {f"{member.filename}:{column.strip()}" for column in header}
            bombs = [problem for member in archive.infolist() if (problem := member_problem(member))]
            if bombs:
                return Shape("zip", frozenset(names), unpacked, bombs[0])
            broken = archive.testzip() if size < SAMPLE_BYTES * 64 else None
    except (*UNPACKING_FAULTS, csv.Error) as error:
        return Shape("zip", frozenset(names), size, f"not a whole zip archive ({error})")
    return Shape("zip", frozenset(names), unpacked, f"member {broken} is broken" if broken else "")


def _text_shape(first: bytes) -> tuple[str, frozenset[str]]:
    encoding = next((encoding for mark, encoding in MARKS if first.startswith(mark)), "utf-8")
    text = first.decode(encoding, "replace").removeprefix("\ufeff").lstrip()
    if text.startswith("<"):
        return "xml", frozenset()
    if text.startswith(("{", "[")):
        rows = list(islice(_json_rows(text), SAMPLE_ROWS))
        return "json", _common_keys(rows)
    try:
        header = next(csv.reader(io.StringIO(text)), [])
    except csv.Error:
        header = []
    # A file without a header begins with a row of values, which are no names.
    named = [c.strip() for c in header]
    if len(set(named)) == len(named) and all(c and not c[0].isdigit() and len(c) < 60 for c in named):
        return "csv", frozenset(named)
    return "csv", frozenset()


def _json_rows(text: str) -> Iterator[Any]:
    """Yield the objects of JSON lines, or of an array or object as far as it was read."""
    decoder, at = json.JSONDecoder(), 0
    if text.startswith("["):
        at = 1
    while at < len(text):
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield value


def _common_keys(rows: Iterable[Any]) -> frozenset[str]:
    """Return the keys that every object has."""
    keys = [set(row) for row in rows if isinstance(row, dict)]
    return frozenset(set.intersection(*keys)) if keys else frozenset()
