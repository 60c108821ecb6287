"""Text of unknown origin as it may be shown: on a terminal, in a log, in Markdown. Nothing of it acts on what shows it.

What is kept as data stays as it is; only what people see goes through here.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

_ACTING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks that turn the direction of the text around them (Unicode Standard Annex 9)."""
_EMPTY = frozenset("\u00ad\u200b\u2060\ufeff")
"""Marks of where a line may break, or may not: nothing is seen of them, and no spelling is told apart by them."""
_JOINERS = " \u200c\u200d"
"""They say how the letters on both sides are written: around a text they say nothing."""
ROUNDING = 1e-9
"""What sums of doubles of the size of kilometres, points and percent miss by is less: 1e-16 of a summand."""
FIVE_FIGURES, MOST_FIGURES = 9_999.5, 1e15
"""Between these a number is written with all its figures before the point; doubles tell no more of them apart."""
_PLAIN = re.compile(r"[ -~]*")


def shown(text: str, *, keep: str = "\n\t") -> str:
    r"""Return the text with each character that acts on what shows it spelled out, as `\x1b` or `\u202e`.

    Such are control characters but those in `keep`, marks of direction, separators of lines and halves of surrogate
    pairs.
    """
    return text if _PLAIN.fullmatch(text) else "".join(_spelled(c) if _acts(c, keep) else c for c in text)


def one_line(text: str) -> str:
    """Return the text on one line, single blanks in it, without characters that act on what shows it or show nothing.

    Joiners and non-joiners stay within it, where they spell words and emoji.
    """
    characters = ("" if c in _ACTING or c in _EMPTY else " " if _acts(c, "") else c for c in text)
    return " ".join("".join(characters).split()).strip(_JOINERS)


def in_short(value: Any, most: int = 80) -> str:
    """Return a value as JSON of at most so many characters."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= most else f"{text[: most - 3]}…"


def in_few_words(value: Any) -> str:
    """Return what a value is where another was expected: absent, how a text begins, or of which type."""
    if value is None:
        return "absent or null"
    if isinstance(value, str):
        return f"the text {value[:40]!r}"
    return f"of type {type(value).__name__}"


def figure(value: Any) -> str:
    """Return a value as people read it: numbers to four significant digits, what is left of rounding as 0.

    Of five figures and more, all are written, and nothing behind the point.
    """
    if not isinstance(value, float):
        return str(value)
    if FIVE_FIGURES <= abs(value) < MOST_FIGURES:
        return f"{value:,.0f}"
    return f"{0.0 if abs(value) < ROUNDING else value:.4g}"


def shown_in_markdown(text: str) -> str:
    """Return the text on one line of Markdown that is nothing but it: no link, HTML, heading, table or code."""
    line = " ".join(shown(text, keep="").split())
    return re.sub(r"([\\`*_{}\[\]<>#|~!&$])", r"\\\1", line)


def _acts(character: str, keep: str) -> bool:
    if character in keep:
        return False
    return character in _ACTING or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")


def _spelled(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def in_cell(value: Any) -> str:
    """Return text that cannot break out of a Markdown table cell or become HTML; a dash where there is no value."""
    if value is None:
        return "–"
    if value in ([], {}):
        return "none"
    text = shown(figure(value)).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("|", "\\|")
    return " ".join(text.split())


def in_code(text: str) -> str:
    """Return text as code in Markdown, on one line that it cannot end."""
    return "`" + in_cell(text).replace("`", "'") + "`"
