"""OpenFlights' `airports.dat`: airports with an IATA code, where they are and in which time zone.

Which of them serve a recipe's city is decided in `assets/clean/city_airport.py`.
"""

from __future__ import annotations

import csv
from typing import Any

from schemas.counts import counted
from schemas.rejection import Reason
from schemas.source import Source, SourceError, SourceFile
from schemas.time_zones import is_time_zone
from sources.formats.fields import coordinates, required_text
from sources.formats.jsonl import RowError, numbered_lines, rejection
from sources.formats.unpacking import RawInput
from sources.formats.unreadable import Unreadable

SOURCE = Source(
    name="openflights",
    title="OpenFlights airports",
    homepage="https://openflights.org/data",
    licence_id="ODbL-1.0",
    attribution="OpenFlights.org",
    files=(SourceFile("airports", "CSV without a header: airports.dat"),),
    how_to_get="Download airports.dat from OpenFlights' data page.",
    tables=("airport",),
)

FIELDS = (
    "airport_id", "name", "city", "country", "iata", "icao", "latitude", "longitude", "altitude_ft", "utc_offset_h",
    "dst", "time_zone", "type", "source",
)  # fmt: skip
NO_AIRPORTS = ("station", "port")
"""Types of what else `airports-extended.dat` holds: stations of trains and of ferries, which share codes with
airports (OpenFlights, data page). "unknown" is taken for an airport, as it mostly is one."""


def read_airports(file: RawInput, rejected: list[dict[str, str]]) -> list[dict[str, Any]]:
    """Return the airports that have an IATA code as rows of `Airport`, in the file's order.

    Of two with one code the first is kept; the other, those without a code, and what is no airport, go to `rejected`.
    A time zone that is none is unknown. Raises SourceError if no line has the fourteen fields.
    """
    rows: dict[str, dict[str, Any]] = {}
    looked_like_one = 0
    unreadable = Unreadable(file, rejected)
    for number, line in unreadable.count(numbered_lines(file)):
        pointer = file.snapshot.pointer(number)
        try:
            values = _values(line)
            looked_like_one += 1
            row = _airport(values, pointer)
            if row["iata"] in rows:
                raise RowError(Reason.DUPLICATE, f"IATA code {row['iata']} was already taken")
            rows[row["iata"]] = row
        except RowError as bad:
            rejected.append(rejection(pointer, bad))
    if not looked_like_one:
        raise SourceError(
            f"{file.snapshot.location}: found {counted(unreadable.rows, 'line')}, none with {len(FIELDS)} "
            "comma-separated fields; expected OpenFlights' airports.dat. Bind that file to the role `airports`."
        )
    unreadable.require_few()
    return list(rows.values())


def parse_airport(line: bytes, pointer: str) -> dict[str, Any]:
    """Return one line's row of `Airport`. Raises RowError where it cannot be used."""
    return _airport(_values(line), pointer)


def _values(line: bytes) -> dict[str, str]:
    try:
        fields = next(csv.reader([line.decode().rstrip("\r\n")], escapechar="\\", strict=True), [])
    except (UnicodeDecodeError, csv.Error) as error:
        raise RowError(Reason.BAD_VALUE, f"found text that is not CSV in UTF-8 ({error})") from None
    if len(fields) != len(FIELDS):
        raise RowError(Reason.BAD_VALUE, f"found {counted(len(fields), 'field')}, expected {len(FIELDS)}")
    # The reader takes the backslash of \N for an escape and leaves N.
    return {name: "" if text == "N" else text for name, text in zip(FIELDS, fields, strict=True)}


def _airport(values: dict[str, str], pointer: str) -> dict[str, Any]:
    if values["type"].strip() in NO_AIRPORTS:
        raise RowError(Reason.OTHER_CATEGORY, f"type: found {values['type']!r}, expected an airport")
    iata = required_text(values, "iata").strip().upper()
    if len(iata) != 3 or not (iata.isascii() and iata.isalnum()):
        raise RowError(Reason.BAD_VALUE, f"iata: found {iata!r}, expected three letters")
    try:
        lat, lon = coordinates(float(values["latitude"]), float(values["longitude"]))
    except ValueError as error:
        if isinstance(error, RowError):
            raise
        detail = f"found {values['latitude']!r} and {values['longitude']!r}, expected degrees"
        raise RowError(Reason.BAD_COORDINATES, detail) from None
    zone = values["time_zone"]
    return {
        "iata": iata,
        "name": required_text(values, "name"),
        "city": values["city"],
        "country": values["country"],
        "lat": lat,
        "lon": lon,
        "time_zone": zone if is_time_zone(zone) else None,
        "source_rows": [pointer],
    }
