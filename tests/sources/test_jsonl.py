"""Lines of JSON: numbered, bounded, and faults named."""

from __future__ import annotations

import gzip
import json

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from schemas.rejection import Reason
from schemas.source import SourceError
from sources.formats import jsonl
from sources.formats.jsonl import RowError, line_blocks, numbered_lines, parse_object, require_objects
from sources.formats.unpacking import MARKS


def test_lines_keep_their_numbers_over_blank_ones_a_byte_order_mark_and_crlf(raw_file):
    file = raw_file("yelp", "business", b'\xef\xbb\xbf{"a": 1}\r\n\n  \n{"a": 2}')
    assert list(numbered_lines(file)) == [(1, b'{"a": 1}\r\n'), (4, b'{"a": 2}')]


def test_a_gzip_file_is_read_as_its_content(raw_file):
    file = raw_file("yelp", "business", gzip.compress(b'{"a": 1}\n{"a": 2}\n'))
    assert [number for number, _ in numbered_lines(file)] == [1, 2]


def test_a_truncated_gzip_file_is_named(raw_file):
    file = raw_file("yelp", "business", gzip.compress(b'{"a": 1}\n' * 1000)[:-9])
    with pytest.raises(SourceError, match=r"yelp/business.json: found a damaged gzip file .* Get it again"):
        list(numbered_lines(file))


@pytest.mark.parametrize("read", [numbered_lines, line_blocks])
def test_a_line_without_end_is_refused_with_its_number(raw_file, monkeypatch, read):
    monkeypatch.setattr(jsonl, "MAX_LINE_BYTES", 1 << 20)
    file = raw_file("yelp", "review", b"{}\n" + b"x" * ((1 << 20) + 1) + b"\n{}\n")
    with pytest.raises(SourceError, match=r"line 2: found a line of more than 1 MiB"):
        list(read(file))


@given(
    lines=st.lists(st.binary(max_size=30).map(lambda b: b.translate(None, b"\n\r")), max_size=40),
    ends_with_newline=st.booleans(),
    size=st.integers(1, 64),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
def test_blocks_of_any_size_are_the_files_lines_in_order(raw_file, monkeypatch, lines, ends_with_newline, size):
    monkeypatch.setattr(jsonl, "BLOCK_BYTES", size)
    data = b"\n".join(lines) + (b"\n" if ends_with_newline else b"")
    if data.startswith((b"\x1f\x8b", *(mark for mark, _ in MARKS))):
        data = b"\n" + data
    blocks = list(line_blocks(raw_file("yelp", "review", data)))
    found = [pair for numbers, block in blocks for pair in zip(numbers.tolist(), block.to_pylist(), strict=True)]
    expected = data.split(b"\n")
    whole = [part + b"\n" for part in expected[:-1]] + ([expected[-1]] if expected[-1] else [])
    assert found == [(number, line) for number, line in enumerate(whole, 1) if line != b"\n"]
    assert all(block.type == pa.large_binary() for _, block in blocks)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b"{bad}\n", "found `{bad}`, which is not JSON"),
        (b'{"a": 1', "the file ends inside the line"),
        (b"[1]\n", "found a JSON list"),
        (b"null\n", "found a JSON NoneType"),
        (b"\xff\xfe\x00\n", "not JSON"),
        (b"[" * 100_000 + b"\n", "not JSON"),
    ],
)
def test_what_is_no_object_is_bad_json(line, found):
    with pytest.raises(RowError) as error:
        parse_object(line)
    assert error.value.reason is Reason.BAD_JSON
    assert found in error.value.detail


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "found no line"),
        (b"\n \n", "found no line"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\xff", "line 1: found binary data"),
        (b"id,name\n1,A\n", "line 1: found text that is not JSON (`id,name`)"),
        (b'[{"id": 1, "name": "A"}]\n', "line 1: found a JSON array (`jq -c '.[]'` makes"),
        (b'[\n{"id": 1,\n', "line 1: found a JSON array (`jq -c '.[]'` makes"),
        (b'{"review_id": "r", "text": "t"}\n', "line 1: found an object with the keys review_id, text"),
        (b"\x00" * 5000, "line 1: found binary data"),
    ],
)
def test_a_file_of_another_kind_is_refused_with_line_and_remedy(raw_file, content, found):
    with pytest.raises(SourceError) as error:
        require_objects(raw_file("yelp", "business", content), ("id", "name"), "Yelp businesses", "Bind it elsewhere.")
    message = str(error.value)
    assert message.startswith("yelp/business.json")
    assert found in message
    assert "expected Yelp businesses: one JSON object a line, with the keys id, name. Bind it elsewhere." in message


def test_a_file_with_some_bad_lines_is_what_it_claims(raw_file):
    content = "junk\n" + json.dumps({"id": 1, "name": None}) + "\n"
    require_objects(raw_file("yelp", "business", content), ("id", "name"), "rows", "")
