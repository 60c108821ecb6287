"""An export gives the same items whether it is an array or lines, and however it is cut into chunks."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.source import SourceError
from sources.formats import apify
from sources.formats.apify import read_items

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
items = st.lists(st.dictionaries(st.text(max_size=8), values, max_size=4), max_size=6)


def locators(pairs):
    return [pointer.partition("#")[2] for pointer, _ in pairs]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(items, st.integers(1, 40), st.sampled_from([None, 2]), st.booleans())
def test_an_array_gives_its_items_whatever_the_chunks(given_bytes, monkeypatch, rows, chunk, indent, is_packed):
    monkeypatch.setattr(apify, "CHUNK_CHARS", chunk)
    content = json.dumps(rows, indent=indent, ensure_ascii=False).encode()
    rejected: list[dict[str, str]] = []
    found = list(read_items(given_bytes(gzip.compress(content) if is_packed else content, "airbnb", "apify"), rejected))
    assert [item for _, item in found] == rows
    assert locators(found) == [f"[{i}]" for i in range(len(rows))]
    assert rejected == []


def test_lines_give_the_same_items_and_bad_ones_are_rejected(given_bytes):
    rejected: list[dict[str, str]] = []
    found = list(read_items(given_bytes('{"a": 1}\n\n{"a": \n[1]\n{"a": 2}', "airbnb", "apify"), rejected))
    assert [item for _, item in found] == [{"a": 1}, {"a": 2}]
    assert locators(found) == ["L1", "L5"]
    assert [row["row"].partition("#")[2] for row in rejected] == ["L3", "L4"]


def test_items_that_are_no_objects_are_rejected_by_their_place(given_bytes):
    rejected: list[dict[str, str]] = []
    found = list(read_items(given_bytes('\ufeff [1, {"a": 1}, "x", null]\n', "airbnb", "apify"), rejected))
    assert locators(found) == ["[1]"]
    assert [row["row"].partition("#")[2] for row in rejected] == ["[0]", "[2]", "[3]"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[{"a": 1}, {"a"', r"item \[1\]: found Expecting"),
        ('[{"a": 1}', r"item \[0\]: found no comma and no bracket"),
        ('[{"a": 1},', r"item \[1\]: found the end of the file"),
        ("[", r"item \[0\]: found the end of the file"),
        ('[{"a": 1} {"a": 2}]', r"item \[0\]: found no comma and no bracket"),
        ('[{"a": 1}] tail', r"item \[1\]: found more text after"),
        (b'[{"a": "\xff"}]', r"item \[0\]: found bytes that are not UTF-8"),
        ("[" * 100_000, r"item \[0\]: found"),
    ],
)
@pytest.mark.parametrize("chunk", [1, 1 << 20])
def test_a_broken_array_is_refused(given_bytes, monkeypatch, text, found, chunk):
    monkeypatch.setattr(apify, "CHUNK_CHARS", chunk if len(text) < 99 else 1 << 20)
    with pytest.raises(SourceError, match=found):
        list(read_items(given_bytes(text, "airbnb", "apify"), []))
