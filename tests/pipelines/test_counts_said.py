"""One of a thing is said in the singular: counts in what commands print go through `counted`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from pipelines.walk.fingerprint import ROOT
from pipelines.walk.spent import Spent

LENGTH = re.compile(r"(?:len|sum)\(")
PLURAL = re.compile(
    r" (?:raw |source )?(?:answer|call|difference|file|place|plan|problem|release|row|source|step|task|value)s\b"
)
MORE_THAN_ONE = {"len(tree['values'])"}
"""What is never one: a task has more values."""


def plurals(path: Path) -> list[str]:
    """Return the texts in which a bare number stands before the plural of something."""
    texts = []
    for text in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(text, ast.JoinedStr):
            for value, after in zip(text.values, text.values[1:], strict=False):
                if isinstance(value, ast.FormattedValue) and isinstance(after, ast.Constant):
                    code = ast.unparse(value.value)
                    if PLURAL.match(str(after.value)) and LENGTH.match(code) and code not in MORE_THAN_ONE:
                        texts.append(f"{path.name}:{value.lineno}: {code}{after.value}")
    return texts


@pytest.mark.parametrize("room", ["pipelines/commands", "pipelines", "assets/runs"])
def test_no_message_puts_a_bare_number_before_a_plural(room):
    assert [text for path in sorted((ROOT / room).glob("*.py")) for text in plurals(path)] == []


def test_one_call_and_one_answer_are_one():
    assert Spent(calls=1, cached=1).in_words().startswith("model: 1 call (")
    assert Spent(calls=1, cached=1).in_words().endswith("1 answer from the ledger")
