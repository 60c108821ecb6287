"""CSV files with a header, record by record, packed or not. What a record means belongs in the provider's module."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from typing import TypeVar

from schemas.rejection import Reason
from schemas.source import SourceError
from sources.formats.jsonl import RowError, rejection
from sources.formats.unpacked import RawInput, unpacked

_NUMBER = re.compile(r"[-+]?([0-9]+|[0-9]{1,3}(,[0-9]{3})+)(\.[0-9]*)?")

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
    is no CSV in UTF-8.
    """
    name = file.snapshot.location
    number = 0
    with unpacked(file) as stream:
        reader = csv.reader(io.TextIOWrapper(stream, encoding="utf-8-sig", newline=""))
        try:
            header = [column.strip() for column in next(reader, [])]
            missing = [column for column in required if column not in header]
            if missing:
                shown = ", ".join(header[:12])[:200] or "nothing"
                raise SourceError(
                    f"{name}: found the columns {shown}; expected {expected}, with {', '.join(missing)} too. "
                    f"Bind that file to the role `{file.snapshot.role}`."
                )
            for values in filter(None, reader):
                number += 1
                pointer = file.snapshot.pointer(f"R{number}")
                try:
                    yield parse(_by_column(header, values), pointer)
                except RowError as bad:
                    rejected.append(rejection(pointer, bad))
        except (csv.Error, UnicodeDecodeError) as error:
            raise SourceError(
                f"{name}, near record {number + 1}: found text that is not CSV in UTF-8 ({error}); expected "
                f"{expected}. Get the file again."
            ) from None


def number_in(record: dict[str, str], column: str) -> float | None:
    """Return a decimal number, with or without commas between thousands; None for blank or absent text.

    Raises RowError(bad_value).
    """
    text = record.get(column, "").strip()
    if not text:
        return None
    if not _NUMBER.fullmatch(text):
        raise RowError(Reason.BAD_VALUE, f"{column}: found {text!r}, expected a number")
    return float(text.replace(",", ""))


def _by_column(header: list[str], values: list[str]) -> dict[str, str]:
    if len(values) != len(header):
        raise RowError(Reason.BAD_VALUE, f"found {len(values)} fields, expected {len(header)} as in the header")
    return dict(zip(header, values, strict=True))
