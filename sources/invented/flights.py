"""Writes an invented world's flights: most in TravelPlanner's CSV, some pairs' in the US on-time table.

The first names cities that share their name with another as `Name, REGION`, the second all. Only the first has prices.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path

from schemas.stable import stable_hash
from sources.invented.cities import CitySpec
from sources.invented.dirt import Dirt, write_dirt
from sources.invented.flight_days import Flight, flights
from sources.invented.world import World

TRAVELPLANNER = (
    "Flight Number", "Price", "DepTime", "ArrTime", "ActualElapsedTime", "FlightDate", "OriginCityName",
    "DestCityName", "Distance",
)  # fmt: skip
ON_TIME = (
    "FlightDate", "Reporting_Airline", "Tail_Number", "Flight_Number_Reporting_Airline", "Origin", "OriginCityName",
    "Dest", "DestCityName", "CRSDepTime", "DepTime", "ArrTime", "Cancelled", "ActualElapsedTime", "AirTime",
    "Distance", "",
)  # fmt: skip
"""As in the ready-made files: the header ends with a comma, so each line has an empty last field."""
ON_TIME_SHARE = 0.2
"""Pairs of cities whose flights the on-time table holds, and only it."""
AIRLINES = ("ZQ", "XI", "QY")


def write(world: World, folder: Path, dirt: bool = True) -> dict[str, list[Path]]:
    """Return the files written to the folder, by role: `travelplanner` and `bts`, for all cities.

    `dirt.csv` lists what is planted in them; its `line` is the number of the record after the header.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = Counter(city.name for city in world.cities)
    planted: list[Dirt] = []

    def name_of(city: CitySpec) -> str:
        return city.name if names[city.name] == 1 else full_name(city)

    files = {"travelplanner": folder / "flights.csv", "bts": folder / "on_time.csv"}
    counts = dict.fromkeys(files, 0)
    with ExitStack() as stack:
        writers = {
            role: csv.writer(stack.enter_context(path.open("w", encoding="utf-8", newline="")), lineterminator="\n")
            for role, path in files.items()
        }
        writers["travelplanner"].writerow(TRAVELPLANNER)
        writers["bts"].writerow(ON_TIME)
        for flight in flights(world):
            role = _role(world.seed, flight.origin.city_id, flight.destination.city_id)
            counts[role] += 1
            writers[role].writerow(
                _on_time_row(world, flight)
                if role == "bts"
                else _travelplanner_row(flight, name_of(flight.origin), name_of(flight.destination))
            )
        spoilt = {"travelplanner": _planted(world, names), "bts": _planted_on_time(world)} if dirt else {}
        for role, rows in spoilt.items():
            for kind, row in rows:
                counts[role] += 1
                writers[role].writerow(row)
                planted.append(Dirt(kind, files[role].name, counts[role], str(row[0]) if role != "bts" else ""))
    write_dirt(folder, planted)
    return {role: [path] for role, path in files.items()}


@lru_cache(maxsize=100_000)
def _role(seed: int, one: str, other: str) -> str:
    """Return the role of the file that holds the flights between the cities, both ways."""
    is_on_time = stable_hash("on time", seed, *sorted((one, other))) % 1000 < 1000 * ON_TIME_SHARE
    return "bts" if is_on_time else "travelplanner"


def full_name(city: CitySpec) -> str:
    """Return the name with the region, as in `Omaha, NE`."""
    return f"{city.name}, {city.region.upper()}"


def airport(world: World, city: CitySpec) -> str:
    """Return the three letters of the city's airport; two cities seldom share them."""
    number = stable_hash("airport", world.seed, city.city_id)
    return "".join(chr(ord("A") + number // 26**place % 26) for place in range(3))


def _travelplanner_row(flight: Flight, origin: str, destination: str) -> tuple[object, ...]:
    return (
        f"F{flight.number:07d}",
        flight.price_usd,
        _clock(flight.departs),
        _clock(flight.arrives),
        f"{flight.minutes // 60} hours {flight.minutes % 60} minutes",
        flight.date.isoformat(),
        origin,
        destination,
        flight.miles,
    )


def _on_time_row(world: World, flight: Flight) -> tuple[object, ...]:
    airline = AIRLINES[flight.number % len(AIRLINES)]
    departs, arrives = (f"{minute // 60:02d}{minute % 60:02d}" for minute in (flight.departs, flight.arrives))
    return (
        flight.date.isoformat(), airline, f"N{flight.number % 900 + 100}ZZ", flight.number % 9000 + 1,
        airport(world, flight.origin), full_name(flight.origin), airport(world, flight.destination),
        full_name(flight.destination), departs, departs, "2400" if arrives == "0000" else arrives, "0.00",
        f"{flight.minutes}.00", f"{flight.minutes - 25}.00", f"{flight.miles}.00", "",
    )  # fmt: skip


def _planted(world: World, names: Counter[str]) -> Iterator[tuple[str, list[object]]]:
    """Yield kind and values of the records that end TravelPlanner's table, made of one between two made-up cities."""
    one = world.cities[0]
    other = world.cities[-1] if len(world.cities) > 1 else one
    day = world.dates[0].isoformat()
    good = ["F9000000", 199, "10:00", "12:30", "2 hours 30 minutes", day, full_name(one), full_name(other), 900]
    changes: dict[str, dict[int, object]] = {
        "missing_price": {1: ""},
        "price_with_sign": {1: "$1,234"},
        "price_not_a_price": {1: "ask"},
        "missing_times": {2: "", 3: ""},
        "time_without_colon": {2: "2400"},
        "impossible_time": {2: "27:61"},
        "elapsed_not_a_time": {4: "a while"},
        "impossible_date": {5: "2024-11-31"},
        "from_a_city_to_itself": {7: full_name(one)},
        "unknown_city": {6: "Nowhere upon Sea"},
        "missing_number": {0: ""},
        "distance_not_a_number": {8: "far"},
        "duplicate_number": {0: "F0000001"},
    }
    shared = next((name for name, count in names.items() if count > 1), None)
    if shared:
        changes["city_name_of_two"] = {6: shared}
    for number, (kind, change) in enumerate(changes.items(), start=1):
        values: list[object] = [f"F9{number:06d}", *good[1:]]
        for position, value in change.items():
            values[position] = value
        yield kind, values
    yield "short_record", ["F9999999", 100]


def _planted_on_time(world: World) -> Iterator[tuple[str, list[object]]]:
    """Yield kind and values of the records that end the on-time table."""
    first = next(flights(world), None)
    if first is None:
        return
    good = list(_on_time_row(world, first))
    cancelled: dict[int, object] = {9: "", 10: "", 11: "1.00", 12: "", 13: ""}
    changes: dict[str, dict[int, object]] = {
        "cancelled": cancelled,
        "departs_at_2400": {8: "2400", 9: "2400"},
        "impossible_time": {8: "2575", 9: "2575"},
        "unknown_city": {5: "Nowhere upon Sea, ZZ"},
        "impossible_date": {0: "2024-11-31"},
        "missing_distance": {14: ""},
    }
    for kind, change in changes.items():
        values = [change.get(position, value) for position, value in enumerate(good)]
        yield kind, values


def _clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"
