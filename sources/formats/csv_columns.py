"""Large CSV files as columns of whole numbers, batch by batch, packed or not: memory holds one block of text.

Each distinct text of a column is read once, however many rows hold it. What a value may be belongs in
`flight_values.py`, what a row means in the provider's module.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO
from zipfile import ZipFile

from schemas.counts import counted
from schemas.rejection import Reason
from schemas.source import SourceError
from sources.flights.values import BAD, MISSING, Reading
from sources.formats.csv_records import QuotedLines, columns_told, header_and_records, records_at, wrong_width
from sources.formats.jsonl import RowError, rejection
from sources.formats.unpacking import (
    UNPACKING_FAULTS,
    RawInput,
    Replaced,
    is_of_the_system,
    member_problem,
    text_member,
    unpacked,
)
from sources.formats.unreadable import reasons_of, require_readable

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

BLOCK_BYTES = 16 << 20
MAX_KNOWN_TEXTS = 100_000
SLOW_BATCH_ROWS = 65_536


class ColumnFile:
    """One CSV file with a header: its wanted columns by our names, and what was wrong with its rows."""

    def __init__(self, file: RawInput, expected: str) -> None:
        """`expected` says in words which file this is."""
        self.file = file
        self.expected = expected
        self.rejected: list[dict[str, str]] = []
        self.rows_read = 0
        self.member: str | None = None
        with self._text() as (_, header):
            self.header = header

    def pointer(self, record: int | str) -> str:
        """Return the pointer to a record: `R12`, or `member.csv:12` inside a zip."""
        return self.file.snapshot.pointer(f"{self.member}:{record}" if self.member else f"R{record}")

    def header_error(self, expected: str) -> SourceError:
        """Return the error that says what the header holds and what was `expected` of it."""
        return SourceError(
            f"{self.file.snapshot.location}: found the columns {columns_told(self.header)}; expected "
            f"{self.expected}, {expected}. Bind that file to the role `{self.file.snapshot.role}`."
        )

    def batches(self, columns: dict[str, str], readings: dict[str, Reading]) -> Iterator[Batch]:
        """Yield the file's records in order; those with too many or too few fields go to `rejected`.

        `columns` gives each of our names its column, `readings` how its texts are read. Raises SourceError for a
        column that is there twice, and for what is no CSV.
        """
        import pyarrow as pa

        twice = [column for column in columns.values() if self.header.count(column) > 1]
        if twice:
            raise self.header_error(f"with each column once, not {', '.join(twice)} twice")
        skipped: list[tuple[int, str]] = []
        swallowed, last = False, 0

        def skip(row: arrow_csv.InvalidRow) -> str:
            nonlocal swallowed
            swallowed = swallowed or "\n" in row.text.strip("\r\n")
            detail = f"found {counted(row.actual_columns, 'field')}, expected {row.expected_columns} as in the header"
            skipped.append(((row.number or 0) - 1, detail))
            return "skip"

        texts = {name: _Texts(readings[name]) for name in columns}
        position = 0
        try:
            with self._text() as (stream, _):
                lines = QuotedLines(stream)
                for batch in _opened(lines, list(columns.values()), skip):
                    swallowed = swallowed or lines.is_one_open
                    if swallowed:
                        break
                    record = _numbered(position, batch.num_rows, [number for number, _ in skipped])
                    values = {name: texts[name].values(batch[column]) for name, column in columns.items()}
                    last = int(record[-1]) if len(record) else last
                    yield Batch(self, columns, record, values, batch, batch.num_rows)
                    position += batch.num_rows
                    self.rows_read += batch.num_rows
        except pa.ArrowInvalid:
            swallowed = True
        if swallowed:
            # A quote that is never closed takes in the records after it: from there on, record by record.
            skipped = [(number, detail) for number, detail in skipped if number <= last]
            yield from self._batches_slowly(last, columns, readings)
        for number, detail in skipped:
            self.rejected.append(rejection(self.pointer(number), RowError(Reason.BAD_VALUE, detail)))
            self.rows_read += 1
        require_readable(self.file, self.rows_read, *reasons_of(self.rejected))

    def _batches_slowly(self, last: int, columns: dict[str, str], readings: dict[str, Reading]) -> Iterator[Batch]:
        """Yield the records after the `last` one, each fault of quoting its own line's."""
        with self._text() as (stream, header):
            _, records = header_and_records(stream, errors="replace")
            numbered = islice(enumerate(records, start=1), last, None)
            while part := list(islice(numbered, SLOW_BATCH_ROWS)):
                row_by_locator = {}
                for number, values in part:
                    if isinstance(values, list) and len(values) == len(header):
                        row_by_locator[self.pointer(number).partition("#")[2]] = dict(zip(header, values, strict=True))
                        continue
                    bad = values if isinstance(values, RowError) else wrong_width(len(values), len(header))
                    self.rejected.append(rejection(self.pointer(number), bad))
                self.rows_read += len(part)
                if row_by_locator:
                    yield self.batch(row_by_locator, columns, readings)

    def records(self, locators: set[str]) -> dict[str, dict[str, str]]:
        """Return the records at `R12`, or `member.csv:12` inside a zip, by locator; one that is not there is left out.

        Read by the standard library, record by record. Raises SourceError for what is no CSV.
        """
        numbers = {_number(locator) for locator in locators}
        records_by_locator: dict[str, dict[str, str]] = {}
        with self._text() as (stream, header):
            for number, values in records_at(stream, numbers, errors="replace"):
                locator = self.pointer(number).partition("#")[2]
                if locator in locators and isinstance(values, list):
                    records_by_locator[locator] = dict(zip(header, values, strict=False))
        return records_by_locator

    def batch(
        self, records: Mapping[str, dict[str, str]], columns: dict[str, str], readings: dict[str, Reading]
    ) -> Batch:
        """Return some of the file's records, by locator, as a batch of their own."""
        import numpy as np
        import pyarrow as pa

        texts = {
            column: pa.array([row.get(column, "").encode() for row in records.values()], pa.binary())
            for column in dict.fromkeys(columns.values())
        }
        raw = pa.record_batch({column: array.dictionary_encode() for column, array in texts.items()})
        values = {name: _Texts(readings[name]).values(raw[column]) for name, column in columns.items()}
        numbers = np.array([_number(locator) for locator in records], dtype=np.int64)
        return Batch(self, columns, numbers, values, raw, len(records))

    @contextmanager
    def _text(self) -> Iterator[tuple[BinaryIO, list[str]]]:
        """Yield the CSV from its first byte, and its header's columns."""
        with self.file.path.open("rb") as raw:
            is_zip = raw.read(4) == b"PK\x03\x04"
        if is_zip:
            with self._archive() as archive:
                self.member = self._csv_member(archive)
                with archive.open(self.member) as first:
                    header = _header(text_member(first))
                with archive.open(self.member) as stream:
                    yield text_member(stream), header
            return
        with unpacked(self.file) as raw:
            header = _header(raw)
        with unpacked(self.file) as raw:
            yield raw, header

    @contextmanager
    def _archive(self) -> Iterator[ZipFile]:
        name = self.file.snapshot.location
        try:
            with ZipFile(self.file.path) as archive:
                yield archive
        except UNPACKING_FAULTS as error:
            raise SourceError(
                f"{name}: found a damaged or encrypted zip file ({error}); expected {self.expected}. Get the "
                "file again."
            ) from None

    def _csv_member(self, archive: ZipFile) -> str:
        tables = (name for name in archive.namelist() if name.lower().endswith(".csv"))
        members = sorted(name for name in tables if not is_of_the_system(name))
        if len(members) != 1:
            names = ", ".join(members)[:200] or ", ".join(archive.namelist())[:200]
            raise SourceError(
                f"{self.file.snapshot.location}: found {len(members)} CSV files in the zip ({names}); expected one, "
                f"{self.expected}. Bind each file on its own."
            )
        problem = member_problem(archive.getinfo(members[0]))
        if problem:
            raise SourceError(
                f"{self.file.snapshot.location}: {problem}; expected {self.expected}. Do not use this file: it looks "
                "like a zip bomb, or was locked with a password."
            )
        return members[0]


@dataclass
class Batch:
    """Some records of a file: their numbers from 1, and their values by our names, MISSING where the text is blank."""

    source: ColumnFile
    columns: dict[str, str]
    record: np.ndarray
    values: dict[str, np.ndarray]
    raw: pa.RecordBatch
    rows: int

    def __post_init__(self) -> None:
        import numpy as np

        self.is_kept = np.ones(self.rows, dtype=bool)

    def reject(self, bad: np.ndarray, reason: Reason, name: str, expected: str) -> None:
        """Send the rows that are `bad`, and not yet rejected, to `rejected` with what the column `name` holds."""
        import numpy as np

        column = self.columns[name]
        for i in np.flatnonzero(bad & self.is_kept).tolist():
            text = self.raw[column][i].as_py().decode("utf-8", "replace")[:80]
            why = RowError(reason, f"{column}: found {text!r}, expected {expected}")
            self.source.rejected.append(rejection(self.source.pointer(int(self.record[i])), why))
        self.is_kept = self.is_kept & ~bad

    def reject_unreadable(self, readings: dict[str, Reading]) -> None:
        """Reject the rows with a text that does not read."""
        for name in self.columns:
            self.reject(self.values[name] == BAD, Reason.BAD_VALUE, name, readings[name].expected)

    def kept_columns(self, names: tuple[str, ...]) -> dict[str, np.ndarray]:
        """Return the columns of the rows not rejected, and their `record`; a column the file lacks is MISSING."""
        import numpy as np

        absent = np.full(self.rows, MISSING)
        columns = {name: self.values.get(name, absent)[self.is_kept] for name in names}
        return {"record": self.record[self.is_kept], **columns}


def _number(locator: str) -> int:
    """Return the number of the record at `R12`, or `member.csv:12` inside a zip."""
    return int(re.split("[R:]", locator)[-1])


def by_locator(source: ColumnFile, columns: dict[str, np.ndarray]) -> dict[str, dict[str, Any]]:
    """Return the rows of some columns by their records' locators."""
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    records = (dict(zip(columns, row, strict=True)) for row in rows)
    placed = (row | {"source_rows": [source.pointer(row["record"])]} for row in records)
    return {row["source_rows"][0].partition("#")[2]: row for row in placed}


class _Texts:
    """A column of text as whole numbers."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._known: dict[bytes, int] = {}

    def values(self, column: pa.DictionaryArray) -> np.ndarray:
        import numpy as np

        numbers = self._reading.read_all(column.dictionary)
        if numbers is None:
            numbers = np.array([self._value(text) for text in column.dictionary.to_pylist()], dtype=np.int64)
        if len(self._known) > MAX_KNOWN_TEXTS:
            self._known.clear()
        return numbers[column.indices.to_numpy(zero_copy_only=False)]

    def _value(self, text: bytes) -> int:
        if text not in self._known:
            plain = text.decode("utf-8", "replace").strip()
            self._known[text] = self._reading.read(plain) if plain else MISSING
        return self._known[text]


def _opened(lines: QuotedLines, columns: list[str], skip: object) -> arrow_csv.CSVStreamingReader:
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    return arrow_csv.open_csv(
        # A row of the wrong width reaches `skip` as text, or not at all.
        io.BufferedReader(Replaced(io.BufferedReader(lines, BLOCK_BYTES)), BLOCK_BYTES),
        # Rows that are skipped tell their number only to a reader without threads.
        read_options=arrow_csv.ReadOptions(use_threads=False, block_size=BLOCK_BYTES),
        parse_options=arrow_csv.ParseOptions(newlines_in_values=True, invalid_row_handler=skip),
        convert_options=arrow_csv.ConvertOptions(
            include_columns=columns,
            column_types={column: pa.dictionary(pa.int32(), pa.binary()) for column in columns},
            strings_can_be_null=False,
        ),
    )


def _header(stream: BinaryIO) -> list[str]:
    first = stream.readline(1 << 20).decode("utf-8-sig", "replace")
    return next(csv.reader(io.StringIO(first)), [])


def _numbered(position: int, rows: int, skipped: list[int]) -> np.ndarray:
    """Return the numbers, from 1, of the records at `position` and after among those that were not skipped."""
    import numpy as np

    # The skipped record of number s has s - 1 - (skipped before it) kept ones before it: those at or after that
    # position come after it.
    places = np.array([number - 1 - before for before, number in enumerate(skipped)], dtype=np.int64)
    at = np.arange(position, position + rows, dtype=np.int64)
    return at + 1 + np.searchsorted(places, at, side="right")
