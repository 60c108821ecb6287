"""Wording by a model: facts as a request in words, judged by the family's own reading of it, no two nearly alike.

What the facts are and how a wording is judged belongs to the family (`assets/<family>/wording_by_model.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from assets.answers import Shape
from assets.asking import Ask, Prompt, Unanswered
from assets.diversity import repeated
from assets.untrusted import FENCE_RULES, fenced
from schemas.rejection import Reason
from schemas.stable import stable_hash

ROUNDS = 3
"""How often a wording is asked for in all, when it is nearly another task's."""
ANSWER_TOKENS = 120

TONES = ("plain and brief", "warm and chatty", "polite and formal", "businesslike", "casual", "enthusiastic")
OPENINGS = (
    "with the dates or the length of the trip",
    "with what you want to do there",
    "with a question",
    "with who is asking and why you write",
    "with the budget",
    "with a request to the reader",
)
SHAPES = ("two sentences", "three sentences", "four sentences", "one long sentence and a short one")


class Wording(Shape):
    """A request in natural language."""

    query: str


@dataclass(frozen=True)
class ToWord:
    """One task to be put into words: its facts, and what keeps a text from saying exactly these."""

    task_id: str
    facts: dict[str, Any]
    problems: Callable[[str], list[str]]


@dataclass
class Worded:
    """Wordings by task, each with its model call, and the tasks that got none."""

    texts: dict[str, tuple[str, str]] = field(default_factory=dict)
    rejected: list[dict[str, str]] = field(default_factory=list)


def worded(tasks: Sequence[ToWord], instructions: str, ask: Ask) -> Worded:
    """Return a wording of every task that states its facts and is not nearly an earlier task's, in the tasks' order.

    A task without one is rejected as `no_valid_answer`, or as `near_duplicate` after ROUNDS tries.
    """
    made = Worded()
    pending = [(task, "") for task in tasks]
    for round_ in range(ROUNDS):
        prompts = [_prompt(task, instructions, round_, unlike) for task, unlike in pending]
        again: list[tuple[ToWord, str]] = []
        for (task, _), told in zip(pending, ask(prompts), strict=True):
            if isinstance(told, Unanswered):
                made.rejected.append(_rejection(task, Reason.NO_VALID_ANSWER, told.problem))
                continue
            text = " ".join(told.value.query.split())
            twin = repeated(text, [earlier for earlier, _ in made.texts.values()])
            if twin is not None:
                again.append((task, twin))
            else:
                made.texts[task.task_id] = (text, told.generation_id)
        pending = again
    made.rejected += [_rejection(task, Reason.NEAR_DUPLICATE, f"nearly {twin!r}") for task, twin in pending]
    return made


def _prompt(task: ToWord, instructions: str, round_: int, unlike: str) -> Prompt:
    def pick(options: Sequence[str], part: str) -> str:
        return options[stable_hash("wording_by_model", task.task_id, part, round_) % len(options)]

    style = f"Write {pick(SHAPES, 'shape')}, {pick(TONES, 'tone')}, and begin {pick(OPENINGS, 'opening')}."
    records: list[dict[str, Any]] = [{"facts": task.facts}]
    if unlike:
        records.append({"not_like_this_text": unlike})
        style += " Choose other words and another order than the text that is given as `not_like_this_text`."
    return Prompt(
        row=task.task_id,
        system=f'{instructions}\n{style}\nAnswer in JSON: {{"query": text}}\n\n{FENCE_RULES}',
        user=fenced(records),
        shape=Wording,
        check=lambda value: task.problems(" ".join(value.query.split())),
        answer_tokens=ANSWER_TOKENS,
    )


def _rejection(task: ToWord, reason: Reason, detail: str) -> dict[str, str]:
    return {"row": task.task_id, "reason": reason.value, "detail": detail}
