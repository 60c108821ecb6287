"""One JSON object read value by value: as json reads it, whatever the pieces; what is none is said, and where."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.source import SourceError
from sources.formats import document
from sources.formats.document import members
from tests.sources.conftest import given_file

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def read(content: bytes | str) -> list[tuple[str, object]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "given"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        file = given_file(path, "group", "poi", "given")
        return list(members(file, "{city: [place]}", "Bind such a file."))


@given(st.dictionaries(st.text(), JSON, max_size=5), st.integers(1, 9), st.sampled_from([None, 1]))
def test_members_are_those_that_json_reads(whole, characters, indent):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(document, "_CHUNK_CHARACTERS", characters)
        assert read(json.dumps(whole, ensure_ascii=False, indent=indent)) == list(whole.items())


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "found '', not '{', at character 0; expected {city: [place]}. Bind such a file."),
        ("[1]", "found '[', not '{', at character 0"),
        ('{"a": [1}', "found '}', not ',', at character 8"),
        ('{"a": [1', "found '', not ',', at character 8"),
        ('{"a": [1, 2,]}', "found no JSON at character 12"),
        ('{"a": [, 1]}', "found no JSON at character 7"),
        ('{"a": {"b": [1}}', "found no JSON at character 6"),
        ('{"a" [1]}', "found '[', not ':', at character 5"),
        ('{"a": 1 "b": 2}', "found '\"', not ',', at character 8"),
        ('{"a": 1} x', "found 'x' after the end at character 9"),
        ('{"a": 1, "a": 2}', "found the name 'a' twice at character 12"),
        ("{1: 2}", "found a name that is no text of at most 1,000 characters at character 2"),
        ('{"%s": 2}' % ("a" * 1_001), "found a name that is no text of at most 1,000 characters"),
        ('{"a": %s}' % ("[" * 100_000), "found no JSON at character 7"),
        (b'{"a": "\xff"}', "bytes that are not UTF-8"),
    ],
)
def test_what_is_no_object_is_said_with_its_place(content, said):
    with pytest.raises(SourceError, match="given") as raised:
        read(content)
    assert said in str(raised.value)


def test_a_file_may_be_larger_than_a_document_and_a_value_may_not(monkeypatch):
    monkeypatch.setattr(document, "MAX_DOCUMENT_BYTES", 1_000)
    monkeypatch.setattr(document, "_CHUNK_CHARACTERS", 100)
    lists = {f"city {n}": ["x" * 90] * 9 for n in range(20)}
    assert read(json.dumps(lists)) == list(lists.items())
    with pytest.raises(SourceError, match="a value of more than 0 MiB at character 6"):
        read(json.dumps({"a": ["x" * 90] * 99}))
    monkeypatch.setattr(document, "MOST_NAMES", 19)
    with pytest.raises(SourceError, match="found more than 19 names"):
        read(json.dumps(lists))
    monkeypatch.setattr(document, "MOST_BRACKETS", 100)
    with pytest.raises(SourceError, match="a value with more than 100 brackets at character 17"):
        read(json.dumps({"a": [[]], "b": [[]] * 240}))
