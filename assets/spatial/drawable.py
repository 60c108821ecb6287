"""Texts as a picture can draw them: one line, in letters that its font has.

Where they stand is told in `map.py`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache

MAX_NAME = 44
UNKNOWN = "\N{REPLACEMENT CHARACTER}"
UNKNOWN_NOTE = f"{UNKNOWN} stands for a character that this picture's font lacks."
LATIN_NOTE = "Names that this picture cannot draw are in English or in Latin letters."

FROM_THE_RIGHT = ("R", "AL")
"""Unicode's bidirectional classes of letters that are written from the right, which the drawing does not do."""


def shortened(name: str) -> str:
    """Return the name, cut to the longest that a picture shows."""
    return name if len(name) <= MAX_NAME else name[: MAX_NAME - 1] + "…"


def drawable(text: str, weight: str = "normal", english: str = "") -> str:
    """Return the text on one line, in English if that is known and it has letters that cannot be drawn.

    Else these are in Latin ones. UNKNOWN stands for other signs without a glyph.
    """
    from anyascii import anyascii

    text = english if english and any(map(needs_latin, text)) else text
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    latin = "".join(anyascii(c) if needs_latin(c) else c for c in line)
    return "".join(c if has_glyph(c, weight) else UNKNOWN for c in latin)


def needs_latin(c: str) -> bool:
    """Return whether a letter or a mark of punctuation is one that the font lacks, or is written from the right."""
    if not unicodedata.category(c).startswith(("L", "M", "P")):
        return False
    return unicodedata.bidirectional(c) in FROM_THE_RIGHT or not has_glyph(c, "normal")


@cache
def has_glyph(c: str, weight: str) -> bool:
    """Return whether the font of pictures has the sign."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    return bool(get_font(findfont(FontProperties(weight=weight))).get_char_index(ord(c)))


def notes(names: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Return what a picture says of its texts: of names that it had to write otherwise, and of UNKNOWN in `texts`."""
    sentences = [LATIN_NOTE] if any(map(needs_latin, "".join(names))) else []
    return [*sentences, UNKNOWN_NOTE] if UNKNOWN in "".join(texts) else sentences
