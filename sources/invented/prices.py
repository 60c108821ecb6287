"""Writes how dear an invented world's cities are, as Numbeo's tables: an index in JSON, prices of meals in CSV.

Each city is in one of them at least. Both follow `price_levels.py`.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sources.invented.cities import CitySpec
from sources.invented.dirt import Dirt, not_mostly, write_dirt
from sources.invented.price_levels import CHEAP_MEAL_AT_100, in_currency, price_index
from sources.invented.world import World

COUNTRIES = {"us": "United States", "ca": "Canada"}
ONLY_IN_ONE_SHARE = 0.2
"""Cities that only the index, and as many that only the prices hold."""
CHEAP_MEAL, DINNER_FOR_TWO = "Meal, Inexpensive Restaurant", "Meal for 2 People, Mid-range Restaurant, Three-course"
INDEX_DIRT: dict[str, dict[str, Any]] = {
    "missing_index": {"Restaurant_Price_Index": None},
    "index_not_a_number": {"Restaurant_Price_Index": "high"},
    "negative_index": {"Restaurant_Price_Index": -4.0},
    "unknown_city": {"city": "Nowhere upon Sea, ZZ"},
    "missing_city": {"city": None},
    "missing_country": {"country": None},
    "duplicate_city": {"Restaurant_Price_Index": 12.3},
}


def write(world: World, folder: Path, dirt: bool = True) -> dict[str, list[Path]]:
    """Return the two files written to the folder, `indices.json` and `meals.csv`, under the role `prices`.

    `dirt.csv` lists what is planted in them; its `line` is the number of the item or record.
    """
    folder.mkdir(parents=True, exist_ok=True)
    items, records = folder / "indices.json", folder / "meals.csv"
    rows = [_index_row(world, city) for city in world.cities if _draw(world, city) >= ONLY_IN_ONE_SHARE]
    planted: list[Dirt] = []
    for kind, change in not_mostly(list(INDEX_DIRT.items()), len(rows)) if dirt else ():
        rows.append({**_index_row(world, world.cities[0]), **change})
        planted.append(Dirt(kind, items.name, len(rows), ""))
    items.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    with records.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("city", "country", "currency", CHEAP_MEAL, DINNER_FOR_TWO))
        meals = list(_meal_rows(world))
        writer.writerows(meals)
        for number, (kind, row) in enumerate(_planted_meals(world) if dirt else (), start=len(meals) + 1):
            writer.writerow(row)
            planted.append(Dirt(kind, records.name, number, ""))
    write_dirt(folder, planted)
    return {"prices": [items, records]}


def shown_city(city: CitySpec) -> str:
    """Return the city as Numbeo names it: with its state in the United States and Canada."""
    return f"{city.name}, {city.region.upper()}" if city.country.lower() in COUNTRIES else city.name


def _draw(world: World, city: CitySpec) -> float:
    return world.rng("numbeo", city.city_id).random()


def _country(city: CitySpec) -> str:
    return COUNTRIES.get(city.country.lower(), city.country.upper())


def _index_row(world: World, city: CitySpec) -> dict[str, Any]:
    return {
        "city": shown_city(city),
        "country": _country(city),
        "Restaurant_Price_Index": price_index(world, city),
        "Cost_of_Living_Index": round(20 + 0.7 * price_index(world, city), 1),
    }


def _meal_rows(world: World) -> Iterator[tuple[str, ...]]:
    for city in world.cities:
        if _draw(world, city) < 1 - ONLY_IN_ONE_SHARE:
            meal = in_currency(CHEAP_MEAL_AT_100 * price_index(world, city) / 100, city.currency)
            yield shown_city(city), _country(city), city.currency, f"{meal:,.2f}", f"{4 * meal:,.2f}"


def _planted_meals(world: World) -> Iterator[tuple[str, tuple[str, ...]]]:
    city = world.cities[0]
    name, country = shown_city(city), _country(city)
    yield "missing_meal_price", (name, country, city.currency, "", "")
    yield "meal_price_with_sign", ("Nowhere upon Sea, ZZ", country, city.currency, "$1,234.00", "?")
    yield "currency_unknown", (name, country, "", "12.00", "48.00")
    yield "short_record", (name,)
