"""The invented price tables: every city in one of them, both telling one level, dirt as listed."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from schemas.recipe import City
from schemas.recipe_values import Box
from sources.invented import World, make_world, openflights, prices, world_cities
from sources.invented.price_levels import in_currency, price_index
from sources.invented.prices import CHEAP_MEAL, INDEX_DIRT, shown_city
from sources.numbeo.prices import read_prices
from sources.openflights.airports import read_airports

SEED = 7


@pytest.fixture(scope="module")
def world() -> World:
    return make_world(100, 0.1, SEED)


def tables(folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    with (folder / "meals.csv").open(encoding="utf-8", newline="") as file:
        return json.loads((folder / "indices.json").read_bytes()), list(csv.DictReader(file))


def test_every_city_is_priced_in_one_table_or_both(world: World, tmp_path: Path, read_dirt: Any) -> None:
    assert prices.write(world, tmp_path, dirt=False) == {"prices": [tmp_path / "indices.json", tmp_path / "meals.csv"]}
    assert read_dirt(tmp_path) == []
    indices, meals = tables(tmp_path)
    cities = {shown_city(city): city for city in world.cities}
    assert len(cities) == 100
    by_index = {row["city"]: row["Restaurant_Price_Index"] for row in indices}
    by_meal = {row["city"]: row for row in meals}
    assert set(by_index) | set(by_meal) == set(cities)
    assert set(by_index) != set(by_index) & set(by_meal) != set(by_meal)
    assert all(by_index[name] == price_index(world, cities[name]) for name in by_index)
    for name, row in by_meal.items():
        city = cities[name]
        rate = {"USD": 1.0, "CAD": 1.4}[city.currency]
        assert row["currency"] == city.currency
        assert float(row[CHEAP_MEAL]) == pytest.approx(0.25 * rate * price_index(world, city), abs=0.01)
    assert {row["currency"] for row in meals} == {"USD", "CAD"}
    assert min(by_index.values()) < 55
    assert max(by_index.values()) > 95


def test_each_planted_row_is_what_it_is_said_to_be(world: World, tmp_path: Path, read_dirt: Any) -> None:
    prices.write(world, tmp_path)
    indices, meals = tables(tmp_path)
    known = {shown_city(city) for city in world.cities}
    flaws = {
        "missing_index": lambda r: r["Restaurant_Price_Index"] is None,
        "index_not_a_number": lambda r: isinstance(r["Restaurant_Price_Index"], str),
        "negative_index": lambda r: r["Restaurant_Price_Index"] < 0,
        "unknown_city": lambda r: r["city"] not in known,
        "missing_city": lambda r: r["city"] is None,
        "missing_country": lambda r: r["country"] is None,
        "duplicate_city": lambda r: [row["city"] for row in indices].count(r["city"]) > 1,
        "missing_meal_price": lambda r: r[CHEAP_MEAL] == "",
        "meal_price_with_sign": lambda r: r[CHEAP_MEAL] == "$1,234.00",
        "currency_unknown": lambda r: r["currency"] == "",
        "short_record": lambda r: r[CHEAP_MEAL] is None,
    }
    dirt = read_dirt(tmp_path)
    assert {d.kind for d in dirt} == set(flaws) > set(INDEX_DIRT)
    for d in dirt:
        assert flaws[d.kind]((indices if d.file == "indices.json" else meals)[d.line - 1]), d


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_tables_of_a_small_world_are_dirty_and_none_is_refused_as_mostly_unreadable(
    count: int, tmp_path: Path, raw_file: Any
) -> None:
    for seed in range(6):
        world = make_world(count, 0.1, seed)
        given = world_cities(list(world.cities), seed)
        cities = [City(**{**row, "box": Box(**row["box"])}) for row in given]
        folder = tmp_path / f"{seed}"
        rejected: list[dict[str, str]] = []
        for path in prices.write(world, folder / "numbeo")["prices"]:
            read_prices(raw_file("numbeo", "prices", path), cities, rejected)
        (path,) = openflights.write(world, folder / "openflights")["airports"]
        assert len(read_airports(raw_file("openflights", "airports", path), rejected)) >= count
        assert rejected


@pytest.mark.parametrize(
    ("currency", "amount"),
    [("USD", 100.0), ("EUR", 92.0), ("FJD", 230.0), ("XCD", 270.0), ("NPR", 100 * 1.6 * 90), ("QQQ", 100.0)],
)
def test_an_invented_price_is_of_the_size_that_its_currency_has(currency, amount):
    assert in_currency(100.0, currency) == pytest.approx(amount)
