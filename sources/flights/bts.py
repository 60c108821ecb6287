"""US BTS on-time performance: flights as columns, batch by batch, from either of the two header styles.

A batch holds numbers and codes, no text: at millions of rows text is made only of what is kept. Which flights a recipe
can use, when they land and what they cost is decided in `assets/clean/flight.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from schemas.rejection import Reason
from schemas.source import Source, SourceFile
from sources.flights.values import (
    CLOCK,
    CODE,
    DATE,
    DISTANCE,
    DURATION,
    FLAG,
    MISSING,
    NUMBER,
    Reading,
    code_text,
    order_of_date,
)
from sources.formats.csv_columns import Batch, ColumnFile, by_locator
from sources.formats.unpacking import RawInput

if TYPE_CHECKING:
    import numpy as np

SOURCE = Source(
    name="bts",
    title="US BTS On-Time Performance",
    homepage="https://www.transtats.bts.gov/",
    licence_id="LicenseRef-US-public-domain",
    attribution="US Bureau of Transportation Statistics",
    files=(SourceFile("on_time", "CSV, zipped or not: prezipped month or a selection of fields"),),
    how_to_get="Download months of `Reporting Carrier On-Time Performance` from TranStats, prezipped or by its form.",
    tables=("flight",),
)

HEADERS: dict[str, tuple[str, ...]] = {
    "date": ("FlightDate", "FL_DATE"),
    "carrier": (
        "Reporting_Airline", "OP_UNIQUE_CARRIER", "IATA_CODE_Reporting_Airline", "OP_CARRIER", "UniqueCarrier",
        "UNIQUE_CARRIER", "Carrier", "CARRIER", "Marketing_Airline_Network", "MKT_UNIQUE_CARRIER",
        "IATA_Code_Marketing_Airline", "MKT_CARRIER",
    ),
    "number": (
        "Flight_Number_Reporting_Airline", "OP_CARRIER_FL_NUM", "FlightNum", "FL_NUM",
        "Flight_Number_Marketing_Airline", "MKT_CARRIER_FL_NUM",
    ),
    "origin": ("Origin", "ORIGIN"),
    "dest": ("Dest", "DEST"),
    "planned_dep": ("CRSDepTime", "CRS_DEP_TIME"),
    "dep": ("DepTime", "DEP_TIME"),
    "arr": ("ArrTime", "ARR_TIME"),
    "elapsed": ("ActualElapsedTime", "ACTUAL_ELAPSED_TIME", "CRSElapsedTime", "CRS_ELAPSED_TIME"),
    "air": ("AirTime", "AIR_TIME"),
    "miles": ("Distance", "DISTANCE"),
    "cancelled": ("Cancelled", "CANCELLED"),
    "diverted": ("Diverted", "DIVERTED"),
}  # fmt: skip
"""Each field's column in the prezipped files and in the form's selection, and what may stand in for it: carriers and
numbers by their names since 2018, before that, and in the table of marketing carriers, whose flights tickets name."""

READINGS: dict[str, Reading] = {
    "date": DATE, "carrier": CODE, "number": NUMBER, "origin": CODE, "dest": CODE, "planned_dep": CLOCK, "dep": CLOCK,
    "arr": CLOCK, "elapsed": DURATION, "air": DURATION, "miles": DISTANCE, "cancelled": FLAG, "diverted": FLAG,
}  # fmt: skip
NEEDED = ("date", "origin", "dest", "dep", "miles")
TIMED = ("air", "elapsed", "arr")
"""At least one of these tells when a flight arrives."""

CODES = ("carrier", "origin", "dest")
COLUMNS = ("date", "carrier", "number", "origin", "dest", "planned_dep", "dep", "arr", "elapsed", "air", "miles")


def on_time(file: RawInput) -> tuple[ColumnFile, Iterator[dict[str, np.ndarray]]]:
    """Return the file, which gathers what is rejected, and its flights that took place, as batches of columns.

    Columns are `COLUMNS` and `record`: dates as days from 1970, times as minutes of the local day, durations in
    minutes, distance in miles, `carrier`, `origin` and `dest` as codes; MISSING is what the file does not say. A
    flight without a time of departure has its scheduled one. Raises SourceError for a file that is not BTS's.
    """
    source, columns = _opened(file)
    return source, _flights(source, columns)


def parse_flights(file: RawInput, locators: set[str]) -> dict[str, dict[str, Any]]:
    """Return the flights at some locators of the file, each read from its record alone.

    Columns are those of `on_time`, with the codes of carrier and airports as text. One that did not take place, or
    cannot be used, is left out.
    """
    source, columns = _opened(file)
    records = source.records(locators)
    flown = _flown(source.batch(records, columns, READINGS))
    rows = by_locator(source, flown)
    return {at: row | {name: code_text(row[name]) for name in CODES} for at, row in rows.items()}


def _flights(source: ColumnFile, columns: dict[str, str]) -> Iterator[dict[str, np.ndarray]]:
    """Yield each batch's flights. Raises SourceError, at the end, for dates that say their day before their month.

    Of such a file the first twelve days of each month read as other dates, in silence.
    """
    orders: set[str] = set()
    for batch in source.batches(columns, READINGS):
        texts = batch.raw[columns["date"]].unique().to_pylist()
        orders |= {order_of_date(text.decode("utf-8", "replace").strip()) for text in texts}
        yield _flown(batch)
    if "first" in orders and "second" not in orders:
        raise source.header_error(
            f"with months before days in {columns['date']}, as in 2/13/2021, not days before months"
        )


def _opened(file: RawInput) -> tuple[ColumnFile, dict[str, str]]:
    source = ColumnFile(file, "BTS on-time flights")
    columns_by_name = {
        name: next((h for h in options if h in source.header), None) for name, options in HEADERS.items()
    }
    columns = {name: column for name, column in columns_by_name.items() if column is not None}
    if "dep" not in columns and "planned_dep" in columns:
        columns["dep"] = columns.pop("planned_dep")
    missing = ["/".join(HEADERS[name]) for name in NEEDED if name not in columns]
    if not any(name in columns for name in TIMED):
        missing.append("one of " + ", ".join("/".join(HEADERS[name]) for name in TIMED))
    if missing:
        raise source.header_error(f"with {'; '.join(missing)}")
    return source, columns


def _flown(batch: Batch) -> dict[str, np.ndarray]:
    import numpy as np

    values = batch.values
    batch.reject_unreadable(READINGS)
    for name in ("cancelled", "diverted"):
        if name in values:
            batch.reject(values[name] == 1, Reason.CANCELLED, name, "0, a flight that took place")
    if "planned_dep" in values:
        values["dep"] = np.where(values["dep"] == MISSING, values["planned_dep"], values["dep"])
    for name in NEEDED:
        batch.reject(values[name] == MISSING, Reason.MISSING_VALUE, name, READINGS[name].expected)
    timed = [name for name in TIMED if name in values]
    untimed = np.logical_and.reduce([values[name] == MISSING for name in timed])
    batch.reject(untimed, Reason.MISSING_VALUE, timed[0], "it, or another value that tells when the flight arrives")
    return batch.kept_columns(COLUMNS)
