"""Writes what group trips need of an invented world: lists of places by city, fares, users, a table of climate.

`poi`: `all_poi_by_city.json` as published, `{city: [{name, poi_type, custom_category, opening_hours, …}]}`; beside the
published keys each place has `id`, `location` ("lon,lat"), `rating`, `avg_cost` (of a person, in the city's currency)
and `rank` (in its list). Of two cities of one name each is `Name, REGION`.
`fares`: CSV of timetabled services: origin_city, origin_region, destination_city, destination_region, mode (flight,
high_speed or train), service, dep_time and arr_time (local HH:MM), price of a person, currency, weekdays (1 is Monday),
price_basis (listed, or modelled: of an ordinary day).
`profiles`: JSON lines, one user each: profile_id, age, gender (female, male), marital_status (married, single,
divorced), parenting_status (parent, none), tastes {likes, dislikes} (categories).
`climate`: CSV: city, region, country, day (MM-DD), high_c, low_c, rain_share (of days), condition.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from schemas.clock import clock_face
from sources.invented.cities import CitySpec
from sources.invented.climate import COLUMNS as CLIMATE_COLUMNS
from sources.invented.climate import climate_rows
from sources.invented.dirt import Dirt, hostile_name, write_dirt
from sources.invented.fares import COLUMNS as FARE_COLUMNS
from sources.invented.fares import fare_rows
from sources.invented.group_dirt import planted_climate, planted_fares, planted_pois, planted_profiles
from sources.invented.group_words import category
from sources.invented.items import ItemFile
from sources.invented.labels import city_labels
from sources.invented.people import profile, profile_count
from sources.invented.price_levels import CHEAP_MEAL_AT_100, in_currency, price_index
from sources.invented.reviewers import shown_stars, star_ratings
from sources.invented.world import Place, World

POI_TYPES = {"attraction": "attractions", "restaurant": "food", "stay": "hotels"}


def write(world: World, folder: Path, dirt: bool = True) -> dict[str, list[Path]]:
    """Return the files written to the folder, for all cities, by role: `poi`, `fares`, `profiles` and `climate`.

    `dirt.csv` lists what is planted: `line` is the number of the record or item, 0 in the list of places.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        "poi": folder / "all_poi_by_city.json",
        "fares": folder / "fares.csv",
        "profiles": folder / "profiles.jsonl",
        "climate": folder / "climate.csv",
    }
    planted = [
        *_write_pois(world, files["poi"], dirt),
        *_write_table(files["fares"], FARE_COLUMNS, fare_rows(world), planted_fares(world) if dirt else []),
        *_write_profiles(world, files["profiles"], dirt),
        *_write_table(files["climate"], CLIMATE_COLUMNS, climate_rows(world), planted_climate(world) if dirt else []),
    ]
    write_dirt(folder, planted)
    return {role: [path] for role, path in files.items()}


def poi_id(place: Place) -> str:
    """Return the place's id in the lists."""
    return f"p{place.native_id}"


def poi(world: World, place: Place, rank: int, name: str) -> dict[str, Any]:
    """Return the place as an object of the city's list, under that name."""
    return {
        "id": poi_id(place),
        "name": name,
        "poi_type": POI_TYPES[place.kind],
        "custom_category": category(world, place),
        "opening_hours": opening_hours(place),
        "location": f"{place.lon},{place.lat}",
        "rating": shown_stars(star_ratings(world, place)),
        "avg_cost": _cost(world, place),
        "rank": rank,
    }


def opening_hours(place: Place) -> dict[str, Any] | None:
    """Return when it is open, in the published structure; a closing past midnight is below the opening."""
    if not place.hours:
        return None
    if place.kind == "stay":
        return {"always_open": True, "rules": []}
    weekdays: dict[tuple[int, int], list[int]] = {}
    for day, hours in enumerate(place.hours, start=1):
        weekdays.setdefault(hours, []).append(day)
    rules = [
        {
            "date_range": None,
            "weekdays": days,
            "time_windows": [{"open": clock_face(opening), "close": clock_face(closing)}],
        }
        for (opening, closing), days in weekdays.items()
    ]
    return {"always_open": False, "rules": rules}


def _cost(world: World, place: Place) -> float | None:
    if not place.is_price_listed:
        return None
    dollars = {"restaurant": CHEAP_MEAL_AT_100 * price_index(world, place.city) / 100, "stay": 45.0, "attraction": 8.0}
    return round(in_currency(dollars[place.kind] * place.price, place.city.currency))


def _write_pois(world: World, path: Path, dirt: bool) -> list[Dirt]:
    planted: list[Dirt] = []
    labels = city_labels(world.cities)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write("{")
        for position, city in enumerate(world.cities):
            file.write(f"{',' if position else ''}\n{json.dumps(labels[city.city_id], ensure_ascii=False)}: [")
            for number, (item, kinds) in enumerate(_pois(world, city, dirt)):
                file.write(f"{',' if number else ''}\n{json.dumps(item, ensure_ascii=False, separators=(',', ':'))}")
                planted += [Dirt(kind, path.name, 0, item.get("id") or "") for kind in kinds]
            file.write("\n]")
        file.write("\n}\n")
    return planted


def _pois(world: World, city: CitySpec, dirt: bool) -> Iterator[tuple[dict[str, Any], tuple[str, ...]]]:
    """Yield the places of the city's list, type by type, each with what is wrong with it."""
    for kind in POI_TYPES:
        for index in range(world.count(kind)):
            place = world.place(city, kind, index)
            spoilt = hostile_name(place) if dirt and world.hostile_names else None
            yield poi(world, place, index + 1, spoilt[1] if spoilt else place.name), spoilt[:1] if spoilt else ()
    if dirt:
        good = poi(world, world.place(city, "attraction", 0), 1, world.place(city, "attraction", 0).name)
        for planted in planted_pois(good):
            yield planted.item, (planted.kind,)


def _write_table(
    path: Path,
    columns: tuple[str, ...],
    rows: Iterator[tuple[object, ...]],
    spoilt: list[tuple[str, tuple[object, ...]]],
) -> list[Dirt]:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        count = 0
        for row in rows:
            writer.writerow(row)
            count += 1
        writer.writerows(row for _, row in spoilt)
    return [Dirt(kind, path.name, number, "") for number, (kind, _) in enumerate(spoilt, start=count + 1)]


def _write_profiles(world: World, path: Path, dirt: bool) -> list[Dirt]:
    with ItemFile(path, path.name, is_array=False) as file:
        for number in range(profile_count(world)):
            person = profile(world, number)
            file.add(person, (), person["profile_id"])
        if dirt:
            file.plant_junk()
            for planted in planted_profiles(profile(world, 0)):
                file.plant(planted)
        return file.dirt
