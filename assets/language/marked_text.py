"""A planner's prose as lines of label and value, whatever marks it wears: headings, lists, bold, tables, numbering.

Marks are taken off, words are kept. What a label means belongs to the family.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_LABEL_CHARACTERS = 60
"""Of a longer text before a colon nothing is taken for a label: it is a sentence."""

_LEAD = re.compile(r"^(?:\s|>|#+(?=\s|\*|$)|[-*+•·‣◦▪–—](?=\s)|\(?\d{1,2}[.)](?=\s)|[a-z]\)(?=\s)|\[[ xX]\])+")
_LINK = re.compile(r"!?\[([^\]]*)\]\((?:[^()\s]|\([^()]*\))*\)")
_MARK = re.compile(r"\*\*|__|`|(?<![^\W_])_(?=\S)|(?<=\S)_(?![^\W_])|\*|~~|<br\s*/?>|&nbsp;")
_TAG = re.compile(r"</?(?:h[1-6]|b|i|u|strong|em|li|ul|ol|p|div|span)\b[^<>]{0,200}>", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"^\[([^\[\]]+)\](?!\()")
_PIN = re.compile(r"(?<=\S)\s*[📍📌]\s*(?=\S)")
_PICTURES = "[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\u20e3]"
_PICTURE = re.compile(rf"^(?:{_PICTURES}\s*)+|(?:\s*{_PICTURES})+$")
_CLOCK = re.compile(r"(?<=\d):(?=\d\d\b)")
_RATIO = "\u2236"
"""Stands for the colon of a time while a label is looked for."""

_RULE = re.compile(r"^[\s|:=_*—–-]*$")
_LABEL = re.compile(rf"^([^:：\n]{{1,{MAX_LABEL_CHARACTERS}}}?)\s*[:：]\s*(.*)$")
_DAY = re.compile(r"^\W*day\s*[:：#№]?\s*(\d{1,2}|one|two|three|four|five|six|seven)\b(.*)$", re.IGNORECASE)
_ORDINAL = re.compile(r"^\W*(first|second|third|fourth|fifth|sixth|seventh)\s+day\b(.*)$", re.IGNORECASE)
_WORDS = ("one", "two", "three", "four", "five", "six", "seven")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


@dataclass(frozen=True)
class Line:
    """One line without its marks: `label` what stands before the first colon, "" if none; `cells` of a table's row."""

    text: str
    label: str
    value: str
    is_heading: bool
    cells: tuple[str, ...] = ()


def lines_of(text: str) -> Iterator[Line]:
    """Yield the lines that say something, in order, without marks; rules and empty lines are none."""
    for raw in text.splitlines():
        if _RULE.match(raw):
            continue
        cells: tuple[str, ...] = ()
        if raw.strip().startswith("|") or raw.count("|") >= 2:
            cells = tuple(plain(cell) for cell in raw.strip().strip("|").split("|"))
        plain_text = plain(raw)
        if not plain_text:
            continue
        is_bold = raw.strip().lstrip("-*+• ").startswith(("**", "__")) or raw.lstrip().startswith("**")
        cut = _LABEL.match(_CLOCK.sub(_RATIO, plain_text))
        label, value = (part.strip().replace(_RATIO, ":") for part in cut.groups()) if cut else ("", plain_text)
        yield Line(plain_text, label, value, raw.lstrip().startswith("#") or (is_bold and not value), cells)


def plain(text: str) -> str:
    """Return one line without list marks, numbering, emphasis, links and pictures, blanks made one; a pin is a dash."""
    plain_text = _LINK.sub(r"\1", _TAG.sub("", text))
    plain_text = _LEAD.sub("", plain_text)
    plain_text = _MARK.sub("", plain_text)
    plain_text = _LEAD.sub("", plain_text) if plain_text[:1] in "-•*#>" else plain_text
    plain_text = _PICTURE.sub("", _PIN.sub(" – ", _IN_BRACKETS.sub(r"\1", plain_text.strip())))
    return re.sub(r"\s+", " ", _LEAD.sub("", plain_text) if plain_text[:1] == "*" else plain_text).strip()


def day_number(line: Line) -> int | None:
    """Return the number of the day that a line opens; None for any other line.

    A line that opens a day holds nothing else but what follows a colon, a dash or a bracket (`Day 2: Old City`).
    """
    for pattern, words in ((_DAY, _WORDS), (_ORDINAL, _ORDINALS)):
        cut = pattern.match(line.text)
        if cut and re.match(r"^\s*(?:$|[:：(\[,|–—-]|of\b)", cut[2]):
            number_word = cut[1].lower()
            return int(number_word) if number_word.isdigit() else words.index(number_word) + 1
    return None
