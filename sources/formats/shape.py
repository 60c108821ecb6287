"""What a file is made of (its kind, members and columns, not its rows), to tell a provider's next file from the last.

A reader would find the same and more, but only after the last good file was given up.
"""

from __future__ import annotations

import codecs
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

from schemas.counts import counted
from sources.formats.unpacking import MARKS, UNPACKING_FAULTS, base_name, is_of_the_system, member_problem

SAMPLE_ROWS = 1000
SAMPLE_BYTES = 1 << 22
TAIL_BYTES = 1 << 20
SHRUNK_TO = 0.5
"""A file of less than this share of the last one's bytes has lost rows, whatever it still holds."""


CUT_OFF = "it ends inside a row, as if it were cut off"
NO_END = "its last line has no end, as if it were cut off"
"""Said of a table that had one and was longer: a row cut in its last column has as many columns as others."""

LONGEST_LINE_END_BYTES = 8
"""CR and LF in UTF-32."""

NOT_UTF_8 = "some of its rows are not UTF-8"


@dataclass(frozen=True)
class Shape:
    """A file's kind, what it names (columns, keys, members), its bytes, and why it is not whole ("" if it is).

    `flaws` are what loses rows of a file that can be read all the same.
    """

    kind: str
    names: frozenset[str]
    size_bytes: int
    problem: str = ""
    flaws: tuple[str, ...] = ()


def shape_of(path: Path) -> Shape:
    """Return a file's shape, whatever it is; reads its beginning and end, and of a zip the members' beginnings."""
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
    kind, names = _text_shape(first)
    return Shape(kind, names, size, flaws=tuple(_flaws(path, kind, first)))


def worse(old: Shape, new: Shape) -> str:
    """Return how the new file falls short of the old: broken, of another kind, rows or names lost, half its size."""
    if new.problem and not old.problem:
        return new.problem
    if new.kind != old.kind:
        return f"was {old.kind}, is {new.kind}"
    is_shorter = new.size_bytes < old.size_bytes - LONGEST_LINE_END_BYTES
    problems = [flaw for flaw in new.flaws if flaw not in old.flaws and (flaw != NO_END or is_shorter)]
    lost = sorted(old.names - new.names)
    if lost and (new.names or not problems):  # what is broken from the start on names nothing
        lost_names = ", ".join(lost[:5]) + (f" and {len(lost) - 5} more" if len(lost) > 5 else "")
        problems.append(f"its schema changed: it no longer has {lost_names}")
    if new.size_bytes < old.size_bytes * SHRUNK_TO:
        problems.append(f"it shrank from {old.size_bytes:,} to {counted(new.size_bytes, 'byte')}")
    return "; ".join(problems)


def _zip_shape(path: Path, size: int) -> Shape:
    """Return the shape of an archive; its bytes are those of its members, however well they are packed.

    It names its tables: not their folder, nor a CSV's file, which publishers date, and other members only where there
    is no table.
    """
    names: set[str] = set()
    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
            members = {m: base_name(m.filename) for m in archive.infolist() if not is_of_the_system(m.filename)}
            tables = {member: name for member, name in members.items() if name.endswith((".txt", ".csv"))}
            names |= {name for name in (tables or members).values() if name and not name.endswith(".csv")}
            for member, name in tables.items():
                with archive.open(member) as file:
                    header = next(csv.reader(io.TextIOWrapper(file, "utf-8-sig", "replace")), [])
                table = "csv" if name.endswith(".csv") else name
                names |= {f"{table}:{column.strip()}" for column in header}
            bombs = [problem for member in archive.infolist() if (problem := member_problem(member))]
            if bombs:
                return Shape("zip", frozenset(names), unpacked, bombs[0])
            broken = archive.testzip() if size < SAMPLE_BYTES * 64 else None
    except (*UNPACKING_FAULTS, csv.Error) as error:
        return Shape("zip", frozenset(names), size, f"not a whole zip archive ({error})")
    return Shape("zip", frozenset(names), unpacked, f"member {broken} is broken" if broken else "")


def _encoding(first: bytes) -> str:
    return next((encoding for mark, encoding in MARKS if first.startswith(mark)), "utf-8")


def _text_shape(first: bytes) -> tuple[str, frozenset[str]]:
    text = first.decode(_encoding(first), "replace").removeprefix("\ufeff").lstrip()
    if text.startswith("<"):
        return "xml", frozenset()
    if text.startswith(("{", "[")):
        rows = list(islice(_json_rows(text), SAMPLE_ROWS))
        return "json", _common_keys(rows)
    try:
        header = next(csv.reader(io.StringIO(text)), [])
    except csv.Error:
        header = []
    # A file without a header begins with a row of values, which are no names. A comma after the last name is none.
    names = [c.strip() for c in header]
    while names and not names[-1]:
        names.pop()
    if len(names) > 1 and not names[0]:  # pandas leaves the name of a table's index out
        names = names[1:]
    if len(set(names)) == len(names) and all(c and not c[0].isdigit() and len(c) < 60 for c in names):
        return "csv", frozenset(names)
    return "csv", frozenset()


def _flaws(path: Path, kind: str, first: bytes) -> Iterator[str]:
    """Yield what loses rows of a file of text: how it ends, and bytes of which a reader of JSON can make no row."""
    encoding, size = _encoding(first), path.stat().st_size
    start = max(0, size - TAIL_BYTES) // 4 * 4  # where a letter of UTF-16 or UTF-32 begins
    with path.open("rb") as file:
        file.seek(start)
        tail = file.read().decode(encoding, "replace")
    text = first.decode(encoding, "replace").removeprefix("\ufeff").lstrip()
    if kind == "json" and _ends_inside_json(text[:1], tail if start else f"\n{text}"):
        yield CUT_OFF
    if kind == "csv" and not tail.endswith("\n"):
        yield CUT_OFF if _ends_inside_csv(text.partition("\n")[0], tail) else NO_END
    if kind == "json" and not _is_text(first, encoding):
        yield NOT_UTF_8


def _ends_inside_json(opens: str, tail: str) -> bool:
    """Return whether a document, or the last of JSON lines, is not closed."""
    _, newline, last = tail.rstrip().rpartition("\n")
    if not last.endswith("}" if opens == "{" else "]"):
        return True
    return bool(newline) and opens == last[:1] == "{" and not _is_json(last)


def _ends_inside_csv(header: str, tail: str) -> bool:
    """Return whether the last line has no end and fewer columns than the first."""
    _, newline, last = tail.rpartition("\n")
    if not newline or not last.strip():
        return False
    delimiter = max(",;\t|", key=header.count)
    try:
        columns, row = (next(csv.reader([line], delimiter=delimiter), []) for line in (header, last))
    except csv.Error:
        return False
    return len(row) < len(columns)


def _is_text(first: bytes, encoding: str) -> bool:
    """Return whether the bytes that a file begins with are of its encoding; the last letter may be unfinished."""
    try:
        codecs.getincrementaldecoder(encoding)().decode(first)
    except UnicodeDecodeError:
        return False
    return True


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


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
