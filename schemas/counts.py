"""Amounts of things, in words."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return so many of a thing, in words: `1 stay`, `9 restaurants`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
