"""An OpenStreetMap extract of a box, asked from an Overpass server. Opens the network, so only `refresh` calls it.

The answer is kept as it came; reading it belongs in `osm.py` and the routing engines.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.recipe import Box
from schemas.source import SourceError

if TYPE_CHECKING:
    import requests

PUBLIC_ENDPOINT = "https://overpass-api.de/api/interpreter"
USER_AGENT = "tripwright (travel-planning benchmarks)"
QUERY_SECONDS = 300
MAX_ANSWER_BYTES = 2 * 1024**3
MAX_BOX_DEGREES2 = 4.0
"""Largest box asked for, in square degrees: beyond it a regional extract is kinder to the public server."""
ATTEMPTS = 5
BUSY = (429, 502, 503, 504)
"""Answers of an Overpass server that is busy, for which its usage policy asks to wait and try again."""
_CHUNK_BYTES = 1 << 20
_TAIL_BYTES = 4096


def extract_query(box: Box) -> str:
    """Return the Overpass QL that asks for all nodes and relations of the box, and its ways with all their nodes.

    Relations come without their members beyond the box: a motorway's or a country's would bring half a continent.
    A box over the antimeridian is asked as its two halves.
    """
    halves = [(box.west, box.east)] if box.west <= box.east else [(box.west, 180.0), (-180.0, box.east)]
    boxes = [f"({box.south:.7f},{west:.7f},{box.north:.7f},{east:.7f});" for west, east in halves]
    ways, nodes, relations = ("".join(f"{kind}{part}" for part in boxes) for kind in ("way", "node", "rel"))
    settings = f"[out:xml][timeout:{QUERY_SECONDS}][maxsize:{MAX_ANSWER_BYTES}]"
    return f"{settings};({ways});(._;>;)->.w;({nodes}{relations})->.n;(.w;.n;);out body;"


def download_extract(
    box: Box,
    destination: Path,
    *,
    endpoint: str = PUBLIC_ENDPOINT,
    wait: Callable[[float], None] = time.sleep,
) -> Path:
    """Return `destination`, written with the box's extract as .osm XML.

    A busy server is asked again, up to `ATTEMPTS` times, as late as it says or twice as late each time. Raises
    SourceError if it stays busy, refuses, cannot be reached, or answers anything but a whole extract; then nothing is
    left at `destination`.
    """
    import requests

    width = (box.east - box.west) % 360 if box.west > box.east else box.east - box.west
    area = width * (box.north - box.south)
    if area > MAX_BOX_DEGREES2:
        raise SourceError(
            f"{endpoint}: the box covers {area:.1f} square degrees; expected at most {MAX_BOX_DEGREES2:g}. Draw the "
            "city's box smaller, or bind a regional extract from a mirror."
        )
    found = ""
    with requests.Session() as session:
        session.headers["User-Agent"] = USER_AGENT
        for attempt in range(ATTEMPTS):
            pause_s = float(5 * 2**attempt)
            try:
                with session.post(
                    endpoint, data={"data": extract_query(box)}, stream=True, timeout=(30, QUERY_SECONDS + 60)
                ) as answer:
                    if answer.status_code == requests.codes.ok:
                        _save(answer, endpoint, destination)
                        return destination
                    found = f"status {answer.status_code}"
                    if answer.status_code not in BUSY:
                        break
                    asked = answer.headers.get("Retry-After", "")
                    pause_s = min(float(asked), QUERY_SECONDS) if re.fullmatch("[0-9]{1,6}", asked) else pause_s
            except requests.RequestException as error:
                found = f"no whole answer ({type(error).__name__}: {error})"
            if attempt + 1 < ATTEMPTS:
                wait(pause_s)
    raise SourceError(
        f"{endpoint}: found {found}; expected an extract of the box. Try later, name another Overpass server, or bind "
        "an extract downloaded from a mirror."
    )


def _save(answer: requests.Response, endpoint: str, destination: Path) -> None:
    """Write the answer beside its destination and move it there once it is whole."""
    partial = destination.with_name(f"{destination.name}.part")
    size, head, tail = 0, b"", b""
    try:
        with partial.open("wb") as file:
            for chunk in answer.iter_content(_CHUNK_BYTES):
                size += len(chunk)
                if size > MAX_ANSWER_BYTES:
                    raise SourceError(
                        f"{endpoint}: found an answer of more than {MAX_ANSWER_BYTES:,} bytes; expected a city's "
                        "extract. Draw the city's box smaller."
                    )
                head = (head + chunk)[:_TAIL_BYTES] if len(head) < _TAIL_BYTES else head
                tail = (tail + chunk)[-_TAIL_BYTES:]
                file.write(chunk)
        problem = _problem(head, tail)
        if problem:
            raise SourceError(
                f"{endpoint}: found {problem}; expected a whole .osm document. Try later, or draw the box smaller."
            )
        partial.replace(destination)
    finally:
        partial.unlink(missing_ok=True)


def _problem(head: bytes, tail: bytes) -> str | None:
    """Return what is wrong with an answer, or None. Overpass says that a query failed in a remark, with status 200."""
    if b"<osm" not in head:
        return f"an answer that begins with {head[:60]!r}"
    remark = re.search(rb"<remark>\s*(.{0,300}?)\s*</remark>", tail, re.DOTALL)
    if remark and b"error" in remark[1]:
        return f"the remark {remark[1].decode('utf-8', 'replace')!r}"
    return None if tail.rstrip().endswith(b"</osm>") else "an answer that breaks off"
