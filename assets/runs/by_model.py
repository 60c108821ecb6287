"""A model as a planner: it calls the release's tools until it hands in a text, or answers one question with a text.

All that a tool or a person says is quoted as data. A family with a conversation plays it itself (`RunSetting.play`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from assets.core.tools import Tool
from assets.family import Family
from assets.language.answers import Shape
from assets.language.asking import Prompt, Unanswered
from assets.language.untrusted import FENCE_RULES, cleaned, fenced
from assets.named import load
from assets.rows import ReleaseTables
from assets.runs.playing import Access, Played, Playing, Task
from assets.runs.setting import RunSetting

MOST_STEPS = 40
"""Calls that a planner may make for one task."""
SAME_CALL = 3
"""The same call so often ends the session (ItinBench, published)."""
MOST_RESULT_CHARACTERS = 8_000
PLAN_TOKENS = 3_000


class Text(Shape):
    """A planner's answer."""

    text: str


class Act(Shape):
    """One step of a planner: a tool with its arguments as a JSON object in a text, or, with no tool, a text."""

    tool: str
    arguments: str
    text: str


PLANNER = (
    "You plan journeys. Plan what the first record's `request` asks for; use only places and services of the data."
)
ACTS = """Each of your answers is one step, in JSON: {"tool": name, "arguments": "{…}", "text": ""} calls a tool, its
arguments a JSON object written as a text; {"tool": "", "arguments": "", "text": …} says something. You see what each
call gave. When you say something, that is your final answer, with the whole plan in it."""


def by_model(
    family: Family, runs: RunSetting, tables: ReleaseTables, setting: str
) -> Callable[[Task, Access], Playing]:
    """Return the player of a model in a published setting of the family."""
    if runs.play is not None:
        return partial(load(runs.play), setting=setting)
    form = runs.form or (f"The plan in JSON of this schema:\n{json.dumps(_schema(family))}" if family.plan_text else "")

    def play(task: Task, access: Access) -> Playing:
        context = load(runs.context)(tables, task, setting) if runs.context else ""
        request = {"request": task["query"], **({"context": context} if context else {})}
        if context or not access.tools:
            return (yield from _one_answer(task, request, form))
        return (yield from _with_tools(task, request, form, access))

    return play


def _schema(family: Family) -> Any:
    from assets.language.plan_texts import plan_text

    shape = plan_text(family.name).shape
    return shape.model_json_schema() if shape is not None else {}


def _one_answer(task: Task, request: dict[str, Any], form: str) -> Playing:
    system = f'{PLANNER}\nAnswer in JSON: {{"text": your plan}}.\n{form}\n\n{FENCE_RULES}'
    prompt = Prompt(task["task_id"], system, fenced([request]), Text, not_empty, PLAN_TOKENS)
    answer = yield prompt
    if isinstance(answer, Unanswered):
        return Played("", problem=answer.problem)
    log = [{"speaker": "planner", "text": answer.value.text, "calls": []}]
    return Played(answer.value.text, log=log, generation_ids=(answer.generation_id,))


def _with_tools(task: Task, request: dict[str, Any], form: str, access: Access) -> Playing:
    system = f"{PLANNER}\n{ACTS}\n{form}\n\nThe tools:\n{told_tools(access.tools)}\n\n{FENCE_RULES}"
    steps: list[dict[str, Any]] = []
    ids: list[str] = []
    call_counts: Counter[str] = Counter()
    for _ in range(MOST_STEPS):
        answer = yield Prompt(task["task_id"], system, fenced([request, *map(quoted_step, steps)]), Act, is_act)
        if isinstance(answer, Unanswered):
            return Played("", log=steps, generation_ids=tuple(ids), problem=answer.problem)
        ids.append(answer.generation_id)
        act: Act = answer.value
        if not act.tool:
            log = [*steps, {"speaker": "planner", "text": act.text, "calls": []}]
            return Played(act.text, log=log, generation_ids=tuple(ids))
        steps.append(call_with_reply(act, access))
        call_counts[f"{act.tool} {act.arguments}"] += 1
        if max(call_counts.values()) >= SAME_CALL:
            return Played(
                "", log=steps, generation_ids=tuple(ids), problem=f"it called {act.tool} alike {SAME_CALL} times"
            )
    return Played("", log=steps, generation_ids=tuple(ids), problem=f"it made {MOST_STEPS} calls and no plan")


def call_with_reply(act: Act, access: Access) -> dict[str, Any]:
    """Return a call with its reply: {name, arguments, result, has_error}."""
    arguments = json.loads(act.arguments or "{}")
    reply = access.call(act.tool, arguments)
    return {"name": act.tool, "arguments": arguments, "result": reply.result, "has_error": reply.has_error}


def quoted_step(step: dict[str, Any]) -> dict[str, Any]:
    """Return a call as a prompt quotes it: cleaned, and no longer than a model can use."""
    return {**step, "result": cleaned(str(step["result"]), MOST_RESULT_CHARACTERS).text}


def told_tools(tools: Sequence[Tool]) -> str:
    """Return the tools as a model reads them, one a line."""
    return "\n".join(
        json.dumps({"name": t.name, "description": t.description, "parameters": t.parameters}, ensure_ascii=False)
        for t in tools
    )


def is_act(act: Act) -> list[str]:
    """Return what is wrong with a step."""
    if act.tool and act.text:
        return ["expected a tool or a text, found both"]
    if not act.tool:
        return not_empty(Text(text=act.text))
    try:
        is_object = isinstance(json.loads(act.arguments or "{}"), dict)
    except (ValueError, RecursionError):
        is_object = False
    return [] if is_object else ["expected arguments that are a JSON object, written as a text"]


def not_empty(answer: Text) -> list[str]:
    """Return what is wrong with a text."""
    return [] if answer.text.strip() else ["expected a text, found none"]
