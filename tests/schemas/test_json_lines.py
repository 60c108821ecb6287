"""Lines of JSON as anybody may give them: nothing is replaced, and what is no object says what it is and what to do."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas import json_lines as module
from schemas.json_lines import JsonLine, json_lines, lines_told
from tests.hostile.damage import TEXT

WHOLE = b'{"a": 1}\n'


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"a": "caf\xe9"}', "not UTF-8 at byte 11 (0xe9); write it as UTF-8, or if the file is Latin-1 convert it: "
         "iconv -f latin1 -t utf-8"),
        (b'{"a": "\xed\xa0\x80"}', "not UTF-8 at byte 8 (0xed)"),
        (b'{"a": 1', "found no JSON: Expecting ',' delimiter at character 9; expected one object"),
        (b'{"a": 1} {"b": 2}', "found no JSON: Extra data at character 10"),
        (b"{'a': 1}", "found no JSON: Expecting property name"),
        (b"[" * 100_000, "nested too deeply to be read; expected one object"),
        (b'{"a":' * 100_000, "nested too deeply to be read; expected one object"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "found no JSON: Exceeds the limit"),
        (b'{"a": ' * 101 + b"1" + b"}" * 101, "nested too deeply to be read: more than 100 times; expected one object"),
        (b"[]," * 700_000 + b"[{},{},{}]", None),
        (b"[" + b"{}," * 2_000_001 + b"{}]", "found more than 2,000,000 brackets"),
        (b"[1]", "found a list, expected an object"),
        (b'"text"', "found a text, expected an object"),
        (b"7.5", "found a number, expected an object"),
        (b"true", "found true or false, expected an object"),
        (b"null", "found null, expected an object"),
        (b"\x00\x00", "found no JSON"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_object_says_what_it_is_and_its_neighbours_stand(line, problem):
    before, found, after = json_lines(WHOLE + line + b"\n" + WHOLE)
    assert (before, after) == (JsonLine(1, {"a": 1}), JsonLine(3, {"a": 1}))
    assert (found.number, found.value) == (2, {})
    assert found.problem.startswith(problem or "found no JSON: Extra data")


def test_a_line_is_nested_as_deeply_as_is_allowed():
    (found,) = json_lines(b'{"a": ' * 100 + b"1" + b"}" * 100)
    assert not found.problem


def test_texts_marks_blank_lines_and_line_ends_are_as_written(tmp_path):
    path = tmp_path / "lines.jsonl"
    text = '{"a": "é\u2028😀"}\r\n \t\r\n{"a": "\\ud83d\\ude00"}\n\n{"a": "�"}'
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    expected = [JsonLine(1, {"a": "é\u2028😀"}), JsonLine(3, {"a": "😀"}), JsonLine(5, {"a": "�"})]
    assert list(json_lines(path)) == list(json_lines(path.read_bytes())) == expected
    assert list(json_lines(b"")) == []


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_file_in_another_encoding_is_one_problem(encoding):
    (line,) = json_lines("".join(f'{{"a": {n}}}\n' for n in range(50)).encode(encoding))
    assert line.problem == (
        f"the file is in {encoding.upper()}, expected UTF-8; convert it: iconv -f {encoding} -t utf-8"
    )


def test_a_line_that_never_ends_is_not_read_to_its_end(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "MAX_LINE_BYTES", 1 << 20)
    (tmp_path / "a").write_bytes(WHOLE + b'{"a": "' + b"x" * (1 << 20) + b'"}\n' + WHOLE)
    first, last = json_lines(tmp_path / "a")
    assert (first.problem, last.number, last.problem) == ("", 2, "longer than 1 MB, expected one object a line")


def test_a_number_that_is_none_is_read_where_python_wrote_it_and_nowhere_else():
    (line,) = json_lines(b'{"a": NaN}')
    assert line.problem == "" and line.value["a"] != line.value["a"]
    (line,) = json_lines(b'{"a": -Infinity}', nan=False)
    assert line.problem.startswith("found no JSON: -Infinity is no number in JSON")


def test_long_lists_of_problems_say_how_many_more_there_are():
    assert lines_told(["x", "y"]) == "  - x\n  - y"
    told = lines_told([f"line {n}" for n in range(25)]).split("\n")
    assert (len(told), told[-1]) == (21, "  - and 5 more")


RECORDS = st.lists(st.dictionaries(st.text(), st.text() | st.integers() | st.none(), min_size=1), max_size=5)


@given(RECORDS, st.booleans())
def test_what_python_writes_is_read_again(records, ascii_only):
    data = "\n".join(json.dumps(record, ensure_ascii=ascii_only) for record in records).encode()
    assert [line.value for line in json_lines(data)] == records


@pytest.mark.parametrize("name", sorted(set(TEXT) - {"bomb", "endless_line"}))
def test_every_line_of_a_damaged_file_is_an_object_or_a_problem(name):
    whole = "".join(json.dumps({"task_id": f"t{n}", "text": "Zoë's café", "plan": [n, None]}) + "\n" for n in range(40))
    for seed in range(5):
        data = TEXT[name](whole.encode(), random.Random(f"{name}:{seed}"))
        found = list(json_lines(data))
        assert all(bool(line.value) != bool(line.problem) or line.value == {} for line in found)
        is_other = data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[:4] == b"\x00\x00\xfe\xff"
        full = [n for n, line in enumerate(data.split(b"\n"), 1) if line.removeprefix(b"\xef\xbb\xbf").strip()]
        assert [line.number for line in found] == ([1] if is_other else full)
