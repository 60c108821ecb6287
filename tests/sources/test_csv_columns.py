"""Columns of a large CSV file: what is wrong with a row is that row's, whatever else is wrong with it."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sources.flights.values import PUBLISHED_NUMBER, Reading
from sources.formats.csv_columns import ColumnFile

NUMBER = Reading(int, "a number")
ROWS = 40
NEITHER = {
    "one field too many": b"caf\xe9,7,8,9",
    "one field too few": b"caf\xe9,7",
    "half a character at the end": b"1,2,3,\xc3",
    "half a surrogate pair": b"\xed\xa0\x80,2",
}


@pytest.mark.parametrize("bad", NEITHER)
@pytest.mark.parametrize("at", [0, 17, ROWS])
def test_a_row_neither_utf_8_nor_of_the_right_width_is_one_rejected_row(bad, at, given_bytes, capfd, monkeypatch):
    rows = [f"{n},é{n},{n * n}".encode() for n in range(ROWS)]
    file = given_bytes(b"a,b,c\n" + b"\n".join([*rows[:at], NEITHER[bad], *rows[at:]]) + b"\n", "bts", "on_time")
    source = ColumnFile(file, "a table")
    monkeypatch.setattr(ColumnFile, "_batches_slowly", None)  # no quote is at fault: the fast way is kept to the end
    batches = list(source.batches({"a": "a", "c": "c"}, {"a": NUMBER, "c": NUMBER}))
    columns = [(b.record.tolist(), b.values["a"].tolist(), b.values["c"].tolist()) for b in batches]
    found = [row for of_batch in columns for row in zip(*of_batch, strict=True)]
    assert found == [(n + 1 + (n >= at), n, n * n) for n in range(ROWS)]
    (rejected,) = source.rejected
    fields = NEITHER[bad].count(b",") + 1
    assert rejected["row"].endswith(f"#R{at + 1}")
    assert (rejected["reason"], rejected["detail"]) == (
        "bad_value",
        f"found {fields} fields, expected 3 as in the header",
    )
    assert source.rows_read == ROWS + 1
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("last", ["3,,33\n", "3,,33", '3,"open,33'])
def test_an_open_quote_in_a_column_nobody_asked_for_takes_no_other_rows_values(last, given_bytes):
    rows = f'a,b,c\n1,"open,11\n2,5" pipe,22\n{last}'.encode()
    source = ColumnFile(given_bytes(rows, "bts", "on_time"), "a table")
    batches = list(source.batches({"a": "a", "c": "c"}, {"a": NUMBER, "c": NUMBER}))
    found = [row for b in batches for row in zip(b.record.tolist(), b.values["c"].tolist(), strict=True)]
    is_whole = "open" not in last
    assert found == [(2, 22), (3, 33)][: 1 + is_whole]
    assert [row["row"].partition("#")[2] for row in source.rejected] == ["R1", *["R3"] * (not is_whole)]


published_numbers = st.from_regex(rb"F[0-9]{7}", fullmatch=True)
like_them = st.from_regex(rb"[Ff]?[0-9]{6,8}\n?|F[\x80-\xff]{7}", fullmatch=True)


@given(st.lists(published_numbers, min_size=1, max_size=4), st.lists(like_them, max_size=1))
def test_numbers_are_read_at_once_as_each_is_or_not_at_all(plain, others):
    texts = [*others, *plain]
    found = PUBLISHED_NUMBER.read_all(pa.array(texts, pa.binary()))
    each = [PUBLISHED_NUMBER.read(text.decode("utf-8", "replace")) for text in texts]
    assert found is None if min(each) < 0 else found is not None and found.tolist() == each
