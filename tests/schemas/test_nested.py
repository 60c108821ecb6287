"""Nested columns read back: whatever is read once for all rows of one value, each row has its own value."""

from __future__ import annotations

import datetime as dt
import re
from typing import NotRequired, TypedDict

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import nested
from schemas.nested import arrow_type, plain_of, plain_values, shape_of, stored, stored_values

DATE = dt.date(2026, 1, 2)


class Note(TypedDict):
    text: str | None


class Rule(TypedDict):
    days: list[int]
    share: float | None
    since: dt.date | None


class Hours(TypedDict):
    is_open: bool | None
    rules: list[Rule] | None
    named: dict[str, list[str]]
    note: NotRequired[str]


SHAPE = shape_of(Hours | None)
rules = st.fixed_dictionaries(
    {
        "days": st.lists(st.sampled_from((1, 2)), max_size=2),
        "share": st.sampled_from((None, 0.0, -0.0, 1.5, float("nan"))),
        "since": st.sampled_from((None, DATE)),
    }
)
hours = st.fixed_dictionaries(
    {
        "is_open": st.sampled_from((None, True, False)),
        "rules": st.none() | st.lists(rules, max_size=2),
        "named": st.dictionaries(st.sampled_from("ab"), st.lists(st.sampled_from(("", "x")), max_size=2), max_size=2),
    },
    optional={"note": st.sampled_from(("", "x"))},
)


def column(*chunks) -> pa.ChunkedArray:
    """Return a column of these chunks, each a part of a longer array, as rows of a row group are."""
    kind = arrow_type(SHAPE)
    arrays = [pa.array([stored(SHAPE, one) for one in [chunk[0], *chunk, chunk[-1]]], kind)[1:-1] for chunk in chunks]
    return pa.chunked_array(arrays, kind)


@pytest.fixture(autouse=True, scope="module")
def every_column_is_long():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nested, "AT_ONCE", 1)
        yield


@given(st.lists(st.lists(st.none() | hours, min_size=1, max_size=6), max_size=3))
def test_every_row_has_its_own_value_however_many_are_equal(chunks):
    rows, plain = column(*chunks), plain_of(SHAPE)
    assert list(map(repr, plain_values(SHAPE, rows))) == [repr(plain(value)) for value in rows.to_pylist()]


def hours_of(**changes) -> dict:
    return {"is_open": None, "rules": None, "named": {}, **changes}


def rule(**changes) -> dict:
    return {"days": [], "share": None, "since": None, **changes}


NEARLY_EQUAL = (
    None,
    hours_of(),
    hours_of(note=""),
    hours_of(is_open=False),
    hours_of(named={"a": []}),
    hours_of(named={"a": [""]}),
    hours_of(named={"a": ["", ""]}),
    hours_of(rules=[]),
    hours_of(rules=[rule()]),
    hours_of(rules=[rule(), rule()]),
    hours_of(rules=[rule(share=0.0)]),
    hours_of(rules=[rule(share=-0.0)]),
    hours_of(rules=[rule(days=[1]), rule()]),
    hours_of(rules=[rule(), rule(days=[1])]),
    hours_of(rules=[rule(since=DATE)]),
)


def test_values_that_differ_in_one_thing_are_told_apart_and_equal_ones_are_one_object():
    found = plain_values(SHAPE, column(NEARLY_EQUAL, NEARLY_EQUAL[::-1]))
    assert list(map(repr, found)) == list(map(repr, (*NEARLY_EQUAL, *NEARLY_EQUAL[::-1])))
    assert len({id(value) for value in found}) == len(NEARLY_EQUAL)


def test_no_value_is_not_a_value_without_anything():
    shape = shape_of(Note | None)
    rows = pa.chunked_array([pa.array([None, {"text": None}, None], arrow_type(shape))])
    assert plain_values(shape, rows) == [None, {"text": None}, None]


class Price(TypedDict):
    whole: int | None
    share: float | None
    is_known: bool | None
    words: list[str] | None


PRICES = [
    {"whole": whole, "share": share, "is_known": is_known, "words": words}
    for whole in (None, 0, 1)
    for share in (None, 0.0, -0.0, 1.0)
    for is_known in (None, False, True)
    for words in (None, [], [""], ["", ""], ["a\0"], ["a", "\0"])
]


def test_values_without_dates_are_told_apart_too():
    shape = shape_of(Price)
    rows = pa.chunked_array([pa.array([*PRICES, *PRICES[::-1]], arrow_type(shape))] * 2)
    found = plain_values(shape, rows)
    assert list(map(repr, found)) == list(map(repr, [*PRICES, *PRICES[::-1]])) * 2
    assert len({id(value) for value in found}) == len(PRICES)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"whole": 1}, "value: keys [] are not declared, keys ['share', 'is_known', 'words'] are missing"),
        ({**PRICES[0], "more": 1}, "value: keys ['more'] are not declared, keys [] are missing"),
        ({**PRICES[0], "words": ["a", 2]}, "/words/1 is 2, expected str"),
        ({**PRICES[0], "words": "ab"}, "/words is of type str, expected a list"),
        ([PRICES[0]], "value is of type list, expected a struct"),
        (None, "value is null, expected struct"),
    ],
)
def test_what_does_not_fit_is_told_with_where_it_is(value, told):
    with pytest.raises(ValueError, match=re.escape(told)):
        stored(shape_of(Price), value)


def test_a_column_of_shared_objects_is_stored_like_one_of_copies():
    shape, one, other = shape_of(Note | None), {"text": "a"}, {"text": None}
    rows = [one, None, other, one, {"text": "a"}, None, one]
    kept = stored_values(shape, rows)
    assert kept.to_pylist() == rows and kept.type == arrow_type(shape)
    assert stored_values(shape, []).to_pylist() == []


def test_what_does_not_fit_is_told_of_shared_objects_too():
    wrong = {"text": 1}
    with pytest.raises(ValueError, match="/text"):
        stored_values(shape_of(Note), [{"text": "a"}, wrong, wrong])
