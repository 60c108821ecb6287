"""Table versions: the same rows give the same bytes, in whatever order and by whatever way they come."""

from __future__ import annotations

import duckdb
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.table import Field, Table, TableError
from warehouse import tables as tables_module
from warehouse.store import Store, StoreError
from warehouse.tables import Tables


class Visit(Table):
    """A visit."""

    city_id: str = Field("City.", key=True)
    visit_id: int = Field("Id.", key=True)
    note: str = Field("Note.")


def visits(rows):
    return pd.DataFrame(rows, columns=["city_id", "visit_id", "note"]).astype(
        {"city_id": "str", "visit_id": "int64", "note": "str"}
    )


def stream(frame):
    table = Visit.arrow(frame)
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=2))


@pytest.fixture
def tables(tmp_path):
    return Tables(Store(str(tmp_path)))


ROWS = [("b", 1, "x"), ("a", 2, "y"), ("a", 1, "z")]


def test_rows_are_kept_sorted_by_key_under_the_hash_of_their_bytes(tables):
    version = tables.write(Visit, visits(ROWS))
    assert tables.read(version).to_pylist() == [
        {"city_id": "a", "visit_id": 1, "note": "z"},
        {"city_id": "a", "visit_id": 2, "note": "y"},
        {"city_id": "b", "visit_id": 1, "note": "x"},
    ]


@given(
    st.dictionaries(st.tuples(st.sampled_from("abc"), st.integers(0, 50)), st.text(max_size=5), max_size=30),
    st.randoms(use_true_random=False),
)
def test_order_and_streaming_do_not_change_the_bytes(tmp_path_factory, by_key, random):
    tables = Tables(Store(str(tmp_path_factory.mktemp("home"))))
    rows = [(*key, note) for key, note in by_key.items()]
    expected = tables.write(Visit, visits(sorted(rows)))
    random.shuffle(rows)
    assert tables.write(Visit, visits(rows)) == expected
    assert tables.write(Visit, stream(visits(rows))) == expected


def test_row_groups_do_not_depend_on_how_rows_arrive(tables, monkeypatch):
    monkeypatch.setattr(tables_module, "ROW_GROUP_ROWS", 4)
    rows = visits([("a", n, "x") for n in range(11)])
    assert tables.write(Visit, rows) == tables.write(Visit, stream(rows))


@given(
    by_key=st.dictionaries(st.tuples(st.text(max_size=2), st.integers(-3, 3)), st.text(max_size=3), max_size=12),
    parts=st.integers(1, 4),
    by_city=st.booleans(),
    random=st.randoms(use_true_random=False),
)
def test_versions_are_joined_to_the_bytes_of_all_their_rows(tmp_path_factory, by_key, parts, by_city, random):
    """Those of cities do not overlap; others do, and are sorted again."""
    tables = Tables(Store(str(tmp_path_factory.mktemp("store"))))
    rows = [(*key, note) for key, note in by_key.items()]
    cities = sorted({city for city, _, _ in rows})
    split: list[list[tuple[str, int, str]]] = [[] for _ in range(parts)]
    for row in rows:
        split[cities.index(row[0]) % parts if by_city else random.randrange(parts)].append(row)
    versions = [tables.write(Visit, visits(mine)) for mine in split]
    random.shuffle(versions)
    assert tables.join(Visit, versions) == tables.write(Visit, visits(rows))


@pytest.mark.parametrize("apart", [True, False])
def test_only_versions_that_overlap_are_sorted_again_and_a_row_of_two_is_refused(tables, monkeypatch, apart):
    ours, theirs = [("a", 1, "x"), ("a", 3, "y")], [("a", 4 if apart else 2, "z"), ("b", 1, "v")]
    versions = [tables.write(Visit, visits(rows)) for rows in (theirs, ours)]
    seen = []
    chunks = tables_module._sorted_chunks
    monkeypatch.setattr(
        tables_module,
        "_sorted_chunks",
        lambda *given, is_sorted: (seen.append(is_sorted), chunks(*given, is_sorted=is_sorted))[1],
    )
    joined = tables.join(Visit, versions)
    assert seen == [apart]
    assert [row["note"] for row in tables.read(joined).to_pylist()] == (
        ["x", "y", "z", "v"] if apart else ["x", "z", "y", "v"]
    )
    with pytest.raises(TableError, match="repeats"):
        tables.join(Visit, [versions[0], tables.write(Visit, visits([("b", 1, "again")]))])


def test_a_repeated_key_is_refused_and_leaves_nothing(tables, monkeypatch):
    for group_rows in (1, 65_536):
        monkeypatch.setattr(tables_module, "ROW_GROUP_ROWS", group_rows)
        with pytest.raises(TableError, match=r"key \(city_id, visit_id\) repeats: \('a', 1\)"):
            tables.write(Visit, visits([*ROWS, ("a", 1, "again")]))
    assert not list(tables._store.keys("tables"))


@pytest.mark.parametrize("rows", [[], ROWS])
def test_the_version_without_rows_is_written_once_for_all_cities(tables, rows, monkeypatch):
    opened = []

    class Counted(tables_module._OpenVersion):
        def __init__(self, *given):
            opened.append(given)
            super().__init__(*given)

    monkeypatch.setattr(tables_module, "_OpenVersion", Counted)
    made = tables.write_by_city(Visit, visits(rows), "abcdefgh")
    assert list(made) == list("abcdefgh")
    assert {version.rows for city_id, version in made.items() if city_id not in "ab"} == {0}
    assert len(opened) == len({version.sha256 for version in made.values()})


def test_parts_by_city_hold_their_own_rows_and_a_city_without_rows_is_empty(tables):
    parts = tables.write_by_city(Visit, visits(ROWS), ["a", "b", "c"])
    assert {city: version.rows for city, version in parts.items()} == {"a": 2, "b": 1, "c": 0}
    assert parts["b"] == tables.write(Visit, visits([("b", 1, "x")]))
    with pytest.raises(TableError, match="rows of city `b`"):
        tables.write_by_city(Visit, visits(ROWS), ["a"])


def test_repeated_texts_are_read_as_dictionaries_of_the_same_texts(tables):
    for rows in (ROWS, []):
        version = tables.write(Visit, visits(rows))
        plain, coded = tables.read(version, ["city_id", "note"]), tables.read(version, ["city_id", "note"], ["note"])
        assert coded["note"].type == pa.dictionary(pa.int32(), pa.string())
        assert coded["city_id"].type == pa.string()
        assert coded.to_pylist() == plain.to_pylist()


def test_only_plain_texts_outside_the_key_are_repeated():
    class Tour(Visit):
        """A tour."""

        stops: list[str] = Field("Stops.")
        guide: str | None = Field("Guide.")
        price: int = Field("Price.")

    assert Tour.repeated_texts() == ("note", "guide")


def test_some_columns_are_read_piece_by_piece_of_what_the_hash_says(tables):
    version = tables.write(Visit, visits(ROWS))
    pieces = list(tables.pieces(version, ["note"], 2))
    assert [piece.to_pylist() for piece in pieces] == [[{"note": "z"}, {"note": "y"}], [{"note": "x"}]]
    tables._store.put(version.key, b"other bytes")
    with pytest.raises(StoreError, match="has changed"):
        next(tables.pieces(version, ["note"], 2))


def test_a_changed_byte_is_found_on_reading_and_on_copying(tables, tmp_path):
    version = tables.write(Visit, visits(ROWS))
    with tables._store.local(version.key) as path:
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
    with pytest.raises(StoreError, match="table `visit` has changed"):
        tables.read(version)
    with pytest.raises(StoreError, match="table `visit` has changed"):
        tables.copy_to(version, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


class Grid(Table):
    """A matrix, row by row."""

    row_id: str = Field("Id.", key=True)
    ways_m: list[float | None] = Field("Ways.")
    names: list[str] = Field("Names.")


@given(st.lists(st.lists(st.one_of(st.none(), st.floats(allow_nan=False)), max_size=4), max_size=5))
def test_matrices_come_back_to_the_bit_streamed_or_not(tmp_path_factory, ways):
    tables = Tables(Store(str(tmp_path_factory.mktemp("home"))))
    rows = [{"row_id": f"{i}", "ways_m": way, "names": ["x"]} for i, way in enumerate(ways)]
    table = pa.Table.from_pylist(rows, schema=Grid.arrow_schema())
    version = tables.write(Grid, table)
    assert tables.read(version).to_pylist() == rows
    assert (
        tables.write(Grid, pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=1)))
        == version
    )


def test_a_sort_that_takes_long_writes_nothing_where_a_command_prints_its_answer(tables, monkeypatch, capfd):
    connect, count = duckdb.connect, 400_000

    def impatient(*given, **options):
        connection = connect(*given, **options)
        connection.execute("SET progress_bar_time = 30")
        return connection

    monkeypatch.setattr(duckdb, "connect", impatient)
    numbers = pa.array((n * 7919) % 1_000_003 for n in range(count))
    rows = pa.table({"city_id": ["a"] * count, "visit_id": numbers, "note": numbers.cast(pa.string())})
    written = tables.write(
        Visit, pa.RecordBatchReader.from_batches(Visit.arrow_schema(), rows.cast(Visit.arrow_schema()).to_batches())
    )
    assert written.rows == count
    assert capfd.readouterr().out == ""
