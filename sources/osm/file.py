"""The format of an OpenStreetMap file, told by its first bytes, and what is said of one that cannot be read.

Kept files are named by hash and have no suffix; `name` is what people call them.
"""

from __future__ import annotations

import bz2
import gzip
import re
import zlib
from functools import lru_cache
from pathlib import Path

from schemas.source import SourceError

EXPECTED = "an OpenStreetMap extract (.osm.pbf, .osm, .osm.bz2 or .osm.gz)"
ASK_OVERPASS = "Ask Overpass for XML with the nodes of all ways: `[out:xml]; …; out body; >; out skel qt;`"
_DELETED = re.compile(rb"\baction=['\"]delete['\"]")
_NOT_THERE = re.compile(rb"<(node|way|relation)\b(?=[^<>]*\bvisible=['\"]false['\"])[^<>]*\bid=['\"](-?[0-9]+)")
CHUNK_BYTES = 1 << 20
GZIP, BZIP2 = b"\x1f\x8b", b"BZ"
LONGEST_TAG_BYTES = 1 << 12
_REMARK = re.compile(rb"<remark>\s*([^<]{1,200})")


def osm_format(extract: Path, name: str = "") -> str:
    """Return `osm.pbf`, `osm.bz2`, `osm.gz` or `osm`, libosmium's names. Raises SourceError for anything else."""
    with extract.open("rb") as file:
        head = file.read(64)
    if b"OSMHeader" in head:
        return "osm.pbf"
    if head.startswith(b"BZh"):
        return "osm.bz2"
    if head.startswith(b"\x1f\x8b"):
        return "osm.gz"
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith((b"<?xml", b"<osm", b"<!--")):
        return "osm"
    remedy = "Download it again; a web page saved in its place means that the address has changed"
    if head.startswith(b"PK"):
        remedy = "Unpack the archive"
    elif text.startswith(b"{"):
        remedy = f"It is JSON, as Overpass answers. {ASK_OVERPASS}"
    description = f"a file that begins {head[:32]!r}" if head else "a file that is empty"
    raise SourceError(f"{name or extract.name}: found {description}; expected {EXPECTED}. {remedy}.")


def unreadable(name: str, error: object) -> SourceError:
    """Return the error of the file of that name of which a reader said `error`."""
    text = str(error)[:200]
    remedy = "Download it again"
    if "in <way>: center" in text:
        remedy = f"It has middles of ways in place of their nodes. {ASK_OVERPASS}"
    if "blobs not supported" in text:
        remedy = "Its blocks are packed in a way that is seldom read: get one whose blocks are packed by zlib"
        return SourceError(
            f"{name}: found an extract that cannot be read ({text}); expected another packing. {remedy}."
        )
    return SourceError(f"{name}: found an extract that cannot be read ({text}); expected a whole one. {remedy}.")


def require_what_is_there(extract: Path, name: str) -> None:
    """Raise SourceError for XML that says that it holds less than was asked for, or what is deleted or will be.

    Overpass remarks at an answer's end that it stopped half-way, with status 200; JOSM keeps what it has not uploaded;
    the API and histories hold what is gone, marked as not visible.
    """
    try:
        problem = _what_is_wrong(extract, extract.stat().st_mtime_ns)
    except (EOFError, zlib.error, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # the disk's, not the packing's
        raise unreadable(name, error) from None
    if problem:
        raise SourceError(f"{name}: found {problem}")


@lru_cache(maxsize=64)
def _what_is_wrong(extract: Path, _written_ns: int) -> str:
    """Return what is wrong with XML, packed or not, what was expected and what to do; empty if nothing is."""
    with extract.open("rb") as packed:
        head = packed.read(2)
    open_text = gzip.open if head == GZIP else bz2.open if head == BZIP2 else open
    deleted_count, tail, is_josm = 0, b"", None
    with open_text(extract, "rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            is_josm = b"JOSM" in chunk[: 1 << 10] if is_josm is None else is_josm
            text = tail + chunk
            if gone := _NOT_THERE.search(text):
                return (
                    f"{gone[1].decode()} {gone[2].decode()} with visible=false, which is deleted; expected what is on "
                    "the map alone. Cut one state with osmium time-filter, or download the area again."
                )
            deleted_count += len(_DELETED.findall(text)) - len(_DELETED.findall(tail)) if is_josm else 0
            tail = text[-LONGEST_TAG_BYTES:]
    if remark := _REMARK.search(tail):
        remark_text = remark[1].decode("utf-8", "replace").strip()
        return (
            f"an answer of Overpass that ends with the remark {remark_text!r}; expected a whole one. Ask again later, "
            "or for a smaller box."
        )
    if deleted_count:
        return (
            f"elements that are deleted in JOSM and not uploaded ({deleted_count}); expected what is on the map. "
            "Upload the changes, and download the area again."
        )
    return ""
