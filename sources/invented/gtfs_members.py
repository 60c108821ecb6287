"""The members of a GTFS feed while it is made up: a header and rows each, in the order in which they were begun."""

from __future__ import annotations

import csv
import io


class Feed:
    """Members by name; each is a list of rows, the header first."""

    def __init__(self) -> None:
        self.members: dict[str, list[tuple[object, ...]]] = {}

    def begin(self, member: str, header: str) -> None:
        """Begin a member with the names of its columns, separated by commas."""
        self.members[member] = [tuple(header.split(","))]

    def add(self, member: str, *values: object) -> int:
        """Return the number of the row added to the member, counted from 1 after the header."""
        rows = self.members[member]
        rows.append(values)
        return len(rows) - 1


def csv_bytes(rows: list[tuple[object, ...]], line_end: str) -> bytes:
    """Return the rows as comma-separated values in UTF-8, quoted where they must be."""
    text = io.StringIO()
    csv.writer(text, lineterminator=line_end).writerows(rows)
    return text.getvalue().encode()
