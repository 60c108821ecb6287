"""Queries of published benchmarks, of any family: what a new set's own queries are held against.

They are only compared with; none becomes a task, and no word of them is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from schemas.rejection import Reason
from schemas.source import Source, SourceFile
from sources.formats.jsonl import RowError, read_rows, require_objects
from sources.formats.unpacking import RawInput

SOURCE = Source(
    name="published_queries",
    title="Queries of published benchmarks",
    homepage="",
    licence_id="LicenseRef-unverified",
    attribution="The authors of the published benchmark",
    files=(SourceFile("queries", "JSON lines: objects with the key query", required=False),),
    how_to_get="Write the published tasks as one JSON object a line, the text under `query`; name their licence.",
)

REMEDY = "Write the published tasks as one JSON object a line, the text under `query`."


class PublishedQuery(NamedTuple):
    """One published query and the line that it stands on."""

    text: str
    pointer: str


def read_queries(file: RawInput, rejected: list[dict[str, str]]) -> Iterator[PublishedQuery]:
    """Yield the queries of the file; lines without one go to `rejected`. Raises SourceError if none of it has any."""
    require_objects(file, ("query",), "published queries", REMEDY)
    yield from read_rows(file, parse_query, rejected)


def parse_query(row: dict[str, Any], pointer: str) -> PublishedQuery:
    """Return one line's query. Raises RowError where it has none."""
    text = row.get("query")
    if not isinstance(text, str) or not text.strip():
        raise RowError(Reason.BAD_VALUE, f"query: found {text!r:.40}, expected text")
    return PublishedQuery(text, pointer)
