"""JSON-lines files as providers send them: numbered lines, named faults, memory bounded by one block.

What a line means belongs in the provider's own module.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from schemas.rejection import Reason
from schemas.source import SourceError
from sources.formats.unpacking import RawInput, unpacked

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK_BYTES = 1 << 24
MAX_LINE_BYTES = 1 << 23
HEAD_LINES = 100
SHOWN_OF_A_BROKEN_LINE = 12
"""Bytes of it that a rejection quotes: enough to see what it is, too few to hold whose it is."""

T = TypeVar("T")


class RowError(ValueError):
    """A row that cannot be used: the reason from the closed list, and what was found."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail.encode("utf-8", "replace").decode()[:300]


def rejection(pointer: str, bad: RowError) -> dict[str, str]:
    """Return the rejection of the row at `pointer`."""
    return {"row": pointer, "reason": str(bad.reason), "detail": bad.detail}


def read_rows(file: RawInput, parse: Callable[[dict[str, Any], str], T], rejected: list[dict[str, str]]) -> Iterator[T]:
    """Yield what `parse` makes of each line's object and pointer, in order; lines it cannot use go to `rejected`.

    Blank lines are no rows. Raises SourceError if the file cannot be read as lines of text.
    """
    from sources.formats.unreadable import Unreadable

    unreadable = Unreadable(file, rejected)
    for number, line in numbered_lines(file):
        unreadable.rows += 1
        pointer = file.snapshot.pointer(number)
        try:
            yield parse(parse_object(line), pointer)
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
    unreadable.require_few()


def parse_object(line: bytes) -> dict[str, Any]:
    """Return the JSON object on a line. Raises RowError(bad_json) for anything else."""
    try:
        value = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        excerpt = line[:SHOWN_OF_A_BROKEN_LINE].decode("utf-8", "replace").strip()
        ending = "" if line.endswith(b"\n") else "; the file ends inside the line"
        raise RowError(Reason.BAD_JSON, f"found `{excerpt}`, which is not JSON ({error}){ending}") from None
    if not isinstance(value, dict):
        raise RowError(Reason.BAD_JSON, f"found a JSON {type(value).__name__}, expected an object")
    return value


def require_objects(file: RawInput, keys: tuple[str, ...], what: str, remedy: str) -> None:
    """Raise SourceError unless one of the first lines is an object with all the keys, as the file's role promises.

    `what` names the rows expected, `remedy` what to do about another file.
    """
    first: tuple[int, str] | None = None
    for count, (number, line) in enumerate(numbered_lines(file)):
        if count == HEAD_LINES:
            break
        description = _describe(line)
        try:
            row = parse_object(line)
        except RowError:
            first = first or (number, description)
            continue
        if all(key in row for key in keys):
            return
        first = first or (number, description)
    name = file.snapshot.location
    expected = f"expected {what}: one JSON object a line, with the keys {', '.join(keys)}"
    if first is None:
        raise SourceError(f"{name}: found no line; {expected}. {remedy}")
    raise SourceError(f"{name}, line {first[0]}: found {first[1]}; {expected}. {remedy}")


def numbered_lines(file: RawInput) -> Iterator[tuple[int, bytes]]:
    """Yield each line that is not blank, with its number from 1.

    Raises SourceError for a line longer than MAX_LINE_BYTES or a damaged gzip file.
    """
    with unpacked(file) as stream:
        number = 0
        while line := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(line) > MAX_LINE_BYTES:
                raise _too_long(file, number)
            if line.strip():
                yield number, line


def line_blocks(file: RawInput) -> Iterator[tuple[Any, pa.Array]]:
    """Yield blocks of whole lines: the lines' numbers from 1 (int64), and the lines; empty ones are left out.

    The lines are large_binary, each with its line end; a block is about BLOCK_BYTES.
    Raises SourceError as `numbered_lines` does.
    """
    import numpy as np
    import pyarrow as pa

    with unpacked(file) as stream:
        first = 1
        while block := stream.read(BLOCK_BYTES):
            if not block.endswith(b"\n"):
                block += stream.readline(MAX_LINE_BYTES)
            is_end = np.frombuffer(block, np.uint8) == ord("\n")
            is_empty = is_end.copy()
            is_empty[1:] &= is_end[:-1]
            count = int(np.count_nonzero(is_end)) + (not block.endswith(b"\n"))
            numbers = (
                np.arange(first, first + count) if not is_empty.any() else _numbers_of_full(is_end, is_empty, first)
            )
            block = np.frombuffer(block, np.uint8)[~is_empty].tobytes()
            ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")) + 1
            if len(ends) < len(numbers):
                ends = np.append(ends, len(block))
            offsets = np.concatenate([np.zeros(1, np.int64), ends])
            too_long = np.flatnonzero(np.diff(offsets) > MAX_LINE_BYTES)
            if len(too_long):
                raise _too_long(file, int(numbers[too_long[0]]))
            buffers = [None, pa.py_buffer(offsets), pa.py_buffer(block)]
            if len(numbers):
                yield numbers, pa.Array.from_buffers(pa.large_binary(), len(ends), buffers)
            first += count


def _numbers_of_full(is_end: Any, is_empty: Any, first: int) -> Any:
    """Return the numbers of the lines that are not empty, by which bytes end a line and which end an empty one."""
    import numpy as np

    ended = np.cumsum(is_end, dtype=np.int32)
    numbers = first - 1 + ended[is_end & ~is_empty].astype(np.int64)
    return numbers if is_end[-1] else np.append(numbers, first + int(ended[-1]))


def _too_long(file: RawInput, number: int) -> SourceError:
    return SourceError(
        f"{file.snapshot.location}, line {number}: found a line of more than {MAX_LINE_BYTES >> 20} MiB; expected one "
        "JSON object a line. If the file is one JSON document, write each of its objects on a line of its own."
    )


def _describe(line: bytes) -> str:
    """Return in words what a line is."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return "binary data"
    if "\0" in text:
        return "binary data"
    if text.lstrip("\ufeff \t").startswith("["):
        return "a JSON array (`jq -c '.[]'` makes lines of its items)"
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return f"text that is not JSON (`{text.strip()[:40]}`)"
    if isinstance(row, dict):
        return f"an object with the keys {', '.join(list(map(str, row))[:12]) or '(none)'}"
    return f"a JSON {type(row).__name__}"
