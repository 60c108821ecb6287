"""Templates of wikitext and the plain text of their values, as far as listings use them; nothing is expanded or run."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_DEPTH = 40
"""Templates and links within one another; what is deeper is not read."""

_COMMENT = re.compile(r"<!--.*?(-->|\Z)", re.DOTALL)
_NOWIKI = re.compile(r"<nowiki>.*?</nowiki>", re.DOTALL | re.IGNORECASE)
_REFERENCE = re.compile(r"<ref[^<>]*/>|<ref[^<>]*>.*?</ref>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>")
_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]")
_FILE = re.compile(r"\[\[(?:File|Image):[^\[\]]*\]\]", re.IGNORECASE)
_WEB_LINK = re.compile(r"\[(?:https?:)?//[^\s\[\]]+(?:\s+([^\[\]]*))?\]")
_INNERMOST = re.compile(r"\{\{([^{}]*)\}\}")
_QUOTES = re.compile(r"'{2,}")
_HEADING = re.compile(r"^(={2,6})\s*(.*?)\s*\1\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Template:
    """One template: its name in lower case, its parameters as written, and where it begins in the text."""

    name: str
    values: dict[str, str]
    start: int


def without_comments(text: str) -> str:
    """Return the text with comments and unparsed stretches blanked, so that positions stay."""
    for pattern in (_COMMENT, _NOWIKI):
        text = pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    return text


def templates(text: str) -> Iterator[Template]:
    """Yield the outermost templates in order; one that does not end is left out, and those after it are found."""
    at = 0
    while (start := text.find("{{", at)) >= 0:
        end = _end(text, start)
        if end is None:
            at = start + 2
            continue
        name, *parts = _parts(text[start + 2 : end - 2])
        yield Template(name.strip().lower().replace("_", " "), _values(parts), start)
        at = end


def headings(text: str) -> list[tuple[int, int, str]]:
    """Return position, level and plain title of every heading."""
    return [(match.start(), len(match[1]), plain(match[2])) for match in _HEADING.finditer(text)]


def plain(text: str) -> str:
    """Return what a reader sees of wikitext: text of links, no markup; of a nested template its last unnamed value."""
    text = _REFERENCE.sub("", _FILE.sub("", text))
    for _ in range(MAX_DEPTH):
        text, count = _INNERMOST.subn(_shown_text, text)
        if not count:
            break
    for _ in range(MAX_DEPTH):
        text, count = _LINK.subn(r"\1", text)
        if not count:
            break
    text = _WEB_LINK.sub(lambda match: match[1] or "", text)
    text = html.unescape(_TAG.sub(" ", _QUOTES.sub("", text)))
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _shown_text(match: re.Match[str]) -> str:
    unnamed = [part for part in match[1].split("|")[1:] if "=" not in part]
    return unnamed[-1] if unnamed else ""


def _end(text: str, start: int) -> int | None:
    """Return the position after the template that begins at `start`; None if it does not end."""
    depth, at = 0, start
    for match in re.finditer(r"\{\{|\}\}", text[start : start + 200_000]):
        depth += 1 if match[0] == "{{" else -1
        at = start + match.end()
        if depth == 0:
            return at
        if depth > MAX_DEPTH:
            return None
    return None


def _parts(inside: str) -> list[str]:
    """Return what lies between the bars that belong to the template itself."""
    parts, depth, begin = [], 0, 0
    for match in re.finditer(r"\{\{|\}\}|\[\[|\]\]|\|", inside):
        if match[0] == "|":
            if depth == 0:
                parts.append(inside[begin : match.start()])
                begin = match.end()
        else:
            depth += 1 if match[0] in ("{{", "[[") else -1
    return [*parts, inside[begin:]]


def _values(parts: list[str]) -> dict[str, str]:
    """Return the parameters: named ones by name, the others by number from 1; the last of a name counts."""
    values: dict[str, str] = {}
    unnamed = 0
    for part in parts:
        name, is_named, value = part.partition("=")
        if is_named and re.fullmatch(r"[\w -]{1,40}", name.strip()):
            values[name.strip().lower()] = value.strip()
        else:
            unnamed += 1
            values[str(unnamed)] = part.strip()
    return values
