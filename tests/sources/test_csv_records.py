"""Records of CSV text by their numbers: the same as all of them, of which the others are left out."""

from __future__ import annotations

import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sources.formats.csv_records import columns_told, header_and_records, records_at

texts = st.lists(st.sampled_from(['"', ",", "\n", "\r\n", "a", "bc", '"x\ny"', " ", '""']), max_size=40).map("".join)


@example('"a\nb",c\nd,e\nf,g\n', {2, 3})
@given(texts, st.sets(st.integers(1, 12)))
def test_the_records_of_some_numbers_are_those_among_all(text, numbers):
    data = ("one,two\n" + text).encode()
    _, every = header_and_records(io.BytesIO(data))
    expected = [(n, shown(record)) for n, record in enumerate(every, start=1) if n in numbers]
    assert [(n, shown(record)) for n, record in records_at(io.BytesIO(data), numbers)] == expected


@pytest.mark.parametrize(("mark", "name"), [(";", "semicolons"), ("\t", "tabs"), ("|", "bars")])
def test_what_stands_between_columns_is_told_where_it_is_no_comma(mark, name):
    header, _ = header_and_records(io.BytesIO(mark.join(["id", '"name"', "price"]).encode()))
    assert columns_told(header).endswith(f" with {name} between them, not commas")


@pytest.mark.parametrize("header", [[], ["id"], ["id", "name;alias"]])
def test_columns_with_commas_between_them_are_told_alone(header):
    assert columns_told(header) == (", ".join(header) or "nothing")


def shown(record):
    """Return a record so that faults, which are exceptions, compare by their words."""
    return record if isinstance(record, list) else str(record)
