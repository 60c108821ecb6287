"""Files of one JSON object a line, as people and programs give them: each line's object, or in words why it is none.

Nothing is replaced or guessed. What the objects mean belongs to whoever reads them; a provider's rows are read in
`sources/formats/jsonl.py`.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

MAX_LINE_BYTES = 64 << 20
MOST_BRACKETS = 2_000_000
"""A line with more of them takes many times its own bytes when it is read."""
MOST_NESTED = 100
"""Lists and objects in one another; a value with more could be read, but not compared, copied or shown."""
SHOWN_PROBLEMS = 20

_OTHER_ENCODINGS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class JsonLine:
    """A line that is not blank: its number from 1, its object, and a `problem` where it is none."""

    number: int
    value: dict[str, Any] = field(default_factory=dict)
    problem: str = ""


def json_lines(source: Path | bytes, *, nan: bool = True, storable: bool = False) -> Iterator[JsonLine]:
    """Yield the lines of a file, or of its bytes, that are not blank. `nan`: NaN and Infinity are numbers, as Python's.

    `storable`: what no table holds is a problem too (`unstorable`). A file in another encoding, and a line that is too
    long, end it with one problem. Raises OSError.
    """
    with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as stream:
        yield from _lines(stream, nan, storable)


def as_json_lines(rows: Iterable[Any]) -> str:
    """Return each row as JSON on a line of its own, in ASCII."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def json_object(line: bytes, *, nan: bool = True, storable: bool = False) -> tuple[dict[str, Any], str]:
    """Return the object on a line and no problem, or nothing and what was found in its place."""
    if line.count(b"[") + line.count(b"{") > MOST_BRACKETS:
        return {}, f"found more than {MOST_BRACKETS:,} brackets, expected an object of a plan's size"
    try:
        value = json.loads(line.decode(), parse_constant=None if nan else _no_number)
    except UnicodeDecodeError as error:
        byte = line[error.start]
        return {}, (
            f"not UTF-8 at byte {error.start + 1} (0x{byte:02x}); write it as UTF-8, or if the file is Latin-1 convert "
            "it: iconv -f latin1 -t utf-8"
        )
    except json.JSONDecodeError as error:
        return {}, f"found no JSON: {error.msg} at character {error.pos + 1}; expected one object"
    except ValueError as error:
        return {}, f"found no JSON: {str(error)[:120]}; expected one object"
    except RecursionError:
        return {}, "nested too deeply to be read; expected one object"
    if not isinstance(value, dict):
        return {}, f"found {_KINDS.get(type(value), 'another value')}, expected an object"
    if is_too_deep(value):
        return {}, f"nested too deeply to be read: more than {MOST_NESTED} times; expected one object"
    problem = unstorable(value) if storable else ""
    return ({}, problem) if problem else (value, "")


def unstorable(value: Any, where: str = "") -> str:
    """Return what no table holds of a JSON value, first of all the fields' path to it; nothing where all can be held.

    That is text with half of a surrogate pair, which is no UTF-8, and a whole number of more than 64 bits.
    """
    if isinstance(value, str):
        return (
            f"{where:.120}: found half of a surrogate pair in {value!r:.60}, expected text" if _is_broken(value) else ""
        )
    if isinstance(value, int):
        is_held = -(2**63) <= value < 2**63
        return "" if is_held else f"{where:.120}: found {value!s:.20}…, expected a number of at most 64 bits"
    if isinstance(value, dict):
        within = ((key, f"{where}.{key}" if where else key, inner) for key, inner in value.items())
        problems = (unstorable(key, f"a key of {where or 'the object'}") or unstorable(v, at) for key, at, v in within)
        return next(filter(None, problems), "")
    if isinstance(value, list):
        return next(filter(None, (unstorable(inner, f"{where}[{n}]") for n, inner in enumerate(value))), "")
    return ""


def _is_broken(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def is_too_deep(value: Any) -> bool:
    """Return whether more than MOST_NESTED lists and objects are in one another."""
    level = [value]
    for _ in range(MOST_NESTED + 1):
        nested = (of.values() if isinstance(of, dict) else of for of in level if isinstance(of, dict | list))
        level = [inner for values in nested for inner in values]
    return bool(level)


def lines_told(problems: Sequence[str]) -> str:
    """Return the problems as a list, the first of them and how many more there are."""
    more = [f"  - and {len(problems) - SHOWN_PROBLEMS:,} more"] if len(problems) > SHOWN_PROBLEMS else []
    return "\n".join([*(f"  - {problem}" for problem in problems[:SHOWN_PROBLEMS]), *more])


_KINDS = {list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number", type(None): "null"}


def _lines(stream: BinaryIO, nan: bool, storable: bool) -> Iterator[JsonLine]:
    number = 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        if number == 1:
            encoding = next((name for mark, name in _OTHER_ENCODINGS if line.startswith(mark)), "")
            if encoding:
                remedy = f"convert it: iconv -f {encoding.lower()} -t utf-8"
                yield JsonLine(1, problem=f"the file is in {encoding}, expected UTF-8; {remedy}")
                return
            line = line.removeprefix(_MARK)
        if len(line) > MAX_LINE_BYTES:
            yield JsonLine(number, problem=f"longer than {MAX_LINE_BYTES >> 20} MB, expected one object a line")
            return
        if line.strip():
            yield JsonLine(number, *json_object(line, nan=nan, storable=storable))


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number in JSON")
