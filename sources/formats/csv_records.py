"""Records of CSV text, one after another: a fault of quoting is its line's, and swallows no other.

Which columns a file must have, and what a record means, belongs elsewhere.
"""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from typing import IO, Any, BinaryIO

from schemas.counts import counted
from schemas.rejection import Reason
from sources.formats.jsonl import RowError

MAX_RECORD_CHARS = 1 << 20
MAX_RECORD_LINES = 2_000
"""A quoted field that goes on for longer is a quote that was never closed."""

OTHER_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}
"""What spreadsheets write between fields where a comma stands in numbers, or where they are told to."""

Record = list[str] | RowError


class QuotedLines(io.RawIOBase):
    """The bytes of CSV text; `is_one_open` tells whether a line read so far ends within quotes, or has a stray one.

    A reader by columns takes the lines after an open quote into a value: also of a column that it was not asked for.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._quotes, self.is_one_open = stream, 0, False

    def readable(self) -> bool:
        """Return true."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Return how many bytes were put into the buffer."""
        chunk = self._stream.read(len(buffer))
        if not chunk:
            self.is_one_open |= self._quotes % 2 == 1
        elif not self.is_one_open and (self._quotes or b'"' in chunk):
            self._count(chunk)
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def _count(self, chunk: bytes) -> None:
        """Take note of an odd number of quotes between two line ends; those after the last are carried on."""
        import numpy as np

        data = np.frombuffer(chunk, dtype=np.uint8)
        quotes, ends = np.flatnonzero(data == ord('"')), np.flatnonzero(data == ord("\n"))
        before = np.searchsorted(quotes, ends)
        if len(ends):
            self.is_one_open = bool(((before + self._quotes) % 2).any())
            self._quotes = len(quotes) - int(before[-1])
        else:
            self._quotes += len(quotes)


def header_and_records(stream: BinaryIO, errors: str = "strict") -> tuple[list[str], Iterator[Record]]:
    """Return the header's columns, trimmed, and the records after it that are not blank.

    A line that is no record by its quotes is a RowError in its place. Raises UnicodeDecodeError for text that is not
    UTF-8, unless `errors` says otherwise, and csv.Error for a line of more than a megabyte.
    """
    lines, columns = _after_header(stream, errors)
    return columns, (record for _, record in _records(lines, len(columns)))


def records_at(stream: BinaryIO, numbers: Collection[int], errors: str = "strict") -> Iterator[tuple[int, Record]]:
    """Yield those of the records of `header_and_records` that have these numbers, counted from 1; others are passed."""
    lines, columns = _after_header(stream, errors)
    last = max(numbers, default=0)
    for number, record in _records(lines, len(columns), numbers) if last else ():
        yield number, record
        if number >= last:
            return


def _after_header(stream: BinaryIO, errors: str) -> tuple[Iterator[str], list[str]]:
    lines = _lines(stream, errors)
    _, header = next(_records(lines, 0), (0, []))
    return lines, [column.strip() for column in header] if isinstance(header, list) else []


def columns_told(header: list[str]) -> str:
    """Return a header's columns in words, and what stands between them where it is no comma."""
    column_names = ", ".join(header[:12])[:200] or "nothing"
    marks = [name for mark, name in OTHER_SEPARATORS.items() if len(header) == 1 and mark in header[0]]
    return f"{column_names} with {marks[0]} between them, not commas" if marks else column_names


def wrong_width(field_count: int, expected: int) -> RowError:
    """Return the fault of a record that has more or fewer fields than the header."""
    return RowError(Reason.BAD_VALUE, f"found {counted(field_count, 'field')}, expected {expected} as in the header")


def _lines(stream: BinaryIO, errors: str) -> Iterator[str]:
    text = io.TextIOWrapper(stream, encoding="utf-8", errors=errors, newline="")
    while line := text.readline(MAX_RECORD_CHARS + 1):
        if len(line) > MAX_RECORD_CHARS:
            raise csv.Error(f"a line of more than {MAX_RECORD_CHARS >> 20} MB")
        yield line


def _records(lines: Iterator[str], width: int, only: Collection[int] | None = None) -> Iterator[tuple[int, Record]]:
    """Yield each record, or `only` those of some numbers, with its number.

    One over several lines has `width` fields and blanks (0: any), else it is none.
    """
    again: deque[str] = deque()
    number = 0
    while (line := again.popleft() if again else next(lines, None)) is not None:
        if not line.strip("\r\n"):
            continue
        number += 1
        is_asked = only is None or number in only
        if not is_asked and '"' not in line:
            continue
        fields = _fields([line])
        if fields is not None:
            if is_asked:
                yield number, fields
            continue
        record_lines = [line]
        chars = len(line)
        while fields is None and len(record_lines) < MAX_RECORD_LINES and chars <= MAX_RECORD_CHARS:
            following = again.popleft() if again else next(lines, None)
            if following is None:
                break
            record_lines.append(following)
            chars += len(following)
            if '"' in following:
                fields = _fields(record_lines)
        beyond = "".join(fields[width:]).strip() if fields and width else ""
        if fields is not None and len(fields) >= width and not beyond:
            if is_asked:
                yield number, fields
            continue
        again.extendleft(reversed(record_lines[1:]))
        beginning = line[:24].strip().encode("ascii", "backslashreplace").decode()
        if is_asked:
            detail = f"found a quote that is not closed in the line that begins {beginning!r}"
            yield number, RowError(Reason.BAD_VALUE, detail)


def _fields(lines: Iterable[str]) -> list[str] | None:
    """Return the fields of one record, None where its last line ends within quotes.

    Within one line a stray quote is read as a character, as spreadsheets do; over several it makes them no record.
    """
    lines = list(lines)
    try:
        return next(csv.reader(lines, strict=True))
    except csv.Error as error:
        if "unexpected end" in str(error):
            return None
        if "field larger" in str(error):
            raise
    if len(lines) > 1:
        return []
    return next(csv.reader(lines))
