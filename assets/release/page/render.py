"""Writing the page: one file that asks nothing of any server, in which no text of a source can be executed.

Data go into script blocks that browsers do not run: the overview as JSON with every `<` escaped, the rest as base64.
A content security policy lets nothing run but our own script, by its hash, and lets no string become HTML.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assets.release import page
from assets.release.page.data import page_data, told_when_whole
from assets.release.reading import OpenedRelease
from warehouse.snapshots import Snapshots

HERE = Path(page.__file__).parent
"""Of the package, so that whoever is hashed with this module is with the files beside it too."""
BUNDLE = HERE / "bundle"
TEMPLATE = HERE / "web" / "page.html"


ESCAPES = str.maketrans({character: f"\\u{ord(character):04x}" for character in "<>&"})
"""What could end a script block, or open a comment in it, as JSON writes it too."""


@dataclass(frozen=True)
class PageParts:
    """A page but for how it looks: its overview, and by place in the template the blocks of all else."""

    overview: dict[str, Any]
    blocks: dict[str, bytes]


def report(releases: list[OpenedRelease], snapshots: Snapshots) -> bytes:
    """Return the HTML (UTF-8) of the page of one release, or of several families' releases of one recipe."""
    return render(page_data(releases, snapshots))


def page_parts(releases: list[OpenedRelease], snapshots: Snapshots) -> PageParts:
    """Return the page of what may not be a release yet: see `finish`."""
    return _parts_of(page_data(releases, snapshots))


def finish(page: PageParts, releases: list[OpenedRelease]) -> bytes:
    """Return the HTML of a page that was drawn before its releases were there."""
    return _html(PageParts(page.overview | told_when_whole(releases), page.blocks))


def render(data: dict[str, Any]) -> bytes:
    """Return the HTML that shows the gathered data."""
    return _html(_parts_of(data))


def _parts_of(data: dict[str, Any]) -> PageParts:
    basemaps = b"\n".join(
        b'<script type="application/octet-stream" id="basemap-%d">%b</script>' % (number, base64.b64encode(block))
        for number, block in enumerate(data["basemaps"])
    )
    blocks = {name: packed(data[name]) for name in ("maps", "tasks", "provenance")}
    return PageParts(data["overview"], {**blocks, "basemaps": basemaps})


def _html(page: PageParts) -> bytes:
    script = (BUNDLE / "page.js").read_text(encoding="utf-8")
    style = (BUNDLE / "style.css").read_text(encoding="utf-8")
    texts = {
        "policy": policy(script, style),
        "title": html.escape(page.overview["title"]),
        "style": style,
        "overview": embedded_json(page.overview),
        "script": script,
    }
    # As bytes from the beginning: one text, with a name in another script in it, takes two or four times as much.
    parts = {name: text.encode() for name, text in texts.items()} | page.blocks
    pieces = TEMPLATE.read_bytes().split(b"%%")
    return b"".join(parts[piece.decode()] if number % 2 else piece for number, piece in enumerate(pieces))


def policy(script: str, style: str) -> str:
    """Return the content security policy: nothing may be loaded, and only this script and this style apply."""
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src '{_hash(script)}'",
            f"style-src '{_hash(style)}'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types default",
        ]
    )


def embedded_json(value: Any) -> str:
    """Return JSON that cannot end the script block it stands in, nor open a comment there."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.translate(ESCAPES)


def packed(value: Any) -> bytes:
    """Return JSON, compressed, in base64: letters, digits, + / and = alone."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
