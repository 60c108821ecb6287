"""A file that is one JSON document, read whole or value by value, and only as much of it as memory bears."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO, TextIO

from schemas.source import SourceError
from sources.formats.unpacking import RawInput, not_utf_8, unpacked

MAX_DOCUMENT_BYTES = 64 << 20
MOST_BRACKETS = 2_000_000
"""A document with more of them would take many times its own bytes when it is read."""
MOST_NAMES, MOST_NAME_CHARACTERS = 100_000, 1_000
"""Of an object that is read value by value: its names are remembered, so that none comes twice."""

_CHUNK_CHARACTERS = 1 << 20
_BLANK, _ENDS = re.compile(r"[ \t\n\r]*"), re.compile(r"[ \t\n\r,:\]}]")
_DECODER = json.JSONDecoder()


def document_text(file: RawInput) -> bytes:
    """Return the file's text. Raises SourceError for one that is too large to be read as one document."""
    with unpacked(file) as stream:
        text = stream.read(MAX_DOCUMENT_BYTES + 1)
    problem = _too_large(len(text), text.count(b"[") + text.count(b"{"))
    if problem:
        raise SourceError(
            f"{file.snapshot.location}: found one JSON document {problem}; expected a smaller one, or an object a "
            "line. Write each of its objects on a line of its own, or split it."
        )
    return text


def _too_large(size: int, brackets: int) -> str:
    """Return what is too large about a JSON value; nothing where memory bears it."""
    if size > MAX_DOCUMENT_BYTES:
        return f"of more than {MAX_DOCUMENT_BYTES >> 20} MiB"
    return f"with more than {MOST_BRACKETS:,} brackets" if brackets > MOST_BRACKETS else ""


def whole_document(file: RawInput, expected: str, remedy: str) -> Any:
    """Return the file's one JSON value. Raises SourceError for text that is none, saying what was `expected`."""
    text = document_text(file)
    try:
        return json.loads(text.decode())
    except UnicodeDecodeError as error:
        raise SourceError(f"{file.snapshot.location}: {not_utf_8(error)}") from None
    except (ValueError, RecursionError) as error:
        raise SourceError(
            f"{file.snapshot.location}: found text that is not JSON ({str(error)[:100]}); expected {expected}. {remedy}"
        ) from None


def members(file: RawInput, expected: str, remedy: str) -> Iterator[tuple[str, Any]]:
    """Yield the members of the one JSON object that a file is, as `members_of` does of its bytes."""
    with unpacked(file) as stream:
        yield from members_of(stream, file.snapshot.location, expected, remedy)


def members_of(stream: BinaryIO, location: str, expected: str, remedy: str) -> Iterator[tuple[str, Any]]:
    """Yield the members of the one JSON object that UTF-8 bytes are: name and value, each value read by itself.

    However many the bytes are, no more than a value's text is held, within the bounds of a document. Raises SourceError
    naming where they are from for text that is no such object, a larger value, and a name that comes twice.
    """
    text = _Text(io.TextIOWrapper(stream, "utf-8", newline=""))
    names: set[str] = set()
    try:
        text.take("{")
        is_first = True
        while not text.passes("}"):
            if not is_first:
                text.take(",")
            name, is_first = text.value(), False
            if not isinstance(name, str) or len(name) > MOST_NAME_CHARACTERS:
                raise _OtherwiseError(f"a name that is no text of at most {MOST_NAME_CHARACTERS:,} characters")
            if name in names:
                raise _OtherwiseError(f"the name {name!r:.60} twice")
            names.add(name)
            if len(names) > MOST_NAMES:
                raise _OtherwiseError(f"more than {MOST_NAMES:,} names")
            text.take(":")
            yield name, text.value()
        text.end()
    except UnicodeDecodeError as error:
        raise SourceError(f"{location}: {not_utf_8(error)}") from None
    except (ValueError, RecursionError) as error:
        raise SourceError(
            f"{location}: found {error if isinstance(error, _OtherwiseError) else 'no JSON'} at character "
            f"{text.read_before + text.at:,}; expected {expected}. {remedy}"
        ) from None


class _OtherwiseError(ValueError):
    """What was found where something else belongs; the message says what."""


class _Text:
    """JSON text that is read as far as it is needed."""

    def __init__(self, stream: TextIO):
        self._stream, self._held, self._is_whole = stream, "", False
        self.at = self.read_before = 0
        """Where in what is held the next value begins, and how many characters were read before that."""

        self._began = self._brackets = 0

    def passes(self, mark: str) -> bool:
        """Return whether the mark comes next, and pass it if so."""
        comes = self._next() == mark
        self.at += comes
        return comes

    def take(self, mark: str) -> None:
        """Pass a mark that must come next. Raises ValueError."""
        if not self.passes(mark):
            raise _OtherwiseError(f"{self._next()!r}, not {mark!r},")

    def end(self) -> None:
        """Raise ValueError if anything but blanks is left."""
        if self._next():
            raise _OtherwiseError(f"{self._next()!r} after the end")

    def value(self) -> Any:
        """Return the value that comes next. Raises ValueError for what is none, or is larger than memory bears.

        Each value of a list is read by itself: what is held ends within one of them, and only that is tried again.
        """
        self._next()
        self._began = self.read_before + self.at
        is_list = self.passes("[")
        self._brackets = int(is_list)
        if not is_list:
            return self._read()
        elements: list[Any] = []
        while not self.passes("]"):
            if elements:
                self.take(",")
            elements.append(self._read())
        return elements

    def _read(self) -> Any:
        """Return the value that comes next, which may be a part of the one that began last."""
        self._next()
        while True:
            try:
                json_value, end = _DECODER.raw_decode(self._held, self.at)
            except ValueError:
                if self._is_whole:
                    raise
            else:
                if self._is_whole or _ENDS.match(self._held, end):  # else a number may go on
                    self._brackets, self.at = self._bear(end), end
                    return json_value
            self._bear(len(self._held))
            self._more(len(self._held) - self.at)

    def _bear(self, end: int) -> int:
        """Return the brackets of the value that began last, up to the end. Raises ValueError where it is too large."""
        brackets = self._brackets + self._held.count("[", self.at, end) + self._held.count("{", self.at, end)
        large = _too_large(self.read_before + end - self._began, brackets)
        if large:
            self.at = self._began - self.read_before  # to be said
            raise _OtherwiseError(f"a value {large}")
        return brackets

    def _next(self) -> str:
        """Return the next character that is no blank; nothing at the end."""
        while True:
            blank = _BLANK.match(self._held, self.at)
            assert blank is not None
            self.at = blank.end()
            if self.at < len(self._held) or self._is_whole:
                return self._held[self.at : self.at + 1]
            self._more(0)

    def _more(self, most: int) -> None:
        """Hold more: at least as much again as is there, so that what is tried again costs no more than twice."""
        more = self._stream.read(max(_CHUNK_CHARACTERS, most))
        self._is_whole = not more
        self._held, self.read_before, self.at = self._held[self.at :] + more, self.read_before + self.at, 0
