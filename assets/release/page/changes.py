"""The difference from the release before, as its CHANGES.md tells it, short enough to be read on the page."""

from __future__ import annotations

from typing import Any

from assets.release.reading import OpenedRelease, ReleaseError

CHANGES = "record/CHANGES.md"

RECORD = "A record of the build, kept beside the release: its audit verifies the release, and not this."

MAX_LINES = 60
"""Lines that the page shows of one chapter; CHANGES.md holds more of them."""


def changes(release: OpenedRelease) -> list[dict[str, Any]]:
    """Return the chapters: `title` (empty for what stands before the first), `lines` in Markdown, how many `more`.

    The first line says that it is a record.

    Empty where no CHANGES.md was kept with the release. Raises ReleaseError if it is no text.
    """
    path = release.folder / CHANGES
    if not path.is_file():
        return []
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ReleaseError(
            f"{path}: found bytes that are no text; expected Markdown in UTF-8. Remove the file: the release holds "
            "without it, and `tripwright diff` says anew what differs."
        ) from None
    chapters: list[tuple[str, list[str]]] = [("", [RECORD])]
    for line in text.splitlines():
        if line.startswith("## "):
            chapters.append((line.removeprefix("## "), []))
        elif line.strip() and not line.startswith("# "):
            chapters[-1][1].append(line)
    return [
        {"title": title, "lines": lines[:MAX_LINES], "more": max(0, len(lines) - MAX_LINES)}
        for title, lines in chapters
        if lines
    ]
