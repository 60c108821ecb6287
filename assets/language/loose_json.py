"""JSON as planners write it: in fences, in the middle of prose, with comments and trailing commas.

Nothing is guessed: what is taken off are comments and commas before a closing bracket, outside of strings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_FENCE = re.compile(r"```[\w+-]*[ \t]*\n?(.*?)```", re.DOTALL)
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|(?<=[\s,{\[])#[^\n]*|,(?=\s*[}\]])', re.DOTALL)

MAX_VALUES = 20
"""So many JSON values of one text are looked at; a plan is one of the first."""


def json_values(text: str) -> Iterator[Any]:
    """Yield the JSON values of a text: of its fences first, then of the text whole, then from each opening bracket."""
    value_count = 0
    for candidate in [*_FENCE.findall(text), text]:
        for value in _values(candidate):
            yield value
            value_count += 1
            if value_count == MAX_VALUES:
                return


def strict(text: str) -> str:
    """Return the text without comments and without commas that nothing follows; strings are left as they are."""
    text_without_comments = _TOKEN.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)
    # A comma before a comment that ends an object is followed by a bracket only now.
    return _TOKEN.sub(lambda match: match[0] if match[0].startswith('"') else " ", text_without_comments)


def _values(text: str) -> Iterator[Any]:
    cleaned = strict(text)
    decoder = json.JSONDecoder()
    at = 0
    for _ in range(MAX_VALUES):
        opening = re.compile(r"[\[{]").search(cleaned, at)
        if opening is None:
            return
        try:
            value, at = decoder.raw_decode(cleaned, opening.start())
        except (ValueError, RecursionError):
            at = opening.start() + 1
        else:
            yield value
