"""Which source and role a given file is of, told by what is in it: never by its name, which anybody may choose."""

from __future__ import annotations

import bz2
import csv
import io
import re
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from schemas.source import SourceError
from sources.formats.csv_records import OTHER_SEPARATORS
from sources.formats.shape import Shape, shape_of
from sources.formats.unpacking import packing
from sources.numbeo.prices import INDEX_COLUMNS, MEAL_COLUMNS
from sources.registry import SOURCES

HEAD_BYTES = 1 << 16
EMPTY_ZIP = b"PK\x05\x06"
"""What an archive begins with that holds nothing (APPNOTE.TXT, 4.3.16)."""

GZIP = zlib.MAX_WBITS | 16
"""What zlib calls data with gzip's header."""


@dataclass(frozen=True)
class Recognised:
    """A file with the source and the role that its content is of."""

    path: Path
    source: str
    role: str


@dataclass(frozen=True)
class _File:
    shape: Shape
    head: bytes
    columns: frozenset[str]

    def has(self, *names: str) -> bool:
        """Return whether the file has all of these columns or keys."""
        return set(names) <= self.columns


def recognised(path: Path) -> Recognised:
    """Return what the file is. Raises SourceError naming what was found, and what there is, if it is of no source."""
    if path.is_dir():
        raise SourceError(f"{path}: found a folder; expected a file. Name each file in it that is to be read.")
    if not path.is_file():
        raise SourceError(f"{path}: found no file; expected one of a source that `tripwright sources` lists.")
    file = _looked_at(path)
    source_role = next(((s, role) for s, role, is_it in _RULES if s in SOURCES and is_it(file)), None)
    if source_role:
        return Recognised(path, *source_role)
    if file.shape.problem:
        raise SourceError(
            f"{path.name}: found a file that is {file.shape.problem}; expected a whole one. "
            "Get it again, or pack it anew."
        )
    packed_in = packing(_unpacked(file.head)) if file.shape.kind != "zip" else None
    if packed_in or any(name.endswith(".zip") for name in file.shape.names):
        what, remedy = packed_in or ("a zip archive of zip archives", "Unpack it (unzip)")
        raise SourceError(
            f"{path.name}: found {what}; expected the files that it holds. {remedy}, and give what comes of it."
        )
    raise SourceError(
        f"{path.name}: found a file that {_description(file)}; expected one of "
        f"{', '.join(sorted({s for s, _, _ in _RULES if s in SOURCES}))}. `tripwright sources` says what each gives."
    )


def _description(file: _File) -> str:
    """Return what a file is that is of no source, in words."""
    if not file.head:
        return "is empty"
    if file.head.startswith(EMPTY_ZIP):
        return "is a zip archive without files"
    names = ", ".join(repr(name)[1:-1] for name in sorted(file.columns)[:8])
    if file.shape.kind == "zip":
        return f"is a zip archive of {names}"
    if packed_in := packing(file.head):
        return f"is {packed_in[0]}"
    text = _unpacked(file.head).decode("utf-8-sig", "replace").lstrip()
    if re.match(r"<!doctype html|<html", text, re.IGNORECASE):
        return "is a web page (HTML), not the file that it links to or says is missing"
    if separators := [name for mark, name in OTHER_SEPARATORS.items() if _is_separated(text, mark)]:
        return f"has {separators[0]} between its columns, not commas, and begins {text[:60]!r}"
    return f"begins {text[:40]!r}{f' and names {names}' if names else ''}"


def _is_separated(text: str, mark: str) -> bool:
    """Return whether a text is a table whose columns are parted by this mark and not by commas."""
    header, _, row = text.partition("\n")
    count = header.count(mark)
    return count > 0 and "," not in header and row.partition("\n")[0].count(mark) >= count


def _looked_at(path: Path) -> _File:
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if head.startswith(b"PAR1"):
        return _File(Shape("parquet", frozenset(), 0), head, _parquet_columns(path))
    try:
        shape = shape_of(path)
    except (csv.Error, UnicodeDecodeError, RecursionError, zipfile.BadZipFile):
        shape = Shape("unknown", frozenset(), path.stat().st_size)
    columns = {name.rpartition(":")[2] if shape.kind == "zip" else name for name in shape.names}
    if shape.kind == "csv":
        columns |= _late_header(head)
    return _File(shape, head, frozenset(columns))


def _parquet_columns(path: Path) -> frozenset[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return frozenset(pq.read_schema(path).names)
    except (pa.ArrowInvalid, OSError):
        return frozenset()


def _late_header(head: bytes) -> set[str]:
    """Return the columns of a table that begins after a few lines of preamble."""
    text = head.decode("utf-8-sig", "replace")
    try:
        rows = list(csv.reader(io.StringIO("\n".join(text.splitlines()[:8]))))
    except csv.Error:
        return set()
    return next(({cell.strip() for cell in row} for row in rows if "Country Code" in row), set())


def _is_osm(file: _File) -> bool:
    return file.shape.kind == "osm.pbf" or b"<osm" in _unpacked(file.head)[:2000]


def _is_wikivoyage(file: _File) -> bool:
    head = _unpacked(file.head)
    if re.match(rb'\s*(\{|\[\s*\{)\s*"', head):
        return False  # JSON, which may hold a page's wikitext as it may hold anything
    is_dump = b"<mediawiki" in head[:4000]
    return is_dump or re.search(rb"\{\{\s*(see|do|buy|eat|drink|sleep|pagebanner|listing)\s*\|", head, re.I) is not None


def _unpacked(head: bytes) -> bytes:
    """Return a file's first bytes, unpacked if they are bzip2 or gzip."""
    try:
        if head.startswith(b"BZh"):
            return bz2.BZ2Decompressor().decompress(head, HEAD_BYTES)
        if head.startswith(b"\x1f\x8b"):
            return zlib.decompressobj(GZIP).decompress(head, HEAD_BYTES)
    except (OSError, zlib.error):
        return b""
    return head


def _is_overture_places(file: _File) -> bool:
    is_categorised = bool(file.columns & {"categories", "taxonomy"})
    return file.shape.kind == "parquet" and file.has("id", "geometry", "names") and is_categorised


def _is_airports(file: _File) -> bool:
    try:
        row = next(csv.reader([file.head.decode("utf-8", "replace").partition("\n")[0]]), [])
    except csv.Error:
        return False
    return len(row) == 14 and re.fullmatch(r"[A-Z]{3}|\\N", row[4]) is not None


_RULES: tuple[tuple[str, str, Callable[[_File], bool]], ...] = (
    ("wikivoyage", "pages", _is_wikivoyage),
    ("osm", "extract", _is_osm),
    ("gtfs", "feed", lambda f: f.shape.kind == "zip" and any(n.endswith("stops.txt") for n in f.shape.names)),
    ("overture", "places", _is_overture_places),
    (
        "airbnb",
        "listings",
        lambda f: f.has("id", "room_type", "latitude", "longitude") and bool(f.columns & {"host_id", "minimum_nights"}),
    ),
    ("yelp", "review", lambda f: f.has("review_id", "business_id", "text")),
    ("yelp", "business", lambda f: f.has("business_id", "categories", "latitude", "longitude", "is_open")),
    ("tripadvisor", "places", lambda f: f.has("id", "type", "name", "locationString")),
    ("airbnb", "apify", lambda f: f.has("roomType") and bool(f.columns & {"coordinates", "pricing"})),
    ("events", "apify", lambda f: f.has("name", "segmentName", "dateTitle")),
    ("events", "discovery", lambda f: f.has("_embedded", "page")),
    ("bts", "on_time", lambda f: f.has("FL_DATE", "ORIGIN", "DEST") or f.has("FlightDate", "Origin", "Dest")),
    ("travelplanner", "flights", lambda f: f.has("Flight Number", "Price", "OriginCityName", "DestCityName")),
    ("world_bank", "price_levels", lambda f: f.has("Country Name", "Country Code", "Indicator Code")),
    ("big_mac", "prices", lambda f: f.has("iso_a3", "currency_code", "local_price", "dollar_ex")),
    (
        "numbeo",
        "prices",
        lambda f: f.has("city", "country") and bool(f.columns & {*INDEX_COLUMNS, *MEAL_COLUMNS, "items"}),
    ),
    ("openflights", "airports", _is_airports),
)
"""In this order, the first that fits: a file that could be of two is of the one with the narrower rule."""
