"""Which passages of an invented review truly speak of an attribute: those that a sentence of its bank stands in."""

from __future__ import annotations

import re
from functools import cache

from sources.invented.phrases.bank import PHRASES

_LONGEST_DISH = 60


def speaks_of(kind: str, attribute: str, text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` overlaps a sentence that the world wrote of that attribute."""
    return any(match.start() < end and match.end() > start for match in _sentences(kind, attribute).finditer(text))


@cache
def _sentences(kind: str, attribute: str) -> re.Pattern[str]:
    lines = [line for templates in PHRASES[kind][attribute].values() for line in templates.strip().splitlines()]
    return re.compile("|".join(_pattern(line) for line in lines), re.IGNORECASE)


def _pattern(template: str) -> str:
    """Return a template as a pattern: any of its choices, any dish."""
    parts = re.split(r"(\[[^\]]*\]|\{dish\})", template)
    return "".join(
        f".{{1,{_LONGEST_DISH}}}?"
        if part == "{dish}"
        else f"(?:{'|'.join(_pattern(choice) for choice in part[1:-1].split('|'))})"
        if part.startswith("[")
        else re.escape(part)
        for part in parts
    )
