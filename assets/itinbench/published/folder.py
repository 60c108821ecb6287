"""A published ItinBench folder: its tables as a pool of places, its queries and records, read from the files alone.

Labels are read by `words/labels.py`; a cell that holds none of them is a problem of its row, and all are named at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assets.itinbench.published.published_folder import Row, read_files, read_folder
from assets.itinbench.tables import ItinbenchPlace, Record
from assets.itinbench.words.labels import (
    read_cuisine,
    read_eval_info,
    read_meals,
    read_orientation,
    read_price,
    read_rating,
)
from schemas.json_lines import lines_told
from schemas.reviews import ATTRIBUTES
from schemas.source import SourceError

if TYPE_CHECKING:
    import pandas as pd

FILES = {"stay": "hotels", "restaurant": "restaurants", "attraction": "attractions"}

SHOWN = 20


@dataclass(frozen=True)
class PublishedSet:
    """A published folder, read: its places, and each query's record and text by its index."""

    places: pd.DataFrame
    records: Mapping[str, Record]
    queries: Mapping[str, str]


def open_folder(folder: Path) -> PublishedSet:
    """Return what a published folder holds. Raises SourceError naming every file and line that is not as published."""
    return _published_set(read_folder(folder), folder.name)


def published_set(files: Mapping[str, bytes], name: str = "the folder") -> PublishedSet:
    """Return the same of a folder's files by their names."""
    return _published_set(read_files(files, name), name)


def _published_set(tables: Mapping[str, list[Row]], name: str) -> PublishedSet:
    import pandas as pd

    problems: list[str] = []
    rows = [
        row
        for kind, stem in FILES.items()
        for number, line in enumerate(tables[stem])
        if (row := _place(line, kind, number, f"{stem}.jsonl, row {number + 1}", problems)) is not None
    ]
    problems += [problem for stem in ("evals", "humanQuerys") for problem in _repetitions(tables[stem], stem)]
    records: dict[str, Record] = {}
    for line in tables["evals"]:
        try:
            records[str(line["index"])] = read_eval_info(line["eval_info"])
        except (ValueError, AttributeError) as error:
            problems.append(f"evals.jsonl, index {line['index']!r:.20}: {error}")
    queries = {str(line["index"]): str(line["query"]) for line in tables["humanQuerys"]}
    if unlike := sorted(set(records) ^ set(queries)):
        problems.append(f"evals.jsonl and humanQuerys.jsonl do not hold the same indices: {', '.join(unlike[:SHOWN])}")
    if problems:
        raise SourceError(
            f"{name} is not an ItinBench folder as published:\n{lines_told(problems)}\nName the folder as released."
        )
    columns = {column.name: column.type for column in ItinbenchPlace.columns()}
    places = pd.DataFrame(rows, columns=list(columns))
    return PublishedSet(places.astype({n: "Int64" for n, kind in columns.items() if kind is int}), records, queries)


def _repetitions(lines: list[Row], stem: str) -> list[str]:
    counts = Counter(str(line["index"]) for line in lines)
    return [f"{stem}.jsonl: found index {index:.20} {n} times" for index, n in counts.items() if n > 1]


def _place(line: Row, kind: str, number: int, where: str, problems: list[str]) -> dict[str, Any] | None:
    """Return a published row as a row of our pool; its id begins with its number, since the first of equals counts."""
    try:
        row: dict[str, Any] = {
            "city_id": "", "place_id": f"{number:06d}.{line['business_id']}", "kind": kind,
            "native_id": str(line["business_id"]), "name": str(line["name"]), "address": str(line["address"]),
            "lat": float(line["latitude"]), "lon": float(line["longitude"]), "stars": line.get("stars"),
            "price_level": read_price(line["price"]), "meals": read_meals(line.get("good_for_meal", "")),
            "cuisine_1": read_cuisine(line.get("cuisine_1", "")), "cuisine_2": read_cuisine(line.get("cuisine_2", "")),
            "source_rows": [], "generation_ids": [],
        }  # fmt: skip
        for key, least, most in (("lat", -90, 90), ("lon", -180, 180), ("stars", 1, 5)):
            if row[key] is not None and not least <= float(row[key]) <= most:
                raise ValueError(f"found {key} {row[key]!r:.20}, expected {least} to {most}")
        read_attribute = read_orientation if kind == "attraction" else read_rating
        for attribute in ATTRIBUTES[kind]:
            row[attribute] = read_attribute(
                attribute, line[f"{attribute} oriented" if kind == "attraction" else attribute]
            )
    except (ValueError, TypeError, AttributeError) as error:
        problems.append(f"{where}: {error}")
        return None
    return row
