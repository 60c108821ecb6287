"""The exported flights, of which there may be millions: written as every other file, looked up by number."""

from __future__ import annotations

import csv

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assets.tripcraft.flights import FlightBook, arrow_rows
from assets.tripcraft.published import database as database_module
from assets.tripcraft.published import folder
from assets.tripcraft.published.cells import text_columns
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


@pytest.mark.parametrize("order", [1, -1])
def test_flights_of_one_number_are_all_found_in_their_order_and_one_with_an_empty_cell_is_none(order):
    rows = [("F1", "10", "A", "B"), ("F1", "30", "B", "A"), ("F2", "20", "A", "C"), ("F3", "", "A", "B")][::order]
    columns = FILES["flights"][1]
    flights = Flights(pa.table(dict(zip(columns, zip(*rows, strict=True), strict=True))))
    for number in ("F1", "F2"):
        assert flights.numbered(number) == tuple(
            dict(zip(columns, row, strict=True)) for row in rows if row[0] == number
        )
    assert flights.numbered("F3") == flights.numbered("F") == ()


CELLS = ("F1", "F2", "007", "1.50", "", " ", "NA", "null", "Évora", "\ufeff", "\0", '"F 1"', '"a ""b"""', '"a,b"', '""')
BROKEN = ('"a\nb"', '"a\r\nb"', '"', 'a"b', '"a"b', ' "a"', '"a', "a\n", "\n", "\r\n", "\r", ",", "\ufeff\n")
HEADER = ",".join(FILES["flights"][1])
HEADERS = (
    HEADER,
    f"\ufeff{HEADER}",
    f"Price,{HEADER},More",
    f'"{HEADER}',
    HEADER[3:],
    f'"a\nb",{HEADER}',
    "",
    "\n" + HEADER,
)


def lines(cells, widths):
    return st.lists(widths.flatmap(lambda n: st.lists(cells, min_size=n, max_size=n)).map(",".join), max_size=6)


@st.composite
def files(draw):
    """Return a flights file, of rows that are well formed or of any."""
    header = draw(st.sampled_from(HEADERS))
    cells, widths = draw(
        st.sampled_from([(CELLS, st.just(header.count(",") + 1)), (CELLS + BROKEN, st.integers(0, 6))])
    )
    ends = draw(st.sampled_from([("\n",), ("\r\n",), ("\r",), ("\n", "\n\n", "\r", "\r\n")]))
    text = "".join(
        line + draw(st.sampled_from(ends)) for line in [header, *draw(lines(st.sampled_from(cells), widths))]
    )
    data = text[: draw(st.sampled_from([None, -1]))].encode()
    where = draw(st.integers(0, len(data)))
    return data[:where] + draw(st.sampled_from([b""] * 9 + [b"\xff", b"\xed\xa0\x80"])) + data[where:]


@settings(deadline=None, max_examples=500)
@example(f"{HEADER}\nF1,10,A,B\n".encode())
@example(f"{HEADER}\nF1,10,A,B\nF2,10,A\n".encode())
@given(files())
def test_a_file_that_arrow_reads_holds_what_python_reads(data):
    assert_read_alike(data)


def assert_read_alike(data):
    columns, problems = FILES["flights"][1], []
    row_by_row = [cells for _, cells in folder._csv_cells({"f": data}, "f", columns, problems)]
    at_once = text_columns(data, columns)
    if at_once is not None:
        assert [*zip(*at_once.to_pydict().values(), strict=True)] == row_by_row
        assert (at_once.column_names, problems) == (list(columns), [])
    return at_once


@pytest.mark.parametrize("before", range(1, 12))
def test_a_quote_that_is_never_closed_keeps_its_line_ends_wherever_they_stand(before):
    row, end = f"F1,{'1' * 10_000},A,B\n", 'F1,10,A,"\r\n\r\n\r\n\n\n'
    rows = HEADER + "\n" + row * 104
    data = rows + f"F1,{'1' * ((1 << 20) - before - len(rows) - len('F1,,A,B') - 1)},A,B\n" + end
    assert len(data) == (1 << 20) - before + len(end)  # Arrow's own blocks are of a megabyte
    assert assert_read_alike(data.encode()) is not None


@pytest.mark.parametrize("row", ['F1,10,"A, B",É', "F1,10,A,B", 'F1,"1 ""0""",NA,', 'F1,10,"\n\n\n\nA",B'])
def test_a_well_formed_file_is_read_at_once(row):
    data = f"\ufeff{HEADER}\n" + 20 * f"{row}\n"
    found = text_columns(data.encode(), FILES["flights"][1])
    assert found is not None
    assert found.num_rows == 20


def test_a_file_that_is_read_row_by_row_gives_the_same_columns(monkeypatch):
    monkeypatch.setattr(folder, "ROWS_AT_ONCE", 2)
    rows, problems = [f"F{number},{number},A,B" for number in range(5)], []
    data = "\n".join([HEADER, *rows]).encode()
    monkeypatch.setattr(folder, "text_columns", lambda *_: None)
    found = folder._text_columns({"f": data}, "f", FILES["flights"][1], problems)
    assert found.equals(text_columns(data, FILES["flights"][1])) and not problems
    assert folder._text_columns({}, "f", FILES["flights"][1], problems).num_rows == 0
    assert problems == ["f: found no such file"]
