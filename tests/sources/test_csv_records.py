"""Records of CSV text by their numbers: the same as all of them, of which the others are left out."""

from __future__ import annotations

import io

from hypothesis import example, given
from hypothesis import strategies as st

from sources.formats.csv_records import header_and_records, records_at

texts = st.lists(st.sampled_from(['"', ",", "\n", "\r\n", "a", "bc", '"x\ny"', " ", '""']), max_size=40).map("".join)


@example('"a\nb",c\nd,e\nf,g\n', {2, 3})
@given(texts, st.sets(st.integers(1, 12)))
def test_the_records_of_some_numbers_are_those_among_all(text, numbers):
    data = ("one,two\n" + text).encode()
    _, every = header_and_records(io.BytesIO(data))
    expected = [(n, shown(record)) for n, record in enumerate(every, start=1) if n in numbers]
    assert [(n, shown(record)) for n, record in records_at(io.BytesIO(data), numbers)] == expected


def shown(record):
    """Return a record so that faults, which are exceptions, compare by their words."""
    return record if isinstance(record, list) else str(record)
