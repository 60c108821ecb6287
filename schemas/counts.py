"""Amounts of things and lists of them, in English words."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, noun: str, nouns: str = "") -> str:
    """Return so many of a thing, in words: `1 stay`, `9 restaurants`, or with another plural than by -s: `2 cities`."""
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


def listed(items: Sequence[str], word: str = "and") -> str:
    """Return one or more items as a sentence lists them: `a`, `a and b`, `a, b and c`, or with another `word`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {word} {items[-1]}"


def in_figures(number: float) -> str:
    """Return a number of up to twelve figures with its thousands apart: `16,732`, `749.5`, `1,250,000`."""
    return f"{number:,.12g}"
