"""A wording read back by another model, which never sees the record: what it reads must be the record.

What a record is, in the words of a request, belongs to the family (`assets/<family>/wording_by_model.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from assets.language.asking import Answer, Later, Prompt, Unanswered, estimated_tokens
from assets.language.untrusted import FENCE_RULES, fenced

ANSWER_TOKENS = 90


@dataclass(frozen=True)
class BlindReading:
    """How a family's requests are read: the instructions, and the shape of what a request states."""

    instructions: str
    shape: type[BaseModel]

    def prompt(self, row: str, text: str) -> Prompt:
        """Return the prompt that asks what a text states; any value of the shape is an answer."""
        return Prompt(
            row=row,
            system=f"{self.instructions}\n\n{FENCE_RULES}",
            user=fenced([{"request": text}]),
            shape=self.shape,
            check=lambda _: [],
            answer_tokens=ANSWER_TOKENS,
        )

    def later(self, answer_tokens: int) -> Later:
        """Return the estimate of reading back a text of so many tokens."""
        return Later(1, estimated_tokens(self.instructions + FENCE_RULES) + answer_tokens, ANSWER_TOKENS)


def otherwise(answer: Answer | Unanswered, record: Mapping[str, Any]) -> list[str]:
    """Return every field that the reader read otherwise than the record has it; case and order make no difference."""
    if isinstance(answer, Unanswered):
        return [f"another model could not read it: {answer.problem}"]
    reading = answer.value.model_dump()
    return [
        f"{name}: another model reads {reading[name]!r}, the record has {stated_value!r}"
        for name, stated_value in record.items()
        if _folded(reading[name]) != _folded(stated_value)
    ]


def _folded(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return sorted(str(part).strip().casefold() for part in value)
    return value.strip().casefold() if isinstance(value, str) else value
