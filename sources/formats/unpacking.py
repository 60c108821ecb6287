"""What a reader is given, and its bytes: unpacked if they are gzip, as UTF-8 whatever they were, within bounds.

Every reader of text opens its file here, so that what a file may do to us is decided once.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO, Protocol, cast

from schemas.source import Snapshot, SourceError

_GZIP_MAGIC = b"\x1f\x8b"
_BUFFER_BYTES = 1 << 16
_LARGE_BUFFER_BYTES = 1 << 20
_HEAD_BYTES = 1 << 12

MAX_UNPACKED_BYTES = 32 << 30
"""The largest text that is read out of a packed file."""
MAX_RATIO = 200
"""Largest unpacked to packed size above `RATIO_FREE_BYTES`; real tables and timetables reach about 30."""
RATIO_FREE_BYTES = 4 << 20
MAX_MEMBER_BYTES = 4 << 30
"""Largest unpacked size of a zip's member that is read; the largest national timetables stay below it."""

WORKBOOK = "a spreadsheet's workbook"
_WORKBOOK = rb"PK\x03\x04.{26}(\[Content_Types\]\.xml|docProps/|xl/|mimetypeapplication/vnd\.oasis)|\xd0\xcf\x11\xe0"
PACKINGS = tuple(
    (what, remedy, re.compile(begins, re.DOTALL))
    for what, remedy, begins in (
        (WORKBOOK, "Save it as CSV", _WORKBOOK),
        ("a tar archive", "Unpack it (tar -xf)", rb".{257}ustar"),
        ("a zip archive", "Unpack it (unzip)", rb"PK\x03\x04"),
        ("a 7z archive", "Unpack it (7z x)", rb"7z\xbc\xaf\x27\x1c"),
        ("bzip2 data", "Unpack it (bunzip2)", rb"BZh[1-9]1AY&SY"),
        ("xz data", "Unpack it (unxz)", rb"\xfd7zXZ\x00"),
        ("Zstandard data", "Unpack it (unzstd)", rb"\x28\xb5\x2f\xfd"),
    )
)
"""What tables come in beside gzip, and are not read out of: its name, what to do, and how such files begin. Workbooks
are zips whose first member is one of these, or older than that."""

UNPACKING_FAULTS = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)
"""What the standard library raises for an archive that is damaged, encrypted or packed in a way it does not know."""

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte order marks; those of UTF-32 begin like those of UTF-16."""


class RawInput(Protocol):
    """One raw file: what the lock says of it, and where its bytes can be read."""

    @property
    def snapshot(self) -> Snapshot:
        """The file's entry in the lock."""
        ...

    @property
    def path(self) -> Path:
        """A local path to the bytes."""
        ...

    @property
    def max_unreadable(self) -> float:
        """The share of its rows that may be unreadable."""
        ...


class BombError(ValueError):
    """A packed file that unpacks to far more than real ones do."""


@contextmanager
def unpacked(file: RawInput) -> Iterator[BinaryIO]:
    """Yield the file's bytes, unpacked; text in UTF-8 without a mark and with lines ended by a line feed.

    Raises SourceError where a gzip file is damaged or a bomb, where the bytes are packed in another way, where text is
    not in the encoding that its mark says, and where what is read meanwhile is not UTF-8 or no CSV.
    """
    name = file.snapshot.location
    with file.path.open("rb") as raw, said_of(name):
        if raw.read(2) != _GZIP_MAGIC:
            raw.seek(0)
            yield as_utf_8(_as_itself(raw, name))
            return
        raw.seek(0)
        with gzip.open(raw) as inside:
            bounded = io.BufferedReader(_Bounded(cast(BinaryIO, inside), raw), _BUFFER_BYTES)
            yield as_utf_8(_as_itself(bounded, name))


def packing(head: bytes) -> tuple[str, str] | None:
    """Return what a file that begins so is packed in, and what to do; None for what may be text or gzip."""
    return next(((what, remedy) for what, remedy, begins in PACKINGS if begins.match(head)), None)


def _as_itself(stream: io.BufferedReader[Any], name: str) -> BinaryIO:
    """Return the stream; raise SourceError if it is packed, as its bytes are no text or that of several files."""
    packed_in = packing(stream.peek(_HEAD_BYTES))
    if packed_in:
        what, remedy = packed_in
        raise SourceError(f"{name}: found {what}; expected the file itself. {remedy}, and bind what comes of it.")
    return cast(BinaryIO, stream)


@contextmanager
def said_of(name: str) -> Iterator[None]:
    """Raise what goes wrong in reading a file's bytes as a SourceError that names the file and what to do."""
    try:
        yield
    except BombError as error:
        raise SourceError(
            f"{name}: {error}; expected a packed table. Do not use this file: it looks like a decompression bomb."
        ) from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise SourceError(
            f"{name}: found a damaged gzip file ({error}); expected a whole one. Get it again."
        ) from error
    except UnicodeDecodeError as error:
        raise SourceError(f"{name}: {not_utf_8(error)}") from None
    except csv.Error as error:
        raise SourceError(f"{name}: found text that is not CSV ({error}); expected a table. Get it again.") from None


def not_utf_8(error: UnicodeDecodeError) -> str:
    """Return in words which bytes are not in the encoding, what they would be in Latin-1, and what to do."""
    around = bytes(error.object[max(0, error.start - 12) : error.start + 12])
    guess = around.decode("latin-1").encode("ascii", "backslashreplace").decode()
    latin_1_text = around.decode("latin-1") if around.decode("latin-1").isprintable() else guess
    return (
        f"found bytes that are not {error.encoding.upper()} (0x{error.object[error.start]:02x}; read as Latin-1 they "
        f"are {latin_1_text!r}); expected UTF-8 or UTF-16. If it is Latin-1, convert it: iconv -f latin1 -t utf-8."
    )


def as_utf_8(stream: BinaryIO) -> BinaryIO:
    """Return the stream's text in UTF-8 without a mark, its lines ended by line feeds; other bytes as they are.

    UTF-16 and UTF-32 are told by their mark, UTF-16 also by the zeros between the letters of what it begins with.
    Single carriage returns are line ends only in a text that has no line feed where it begins.
    """
    buffered: Any = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, stream))
    head = buffered.peek(_HEAD_BYTES)[:_HEAD_BYTES]
    mark, encoding = next(((mark, name) for mark, name in MARKS if head.startswith(mark)), (b"", ""))
    encoding = encoding or _encoding_by_zeros(head)
    buffered.read(len(mark))
    head = head[len(mark) :]
    if encoding not in ("", "utf-8"):
        head = head.decode(encoding, "ignore").encode("utf-8", "ignore")
        decoded = _Recoded(buffered, encoding)
        buffered = io.BufferedReader(decoded, _BUFFER_BYTES)
    if b"\r" in head and b"\n" not in head and not head.startswith((b"PK", b"\x00")):
        buffered = io.BufferedReader(_LineFeeds(cast(BinaryIO, buffered)), _BUFFER_BYTES)
    return cast(BinaryIO, buffered)


def _encoding_by_zeros(head: bytes) -> str:
    """Return UTF-16 with the order of its bytes where every other byte of the first letters is zero; else nothing."""
    first = head[:16]
    if len(first) < 4:
        return ""
    even, odd = first[::2], first[1::2]
    if not any(odd) and all(even):
        return "utf-16-le"
    return "utf-16-be" if not any(even) and all(odd) else ""


class _Bounded(io.RawIOBase):
    """Unpacked bytes, as long as they are not far more than the packed ones read for them."""

    def __init__(self, inside: BinaryIO, packed: BinaryIO) -> None:
        self._inside, self._packed, self._given = inside, packed, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        chunk = self._inside.read(min(len(buffer), _BUFFER_BYTES))
        self._given += len(chunk)
        if self._given > RATIO_FREE_BYTES and self._given > MAX_RATIO * max(1, self._packed.tell()):
            raise BombError(f"found more than {MAX_RATIO} times its packed size, {self._given >> 20} MB so far")
        if self._given > MAX_UNPACKED_BYTES:
            raise BombError(f"found more than {MAX_UNPACKED_BYTES >> 30} GB")
        buffer[: len(chunk)] = chunk
        return len(chunk)


NO_TEXT = "tripwright-no-text"
"""How bytes that are no text of their encoding are decoded: as half a surrogate pair, which is no UTF-8."""
codecs.register_error(NO_TEXT, lambda error: ("\udfff", error.end if isinstance(error, UnicodeDecodeError) else 0))


class _Recoded(io.RawIOBase):
    """Text of another encoding, as UTF-8."""

    def __init__(self, stream: io.BufferedReader, encoding: str) -> None:
        self._stream, self._ready = stream, b""
        self._decoder = codecs.getincrementaldecoder(encoding)(NO_TEXT)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._ready:
            chunk = self._stream.read1(_BUFFER_BYTES)
            # What is no text (half a pair, half a character at the end) is no UTF-8 either: whoever reads it finds it.
            self._ready = self._decoder.decode(chunk, final=not chunk).encode("utf-8", "surrogatepass")
            if not chunk:
                break
        portion, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(portion)] = portion
        return len(portion)


class Replaced(io.RawIOBase):
    """Text in which bytes that are no UTF-8 are the replacement character, for a library that takes nothing else."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self._stream, self._ready = stream, b""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def readable(self) -> bool:
        """Return true."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Return how many bytes were put into the buffer."""
        while not self._ready:
            chunk = self._stream.read1(_LARGE_BUFFER_BYTES)
            is_plain = chunk.isascii() and chunk and not self._decoder.getstate()[0]
            self._ready = chunk if is_plain else self._decoder.decode(chunk, final=not chunk).encode()
            if not chunk:
                break
        portion, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(portion)] = portion
        return len(portion)


class _LineFeeds(io.RawIOBase):
    """Text whose lines end in carriage returns, as lines that end in line feeds."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        chunk = self._stream.read(min(len(buffer), _BUFFER_BYTES)).replace(b"\r", b"\n")
        buffer[: len(chunk)] = chunk
        return len(chunk)


def base_name(name: str) -> str:
    """Return a zip's member's own name in small letters, whatever its folder, and whatever separates folders."""
    return re.split(r"[/\\]", name)[-1].lower()


def is_of_the_system(name: str) -> bool:
    """Return whether a zip's member is none of its maker's: macOS packs what it knows of each file beside it."""
    return "__MACOSX" in re.split(r"[/\\]", name) or re.search(r"(^|[/\\])\._[^/\\]*$", name) is not None


def member_problem(info: zipfile.ZipInfo) -> str:
    """Return in words why a zip's member is not to be unpacked, "" if it may be."""
    ratio = info.file_size / max(info.compress_size, 1)
    if info.file_size > MAX_MEMBER_BYTES or (info.file_size > RATIO_FREE_BYTES and ratio > MAX_RATIO):
        return f"member {info.filename} would unpack to {info.file_size:,} bytes, {ratio:.0f} times its packed size"
    return f"member {info.filename} is encrypted" if info.flag_bits & 1 else ""


def text_member(member: IO[bytes]) -> BinaryIO:
    """Return an opened member's text as `unpacked` gives a file's."""
    return as_utf_8(cast(BinaryIO, member))
