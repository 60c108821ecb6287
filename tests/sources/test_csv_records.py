"""Records of CSV text by their numbers: the same as all of them, of which the others are left out."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from sources.formats import csv_records
from sources.formats.csv_records import header_and_records, records_at

PARTS = (
    b'"',
    b",",
    b"\n",
    b"\r\n",
    b"\r",
    b"a",
    b"bc\n",
    b"d,e\n",
    b'"x\ny"',
    b" ",
    b'""',
    "É\n".encode(),
    b"\xc3",
    b"\xff",
    b"\0",
)
texts = st.lists(st.sampled_from(PARTS) | st.sampled_from(PARTS[5:8]), max_size=60).map(b"".join)


@pytest.mark.parametrize("piece_bytes", [1, 3, 8, csv_records.PIECE_BYTES])
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(b'"a\nb",c\nd,e\nf,g\n', {2, 3})
@example(b"\n\r\n\ra\n\nb\rc\r\nd\n", {3, 4})
@example(b'"a\nb\nc\nd\ne\nf\ng,"\nh\n', {1, 8})
@example(b'"a\r\nb\r\nc",d\r\n', {1})
@example(b'"a\r\nb\r\nc\r\nd",e\r\n', {1})
@given(texts, st.sets(st.integers(-1, 24), max_size=4))
def test_the_records_of_some_numbers_are_those_among_all(monkeypatch, piece_bytes, text, numbers):
    monkeypatch.setattr(csv_records, "PIECE_BYTES", piece_bytes)
    monkeypatch.setattr(csv_records, "MAX_RECORD_LINES", 3)
    assert at(text, numbers) == among_all(text, numbers)


@pytest.mark.parametrize(
    "long", [b"x" * 99, b"x" * 100, b"x" * 101, "É".encode() * 99, "É".encode() * 101, b"\xff" * 500]
)
@pytest.mark.parametrize("end", [b"\n", b"\r", b""])
@pytest.mark.parametrize("numbers", [{1}, {1, 3}, {3}, {150}])
@pytest.mark.parametrize("piece_bytes", [1, 10, 64])
def test_a_line_that_is_too_long_is_one_though_it_is_passed(monkeypatch, long, end, numbers, piece_bytes):
    monkeypatch.setattr(csv_records, "MAX_RECORD_CHARS", 100)
    monkeypatch.setattr(csv_records, "PIECE_BYTES", piece_bytes)
    text = b"a\n" + long + end + b"b\nc\nd\n" + b"".join(b"%d" % n + end for n in range(200))
    assert at(text, numbers) == among_all(text, numbers)


def test_lines_without_quotes_are_passed_many_at_once(monkeypatch):
    text = b"one,two\n" + 10_000 * b"a,b\n"
    read = []
    lines = csv_records._lines
    monkeypatch.setattr(csv_records, "_lines", lambda *given: (read.append(line) or line for line in lines(*given)))
    assert at(text, {9_000}) == [(9_000, ["a", "b"])]
    assert len(read) < 9_000


def at(text, numbers):
    """Return the records of some numbers, and the fault that ended them."""
    return told(records_at(io.BytesIO(b"one,two\n" + text), numbers))


def among_all(text, numbers):
    """Return the same, found by looking at every record."""
    _, every = header_and_records(io.BytesIO(b"one,two\n" + text), "replace")
    last = max(numbers, default=0)
    return told((n, record) for n, record in zip(range(1, last + 1), every, strict=False) if n in numbers)


def told(records):
    found = []
    try:
        found += ((number, shown(record)) for number, record in records)
    except csv.Error as error:
        found.append(str(error))
    return found


def shown(record):
    """Return a record so that faults, which are exceptions, compare by their words."""
    return record if isinstance(record, list) else str(record)
