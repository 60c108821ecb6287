"""Writes an invented world's flights as the US on-time table, for all cities: those of some pairs, without prices.

The form is that of the ready-made files; the airports are in `openflights.py`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from sources.invented.dirt import Dirt, write_dirt
from sources.invented.flight_days import Flight, flights
from sources.invented.labels import full_name
from sources.invented.openflights import airport_codes
from sources.invented.world import World

COLUMNS = (
    "FlightDate", "Reporting_Airline", "Tail_Number", "Flight_Number_Reporting_Airline", "Origin", "OriginCityName",
    "Dest", "DestCityName", "CRSDepTime", "DepTime", "ArrTime", "Cancelled", "ActualElapsedTime", "AirTime",
    "Distance", "",
)  # fmt: skip
"""As in the ready-made files: the header ends with a comma, so each line has an empty last field."""
AIRLINES = ("ZQ", "XI", "QY")


def write(world: World, folder: Path, dirt: bool = True) -> dict[str, list[Path]]:
    """Return the file written to the folder, under the role `on_time`; `dirt.csv` lists what is planted in it.

    Its `line` is the number of the record after the header.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "on_time.csv"
    codes = airport_codes(world)
    planted: list[Dirt] = []
    good: tuple[object, ...] = ()
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        count = 0
        for flight in flights(world, on_time=True):
            row = _row(flight, codes)
            good = good or row
            writer.writerow(row)
            count += 1
        for number, (kind, row) in enumerate(_planted(good) if dirt and good else (), start=count + 1):
            writer.writerow(row)
            planted.append(Dirt(kind, path.name, number, ""))
    write_dirt(folder, planted)
    return {"on_time": [path]}


def _row(flight: Flight, codes: dict[str, str]) -> tuple[object, ...]:
    airline = AIRLINES[flight.number % len(AIRLINES)]
    departs, arrives = (f"{minute // 60:02d}{minute % 60:02d}" for minute in (flight.departs, flight.arrives))
    return (
        flight.date.isoformat(), airline, f"N{flight.number % 900 + 100}ZZ", flight.number % 9000 + 1,
        codes[flight.origin.city_id], full_name(flight.origin), codes[flight.destination.city_id],
        full_name(flight.destination), departs, departs, "2400" if arrives == "0000" else arrives, "0.00",
        f"{flight.minutes}.00", f"{flight.minutes - 25}.00", f"{flight.miles}.00", "",
    )  # fmt: skip


def _planted(good: tuple[object, ...]) -> Iterator[tuple[str, list[object]]]:
    """Yield kind and values of the records that end the table, made of a good one."""
    changes: dict[str, dict[int, object]] = {
        "cancelled": {9: "", 10: "", 11: "1.00", 12: "", 13: ""},
        "departs_at_2400": {8: "2400", 9: "2400"},
        "impossible_time": {8: "2575", 9: "2575"},
        "unknown_airport": {4: "000", 5: "Nowhere upon Sea, ZZ"},
        "impossible_date": {0: "2024-11-31"},
        "missing_distance": {14: ""},
    }
    for kind, change in changes.items():
        yield kind, [change.get(position, value) for position, value in enumerate(good)]
