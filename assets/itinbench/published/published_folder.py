"""The rows of a published ItinBench folder as its files hold them, for the inspection. Cleaning is not done here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assets.core.opening import read_published
from schemas.json_lines import json_lines, lines_told
from schemas.reviews import ATTRIBUTES
from schemas.shown import shown
from schemas.source import SourceError

Row = dict[str, Any]

MOST_NAMED = 5
"""Folders that an error names."""

PLACE_KEYS = ("business_id", "name", "address", "latitude", "longitude", "price")
FILE_KEYS: dict[str, tuple[str, ...]] = {
    "restaurants": (*PLACE_KEYS, "good_for_meal", "cuisine_1", "cuisine_2", *ATTRIBUTES["restaurant"]),
    "hotels": (*PLACE_KEYS, *ATTRIBUTES["stay"]),
    "attractions": (*PLACE_KEYS, *(f"{orientation} oriented" for orientation in ATTRIBUTES["attraction"])),
    "evals": ("index", "eval_info"),
    "humanQuerys": ("index", "query"),
}
"""Each JSON lines file of the folder, by its name without `.jsonl`, with the keys of its rows (facts 2.A and 2.D)."""


def read_folder(folder: Path) -> dict[str, list[Row]]:
    """Return the rows of each file of FILE_KEYS.

    Raises SourceError that names every file which is missing or empty, and every line which is no object with its keys.
    """
    paths = [folder / f"{stem}.jsonl" for stem in FILE_KEYS]
    below = sorted(path.parent.name for path in folder.glob(f"*/{paths[0].name}"))
    files = read_published({path.name: path for path in paths})
    return read_files(files, folder.name, () if files else below)


def read_files(files: Mapping[str, bytes], name: str, below: Sequence[str] = ()) -> dict[str, list[Row]]:
    """Return the same of a folder's files by name; `name` is what the folder is called in an error.

    `below` are folders in it that would do.
    """
    problems: list[str] = []
    tables = {stem: _file_rows(files, f"{stem}.jsonl", keys, problems) for stem, keys in FILE_KEYS.items()}
    if problems:
        raise SourceError(
            f"{name} is not an ItinBench folder as published:\n{lines_told(problems)}\n"
            f"Name the folder that holds {', '.join(f'{stem}.jsonl' for stem in FILE_KEYS)}, as released."
            + (f" Below it these hold restaurants.jsonl: {', '.join(map(shown, below[:MOST_NAMED]))}" if below else "")
        )
    return tables


def _file_rows(files: Mapping[str, bytes], name: str, keys: tuple[str, ...], problems: list[str]) -> list[Row]:
    if name not in files:
        problems.append(f"{name}: found no such file")
        return []
    rows: list[Row] = []
    for line in json_lines(files[name], storable=True):
        missing = [key for key in keys if key not in line.value]
        if line.problem or missing:
            problem = line.problem or f"found no {', '.join(missing)}"
            problems.append(f"{name}, line {line.number}: {problem}")
        else:
            rows.append(line.value)
    if not rows:
        problems.append(f"{name}: found no row")
    return rows
