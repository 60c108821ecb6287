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
    return re.compile(_any_of([option for line in lines for option in _begun(line)]), re.IGNORECASE)


def _begun(template: str) -> list[str]:
    """Return a template as one for each of the choices that it begins with."""
    choice = re.match(r"\[([^\]]*)\]", template)
    return [option + template[choice.end() :] for option in choice[1].split("|")] if choice else [template]


def _any_of(templates: list[str]) -> str:
    """Return a pattern of any of the templates, the first that fits: each letter that several begin with stands once.

    Where a text fits none, which is nearly everywhere, a fifth of the time tells so.
    """
    options: list[str | list[str]] = []
    by_letter: dict[str, list[str]] = {}
    for template in templates:
        if template[:1] in ("", "[", "{"):
            options.append(_pattern(template))
            by_letter = {}  # what comes after it stays after it
        elif template[0].lower() in by_letter:
            by_letter[template[0].lower()].append(template)
        else:
            options.append(by_letter.setdefault(template[0].lower(), [template]))
    patterns = [
        option
        if isinstance(option, str)
        else _pattern(option[0])
        if len(option) == 1
        else re.escape(option[0][0]) + _any_of([template[1:] for template in option])
        for option in options
    ]
    return f"(?:{'|'.join(patterns)})"


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
