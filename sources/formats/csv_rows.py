"""CSV files with a header, record by record, packed or not. What a record means belongs in the provider's module."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from typing import TypeVar

from schemas.rejection import Reason
from schemas.source import SourceError
from sources.formats.csv_records import Record, columns_told, header_and_records, wrong_width
from sources.formats.jsonl import RowError, rejection
from sources.formats.numbers import decimal
from sources.formats.unpacking import RawInput, not_utf_8, unpacked
from sources.formats.unreadable import Unreadable

T = TypeVar("T")


def read_records(
    file: RawInput,
    required: tuple[str, ...],
    expected: str,
    parse: Callable[[dict[str, str], str], T],
    rejected: list[dict[str, str]],
) -> Iterator[T]:
    """Yield what `parse` makes of each record and its pointer `R12`; records it cannot use go to `rejected`.

    `expected` says in words which file this is. Raises SourceError for a file without the required columns, or that
    is no CSV in UTF-8 or UTF-16, or most of whose records cannot be read.
    """
    name = file.snapshot.location
    unreadable = Unreadable(file, rejected)
    with unpacked(file) as stream:
        try:
            header, records = header_and_records(stream)
            missing = [column for column in required if column not in header]
            if missing:
                raise SourceError(
                    f"{name}: found the columns {columns_told(header)}; expected {expected}, with "
                    f"{', '.join(missing)} too. Bind that file to the role `{file.snapshot.role}`."
                )
            for values in records:
                unreadable.rows += 1
                pointer = file.snapshot.pointer(f"R{unreadable.rows}")
                try:
                    yield parse(_by_column(header, values), pointer)
                except RowError as bad:
                    rejected.append(rejection(pointer, bad))
        except UnicodeDecodeError as error:
            raise SourceError(f"{name}, near record {unreadable.rows + 1}: {not_utf_8(error)}") from None
        except csv.Error as error:
            raise SourceError(
                f"{name}, near record {unreadable.rows + 1}: found text that is not CSV ({error}); expected "
                f"{expected}. Get the file again."
            ) from None
    unreadable.require_few()


def number_in(record: dict[str, str], column: str) -> float | None:
    """Return a decimal number, as `numbers.decimal` reads it; None for blank or absent text.

    Raises RowError(bad_value).
    """
    text = record.get(column, "").strip()
    if not text:
        return None
    value = decimal(text)
    if value is None:
        raise RowError(Reason.BAD_VALUE, f"{column}: found {text!r}, expected a number")
    return value


def _by_column(header: list[str], values: Record) -> dict[str, str]:
    if isinstance(values, RowError):
        raise values
    if len(values) != len(header):
        raise wrong_width(len(values), len(header))
    return dict(zip(header, values, strict=True))
