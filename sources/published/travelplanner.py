"""TravelPlanner as published: its table of flights, as batches of columns, and its reference sets, row by row.

The reference sets' defects are counted in `assets/tripcraft/inspect.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from schemas.rejection import Reason
from schemas.source import Source, SourceError, SourceFile
from sources.flights.values import CLOCK, DATE, DISTANCE, ELAPSED, MISSING, NUMBER, PUBLISHED_NUMBER, Reading
from sources.formats.csv_columns import Batch, ColumnFile, by_locator
from sources.formats.jsonl import RowError, numbered_lines, parse_object, rejection
from sources.formats.unpacking import RawInput

if TYPE_CHECKING:
    import numpy as np

SOURCE = Source(
    name="travelplanner",
    title="TravelPlanner, as published",
    homepage="https://github.com/OSU-NLP-Group/TravelPlanner",
    licence_id="LicenseRef-unverified",
    attribution="TravelPlanner authors (OSU NLP Group)",
    files=(
        SourceFile("flights", "CSV: the database's clean_Flights_2022.csv", required=False),
        SourceFile("ref_info", "JSON lines: train_ref_info.jsonl", required=False),
    ),
    how_to_get="Take the database and the reference information from the links of the published repository.",
    tables=("flight",),
)

FLIGHT_HEADERS = {
    "given_number": "Flight Number", "price": "Price", "dep": "DepTime", "arr": "ArrTime",
    "elapsed": "ActualElapsedTime", "date": "FlightDate", "origin_name": "OriginCityName", "dest_name": "DestCityName",
    "miles": "Distance",
}  # fmt: skip
HEADINGS = (
    "Attractions in ",
    "Restaurants in ",
    "Accommodations in ",
    "Flight from ",
    "Self-driving from ",
    "Taxi from ",
)
"""How the keys of a reference set begin (1.D)."""

CURRENCY = "USD"
"""Of its prices (1.A)."""

MAX_CITY_NAMES = 100_000


class CityNames:
    """The city names of a file, each with its position."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._position: dict[str, int] = {}

    def position(self, name: str) -> int:
        """Return the name's position. Raises SourceError at more names than there can be cities."""
        if name not in self._position:
            if len(self.names) >= MAX_CITY_NAMES:
                raise SourceError(f"found more than {MAX_CITY_NAMES} city names; expected TravelPlanner's flights.")
            self._position[name] = len(self.names)
            self.names.append(name)
        return self._position[name]


def flights(file: RawInput) -> tuple[ColumnFile, CityNames, Iterator[dict[str, np.ndarray]]]:
    """Return the file, which gathers what is rejected, its city names, and its flights as batches of columns.

    Columns are those of `FLIGHT_HEADERS` and `record`, in the units of `flights.on_time`; city names are positions.
    Raises SourceError for a file without them.
    """
    source, names, readings = _opened(file)
    return source, names, (_complete(batch, readings) for batch in source.batches(FLIGHT_HEADERS, readings))


def parse_flights(file: RawInput, locators: set[str]) -> dict[str, dict[str, Any]]:
    """Return the flights at some locators of the file, each read from its record alone.

    Columns are those of `flights`, with the names of cities as text. One that cannot be used is left out.
    """
    source, names, readings = _opened(file)
    batch = source.batch(source.records(locators), FLIGHT_HEADERS, readings)
    rows = by_locator(source, _complete(batch, readings))
    ends = ("origin_name", "dest_name")
    return {at: row | {name: names.names[row[name]] for name in ends} for at, row in rows.items()}


def _opened(file: RawInput) -> tuple[ColumnFile, CityNames, dict[str, Reading]]:
    source = ColumnFile(file, "TravelPlanner's flights")
    missing = [column for column in FLIGHT_HEADERS.values() if column not in source.header]
    if missing:
        raise source.header_error(f"with {', '.join(missing)} too")
    names = CityNames()
    city = Reading(names.position, "a city's name")
    readings = {
        "given_number": PUBLISHED_NUMBER, "price": NUMBER, "dep": CLOCK, "arr": CLOCK, "elapsed": ELAPSED,
        "date": DATE, "origin_name": city, "dest_name": city, "miles": DISTANCE,
    }  # fmt: skip
    return source, names, readings


def _complete(batch: Batch, readings: dict[str, Reading]) -> dict[str, np.ndarray]:
    batch.reject_unreadable(readings)
    for name in FLIGHT_HEADERS:
        batch.reject(batch.values[name] == MISSING, Reason.MISSING_VALUE, name, readings[name].expected)
    return batch.kept_columns(tuple(FLIGHT_HEADERS))


@dataclass(frozen=True)
class ReferenceSet:
    """What one published query may use: rows by heading, and the sentence that stands where there are none."""

    source_row: str
    tables: dict[str, list[dict[str, Any]]]
    sentences: dict[str, str]


def read_reference_sets(file: RawInput, rejected: list[dict[str, str]]) -> Iterator[ReferenceSet]:
    """Yield each line's reference set; lines that are none go to `rejected`. Raises SourceError if no line is one."""
    set_count = 0
    for number, line in numbered_lines(file):
        pointer = file.snapshot.pointer(number)
        try:
            yield _reference_set(parse_object(line), pointer)
            set_count += 1
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
    if not set_count:
        raise SourceError(
            f"{file.snapshot.location}: found no reference set; expected TravelPlanner's ref_info, with headings such "
            "as `Restaurants in Rockford` on each line. Bind train_ref_info.jsonl to the role `ref_info`."
        )


def _reference_set(row: dict[str, Any], pointer: str) -> ReferenceSet:
    tables: dict[str, list[dict[str, Any]]] = {}
    sentences: dict[str, str] = {}
    for heading, value in row.items():
        if not heading.startswith(HEADINGS):
            raise RowError(
                Reason.BAD_VALUE, f"found the heading {heading[:80]!r}, expected one of {', '.join(HEADINGS)}"
            )
        if isinstance(value, str):
            sentences[heading] = value
        elif isinstance(value, list) and all(isinstance(item, dict) for item in value):
            tables[heading] = value
        else:
            raise RowError(Reason.BAD_VALUE, f"{heading[:80]}: found a {type(value).__name__}, expected rows or text")
    if not row:
        raise RowError(Reason.MISSING_VALUE, "found no heading")
    return ReferenceSet(pointer, tables, sentences)
