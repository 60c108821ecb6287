"""How many records a raw file has at least, counted from its bytes: so many no step may have passed over in silence.

Counted without what the providers make of them, of files that are one table: lines, CSV records, or the items of one
JSON array.
"""

from __future__ import annotations

import csv
from collections.abc import Callable

from sources.formats.apify import read_items
from sources.formats.csv_records import header_and_records
from sources.formats.unpacking import RawInput, unpacked
from sources.published import itinbench, queries

HEAD_BYTES = 4096


def lines(file: RawInput) -> int:
    """Return how many lines of a file are not blank."""
    with unpacked(file) as stream:
        return sum(1 for line in stream if line.strip())


def csv_records(file: RawInput) -> int:
    """Return how many records a CSV file has after its header, faulty ones too; 0 if it cannot be read to its end."""
    with unpacked(file) as stream:
        try:
            return sum(1 for _ in header_and_records(stream, "replace")[1])
        except csv.Error:
            return 0


def items(file: RawInput) -> int:
    """Return how many records an export has: items of its array, lines that are objects, or records of a CSV."""
    with unpacked(file) as stream:
        first = stream.read(HEAD_BYTES).removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if first == b"[":
        return sum(1 for _ in read_items(file, []))
    return lines(file) if first == b"{" else csv_records(file)


RECORD_COUNTS: dict[tuple[str, str], Callable[[RawInput], int]] = {
    **{("yelp", role): lines for role in ("business", "review")},
    **{("published", role): lines for role in itinbench.TABLE_KINDS},
    **{("published_queries", file.role): lines for file in queries.SOURCE.files},
    ("group", "profiles"): lines,
    ("openflights", "airports"): lines,
    ("airbnb", "listings"): csv_records,
    ("group", "fares"): csv_records,
    ("group", "climate"): csv_records,
    ("airbnb", "apify"): items,
    ("tripadvisor", "places"): items,
    ("numbeo", "prices"): items,
}
"""Source and role to what counts its files' records. Maps, feeds and pages are not here: of them a step reads some."""
