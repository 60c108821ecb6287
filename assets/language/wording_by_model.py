"""Wording by a model: facts as a request in words, judged by the family's own reading of it, no two nearly alike.

Where the recipe names another model, that one reads every wording back too. What the facts are and how a wording is
judged belongs to the family (`assets/<family>/wording_by_model.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from assets.family import Refused, Worded
from assets.language.answers import Shape
from assets.language.asking import Ask, Later, Prompt, Unanswered
from assets.language.diversity import repeated_text
from assets.language.reading_by_model import BlindReading, otherwise
from assets.language.untrusted import FENCE_RULES, fenced
from schemas.rejection import Reason
from schemas.stable import stable_hash

ROUNDS = 3
"""How often a wording is asked for in all, when it is nearly another task's, or another model reads it otherwise."""
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
    """One task to be put into words: its facts, what keeps a text from saying exactly these, and its whole record.

    `stated_record` is the record as another model, which sees the text alone, must read it.
    """

    task_id: str
    facts: dict[str, Any]
    problems: Callable[[str], list[str]]
    stated_record: dict[str, Any]


Wordings = dict[str, Worded | Refused]
"""Each task's words, or why it has none."""


@dataclass
class _WordingsSoFar:
    """Wordings by task, each with the model calls behind it, and why the others have none."""

    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    refusals: dict[str, Refused] = field(default_factory=dict)

    def by_task(self) -> Wordings:
        """Return what came of every task."""
        return {**self.refusals, **{task_id: Worded(text, (), calls) for task_id, (text, *calls) in self.texts.items()}}


@dataclass(frozen=True)
class _Fault:
    """Why a wording is asked for again: the text that it is nearly, or the text itself and how it is read."""

    twin: str = ""
    misread: str = ""
    read_as: tuple[str, ...] = ()


def worded(tasks: Sequence[ToWord], instructions: str, ask: Ask, reading: BlindReading) -> Wordings:
    """Return a wording of every task that states its facts and is not nearly an earlier task's, in the tasks' order.

    A task without one is refused as `no_valid_answer`, or as `near_duplicate` after ROUNDS tries.
    """
    wordings = _WordingsSoFar()
    later = (reading.later(ANSWER_TOKENS),) if ask.reader else ()
    pending = [(task, _Fault()) for task in tasks]
    for round_ in range(ROUNDS):
        prompts = [_prompt(task, instructions, round_, fault, later) for task, fault in pending]
        again: list[tuple[ToWord, _Fault]] = []
        fresh: list[ToWord] = []
        for (task, _), answer in zip(pending, ask(prompts), strict=True):
            if isinstance(answer, Unanswered):
                wordings.refusals[task.task_id] = Refused(answer.problem, reason=Reason.NO_VALID_ANSWER)
                continue
            text = " ".join(answer.value.query.split())
            twin = repeated_text(text, [earlier for earlier, *_ in wordings.texts.values()])
            if twin is not None:
                again.append((task, _Fault(twin=twin)))
            else:
                wordings.texts[task.task_id] = (text, answer.generation_id)
                fresh.append(task)
        pending = [*again, *_read_back(fresh, wordings, ask.reader, reading)]
    wordings.refusals |= {
        task.task_id: Refused(f"nearly {fault.twin!r}", reason=Reason.NEAR_DUPLICATE)
        if fault.twin
        else Refused("; ".join(fault.read_as), reason=Reason.NO_VALID_ANSWER)
        for task, fault in pending
    }
    return wordings.by_task()


def _read_back(
    tasks: Sequence[ToWord], wordings: _WordingsSoFar, reader: Ask | None, reading: BlindReading
) -> list[tuple[ToWord, _Fault]]:
    """Add the call of another model to each wording that it reads as the record; take back and return the others."""
    if reader is None:
        return []
    misread = []
    prompts = [reading.prompt(task.task_id, wordings.texts[task.task_id][0]) for task in tasks]
    for task, answer in zip(tasks, reader(prompts), strict=True):
        problems = otherwise(answer, task.stated_record)
        if problems or isinstance(answer, Unanswered):
            text, *_ = wordings.texts.pop(task.task_id)
            misread.append((task, _Fault(misread=text, read_as=tuple(problems))))
        else:
            wordings.texts[task.task_id] += (answer.generation_id,)
    return misread


def _prompt(task: ToWord, instructions: str, round_: int, fault: _Fault, later: tuple[Later, ...]) -> Prompt:
    def pick(options: Sequence[str], part: str) -> str:
        return options[stable_hash("wording_by_model", task.task_id, part, round_) % len(options)]

    style = f"Write {pick(SHAPES, 'shape')}, {pick(TONES, 'tone')}, and begin {pick(OPENINGS, 'opening')}."
    records: list[dict[str, Any]] = [{"facts": task.facts}]
    if fault.twin:
        records.append({"not_like_this_text": fault.twin})
        style += " Choose other words and another order than the text that is given as `not_like_this_text`."
    if fault.misread:
        records.append({"misread_text": fault.misread, "read_as": fault.read_as})
        style += " Be plainer than the text that is given as `misread_text`, which was read as `read_as` says."
    return Prompt(
        row=task.task_id,
        system=f'{instructions}\n{style}\nAnswer in JSON: {{"query": text}}\n\n{FENCE_RULES}',
        user=fenced(records),
        shape=Wording,
        check=lambda value: task.problems(" ".join(value.query.split())),
        answer_tokens=ANSWER_TOKENS,
        later=later,
    )
