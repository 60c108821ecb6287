"""Planted dirt, for every provider: files of lines of which some are bad, and names that break careless code.

Every planted line is written down in `dirt.csv` beside the files, so that a reader can be held to each of them.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

from schemas.stable import stable_hash
from sources.invented.world import Place

DIRT_FILE = "dirt.csv"


class PlantedLine(NamedTuple):
    """A line to plant in a file: what is wrong with it, its bytes, and the id it bears (or would bear), if any."""

    kind: str
    line: bytes
    native_id: str = ""


class Dirt(NamedTuple):
    """One planted defect and where it is; `line` is 1-based."""

    kind: str
    file: str
    line: int
    native_id: str


FEW_ROWS = 3
"""From so many good rows on, a file of one row a city has all the dirt that there is for it."""

T = TypeVar("T")


def not_mostly(planted: Sequence[T], good: int) -> Sequence[T]:
    """Return what to plant beside some good rows: less in a world of one or two cities.

    A file of which most rows cannot be read is refused whole, and nothing would be learnt of its rows.
    """
    return planted if good >= FEW_ROWS else planted[: good + 2]


JUNK_LINES = (
    PlantedLine("empty_line", b""),
    PlantedLine("binary_line", b"\x00\xff\xfe\x89PNG\x1a\x00\xc3\x28\x80 junk"),
    PlantedLine("truncated_line", b'{"business_id":"cut-off-in-the-middle","name":"Half a li'),
    PlantedLine("not_an_object", b'["a", "list"]'),
    PlantedLine("not_an_object", b"42"),
    PlantedLine("not_an_object", b"null"),
    PlantedLine("not_an_object", b'"<script>alert(1)</script>"'),
)
"""Lines that are no JSON object."""

HOSTILE_NAMES = (
    ("name_comma", "{}, Sons, and Daughters"),
    ("name_quote", "\"{}\" 'Original'"),
    ("name_html", "{} <script>alert(1)</script>"),
    ("name_emoji", "{} \U0001f35c\U0001f525\U0001f468\u200d\U0001f469\u200d\U0001f467"),
    ("name_rtl", "\u0645\u0637\u0639\u0645 \u202e{}\u202c"),
    ("name_newline", "{}\nAnnex"),
    ("name_zero_width", "\ufeff{}\u200b"),
    ("name_entity", "{} &amp; Co. &lt;b&gt;"),
    ("name_formula", "=1+1;{}|'cmd'!A0"),
    ("name_sql", "{}'); DROP TABLE place;--"),
)
"""How a name may be spoilt; the places that bear such names are good places all the same."""
SPOILT_NAMES = (
    *(("restaurant", number) for number in (1, 2, 3, 4)),
    *(("attraction", number) for number in (1, 2, 3, 4)),
    *(("stay", number) for number in (1, 2)),
)
"""The places of each city whose names are spoilt, each in another way, and in other ways in other cities."""


def hostile_name(place: Place) -> tuple[str, str] | None:
    """Return the kind of dirt and the spoilt name of the place, or None for a place that keeps its name."""
    number = int(place.place_key.rpartition("/")[2])
    if (place.kind, number) not in SPOILT_NAMES:
        return None
    turn = SPOILT_NAMES.index((place.kind, number)) + stable_hash("hostile names", place.city.city_id)
    kind, pattern = HOSTILE_NAMES[turn % len(HOSTILE_NAMES)]
    return kind, pattern.format(place.name)


class LineFile:
    """A file of lines, written one by one, with lines planted among them and at its end.

    One planted line follows each `gap` lines added; what is left of them, and the tail, come last. The file's
    last line has no newline if it is one of kind `truncated_at_the_end`. `dirt` says what is planted where.
    """

    def __init__(
        self, path: Path, planted: Sequence[PlantedLine] = (), tail: Sequence[PlantedLine] = (), gap: int = 1
    ) -> None:
        self.dirt: list[Dirt] = []
        self._path, self._gap, self._tail = path, gap, tail
        self._waiting = deque(planted)
        self._lines = self._added = 0
        self._file = path.open("wb", buffering=1 << 20)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        for line in (*self._waiting, *self._tail) if error[0] is None else ():
            self._write(line)
        self._file.close()

    def add(self, line: bytes, kind: str = "", native_id: str = "") -> None:
        """Write the line, given without its newline; with a kind it counts as planted."""
        self._write(PlantedLine(kind, line, native_id))
        self._added += 1
        if self._waiting and self._added % self._gap == 0:
            self._write(self._waiting.popleft())

    def _write(self, line: PlantedLine) -> None:
        self._lines += 1
        self._file.write(line.line if line.kind == "truncated_at_the_end" else line.line + b"\n")
        if line.kind:
            self.dirt.append(Dirt(line.kind, self._path.name, self._lines, line.native_id))


def write_dirt(folder: Path, dirt: Iterable[Dirt]) -> Path:
    """Return the path of the list of planted dirt, after writing it as CSV with a header."""
    path = folder / DIRT_FILE
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Dirt._fields)
        writer.writerows(dirt)
    return path
