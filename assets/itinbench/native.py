"""The pool in the published vocabulary: each kind's rows with the published columns, labels and order of keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from assets.itinbench.words.labels import (
    cuisine_label,
    meals_label,
    orientation_label,
    orientation_phrase,
    price_signs,
    rating_phrase,
)
from schemas.reviews import ATTRACTION_ORIENTATIONS, RESTAURANT_ATTRIBUTES, STAY_ATTRIBUTES

FILES = {"stay": "hotels", "attraction": "attractions", "restaurant": "restaurants"}
"""The published tables by kind, in the order in which the published contexts name them."""

_GENERAL = ("business_id", "name", "address", "latitude", "longitude", "stars")
COLUMNS: dict[str, tuple[str, ...]] = {
    "stay": (*_GENERAL, "price", *STAY_ATTRIBUTES),
    "attraction": (*_GENERAL, "price", *map(orientation_label, ATTRACTION_ORIENTATIONS)),
    "restaurant": (*_GENERAL, "good_for_meal", "price", "cuisine_1", "cuisine_2", *RESTAURANT_ATTRIBUTES),
}
"""Columns of the JSONL tables, in published order; the CSV tables leave out the first (facts, 2.A)."""


def by_name(places: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Return the pool's places of a kind, by name.

    The published order (roughly by name) follows no rule that can be stated, so ours is: name without case, name,
    native id.
    """
    rows = places.loc[places["kind"] == kind]
    keys = [(n.casefold(), n, i) for n, i in zip(rows["name"], rows["native_id"], strict=True)]
    return rows.iloc[sorted(range(len(keys)), key=keys.__getitem__)]


def native_rows(places: pd.DataFrame, kind: str) -> list[dict[str, Any]]:
    """Return the pool's places of a kind as published rows, ordered `by_name`."""
    return [_native(row, kind) for row in by_name(places, kind).to_dict("records")]


def _native(row: Mapping[Any, Any], kind: str) -> dict[str, Any]:
    row = {key: value if isinstance(value, list) or not pd.isna(value) else None for key, value in row.items()}
    cells: dict[str, Any] = {
        "business_id": row["native_id"],
        "name": row["name"],
        "address": row["address"],
        "latitude": row["lat"],
        "longitude": row["lon"],
        "stars": row["stars"],
        "good_for_meal": meals_label(row["meals"]),
        "price": price_signs(row["price_level"]),
        "cuisine_1": cuisine_label(row["cuisine_1"]),
        "cuisine_2": cuisine_label(row["cuisine_2"]),
    }
    if kind == "attraction":
        cells |= {orientation_label(o): orientation_phrase(o, row[o]) for o in ATTRACTION_ORIENTATIONS}
    else:
        attributes = STAY_ATTRIBUTES if kind == "stay" else RESTAURANT_ATTRIBUTES
        cells |= {attribute: rating_phrase(attribute, row[attribute]) for attribute in attributes}
    return {column: cells[column] for column in COLUMNS[kind]}


def csv_text(rows: list[dict[str, Any]], columns: Sequence[str]) -> str:
    """Return a header and the rows as CSV in the published style: quotes only where needed, lines ended by a line feed.

    Written by hand because Python's writer (before 3.13) leaves a carriage return unquoted.
    """
    return "".join(csv_lines(rows, columns))


def csv_lines(rows: list[dict[str, Any]], columns: Sequence[str]) -> list[str]:
    """Return the lines of the same, the header first."""
    return [",".join(cells) + "\n" for cells in quoted_cells(rows, columns, (",", '"', "\n", "\r"))]


def quoted_cells(rows: list[dict[str, Any]], columns: Sequence[str], marks: Sequence[str]) -> Iterator[list[str]]:
    """Yield the header and each row as cells of text, in quotes where a cell holds one of the marks.

    Numbers are printed as Python prints them, null as nothing.
    """
    for row in [dict(zip(columns, columns, strict=True)), *rows]:
        cells = ["" if row[column] is None else str(row[column]) for column in columns]
        yield [f'"{c.replace(chr(34), chr(34) * 2)}"' if any(mark in c for mark in marks) else c for c in cells]
