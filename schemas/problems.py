"""What pydantic found wrong with a value, in the words of our own errors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_WORDS = (
    (re.compile(r"^Value error, "), ""),
    (re.compile(r"^Field required$"), "is missing"),
    (re.compile(r"^(Input|String|List|Dictionary|Value|Data|Tuple) should "), "expected to "),
    (re.compile(r"^expected to be "), "expected "),
    (re.compile(r"\b(greater than or equal to)\b"), "at least"),
    (re.compile(r"\b(less than or equal to)\b"), "at most"),
    (re.compile(r"\bgreater than\b"), "more than"),
)


def problem_told(problem: ErrorDetails, where: str) -> str:
    """Return where a problem is, what was expected, and what was found."""
    input_text = "" if problem["type"] == "missing" else f", found {str(problem['input'])[:80]!r}"
    return f"{where}: {in_our_words(problem['msg'])}{input_text}"


def in_our_words(message: str) -> str:
    """Return a message of pydantic as our own errors put it."""
    for pattern, words in _WORDS:
        message = pattern.sub(words, message)
    return message
