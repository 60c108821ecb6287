"""The exported flights, of which there may be millions: written as every other file, looked up by number."""

from __future__ import annotations

import csv

import pandas as pd
import pyarrow as pa
import pytest

from assets.tripcraft.flights import FlightBook, arrow_rows
from assets.tripcraft.published import database as database_module
from assets.tripcraft.published.database import UNKNOWN, database
from assets.tripcraft.published.ref_info import KM_PER_MILE
from assets.tripcraft.published.world import FILES, Flights
from assets.tripcraft.tables import TripcraftFlight


def coded(flights):
    """Return the flights as they may be read: texts as dictionaries, which differ from chunk to chunk."""
    names = [name for name in TripcraftFlight.repeated_texts() if name in flights.column_names]
    parts = [flights.slice(first, 2) for first in range(0, len(flights), 2)]
    for name in names:
        number = flights.column_names.index(name)
        parts = [part.set_column(number, name, part[name].dictionary_encode()) for part in parts]
    return pa.concat_tables(parts)


@pytest.mark.parametrize("at_once", [3, 100_000])
def test_the_file_is_what_pandas_writes(frames, build, at_once, monkeypatch):
    tables = frames()
    monkeypatch.setattr(database_module, "LINES_AT_ONCE", at_once)
    tables["cities"].loc[0, "plan_name"] = 'Amble "on, the" Sea'
    tables["flights"].loc[1, "dest_city_id"] = "nowhere"
    tables["flights"].loc[2, "flight_number"] = 'F"2'
    tables["flights"] = tables["flights"].iloc[::-1]
    reference = build(tables)
    rows = tables["flights"].sort_values("flight_number", kind="stable")
    names = {city_id: city.name for city_id, city in reference.cities.items()}
    expected = pd.DataFrame(
        {
            "Flight Number": rows["flight_number"],
            "Price": rows["price"],
            "DepTime": rows["dep_time"],
            "ArrTime": rows["arr_time"],
            "ActualElapsedTime": [f"{m // 60} hours {m % 60} minutes" for m in rows["elapsed_min"]],
            "FlightDate": rows["flight_date"].astype(str).str[:10],
            "OriginCityName": rows["origin_city_id"].map(names),
            "DestCityName": rows["dest_city_id"].map(names).fillna(UNKNOWN),
            "Distance": (rows["distance_km"] / KM_PER_MILE).round(1),
        }
    )
    text = expected.astype(object).to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    assert '""on' in text and f'"{UNKNOWN}"' in text
    for flights in (tables["flights"], arrow_rows(tables["flights"]), coded(arrow_rows(tables["flights"]))):
        assert database({**tables, "flights": flights}, reference)["flights.csv"].decode() == text


def test_a_book_of_dictionaries_finds_the_flights_that_one_of_texts_does(frames):
    flights = frames()["flights"]
    plain, book = FlightBook(flights), FlightBook(coded(arrow_rows(flights)))
    pairs = set(zip(flights["origin_city_id"], flights["dest_city_id"], strict=True))
    assert len(pairs) > 1
    for origin, dest in pairs:
        assert plain.between(origin, dest, None)
        assert book.between(origin, dest, None) == plain.between(origin, dest, None)


def test_flights_of_one_number_are_all_found_in_their_order_and_one_with_an_empty_cell_is_none():
    rows = [("F1", "10", "A", "B"), ("F2", "20", "A", "C"), ("F1", "30", "B", "A"), ("F3", "", "A", "B")]
    flights = Flights(rows)
    columns = FILES["flights"][1]
    assert flights["F1"] == tuple(dict(zip(columns, rows[n], strict=True)) for n in (0, 2))
    assert flights["F2"] == (dict(zip(columns, rows[1], strict=True)),)
    assert (set(flights), flights.get("F3"), len(flights)) == ({"F1", "F2"}, None, 2)
