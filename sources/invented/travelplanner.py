"""Writes an invented world's flights as TravelPlanner's CSV, for all cities: most pairs', the others' are in `bts.py`.

Cities have their bare names, as published (defect T13): of two of one name the distance tells which is meant.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from schemas.clock import clock
from sources.invented.dirt import Dirt, write_dirt
from sources.invented.flight_days import Flight, flights, miles_between
from sources.invented.world import World

COLUMNS = (
    "Flight Number", "Price", "DepTime", "ArrTime", "ActualElapsedTime", "FlightDate", "OriginCityName",
    "DestCityName", "Distance",
)  # fmt: skip


def write(world: World, folder: Path, dirt: bool = True) -> dict[str, list[Path]]:
    """Return the file written to the folder, under the role `flights`; `dirt.csv` lists what is planted in it.

    Its `line` is the number of the record after the header.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "clean_flights.csv"
    planted: list[Dirt] = []
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        count = 0
        for flight in flights(world, on_time=False):
            writer.writerow(row_of(flight))
            count += 1
        # Beside no flight at all the planted ones would be the whole file, which no reader takes.
        for number, (kind, row) in enumerate(_planted(world) if dirt and count else (), start=count + 1):
            writer.writerow(row)
            planted.append(Dirt(kind, path.name, number, str(row[0])))
    write_dirt(folder, planted)
    return {"flights": [path]}


def row_of(flight: Flight) -> tuple[object, ...]:
    """Return the flight's record."""
    return (
        f"F{flight.number:07d}",
        flight.price_usd,
        clock(flight.departs),
        clock(flight.arrives),
        f"{flight.minutes // 60} hours {flight.minutes % 60} minutes",
        flight.date.isoformat(),
        flight.origin.name,
        flight.destination.name,
        flight.miles,
    )


def _planted(world: World) -> Iterator[tuple[str, list[object]]]:
    """Yield kind and values of the records that end TravelPlanner's table, made of one between two made-up cities."""
    one = world.cities[0]
    other = world.cities[-1] if len(world.cities) > 1 else one
    day = world.dates[0].isoformat()
    good = [
        "F9000000",
        199,
        "10:00",
        "12:30",
        "2 hours 30 minutes",
        day,
        one.name,
        other.name,
        miles_between(one, other),
    ]
    changes: dict[str, dict[int, object]] = {
        "missing_price": {1: ""},
        "price_with_sign": {1: "$1,234"},
        "price_not_a_price": {1: "ask"},
        "missing_times": {2: "", 3: ""},
        "time_without_colon": {2: "2400"},
        "impossible_time": {2: "27:61"},
        "elapsed_not_a_time": {4: "a while"},
        "impossible_date": {5: "2024-11-31"},
        "from_a_city_to_itself": {7: one.name, 8: 0},
        "unknown_city": {6: "Nowhere upon Sea"},
        "missing_number": {0: ""},
        "distance_not_a_number": {8: "far"},
        "duplicate_number": {0: "F0000001"},
    }
    names = Counter(city.name for city in world.cities)
    shared = next((name for name, count in names.items() if count > 1), None)
    if shared:
        changes["from_a_name_to_itself"] = {6: shared, 7: shared}
    for number, (kind, change) in enumerate(changes.items(), start=1):
        values: list[object] = [f"F9{number:06d}", *good[1:]]
        for position, value in change.items():
            values[position] = value
        yield kind, values
    yield "short_record", ["F9999999", 100]
