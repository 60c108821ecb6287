"""Where a sentence of the bank stands in a text: told as trying one sentence after the other tells it."""

from __future__ import annotations

import re

import pytest

from sources.invented.evidence import _pattern, _sentences, speaks_of
from sources.invented.phrases.bank import PHRASES

OF_TWO = ("the fruit was perfectly ripe, picked at the right hour and was rancid",)
"""What two sentences begin to fit at once: the first of the bank counts, and is the longer one."""

ATTRIBUTES = [(kind, attribute) for kind, by_attribute in PHRASES.items() for attribute in by_attribute]


def lines_of(kind: str, attribute: str) -> list[str]:
    return [line for text in PHRASES[kind][attribute].values() for line in text.strip().splitlines()]


def written(template: str, choice: int) -> str:
    """Return a sentence as a guest writes it, by one of the choices at each place."""
    text = template.replace("{dish}", "clam chowder")
    while bracket := re.search(r"\[([^\[\]]*)\]", text):
        options = bracket[1].split("|")
        text = text.replace(bracket[0], options[choice % len(options)], 1)
    return f"{text[0].upper()}{text[1:]}."


@pytest.mark.parametrize(("kind", "attribute"), ATTRIBUTES, ids=lambda value: value)
def test_sentences_that_share_their_letters_are_found_as_each_by_itself(kind, attribute):
    text = " ".join(
        written(line, choice)
        for choice in range(3)
        for other in PHRASES[kind]
        for line in (*lines_of(kind, other), *OF_TWO)
    )
    one_after_the_other = re.compile("|".join(map(_pattern, lines_of(kind, attribute))), re.IGNORECASE)
    spans = [match.span() for match in one_after_the_other.finditer(text)]
    assert [match.span() for match in _sentences(kind, attribute).finditer(text)] == spans
    assert len(spans) >= len(lines_of(kind, attribute))
    start, end = spans[0]
    assert speaks_of(kind, attribute, text, end - 1, end + 5)
    assert not speaks_of(kind, attribute, text, start - 1, start) and not speaks_of(
        kind, attribute, text[:end], end, end
    )
