"""The format of an OpenStreetMap file, told by its first bytes: kept files are named by hash and have no suffix."""

from __future__ import annotations

from pathlib import Path

from schemas.source import SourceError


def osm_format(extract: Path) -> str:
    """Return `osm.pbf`, `osm.bz2`, `osm.gz` or `osm`, libosmium's names. Raises SourceError for anything else."""
    with extract.open("rb") as file:
        head = file.read(64)
    if b"OSMHeader" in head:
        return "osm.pbf"
    if head.startswith(b"BZh"):
        return "osm.bz2"
    if head.startswith(b"\x1f\x8b"):
        return "osm.gz"
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"<?xml", b"<osm")):
        return "osm"
    description = f"begins {head[:16]!r}" if head else "is empty"
    remedy = "Unpack the archive" if head.startswith(b"PK") else "Download it again, and look at what came"
    raise SourceError(
        f"{extract.name} {description}; expected an OSM extract as .osm, .osm.bz2, .osm.gz or .osm.pbf. {remedy}."
    )
