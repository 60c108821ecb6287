"""Names of either direction of writing within a line of ours, so that no number beside one moves to its other side."""

from __future__ import annotations

import unicodedata

FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
RIGHT_TO_LEFT = {"R", "AL"}
"""Bidirectional classes of Hebrew's and Arabic's letters."""


def isolated(name: str) -> str:
    """Return the name between marks that keep its direction to itself, if it holds letters written from the right.

    Unicode Standard Annex 9, section 2.4: explicit directional isolates. Any other name stays as it is.
    """
    if any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in name):
        return f"{FIRST_STRONG_ISOLATE}{name}{POP_ISOLATE}"
    return name
