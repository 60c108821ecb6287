"""JSON files that hold one document, an array of items, or an item a line: told apart by their bytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from sources.formats.apify import read_items
from sources.formats.document import document_text
from sources.formats.jsonl import numbered_lines
from sources.formats.unpacking import RawInput


def documents(file: RawInput, rejected: list[dict[str, str]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each object of the file with its locator: `document`, `L12` or `[3]`; what is none goes to `rejected`.

    Raises SourceError for a file that is neither JSON nor lines of it.
    """
    document = _whole_object(file)
    if document is not None:
        yield "document", document
        return
    for pointer, item in read_items(file, rejected):
        yield pointer.rpartition("#")[2], item


def _whole_object(file: RawInput) -> dict[str, Any] | None:
    """Return the object that the file is, None where it is an array or its first line is an object of its own."""
    first = next(numbered_lines(file), (0, b""))[1]
    if not first.lstrip().startswith(b"{"):
        return None
    if _is_object(first):
        return None
    text = document_text(file)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
