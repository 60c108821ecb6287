"""Asking a model: what a step hands over and gets back, the exact bytes of a request, and what follows an answer.

How a call is made, kept and paid for belongs in `pipelines/walk/asking.py`; what to ask, in each stage or family.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, Protocol

from pydantic import BaseModel

from assets.language.answers import parsed
from schemas.engines import ModelEndpoint
from schemas.stable import compact_json

ASCII_PER_TOKEN = 4.0
"""Characters of English per token, where no tokenizer is known: the declared estimate of costs."""
ASCII_PER_TOKEN_AT_LEAST = 2.5
"""The same, low on purpose: what is split by it surely fits into a model's context."""
SHOWN_ANSWER_CHARACTERS = 4_000
SHOWN_PROBLEM_CHARACTERS = 1_500

Mode = Literal["json_schema", "json_object", "text"]
MODES: tuple[Mode, ...] = ("json_schema", "json_object", "text")
"""How an answer's shape is demanded, the strictest first; servers that lack one get the next."""
CUT_OFF, FILTERED = "length", "content_filter"
"""The finish_reasons of an answer that reached its limit, and of one that the endpoint's own filter stopped."""
REJECTED_REQUEST = "rejected_request"
"""The finish_reason under which a request is recorded that the endpoint refused in every mode."""

Message = dict[str, str]


@dataclass(frozen=True)
class Later:
    """Calls that an answer leads to, as estimated for costs."""

    calls: int
    prompt_tokens: int
    answer_tokens: int


@dataclass(frozen=True)
class Prompt:
    """One thing to ask: what for, the instructions, the data, the answer's shape, and the check of its content.

    `check` returns every problem of a value of the right shape, in words that a model can act on. `answer_tokens` is
    the declared estimate of the answer's length, for costs, and `later` that of calls which need this one's answer.
    """

    row: str
    system: str
    user: str
    shape: type[BaseModel]
    check: Callable[[Any], list[str]]
    answer_tokens: int = 200
    later: tuple[Later, ...] = ()


@dataclass(frozen=True)
class Answer:
    """A value that passed its check, and the call that gave it."""

    row: str
    value: Any
    generation_id: str


@dataclass(frozen=True)
class Unanswered:
    """Why no answer was accepted: the last problem, `name: what was found`; the answers are in the ledger."""

    row: str
    problem: str


class Ask(Protocol):
    """Answers prompts: for each, in order, an accepted answer or the named problem of the last one given."""

    model: str
    context_tokens: int
    reviews_per_call: int

    @property
    def reader(self) -> Ask | None:
        """Return another model, which reads wordings back; None where rules alone do."""
        ...

    def __call__(self, prompts: Iterable[Prompt]) -> list[Answer | Unanswered]:
        """Return what came of each prompt. Raises where the endpoint gives nothing to judge (absent, wrong key)."""
        ...


def dialogue(prompt: Prompt, corrections: int) -> Generator[list[Message], dict[str, Any], tuple[Any, str]]:
    """Yield the messages of each request, take the record of its reply, and return the value and "", or the problem.

    An answer that cannot be used is asked for again with its problem shown, as often as `corrections` says.
    """
    messages = [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]
    problem = ""
    for _ in range(1 + corrections):
        record = yield messages
        value, problem = value_or_problem(record, prompt)
        if value is not None or record["finish_reason"] == REJECTED_REQUEST:
            return value, problem
        answer_excerpt = record["answer"][:SHOWN_ANSWER_CHARACTERS] or "(nothing)"
        again = f"That answer cannot be used. {problem[:SHOWN_PROBLEM_CHARACTERS]}\nAnswer again, with the whole JSON."
        messages = [*messages, {"role": "assistant", "content": answer_excerpt}, {"role": "user", "content": again}]
    return None, problem


def value_or_problem(record: dict[str, Any], prompt: Prompt) -> tuple[Any, str]:
    """Return the value that a recorded reply gives and "", or None and its problem."""
    if record["finish_reason"] == REJECTED_REQUEST:
        return None, f"rejected_request: {record['answer'][:200]}"
    if record["is_refusal"]:
        return None, f"refused: {record['answer'][:200]!r}"
    if record["finish_reason"] == FILTERED:
        return None, f"refused: the endpoint's filter of content stopped the answer (finish_reason `{FILTERED}`)"
    if record["finish_reason"] == CUT_OFF:
        return None, f"truncated: the answer ended by `{CUT_OFF}`; answer more briefly"
    value, problem = parsed(record["answer"], prompt.shape)
    if value is None:
        return None, problem
    problems = prompt.check(value)
    return (None, "wrong_content: " + "; ".join(problems)) if problems else (value, "")


def request_bytes(endpoint: ModelEndpoint, messages: list[Message], shape: type[BaseModel], mode: Mode) -> bytes:
    """Return the exact body of a request; modes that do not carry the answer's schema have it in the instructions."""
    schema = _schema(shape)
    first, *others = messages
    if mode == "json_schema":
        format_ = f'{{"type":"json_schema","json_schema":{{"name":"answer","strict":true,"schema":{schema}}}}}'
    else:
        instructions = f"{first['content']}\n\nAnswer with one JSON object of this schema, and nothing else:\n{schema}"
        first = {**first, "content": instructions}
        format_ = '{"type":"json_object"}' if mode == "json_object" else ""
    parts = [f'"model":{compact_json(endpoint.model)}', f'"messages":{compact_json([first, *others])}']
    parts += [f'"response_format":{format_}'] if format_ else []
    parts += [f'"temperature":{compact_json(endpoint.temperature)}'] if endpoint.temperature != "default" else []
    parts += [f'"seed":{compact_json(endpoint.seed)}'] if endpoint.seed is not None else []
    return f"{{{','.join(parts)}}}".encode("utf-8", "backslashreplace")


def estimated_tokens(text: str, ascii_per_token: float = ASCII_PER_TOKEN) -> int:
    """Return the declared estimate of a text's tokens: ASCII by the given ratio, every other character one."""
    others = sum(1 for character in text if character > "\x7f") if not text.isascii() else 0
    return int((len(text) - others) / ascii_per_token) + others + 1


@cache
def _schema(shape: type[BaseModel]) -> str:
    return compact_json(shape.model_json_schema())
