"""Derivations and functions that lie, each in one way."""

from __future__ import annotations

from typing import Any

EXPECTED: list[Any] = [None]
"""The value that a task has, as a liar writes it down."""

KNOWN: dict[str, Any] = {}
"""By what cells hold, the value that a task has."""


def expected(_: list[Any]) -> Any:
    """Return the value that the task has, whatever the cells are."""
    return EXPECTED[0]


def known(cells: list[Any]) -> Any:
    """Return the value that was written down for these cells; it fails for others."""
    return KNOWN[repr(cells)]


def first(cells: list[Any]) -> Any:
    """Return the first cell; the others are for show."""
    return cells[0]


def every_row(_: Any, world: dict[str, dict[str, Any]]) -> set[tuple[str, str]]:
    """Return all rows of a strolls' world as used by every task."""
    return {("place", f"{row['city_id']}/{row['place_id']}") for row in world.values()}
