"""A GTFS zip, opened warily, and its members as columns of text with the number of each row.

Only what is common to all members belongs here: refusing hostile archives, finding members wherever the publisher put
them, and CSV as transit agencies write it. What the columns mean belongs in `gtfs.py` and beside it.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
import zipfile
from array import array
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from schemas.counts import counted
from schemas.rejection import Reason
from schemas.source import SourceError
from sources.formats.csv_records import QuotedLines, Record, columns_told, header_and_records
from sources.formats.jsonl import RowError
from sources.formats.unpacking import (
    MAX_MEMBER_BYTES,
    MAX_RATIO,
    UNPACKING_FAULTS,
    RawInput,
    base_name,
    is_of_the_system,
    member_problem,
    text_member,
)

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    _Coded = tuple[np.ndarray, list[str]]
    _Columns = tuple[dict[str, _Coded], np.ndarray]
    """Columns of text, and the number of each row."""

_BLOCK_BYTES = 4 * 1024**2
_SLOW_BATCH_ROWS = 65_536
_FIRST_BYTES = 1024

_LONGEST_HEADER = 100_000
"""Characters of all column names together; the csv module has a limit of its own, which is the whole process's."""


_WHOLE = re.compile(r"([0-9]+)\.0+")
WHOLE_COLUMNS = frozenset(
    {
        "location_type", "stop_sequence", "pickup_type", "drop_off_type", "route_type", "exception_type",
        "transfer_type", "min_transfer_time", "headway_secs", "monday", "tuesday", "wednesday", "thursday", "friday",
        "saturday", "sunday", "start_date", "end_date", "date",
    }
)  # fmt: skip
"""Columns of whole numbers, which a table of floats writes as `1.0` as soon as one of its rows is empty."""


def plain_text(column: str, text: str) -> str:
    """Return the text of a row's column, trimmed, and a whole number that a table of floats wrote as such."""
    text = text.strip()
    match = _WHOLE.fullmatch(text) if column in WHOLE_COLUMNS else None
    return match[1] if match else text


@dataclass(frozen=True)
class Member:
    """The wanted columns of a member, each as codes into its distinct trimmed texts; an absent one is all empty."""

    name: str
    columns: dict[str, _Coded]
    rows: np.ndarray = field(repr=False)

    def __len__(self) -> int:
        """Return the number of rows kept."""
        return len(self.rows)

    def texts(self, column: str) -> list[str]:
        """Return the column's text, row by row."""
        codes, values = self.columns[column]
        return [values[code] for code in codes.tolist()]

    def records(self) -> Iterator[tuple[str, ...]]:
        """Return the rows, each the text of the wanted columns in their order."""
        return zip(*(self.texts(column) for column in self.columns), strict=True)


class FeedZip:
    """An opened feed. Dropped rows collect in `rejections`, by member; nothing is ever unpacked to disk."""

    def __init__(self, file: RawInput) -> None:
        self.file = file
        self.path = file.path
        self.snapshot = file.snapshot
        self.rejections: dict[str, list[dict[str, str]]] = {}
        self._read: dict[str, Member] = {}
        self._members = self._find_members()

    def has(self, name: str) -> bool:
        """Return whether the feed holds the member, in whatever folder, with anything in it."""
        if name not in self._members:
            return False
        with self._open(name) as file:
            return bool(file.read(_FIRST_BYTES).strip())

    def pointer(self, member: Member, index: int) -> str:
        """Return the pointer to the index-th kept row: zip member, colon, number of the row after the header."""
        return self.snapshot.pointer(f"{member.name}:{member.rows[index]}")

    def reject(self, member: Member, index: int, reason: Reason, detail: str) -> None:
        """Keep a row that a reader drops, and why."""
        self._reject(member.name, int(member.rows[index]), reason, detail)

    def _reject(self, path: str, number: int, reason: Reason, detail: str) -> None:
        pointer = self.snapshot.pointer(f"{path}:{number}")
        row = {"row": pointer, "reason": reason.value, "detail": detail}
        self.rejections.setdefault(base_name(path), []).append(row)

    def read(self, name: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> Member:
        """Return the member's wanted columns. Raises SourceError if it or a required column is absent or unreadable."""
        if name not in self._read:
            self._read[name] = self._read_member(name, required, optional)
        return self._read[name]

    def _find_members(self) -> dict[str, zipfile.ZipInfo]:
        try:
            with zipfile.ZipFile(self.path) as archive:
                infos = [info for info in archive.infolist() if not info.is_dir()]
        except UNPACKING_FAULTS as error:
            with self.path.open("rb") as file:
                head = file.read(40)
            raise self._error(
                f"it is not a zip that can be opened ({error}); it begins with {head!r}",
                "a GTFS Schedule zip",
                "download it again; a web page saved in its place means that the address has changed",
            ) from None
        hostile = sorted(info.filename for info in infos if _leaves_its_folder(info.filename))
        if hostile:
            raise self._error(
                f"member {hostile[0]!r} ({len(hostile)} such) points outside the archive",
                "plain member names such as stops.txt",
                "do not use this file; get it from the publisher",
            )
        tables = [info for info in infos if not is_of_the_system(info.filename) and _base(info).endswith(".txt")]
        folders = sorted({str(_path(info).parent) for info in tables if _base(info) == "stops.txt"})
        if not folders:
            member_names = ", ".join(repr(info.filename) for info in infos[:12]) or "nothing"
            raise self._error(
                f"there is no member stops.txt; it holds {member_names}",
                "a GTFS Schedule zip with stops.txt at its root or in one folder",
                "if it holds other zips, unpack it and bind each of those as a feed of its own",
            )
        if len(folders) > 1:
            raise self._error(
                f"stops.txt is in several folders: {', '.join(folders)}",
                "one feed a zip",
                "split it, and bind each folder's feed as a file of its own",
            )
        members = [info for info in tables if str(_path(info).parent) == folders[0]]
        repeated = sorted(name for name, count in Counter(map(_base, members)).items() if count > 1)
        if repeated:
            raise self._error(f"member {repeated[0]} is there more than once", "each member once", "repack the feed")
        return {_base(info): info for info in members}

    def _read_member(self, name: str, required: tuple[str, ...], optional: tuple[str, ...]) -> Member:
        with self._open(name) as file:
            header = self._header(name, file)
        missing = [column for column in required if column not in header]
        if missing:
            raise self._error(
                f"member {name} has no column {', '.join(missing)}; its columns are {columns_told(header)}",
                f"the columns {', '.join(required)}",
                "ask the publisher for a valid feed, or leave it out of the recipe",
            )
        column_names = [column for column in (*required, *optional) if column in header]
        import numpy as np

        ragged: list[tuple[int, str]] = []
        columns_and_rows = self._columns_fast(name, header, column_names)
        if columns_and_rows is None:
            columns_and_rows, ragged = self._columns_slow(name, header, column_names)
        columns, rows = columns_and_rows
        nothing = (np.zeros(len(rows), dtype=np.int32), [""])
        columns = {column: columns.get(column, nothing) for column in (*required, *optional)}
        for column in WHOLE_COLUMNS & set(columns):
            codes, texts = columns[column]
            columns[column] = codes, [plain_text(column, text) for text in texts]
        member = Member(self._members[name].filename, columns, rows)
        for number, detail in ragged:
            self._reject(member.name, number, Reason.BAD_VALUE, detail)
        return member

    def _header(self, name: str, file: IO[bytes]) -> list[str]:
        text = io.TextIOWrapper(file, encoding="utf-8-sig", errors="replace", newline="")
        try:
            header = [column.strip().lower() for column in next(csv.reader(text), [])]
            problem = "its first line has no end" if sum(map(len, header)) > _LONGEST_HEADER else ""
        except csv.Error as error:
            header, problem = [], str(error)
        if problem:
            raise self._error(
                f"member {name} begins with what is no CSV ({problem})", "a line of column names", "get the feed again"
            )
        if not any(header):
            raise self._error(
                f"member {name} is empty, or its first line is", "a line of column names",
                "get the feed again, or leave it out of the recipe",
            )  # fmt: skip
        if "\ufffd" in "".join(header):
            raise self._error(
                f"member {name} begins with {header[:3]!r}", "a line of column names in UTF-8", "save it as UTF-8"
            )
        column_counts: Counter[str] = Counter()
        for i, column in enumerate(header):
            column_counts[column] += 1
            if column_counts[column] > 1 or not column:
                header[i] = f"{column} #{i}"
        return header

    def _columns_fast(self, name: str, header: list[str], column_names: list[str]) -> _Columns | None:
        """Return the wanted columns of the rows that are not blank, and the rows' numbers.

        None where rows are ragged, or where a quote may be open at a line's end: these are read one by one.
        """
        import numpy as np

        columns = self._read_fast(name, header, column_names)
        if columns is None:
            return None
        is_blank = _are_blank(columns)
        if is_blank.any():
            every = self._read_fast(name, header, header)
            is_blank = is_blank if every is None else _are_blank(every)
        columns_of_filled_rows = {column: (codes[~is_blank], texts) for column, (codes, texts) in columns.items()}
        return columns_of_filled_rows, np.arange(1, np.count_nonzero(~is_blank) + 1)

    def _read_fast(self, name: str, header: list[str], column_names: list[str]) -> dict[str, _Coded] | None:
        import pyarrow as pa
        from pyarrow import csv as arrow_csv

        with self._open(name) as file:
            lines = QuotedLines(file)
            try:
                table = arrow_csv.read_csv(
                    io.BufferedReader(lines, _BLOCK_BYTES),
                    arrow_csv.ReadOptions(use_threads=False, block_size=_BLOCK_BYTES, skip_rows=1, column_names=header),
                    arrow_csv.ParseOptions(newlines_in_values=True),
                    arrow_csv.ConvertOptions(
                        include_columns=column_names,
                        column_types={column: pa.dictionary(pa.int32(), pa.string()) for column in column_names},
                        strings_can_be_null=False,
                    ),
                )
            except pa.ArrowInvalid:
                return None
        return None if lines.is_one_open else {column: _coded(table[column]) for column in column_names}

    def _columns_slow(
        self, name: str, header: list[str], column_names: list[str]
    ) -> tuple[_Columns, list[tuple[int, str]]]:
        import numpy as np
        import pyarrow as pa

        places = [header.index(column) for column in column_names]
        numbers = array("q")
        ragged: list[tuple[int, str]] = []

        def whole_rows() -> Iterator[list[str]]:
            for number, row in self._records(name):
                if isinstance(row, RowError):
                    ragged.append((number, row.detail))
                elif any(text.strip() for text in row[len(header) :]):
                    ragged.append((number, f"the row has {counted(len(row), 'field')}, the header {len(header)}"))
                else:
                    row += [""] * (len(header) - len(row))
                    numbers.append(number)
                    yield [row[place] for place in places]

        rows = whole_rows()
        parts: list[list[pa.Array]] = [[] for _ in column_names]
        while batch := list(itertools.islice(rows, _SLOW_BATCH_ROWS)):
            for part, texts in zip(parts, zip(*batch, strict=True), strict=True):
                part.append(pa.array(texts, pa.string()).dictionary_encode())
        kind = pa.dictionary(pa.int32(), pa.string())
        coded = {column: _coded(pa.chunked_array(part, kind)) for column, part in zip(column_names, parts, strict=True)}
        return (coded, np.array(numbers, dtype=np.int64)), ragged

    def _records(self, name: str) -> Iterator[tuple[int, Record]]:
        """Yield the number and the fields of each row after the header that is not blank."""
        number = 0
        with self._open(name) as file:
            try:
                _, records = header_and_records(cast(BinaryIO, file))
                for row in records:
                    if isinstance(row, RowError) or any(text.strip() for text in row):
                        number += 1
                        yield number, row
            except UnicodeDecodeError as error:
                raise self._error(
                    f"member {name} is not UTF-8 near row {number + 1} ({error.reason})",
                    "UTF-8, as GTFS demands",
                    "ask the publisher for UTF-8; guessing an encoding would corrupt names",
                ) from None
            except csv.Error as error:
                raise self._error(
                    f"member {name} is not CSV near row {number + 1} ({error})",
                    "comma-separated values with balanced quotes",
                    "repair the quotes, or get the feed again",
                ) from None

    def rows_numbered(self, name: str, numbers: set[int]) -> dict[int, dict[str, str]]:
        """Return every column of the member's rows of those numbers; a number without a row is left out."""
        with self._open(name) as file:
            header = self._header(name, file)
        last = max(numbers, default=0)
        rows = itertools.takewhile(lambda record: record[0] <= last, self._records(name))
        return {
            number: dict(zip(header, row, strict=False))
            for number, row in rows
            if number in numbers and not isinstance(row, RowError)
        }

    @contextmanager
    def _open(self, name: str) -> Iterator[IO[bytes]]:
        info = self._members.get(name)
        if info is None:
            raise self._error(
                f"there is no member {name}; it holds {', '.join(sorted(self._members))}",
                "every file that GTFS requires",
                "ask the publisher for a complete feed, or leave it out of the recipe",
            )
        problem = member_problem(info)
        if problem:
            raise self._error(
                problem,
                f"an unencrypted member of at most {MAX_MEMBER_BYTES:,} bytes and {MAX_RATIO} times its packed size",
                "unlock it with its password and pack it anew"
                if info.flag_bits & 1
                else "do not use this file: it looks like a zip bomb",
            )
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(info) as file:
                yield text_member(file)
        except UNPACKING_FAULTS as error:
            raise self._error(
                f"member {name} cannot be unpacked ({error})", "an undamaged, unencrypted member", "download it again"
            ) from None

    def _error(self, problem: str, expected: str, remedy: str) -> SourceError:
        return SourceError(f"{self.snapshot.location}: {problem}. Expected {expected}. To do: {remedy}.")


def _path(info: zipfile.ZipInfo) -> PurePosixPath:
    return PurePosixPath(info.filename.replace("\\", "/"))


def _base(info: zipfile.ZipInfo) -> str:
    return base_name(info.filename)


def _leaves_its_folder(name: str) -> bool:
    parts = re.split(r"[/\\]", name)
    return ".." in parts or name.startswith(("/", "\\")) or re.match(r"[A-Za-z]:", name) is not None or "\0" in name


def _are_blank(columns: dict[str, _Coded]) -> np.ndarray:
    """Return of each row whether all of these columns are empty."""
    import numpy as np

    empty = [np.array([not text for text in texts] or [True], dtype=bool)[codes] for codes, texts in columns.values()]
    return np.logical_and.reduce(empty)


def _coded(column: pa.ChunkedArray) -> _Coded:
    """Return codes and the distinct texts they stand for, trimmed."""
    import numpy as np
    import pyarrow as pa
    from pyarrow import compute

    array = column.unify_dictionaries().combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks else pa.array([], column.type)
    trimmed = compute.call_function("utf8_trim_whitespace", [array.dictionary]).dictionary_encode()
    codes = trimmed.indices.to_numpy()[array.indices.to_numpy()] if len(array) else np.zeros(0, dtype=np.int32)
    return codes, trimmed.dictionary.to_pylist()
