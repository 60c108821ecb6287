"""The format of an OpenStreetMap file, told by its first bytes, and what is said of one that cannot be read.

Kept files are named by hash and have no suffix; `name` is what people call them.
"""

from __future__ import annotations

import re
from pathlib import Path

from schemas.source import SourceError

EXPECTED = "an OpenStreetMap extract (.osm.pbf, .osm, .osm.bz2 or .osm.gz)"
ASK_OVERPASS = "Ask Overpass for XML with the nodes of all ways: `[out:xml]; …; out body; >; out skel qt;`"
TAIL_BYTES = 1 << 16
_DELETED = re.compile(rb"\baction=['\"]delete['\"]")
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
    return SourceError(f"{name}: found an extract that cannot be read ({text}); expected a whole one. {remedy}.")


def require_what_is_there(extract: Path, name: str) -> None:
    """Raise SourceError for XML that says that it holds less than was asked for, or what somebody deletes.

    Overpass remarks at an answer's end that it stopped half-way, with status 200; JOSM keeps what it has not uploaded.
    """
    with extract.open("rb") as file:
        is_josm = b"JOSM" in file.read(1 << 10)
        file.seek(0)
        deleted = sum(1 for line in file if _DELETED.search(line)) if is_josm else 0
        file.seek(max(0, extract.stat().st_size - TAIL_BYTES))
        remark = _REMARK.search(file.read())
    if remark:
        text = remark[1].decode("utf-8", "replace").strip()
        raise SourceError(
            f"{name}: found an answer of Overpass that ends with the remark {text!r}; expected a whole one. Ask again "
            "later, or for a smaller box."
        )
    if deleted:
        raise SourceError(
            f"{name}: found elements that are deleted in JOSM and not uploaded ({deleted}); expected what is on the "
            "map. Upload the changes, and download the area again."
        )
