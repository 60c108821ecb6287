"""Flights of trips: on the trips' dates, moved by whole weeks, priced by source or model, in one currency."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets.tripcraft.facts.fares import modelled_prices
from assets.tripcraft.facts.money import FareModel, Rates
from assets.tripcraft.facts.trip_dates import date_map
from assets.tripcraft.facts.trip_flights import trip_flights
from assets.tripcraft.section import TripcraftSection
from assets.tripcraft.tables import TripcraftFlight
from schemas.travel import Flight

NOVEMBER = (dt.date(2024, 11, 1), dt.date(2024, 11, 30))
MARCH = (dt.date(2022, 3, 1), dt.date(2022, 3, 31))
RATES = Rates(base="EUR", date=dt.date(2024, 11, 1), source="invented", units={"USD": 1.25})
FARES = FareModel(low_per_km=0.1, high_per_km=0.3, currency="USD")


def flight(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "origin_city_id": "a", "dest_city_id": "b", "flight_date": NOVEMBER[0], "flight_number": f"F{number:07d}",
        "native_id": str(number), "dep_time": "23:00", "arr_time": "00:10", "arr_day_offset": 1, "elapsed_min": 70,
        "distance_km": 400.0, "price": 90, "currency": "EUR", "is_arrival_modelled": False, "source_rows": ["x"],
        **changes,
    }  # fmt: skip


def made(*rows: dict[str, Any], currency: str = "EUR", seed: int = 1, **keys: Any) -> tuple[list[Any], dict[str, str]]:
    """Return the step's rows, checked, and the reason of each flight that it dropped."""
    section = TripcraftSection(**keys)
    outcome: Any = trip_flights(
        pa.Table.from_pylist(list(rows), schema=Flight.arrow_schema()),
        pd.DataFrame({"currency": [currency]}),
        section=section,
        seed=seed,
    )
    found = outcome.rows.read_all()
    rejected = outcome.rejections.read_all().to_pylist()
    assert outcome.rows_in == len(found) + len(rejected)
    return TripcraftFlight.validate(found).to_pylist(), {row["row"]: row["reason"] for row in rejected}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, None),
        ({"flight_date": NOVEMBER[1]}, None),
        ({"flight_date": dt.date(2024, 10, 31)}, "outside_dates"),
        ({"flight_date": dt.date(2024, 12, 1)}, "outside_dates"),
        ({"flight_date": dt.date(1969, 12, 31)}, "outside_dates"),
        ({"price": None, "currency": None}, "missing_value"),
        ({"currency": "USD"}, "no_exchange_rate"),
    ],
)
def test_flights_are_those_of_the_window_with_a_price_in_the_currency(change, reason):
    rows, rejected = made(flight(1, **change), flight(2, flight_date=dt.date(2024, 11, 2)))
    assert rejected == ({} if reason is None else {"F0000001": reason})
    assert [row["flight_number"] for row in rows] == (["F0000001", "F0000002"] if reason is None else ["F0000002"])


def test_no_flight_at_all_is_an_empty_table():
    assert made() == ([], {})


def test_a_price_in_another_currency_is_converted_and_the_given_amount_kept():
    (row,), _ = made(flight(1, price=101, currency="USD"), rates=RATES)
    assert (row["price"], row["price_given"], row["currency_given"]) == (81, 101.0, "USD")
    assert not row["is_modelled"]


def test_a_price_that_no_source_has_is_modelled_says_so_and_follows_number_and_seed_alone():
    unpriced = [flight(n, price=None, currency=None) for n in (1, 2, 3)]
    rows, _ = made(*unpriced, fares=FARES, rates=RATES)
    assert all(row["is_modelled"] and row["currency_given"] == "USD" for row in rows)
    assert all(40 <= row["price_given"] <= 120 and row["price"] == round(row["price_given"] * 0.8) for row in rows)
    alone, _ = made(unpriced[1], fares=FARES, rates=RATES)
    assert alone == rows[1:2]
    other, _ = made(*unpriced, fares=FARES, rates=RATES, seed=2)
    assert [row["price"] for row in other] != [row["price"] for row in rows]


def test_a_source_s_price_is_never_replaced_by_a_modelled_one():
    rows, _ = made(flight(1), flight(2, price=None, currency=None), fares=FARES, rates=RATES)
    assert (rows[0]["price"], rows[0]["is_modelled"]) == (90, False)
    rows, _ = made(flight(1, is_arrival_modelled=True))
    assert rows[0]["is_modelled"]


def test_modelled_prices_spread_evenly_between_the_bounds():
    prices = modelled_prices(np.full(20_000, 1000.0), np.arange(20_000, dtype=np.uint64), 3, FARES)
    assert prices.min() >= 99 and prices.max() <= 301
    assert abs(prices.mean() - 200) < 2


def test_march_2022_becomes_november_2024_on_the_same_weekdays_and_the_map_is_kept():
    days = [MARCH[0] + dt.timedelta(days=n) for n in range(31)]
    rows, rejected = made(*(flight(n, flight_date=day) for n, day in enumerate(days)), flight_dates_from=MARCH)
    kept = {row["date_given"]: row["flight_date"] for row in rows}
    assert kept == {day: day + dt.timedelta(weeks=140) for day in days[:26]}
    assert kept[dt.date(2022, 3, 1)] == dt.date(2024, 11, 5)
    assert set(rejected.values()) == {"outside_dates"} and len(rejected) == 5
    assert all(row["arr_day_offset"] == 1 for row in rows)


def test_flights_of_other_dates_than_the_recipe_names_are_not_moved_into_the_trips():
    rows, rejected = made(flight(1), flight(2, flight_date=MARCH[0]), flight_dates_from=MARCH)
    assert [row["flight_number"] for row in rows] == ["F0000002"]
    assert rejected == {"F0000001": "outside_dates"}


@settings(max_examples=60, deadline=None)
@given(st.dates(dt.date(2020, 1, 1), dt.date(2026, 1, 1)), st.integers(0, 40), st.integers(6, 40))
def test_dates_move_by_whole_weeks_and_the_source_s_first_always_fits(first, length, trips):
    window = (NOVEMBER[0], NOVEMBER[0] + dt.timedelta(days=trips))
    moved = date_map((first, first + dt.timedelta(days=length)), window)
    assert first in moved
    assert len({to - date for date, to in moved.items()}) == 1
    assert all((to - date).days % 7 == 0 and window[0] <= to <= window[1] for date, to in moved.items())
