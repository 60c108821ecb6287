"""A planner's text as its family's plan: by the published grammars first, by a model for what they cannot read.

What a grammar says belongs to the family (`Family.plan_text`). Whoever read it, a plan names nothing that
its text does not say: what was added is a problem, never a plan.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from assets.families import families
from assets.language.asking import Ask, Prompt, Unanswered
from assets.language.loose_json import json_values
from assets.language.untrusted import FENCE_RULES, cleaned, fenced
from assets.named import named_value
from schemas.errors import ExpectedError

MAX_TEXT_CHARACTERS = 60_000
"""A longer text is no plan of seven days; only so much of it is read."""
ANSWER_TOKENS = 1_500

_DAY = re.compile(r"^\W*day\s*(\d{1,2})\b[^\n]*$", re.IGNORECASE | re.MULTILINE)
_FIELD = re.compile(r"^[\s>*#\-•]*([A-Za-z][A-Za-z ()/_-]{2,40}?)[\s*]*[:：]\s*(.*)$")


Names = Mapping[str, Sequence[str]]
"""The names of the places that plans may name, by kind."""


@dataclass(frozen=True)
class PlanText:
    """How one family's plans are read from text.

    `read` returns the plan that day blocks make (day number to field to text), or None if they are none; `layout`,
    where the family has one, reads the whole text, with the names of the places that a plan may name, if they are
    known. `unwrapped` takes off what planners put around a plan in JSON, and `is_plan` says whether it is one. `shape`
    and `instructions` are what a model is asked with; `native` makes the plan of its answer; `names` yields every text
    of a plan that must stand in what it was read from. `place_names` returns, of a release's frames by name (it
    needs `place_names_from`), the names that `layout` takes, by task.
    """

    read: Callable[[Mapping[int, Mapping[str, str]]], Any]
    is_plan: Callable[[Any], bool]
    names: Callable[[Any], Iterator[str]]
    shape: type[BaseModel] | None = None
    instructions: str = ""
    native: Callable[[Any], Any] = lambda value: value
    layout: Callable[[str, Names | None], Any] | None = None
    unwrapped: Callable[[Any], Any] = lambda value: value
    place_names_from: tuple[str, ...] = ()
    place_names: Callable[[Callable[[str], Any]], Mapping[str, Names]] = lambda _: {}


@dataclass(frozen=True)
class ExtractedPlan:
    """One text's plan and how it was read: `json`, `grammar`, `layout` or the model's name; or why there is none."""

    task_id: str
    plan: Any = None
    read_by: str = ""
    generation_id: str = ""
    problem: str = ""


def plan_text(name: str) -> PlanText:
    """Return how plans of a family are read. Raises ExpectedError if it does not say."""
    grammar_name = families()[name].plan_text
    if grammar_name is None:
        raise ExpectedError(f"{name}: found no grammar of plans in text; hand plans in as JSON to `tripwright score`")
    return named_value(grammar_name)


def extracted_plans(
    texts: Mapping[str, str], family: PlanText, ask: Ask | None, names: Mapping[str, Names] | None = None
) -> list[ExtractedPlan]:
    """Return each task's plan, in the order given; what no grammar reads is asked of the model, if there is one.

    `names` holds, by task, the names of the places that its plan may name.
    """
    readings: dict[str, ExtractedPlan] = {}
    for task_id, text in texts.items():
        plan, how = by_grammar(text, family, (names or {}).get(task_id))
        added = added_names(plan, text, family) if how != "json" and plan is not None else []
        if not text.strip():
            readings[task_id] = ExtractedPlan(task_id, problem="no grammar reads it: the text is empty")
        elif plan is None:
            readings[task_id] = ExtractedPlan(task_id, problem="no grammar reads it, and no model was named")
        elif added:
            readings[task_id] = ExtractedPlan(task_id, problem=_not_there(added))
        else:
            readings[task_id] = ExtractedPlan(task_id, plan, how)
    unread = [task_id for task_id, one in readings.items() if one.plan is None and texts[task_id].strip()]
    if ask is not None and family.shape is not None:
        answers = ask(_prompt(task_id, texts[task_id], family) for task_id in unread)
        for task_id, answer in zip(unread, answers, strict=True):
            if isinstance(answer, Unanswered):
                readings[task_id] = ExtractedPlan(task_id, problem=answer.problem)
            else:
                plan = family.native(answer.value)
                readings[task_id] = ExtractedPlan(task_id, plan, ask.model, answer.generation_id)
    return list(readings.values())


def by_grammar(text: str, family: PlanText, names: Names | None = None) -> tuple[Any, str]:
    """Return the plan that a text holds as JSON, as day blocks or in a planner's layout, and which; None if none.

    Nor is there one where a text holds two plans in JSON that differ, such as a draft and what came of it.
    """
    excerpt = text[:MAX_TEXT_CHARACTERS]
    plans = [plan for plan in map(family.unwrapped, json_values(excerpt)) if family.is_plan(plan)]
    if plans:
        return (plans[0], "json") if all(plan == plans[0] for plan in plans) else (None, "")
    blocks = day_blocks(excerpt)
    plan = family.read(blocks) if blocks else None
    if plan is not None:
        return plan, "grammar"
    plan = family.layout(excerpt, names) if family.layout is not None else None
    return (plan, "layout") if plan is not None else (None, "")


def day_blocks(text: str) -> dict[int, dict[str, str]]:
    """Return the fields of each `Day N` block, names in lower case with `_`; {} unless days run 1, 2, … once each.

    A line without a field's name goes on the field before it.
    """
    heads = list(_DAY.finditer(text))
    if not heads or [int(head[1]) for head in heads] != list(range(1, len(heads) + 1)):
        return {}
    blocks: dict[int, dict[str, str]] = {}
    for head, after in zip(heads, [*heads[1:], None], strict=True):
        fields: dict[str, str] = {}
        last = ""
        for line in text[head.end() : after.start() if after else len(text)].splitlines():
            match = _FIELD.match(line)
            if match is not None and not re.search(r"\d", match[1]):
                last = re.sub(r"[^a-z]+", "_", match[1].strip().lower()).strip("_")
                if last in fields:
                    return {}
                fields[last] = match[2].strip().strip("*").strip()
            elif last and line.strip():
                fields[last] = f"{fields[last]} {line.strip()}".strip()
        blocks[int(head[1])] = fields
    return blocks


def added_names(plan: Any, text: str, family: PlanText) -> list[str]:
    """Return the texts of a plan that do not stand in what it was read from, letters and digits compared."""
    text_letters = _letters(text)
    return [name for name in family.names(plan) if _letters(name) not in text_letters]


def _prompt(task_id: str, text: str, family: PlanText) -> Prompt:
    assert family.shape is not None

    def check(value: Any) -> list[str]:
        added = added_names(family.native(value), text, family)
        return [_not_there(added)] if added else []

    return Prompt(
        row=task_id,
        system=f"{family.instructions}\n\n{FENCE_RULES}",
        user=fenced([{"text": cleaned(text, MAX_TEXT_CHARACTERS).text}]),
        shape=family.shape,
        check=check,
        answer_tokens=ANSWER_TOKENS,
    )


def _not_there(added: list[str]) -> str:
    return f"the text does not say {', '.join(repr(name[:60]) for name in added[:5])}"


def _letters(text: str) -> str:
    """Return only the letters and digits, folded, so that line breaks, marks and emphasis make no difference."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())
