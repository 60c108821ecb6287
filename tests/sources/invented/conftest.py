"""Fixtures for the files of an invented world: a plain reader of exports, and the list of what is planted in them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sources.invented.dirt import Dirt

ReadItems = Callable[[Path], list[Any]]
ReadDirt = Callable[[Path], list[Dirt]]


class Unreadable:
    """Stands for a line that is no JSON."""


@pytest.fixture(scope="session")
def read_items() -> ReadItems:
    """Return a function from an export, an array or lines, to its items in order."""

    def read(path: Path) -> list[Any]:
        content = path.read_bytes()
        if content.startswith(b"["):
            return json.loads(content)
        items: list[Any] = []
        for line in content.removesuffix(b"\n").split(b"\n"):
            try:
                items.append(json.loads(line))
            except ValueError:
                items.append(Unreadable())
        return items

    return read


@pytest.fixture(scope="session")
def read_dirt() -> ReadDirt:
    """Return a function from a provider's folder to what its list of dirt says."""

    def read(folder: Path) -> list[Dirt]:
        with (folder / "dirt.csv").open(encoding="utf-8", newline="") as file:
            return [Dirt(r["kind"], r["file"], int(r["line"]), r["native_id"]) for r in csv.DictReader(file)]

    return read
