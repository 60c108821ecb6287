"""What pydantic found wrong with a value, in the words of our own errors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

MAY_HOLD_A_KEY = ("api_key_env", "base_url", "url")
"""Keys of a recipe under which people paste a service's key or password; what stands there is not printed."""

PATTERNS = {
    r"^[a-z0-9]+(-[a-z0-9]+)*$": "lower-case letters and digits, joined by hyphens, such as monaco-2",
    "^[A-Z]{2}$": "two capital letters, such as PT",
    "^[A-Z]{3}$": "three capital letters, such as EUR",
    r"^https?://\S+$": "an address that begins with http:// or https://",
    r"^https?://[^/\s@]+(/\S*)?$": "an address that begins with http:// or https:// and holds no user or password",
    r"^https?://[^\s@?#]+$": "an address that begins with http:// or https:// and holds no user, password, ? or #",
    "^[A-Za-z_][A-Za-z0-9_]*$": "the name of an environment variable, such as MY_KEY",
}
"""What a recipe's texts match, in words: people who write one need not read regular expressions."""

_WORDS = (
    *(
        (re.compile(f"^String should match pattern '{re.escape(pattern)}'$"), f"expected {words}")
        for pattern, words in PATTERNS.items()
    ),
    (re.compile(r"^Value error, "), ""),
    (re.compile(r"^Field required$"), "is missing"),
    (re.compile(r"^(Input|String|List|Dictionary|Value|Data|Tuple) should "), "expected to "),
    (re.compile(r"^expected to be "), "expected "),
    (re.compile(r"\ba valid dictionary( or instance of \w+)?"), "a table, such as { key = value }"),
    (re.compile(r"\ba valid date( or datetime)?\b.*"), "a date, such as 2024-11-01"),
    (re.compile(r"\ba valid (integer|number|boolean|list|string)\b"), r"a \1"),
    (re.compile(r"\ba integer\b"), "a whole number"),
    (re.compile(r", (unable to parse string as an? \w+|got a number with a fractional part)$"), ""),
    (re.compile(r"\b(greater than or equal to)\b"), "at least"),
    (re.compile(r"\b(less than or equal to)\b"), "at most"),
    (re.compile(r"\bgreater than\b"), "more than"),
)


def problem_told(problem: ErrorDetails, where: str) -> str:
    """Return where a problem is, what was expected, and what was found, if that is nobody's secret."""
    value_text = str(problem["input"])
    if problem["type"] == "missing":
        input_text = ""
    elif any(name in problem["loc"] or repr(name) in value_text for name in MAY_HOLD_A_KEY):
        input_text = "; what was found is not shown, since it may hold a key"
    else:
        input_text = f", found {value_text[:80]!r}"
    return f"{where}: {in_our_words(problem['msg'])}{input_text}"


def in_our_words(message: str) -> str:
    """Return a message of pydantic as our own errors put it."""
    for pattern, words in _WORDS:
        message = pattern.sub(words, message)
    return message
