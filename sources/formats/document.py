"""A file that is one JSON document, read whole, and only as large as memory bears."""

from __future__ import annotations

import json
from typing import Any

from schemas.source import SourceError
from sources.formats.unpacked import RawInput, not_utf_8, unpacked

MAX_DOCUMENT_BYTES = 64 << 20
MOST_BRACKETS = 2_000_000
"""A document with more of them would take many times its own bytes when it is read."""


def document_text(file: RawInput) -> bytes:
    """Return the file's text. Raises SourceError for one that is too large to be read as one document."""
    with unpacked(file) as stream:
        text = stream.read(MAX_DOCUMENT_BYTES + 1)
    if len(text) > MAX_DOCUMENT_BYTES:
        found = f"of more than {MAX_DOCUMENT_BYTES >> 20} MiB"
    elif text.count(b"[") + text.count(b"{") > MOST_BRACKETS:
        found = f"with more than {MOST_BRACKETS:,} brackets"
    else:
        return text
    raise SourceError(
        f"{file.snapshot.location}: found one JSON document {found}; expected a smaller one, or an object a "
        "line. Write each of its objects on a line of its own, or split it."
    )


def whole_document(file: RawInput, expected: str, remedy: str) -> Any:
    """Return the file's one JSON value. Raises SourceError for text that is none, saying what was `expected`."""
    text = document_text(file)
    try:
        return json.loads(text.decode())
    except UnicodeDecodeError as error:
        raise SourceError(f"{file.snapshot.location}: {not_utf_8(error)}") from None
    except (ValueError, RecursionError) as error:
        raise SourceError(
            f"{file.snapshot.location}: found text that is not JSON ({str(error)[:100]}); expected {expected}. {remedy}"
        ) from None
