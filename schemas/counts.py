"""Amounts of things, in words."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return so many of a thing, in words: `1 stay`, `9 restaurants`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def in_figures(number: float) -> str:
    """Return a number of up to twelve figures with its thousands apart: `16,732`, `749.5`, `1,250,000`."""
    return f"{number:,.12g}"
