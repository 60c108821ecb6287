"""Pages of a Wikivoyage file: a dump in XML, packed or not, or the wikitext of one page. Read in a stream.

The XML is read as hostile: a document that declares entities is refused, and a page is bounded.
"""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import IO, cast
from xml.parsers import expat

from schemas.source import SourceError
from sources.formats.unpacking import RawInput

CHUNK_BYTES = 1 << 18
MAX_PAGE_CHARS = 4_000_000
"""A page is cut off here; the longest of Wikivoyage's have some 300,000 characters."""

ARTICLES = "0"
"""The namespace of destinations; others are discussions, users and templates."""


@dataclass(frozen=True)
class Page:
    """One page: its title, and its wikitext."""

    title: str
    text: str


@dataclass
class _Dump:
    """What the parser has met so far: the page that is open, and the pages that are whole."""

    whole: list[Page] = field(default_factory=list)
    path: list[str] = field(default_factory=list)
    values: dict[str, list[str]] = field(default_factory=dict)
    chars: int = 0
    roots: set[str] = field(default_factory=set)

    def start(self, name: str, _: dict[str, str]) -> None:
        self.path.append(name)
        if len(self.path) == 1:
            self.roots.add(name)
        if name == "page":
            self.values, self.chars = {}, 0

    def end(self, name: str) -> None:
        self.path.pop()
        if name == "page":
            texts = {key: "".join(parts) for key, parts in self.values.items()}
            if texts.get("ns", ARTICLES).strip() == ARTICLES and "#redirect" not in texts.get("text", "")[:200].lower():
                self.whole.append(Page(texts.get("title", "").strip(), texts.get("text", "")))

    def data(self, text: str) -> None:
        name = self.path[-1] if self.path else ""
        if name in ("title", "ns", "text") and self.chars < MAX_PAGE_CHARS:
            self.chars += len(text)
            self.values.setdefault(name, []).append(text)


def read_pages(file: RawInput) -> Iterator[Page]:
    """Yield the articles of a file in its order. Raises SourceError if it is neither a dump nor text, or damaged.

    The page of a file of wikitext is called as the file is, without its ending.
    """
    name = file.snapshot.location
    try:
        with _opened(file) as stream:
            first = stream.read(CHUNK_BYTES)
            if first.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
                yield from _of_dump(first, stream, name)
                return
            text = (first + stream.read(4 * MAX_PAGE_CHARS)).decode("utf-8-sig")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise SourceError(f"{name}: found a file that cannot be read ({error}); expected UTF-8 wikitext or a dump in "
                          "XML. Download it again.") from None  # fmt: skip
    if "{{" not in text or "\0" in text:
        raise SourceError(f"{name}: found text without a template; expected the wikitext of a page, or a dump in XML.")
    yield Page(PurePosixPath(name).stem.replace("_", " "), text[:MAX_PAGE_CHARS])


def _of_dump(first: bytes, stream: IO[bytes], name: str) -> Iterator[Page]:
    dump = _Dump()
    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = dump.start, dump.end
    parser.CharacterDataHandler = dump.data

    def refuse(*_: object) -> None:
        raise SourceError(f"{name}: found a document that declares entities; expected a dump, which declares none.")

    parser.EntityDeclHandler = refuse
    chunk = first
    try:
        while chunk:
            parser.Parse(chunk, False)
            yield from dump.whole
            dump.whole.clear()
            chunk = stream.read(CHUNK_BYTES)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise SourceError(
            f"{name}: found XML that cannot be read ({error}); expected a whole dump. Download it again."
        ) from None
    yield from dump.whole
    if dump.roots != {"mediawiki"}:
        roots = ", ".join(sorted(dump.roots)) or "nothing"
        raise SourceError(f"{name}: found a document <{roots[:40]}>; expected a dump, <mediawiki>. Save the page's "
                          "wikitext, or let the guide's Special:Export make a dump of it.")  # fmt: skip


@contextmanager
def _opened(file: RawInput) -> Iterator[IO[bytes]]:
    with file.path.open("rb") as raw:
        head = raw.read(3)
        raw.seek(0)
        if head == b"BZh":
            with bz2.open(raw) as unpacked:
                yield cast("IO[bytes]", unpacked)
        elif head[:2] == b"\x1f\x8b":
            with gzip.open(raw) as unpacked:
                yield cast("IO[bytes]", unpacked)
        else:
            yield raw
