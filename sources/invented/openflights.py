"""Writes the airports of an invented world as OpenFlights' `airports.dat`: one beside each city, for all cities."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from schemas.stable import stable_hash
from sources.invented.cities import CitySpec
from sources.invented.dirt import LineFile, PlantedLine, not_mostly, write_dirt
from sources.invented.world import World

COUNTRIES = {"us": "United States", "ca": "Canada"}
CODES = 26**3
OUTSIDE_DEG = 0.02
"""The airport lies so far south of the city's box."""


def write(world: World, folder: Path, dirt: bool = True) -> dict[str, list[Path]]:
    """Return the file written to the folder, under the role `airports`; `dirt.csv` lists what is planted in it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "airports.dat"
    with LineFile(path, tail=_planted(world) if dirt else ()) as file:
        for number, line in enumerate(_lines(world), start=1):
            file.add(line, native_id=str(number))
    write_dirt(folder, file.dirt)
    return {"airports": [path]}


def airport_codes(world: World) -> dict[str, str]:
    """Return city_id → three letters of its airport; of two cities whose hashes meet the later takes the next free."""
    codes: dict[str, str] = {}
    used_numbers: set[int] = set()
    for city in world.cities:
        number = stable_hash("airport", world.seed, city.city_id) % CODES
        while number in used_numbers:
            number = (number + 1) % CODES
        used_numbers.add(number)
        codes[city.city_id] = "".join(chr(ord("A") + number // 26**place % 26) for place in range(3))
    return codes


def _lines(world: World) -> Iterator[bytes]:
    codes = airport_codes(world)
    for number, city in enumerate(world.cities, start=1):
        yield _line(number, city, codes[city.city_id], f"{city.name} Municipal Airport")


def _line(number: int, city: CitySpec, code: str, name: str) -> bytes:
    country = COUNTRIES.get(city.country.lower(), city.country.upper())
    lat = round(city.box.south - OUTSIDE_DEG, 6)
    text = f'{number},"{name}","{city.name}","{country}","{code}",\\N,{lat},{city.lon},120,\\N,"A","{city.time_zone}"'
    return f'{text},"airport","Invented"'.encode()


def _planted(world: World) -> list[PlantedLine]:
    """Return the lines that end the file: no code, a code taken, coordinates that are none, too few fields."""
    city = world.cities[0]
    code = airport_codes(world)[city.city_id]
    good = _line(9001, city, "Z0Z", "Spoilt Field").decode()
    planted = [
        PlantedLine("missing_code", good.replace('"Z0Z"', "\\N").encode(), "9001"),
        PlantedLine("duplicate_code", _line(9002, city, code, "Old Airport"), "9002"),
        PlantedLine("code_not_letters", _line(9003, city, "NOT A CODE", "Spoilt Field"), "9003"),
        PlantedLine("coordinates_not_numbers", good.replace(str(city.lon), "west").encode(), "9001"),
        PlantedLine(
            "unknown_time_zone", _line(9004, city, "Z1Z", "Odd Hours").replace(city.time_zone.encode(), b"\\N"), "9004"
        ),
        PlantedLine("short_line", b'9005,"Half an Airport"', "9005"),
    ]
    return list(not_mostly(planted, len(world.cities)))
