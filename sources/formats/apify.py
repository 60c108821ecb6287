"""Apify dataset exports as JSON: one array, or one object a line, told apart by their bytes; read item by item.

What an item means belongs in the provider's own module.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from typing import Any

from schemas.rejection import Reason
from schemas.source import SourceError
from sources.formats.jsonl import MAX_LINE_BYTES, RowError, numbered_lines, parse_object, rejection
from sources.formats.unpacking import RawInput, unpacked

CHUNK_CHARS = 1 << 20
_BLANKS = " \t\r\n"


def read_items(file: RawInput, rejected: list[dict[str, str]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each object of the export with its pointer, in order; items that are no objects go to `rejected`.

    The locator is `L12` for the twelfth line, or `[12]` for the array's thirteenth item. Memory holds one item.
    Raises SourceError if the file is neither an array nor lines, or is cut off inside its array.
    """
    with unpacked(file) as stream:
        is_array = stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"[")
    if not is_array:
        for number, line in numbered_lines(file):
            pointer = file.snapshot.pointer(number)
            try:
                yield pointer, parse_object(line)
            except RowError as bad:
                rejected.append(rejection(pointer, bad))
        return
    for position, item in enumerate(_array_items(file)):
        pointer = file.snapshot.pointer(f"[{position}]")
        if isinstance(item, dict):
            yield pointer, item
        else:
            bad = RowError(Reason.BAD_JSON, f"found a JSON {type(item).__name__}, expected an object")
            rejected.append(rejection(pointer, bad))


def _array_items(file: RawInput) -> Iterator[Any]:
    decoder = json.JSONDecoder()
    with unpacked(file) as raw:
        stream = codecs.getreader("utf-8-sig")(raw)
        text, at, count, is_open = "", 0, 0, False
        while True:
            try:
                more = stream.read(CHUNK_CHARS)
            except UnicodeDecodeError as error:
                raise _broken(file, count, f"bytes that are not UTF-8 ({error.reason})") from None
            text, at = text[at:] + more, 0
            if len(text) > MAX_LINE_BYTES:
                raise _broken(file, count, f"an item of more than {MAX_LINE_BYTES >> 20} MiB")
            while True:
                at = _skip_blanks(text, at)
                if not is_open and text[at : at + 1] == "[":
                    is_open, at = True, at + 1
                    continue
                if text[at : at + 1] == "]":
                    rest = iter(lambda: stream.read(CHUNK_CHARS), "")
                    if text[at + 1 :].strip() or any(part.strip() for part in rest):
                        raise _broken(file, count, "more text after the array's end")
                    return
                try:
                    item, end = decoder.raw_decode(text, at)
                except (ValueError, RecursionError) as error:
                    fault = str(error)
                    break
                end = _skip_blanks(text, end)
                if text[end : end + 1] not in (",", "]"):
                    fault = "no comma and no bracket after it"
                    break
                yield item
                count, at = count + 1, end + (text[end] == ",")
            if not more:
                raise _broken(file, count, fault if text[at:] else "the end of the file before the array's end")


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _broken(file: RawInput, position: int, fault: str) -> SourceError:
    return SourceError(
        f"{file.snapshot.location}, item [{position}]: found {fault}; expected a whole JSON array of objects. "
        "Export the dataset again, as JSON or as JSON lines."
    )
