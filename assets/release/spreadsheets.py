"""CSV that spreadsheets open: a cell that begins as a formula is run by them, unless something stands before it."""

from __future__ import annotations

import re

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A cell that begins so is a formula to a spreadsheet; an apostrophe before it makes it text."""

BLOCK_BYTES = 1 << 18
"""Bytes of a file that are looked through at once."""

_CELL = re.compile(rb'(\A|,|\r?\n)("[^"]*(?:""[^"]*)*"|[^,"\r\n][^,\r\n]*)')
_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_BEGINS = tuple(begin.encode() for begin in FORMULA)


def safe_cell(text: str) -> str:
    """Return a cell's text with an apostrophe before it where it would be a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def safe_csv(data: bytes) -> tuple[bytes, int]:
    """Return a CSV file with an apostrophe before each cell that would be a formula, and how many these are.

    Everything else keeps its bytes. A number is none, whatever its sign.
    """
    return _made_safe(data) if _may_hold_formulas(data) else (data, 0)


def _made_safe(data: bytes) -> tuple[bytes, int]:
    count = 0

    def made_safe(match: re.Match[bytes]) -> bytes:
        nonlocal count
        before, cell = match[1], match[2]
        quote = b'"' if cell.startswith(b'"') else b""
        text = cell[1:] if quote else cell
        if not text.startswith(_BEGINS) or _NUMBER.fullmatch(text.removesuffix(quote)):
            return match[0]
        count += 1
        return b"".join((before, quote, b"'", text))

    return _CELL.sub(made_safe, data), count


def _may_hold_formulas(data: bytes) -> bool:
    """Return whether there stands, where a cell may begin, what begins a formula: told sooner than by reading cells."""
    import numpy as np

    if data.startswith((*_BEGINS, *(b'"' + begin for begin in _BEGINS))):
        return True
    codes, last_two = np.frombuffer(data, np.uint8), np.zeros(2, np.uint8)
    begins = [ord(begin) for begin in _BEGINS if begin in data]
    for first in range(0, len(codes), BLOCK_BYTES):
        block = np.concatenate([last_two, codes[first : first + BLOCK_BYTES]])
        last_two = block[-2:]
        is_between = (block == ord(",")) | (block == ord("\n"))
        is_cell = is_between[1:-1] | ((block[1:-1] == ord('"')) & is_between[:-2])
        if any(np.any(is_cell & (block[2:] == begin)) for begin in begins):
            return True
    return False
