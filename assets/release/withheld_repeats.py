"""What a public edition says again of what it withholds: a family writes measures, choices and remarks as it likes.

Held against it are the texts and fractions that tell rows apart: values of columns that are hardly ever equal, such as
names, addresses and positions. A few of them are words by chance, such as a café named after its city. It is looked for
whatever its letters' case, and among the names of what holds something, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from assets.release.licences import forbidden_bits
from schemas.counts import counted
from schemas.pointers import values
from schemas.table import Table
from schemas.task import Certificate, Task

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

Files = Mapping[str, tuple[type[Table], "pa.Table"]]

SHORTEST, LONGEST_WORDS = 8, 12
"""Characters of a text that is looked for, and words of the longest: others are words by chance, or whole sentences."""

UNIQUE = 0.8
"""The share of different values from which a column tells its rows apart."""

FEWEST = 3
"""Different withheld values from which a place that says them does not by chance."""

_WORD = re.compile(r"\S+")
_PLACE = re.compile(r"/\d+(?=/|$)")


def withheld_texts(files: Files, licences: Mapping[str, np.ndarray]) -> dict[Any, str]:
    """Return the sources' own texts and fractions that licences (bits of each row) forbid, each with its column.

    What is computed from sources is not looked for: measures of a release are computed, too.
    """
    column_of: dict[Any, str] = {}
    for name, (table, rows) in files.items():
        for column in table.columns():
            mask = (licences[name] & forbidden_bits(column.holds)) != 0
            if column.holds != "source" or column.shape.is_nested or column.item or not mask.any():
                continue
            forbidden_values = [
                v for v, is_forbidden in zip(rows[column.name].to_pylist(), mask, strict=True) if is_forbidden
            ]
            distinct = {v for v in forbidden_values if _tells(v)}
            if len(distinct) >= max(FEWEST, UNIQUE * len(forbidden_values)):
                column_of |= dict.fromkeys(map(_folded, distinct), f"{name.removesuffix('.parquet')}.{column.name}")
    return column_of


def said_as_ours(files: Files) -> Iterator[tuple[str, Any]]:
    """Yield the texts that tables hold as ours, by table and column: a family declares that of what it likes.

    Tasks and certificates are not among them, of which every column is looked at.
    """
    for name, (table, rows) in files.items():
        if not issubclass(table, (Task, Certificate)):
            for column in table.columns():
                if any(column.leaf_holds(leaf) == "ours" for leaf in column.leaves):
                    column_values = rows[column.name]
                    yield (
                        f"{name} {column.name}",
                        (column_values.unique() if column.type is str else column_values).to_pylist(),
                    )


def repeats(named_data: Iterable[tuple[str, Any]], withheld: Mapping[Any, str]) -> list[str]:
    """Return the places of plain data, each given with its name, that say again what is withheld."""
    by_place: dict[str, dict[Any, str]] = {}
    for name, data in named_data:
        for pointer, value in (*values(data, name), *_keys(data, name)):
            for one in _withheld_values_in(value, withheld):
                by_place.setdefault(_PLACE.sub("/[]", pointer), {})[one] = withheld[one]
    return [
        f"{place}: says {counted(len(column_of), 'value')} again although withheld, as "
        f"{next(iter(column_of))!r:.60} of "
        f"{next(iter(column_of.values()))}"
        for place, column_of in sorted(by_place.items())
        if len(column_of) >= FEWEST
    ]


def _keys(data: Any, pointer: str) -> Iterator[tuple[str, str]]:
    """Yield every key of plain data with the pointer of what holds it."""
    if isinstance(data, dict):
        yield from ((pointer, key) for key in data)
    if isinstance(data, dict | list):
        for inner in data.values() if isinstance(data, dict) else data:
            yield from _keys(inner, pointer)


def _folded(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def _tells(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) >= SHORTEST and len(value.split()) <= LONGEST_WORDS
    return isinstance(value, float) and not (value * 1000).is_integer()


def _withheld_values_in(value: Any, withheld: Mapping[Any, str]) -> set[Any]:
    """Return the withheld values that a value is, or that a text holds as whole words."""
    value = _folded(value)
    if not isinstance(value, str):
        return {value} if isinstance(value, float) and value in withheld else set()
    spans = [match.span() for match in _WORD.finditer(value)]
    held_values = {value} & withheld.keys()
    for begin, (start, _) in enumerate(spans):
        for _, end in spans[begin : begin + LONGEST_WORDS]:
            text = value[start:end]
            held_values |= {text, text.rstrip(".,;:!?)\"'”’"), text.strip(".,;:!?()\"'“”‘’")} & withheld.keys()
    return held_values
