"""What a file is by its first bytes: enough to tell a provider's file from an error page, without reading its rows."""

from __future__ import annotations

import re

FIRST_BYTES = 512

SIGNATURES: dict[str, tuple[str, bytes, int]] = {
    ".zip": ("a zip archive", b"PK\x03\x04", 0),
    ".gz": ("gzip data", b"\x1f\x8b", 0),
    ".bz2": ("bzip2 data", b"BZh", 0),
    ".pbf": ("an OpenStreetMap extract", b"OSMHeader", 64),
    ".parquet": ("a Parquet file", b"PAR1", 0),
}
"""Ending to what it promises: name, bytes, and how far into the file they may begin."""

_PAGE = re.compile(rb"\s*(<!--.*?-->\s*)*<(!doctype\s+html|html|head|body|\?xml[^>]*>\s*<(html|Error))", re.I | re.S)


def signature_problem(first: bytes, name: str, format_: str, content_type: str = "") -> str:
    """Return how the first bytes of a file are not what its name or format promises; "" if they may be."""
    if not first:
        return "found an empty file; expected the provider's rows"
    ending = ".zip" if format_.startswith("GTFS Schedule zip") else _ending(name)
    if ending is None and "zipped or not" not in format_ and first.startswith(b"PK\x03\x04"):
        return f"found a zip archive; expected {format_ or 'the file itself'}"
    what, magic, within = SIGNATURES.get(ending or "", ("", b"", 0))
    if magic and magic not in first[: within + len(magic)]:
        return f"expected {what}, found {_description(first, content_type)}"
    if _PAGE.match(first.removeprefix(b"\xef\xbb\xbf")):
        return f"expected {format_ or 'a file'}, found {_description(first, content_type)}"
    return ""


def _ending(name: str) -> str | None:
    return next((ending for ending in SIGNATURES if name.lower().endswith(ending)), None)


def _description(first: bytes, content_type: str) -> str:
    kind = "a web page" if _PAGE.match(first) else content_type.partition(";")[0] or "something else"
    return f"{kind} that begins {first[:60].decode('utf-8', 'replace')!r}"
