"""The tables of a trip from the clean tables: one currency, declared defaults, dates of the section."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from assets.tripcraft import world
from assets.tripcraft.section import TripcraftSection
from schemas.recipe import Box, City
from schemas.travel import Flight

EURO = pd.DataFrame({"currency": ["EUR"]})


def city(city_id: str, currency: str) -> City:
    box = Box(south=0, west=0, north=1, east=1)
    return City(city_id=city_id, name=city_id, country="XX", box=box, currency=currency)


def test_cities_of_two_currencies_need_one_to_be_said():
    two = [city("a", "EUR"), city("b", "SEK")]
    with pytest.raises(ValueError, match=r"EUR, SEK; say `currency`"):
        world.terms(two, TripcraftSection())
    assert world.terms(two, TripcraftSection(currency="SEK"))["currency"].tolist() == ["SEK"]


@pytest.mark.parametrize(
    ("date", "price", "currency", "reason"),
    [
        (dt.date(2024, 11, 1), 90, "EUR", None),
        (dt.date(2024, 11, 30), 90, "EUR", None),
        (dt.date(2024, 10, 31), 90, "EUR", "outside_dates"),
        (dt.date(2024, 12, 1), 90, "EUR", "outside_dates"),
        (dt.date(2024, 11, 2), None, None, "missing_value"),
        (dt.date(2024, 11, 2), 90, "USD", "bad_value"),
    ],
)
def test_flights_are_those_of_the_window_in_the_currency(date, price, currency, reason):
    row = {
        "origin_city_id": "a", "dest_city_id": "b", "flight_date": date, "flight_number": "F0000001",
        "native_id": "1", "dep_time": "08:00", "arr_time": "09:00", "arr_day_offset": 0, "elapsed_min": 60,
        "distance_km": 400.0, "price": price, "currency": currency, "is_price_modelled": True,
        "is_arrival_modelled": False, "source_rows": ["x"],
    }  # fmt: skip
    made: Any = world.flights(pa.Table.from_pylist([row], schema=Flight.arrow_schema()), EURO, TripcraftSection())
    assert list(made.rejections["reason"]) == ([] if reason is None else [reason])
    assert made.rows["is_modelled"].to_pylist() == ([True] if reason is None else [])


@pytest.mark.parametrize(
    ("price", "cost", "origin"),
    [
        ({"inexpensive_meal": 12.0, "currency": "EUR", "restaurant_index": 50.0}, 24, "meal"),
        ({"inexpensive_meal": 12.0, "currency": "USD", "restaurant_index": 50.0}, 40, "default"),
    ],
)
def test_a_meal_costs_the_city_s_price_times_the_signs_or_the_default(price, cost, origin):
    listed = {"city_id": "a", "place_id": "r", "kind": "restaurant", "name": "R", "price_signs": 2.0, "cuisines": []}
    listed |= {"rating": 4.0, "lat": 0.0, "lon": 0.0, "opening_hours": None, "website": None, "source_rows": ["x"]}
    other = pd.DataFrame(columns=["kind", "stars", "price_level"])
    made: Any = world.restaurants(pd.DataFrame([listed]), other, pd.DataFrame([price]), EURO)
    assert made.rows["avg_cost"].tolist() == [cost]
    assert made.facts["meal_price_from"] == origin
