"""A model as the agent of a conversation, and models as its users, whose words are checked before they count.

A user by a model is shown its own table and the question; what it says must be asked for and its own, and what it
gives up must be a marker of the protocol. One that says more is told so, and passes if it will not learn.
"""

from __future__ import annotations

import json
from typing import Any

from assets.grouptravel.checks.compromise import AGENT, QUOTA, SILENCE, Marker, apply, is_able
from assets.grouptravel.conversation.protocol import Call, Conversation, Turn
from assets.grouptravel.conversation.questions import Question, asked_items, is_named
from assets.grouptravel.conversation.talk import (
    Asking,
    Speaker,
    conversation_of,
    talk,
    tongue_of,
    trial_of,
    user_by_rules,
)
from assets.grouptravel.conversation.users import Tongue, last_question
from assets.grouptravel.wishes.preferences import empty_table, items_of, unwrapped
from assets.language.answers import Shape
from assets.language.asking import Prompt, Unanswered
from assets.language.untrusted import FENCE_RULES, cleaned, fenced
from assets.runs.by_model import Act, call_with_reply, is_act, told_tools
from assets.runs.playing import Access, Played, Playing, Task

MOST_CALLS = 12
"""Calls that the agent may make in one turn."""
MOST_CHARACTERS = 8_000

AGENT_RULES = """You are the Agent who plans a trip with a group in a chat. Ask each member, one at a time and by @ and
the name (such as @User1), for what you need to know: budget, travel between cities, hotels, sights, food, the pace of a
day. A message addresses one member only. Where wishes conflict, ask one who may give way whether they could. All that
you say of places, prices and times comes from your tools."""
ACTS = """Each answer is one step, in JSON: {"tool": name, "arguments": "{…}", "text": ""} calls a tool, its arguments a
JSON object written as a text; {"tool": "", "arguments": "", "text": …} says something to all."""
DUE = {
    "summary": "Say in a few words what you know of everybody's wishes, and what conflicts.",
    "mentioned": "It is your turn.",
    "polled": "It is your turn. Ask, propose, or, when you know enough, hand in the plan: it ends the conversation.",
    "final": "The rounds are used up. Hand in the plan now.",
    "table": "Write down each member's preferences as you know them, as one JSON object by member, in the form of the "
    "record `form`, as your text. Call no tool. Nobody else sees it.",
}
PLAN_FORM = """A plan is one JSON object in your text: {"days": [{"day": 1, "date": "YYYY-MM-DD", "city_segments": […]},
…]}.
A segment is {"type": "intercity_transport", "from_city", "to_city", "transport_mode", "start_time", "end_time",
"avg_cost"} or {"city", "activities": […]}; an activity is {"type": "attraction" | "food" | "hotel" |
"intracity_transport" | "rest", "start_time": "HH:MM", "end_time": "HH:MM", "location", "participants": ["All"]}, with
avg_cost for food and hotels, transport_mode, from and to for intracity_transport. Every day but the last ends in a
hotel; a move leads to every place."""

USER_RULES = """You are one member of a group that plans a trip in a chat. The record `you` holds your name and your
wishes. Answer what the Agent has just asked you, from your wishes alone, in one to three sentences: say all of what you
are asked for and nothing that you are not. Names, kinds and numbers are as in your wishes. Give something up only if
`may_give_way` is true and the Agent asks you to: then name the field's dotted path in `path` and what it becomes, as
JSON in a text, in `value`; else both are empty."""


class Said(Shape):
    """What a user says, and what it gives up: the field's path, and its new value as JSON in a text; else empty."""

    message: str
    path: str
    value: str


def play(task: Task, access: Access, setting: str) -> Playing:  # noqa: ARG001  (there is one setting)
    """Play a task's conversation with a model as the agent; the users are by rules or, if so asked, by the model."""
    conversation = conversation_of(task, access.variant)
    ids: list[str] = []
    tongue = tongue_of(task["record"], access.currency)
    agent = agent_by_model(task, access, ids)
    yield from talk(conversation, agent, users_of(task, access, tongue, ids))
    return played(conversation, ids)


def users_of(task: Task, access: Access, tongue: Tongue, ids: list[str]) -> Speaker:
    """Return who speaks for the users."""
    return user_by_model(task["task_id"], tongue, ids) if access.users == "model" else user_by_rules(tongue)


def played(conversation: Conversation, ids: list[str]) -> Played:
    """Return what a conversation that has ended hands in: the agent's last message, with the plan if there is one."""
    last = [entry["content"] for entry in conversation.history if entry.get("role") == AGENT and "content" in entry]
    trial = {name: value for name, value in trial_of(conversation).items() if name != "plan"}
    # Calls of tools and their results are in the log; who scores reads what was said.
    trial["conversation_history"] = [one for one in trial["conversation_history"] if one["type"] == "message"]
    problem = "" if conversation.plan is not None else f"it ended without a plan ({conversation.end})"
    return Played(last[-1] if last else "", trial, conversation.log, tuple(ids), problem)


def agent_by_model(task: Task, access: Access, ids: list[str]) -> Speaker:
    """Return the model that plans: a turn is any number of calls, then a message."""
    form = json.dumps(_empty_form(task["record"]["metadata"]["cities"]), ensure_ascii=False)
    about = {"request": task["query"], "context": task["record"]["context"], "form": form}

    def speak(turn: Turn, conversation: Conversation) -> Asking:
        system = f"{AGENT_RULES}\n{ACTS}\n{PLAN_FORM}\n\n{DUE[turn.kind]} {turn.why}\n\n{FENCE_RULES}\n\nThe tools:\n"
        system += told_tools(access.tools)
        heard = [_quoted(entry) for entry in conversation.seen_by(AGENT)]
        calls: list[Call] = []
        for _ in range(MOST_CALLS):
            call_records = [{"tool": c.name, "arguments": c.arguments, "result": _cut(c.result)} for c in calls]
            records = [about, {"round": turn.round, "turn": conversation.events}, *heard, *call_records]
            answer = yield Prompt(task["task_id"], system, fenced(records), Act, is_act)
            if isinstance(answer, Unanswered):
                return "", calls
            ids.append(answer.generation_id)
            if not answer.value.tool:
                return answer.value.text, calls
            calls.append(Call(**call_with_reply(answer.value, access)))
        return "", calls

    return speak


def user_by_model(task_id: str, tongue: Tongue, ids: list[str]) -> Speaker:
    """Return the model that speaks for every user; it is asked only when a user is."""

    def speak(turn: Turn, conversation: Conversation) -> Asking:
        user = turn.speaker
        if turn.kind != "mentioned":
            return SILENCE, []
        entry, used = conversation.tables[user], conversation.used[user]
        visible_history = conversation.seen_by(user)
        question = last_question(visible_history, tongue)
        you = {"you": user, "wishes": unwrapped(entry), "may_give_way": is_able(entry, used) and used < QUOTA}
        records = [you, *map(_quoted, visible_history[-6:]), {"asked": turn.attempt, "event": conversation.events}]

        def check(reply: Said) -> list[str]:
            return problems_of(reply, question, entry, used, tongue)

        answer = yield Prompt(f"{task_id}/{user}", f"{USER_RULES}\n\n{FENCE_RULES}", fenced(records), Said, check)
        if isinstance(answer, Unanswered):
            conversation.refused.append(f"{user}: {answer.problem}")
            return SILENCE, []
        ids.append(answer.generation_id)
        reply: Said = answer.value
        return (f"{reply.message}\n[{reply.path} : {reply.value}]" if reply.path else reply.message), []

    return speak


def problems_of(reply: Said, question: Question, entry: Any, used: int, tongue: Tongue) -> list[str]:
    """Return why a user's words do not count: a wish told that was not asked for, or a change outside the protocol."""
    table = unwrapped(entry)
    wishes_asked_for = {(item.path, str(item.value)) for item in asked_items(question, table, tongue.language)}
    problems = [
        f"leak: {item.path} {item.value!r} was not asked for"
        for item in items_of(table)
        if (item.path, str(item.value)) not in wishes_asked_for
        and is_named(item, reply.message, tongue.language)
        and not is_named(item, question.text, tongue.language)
        and not _is_asked_elsewhere(item, wishes_asked_for)
    ]
    if not reply.message.strip() or "[" in reply.message.rpartition("\n")[2]:
        problems.append("expected a message in words, without brackets")
    if not reply.path:
        return problems
    if not question.gives_way:
        return [*problems, "outside the protocol: nobody asked you to give way"]
    try:
        value = json.loads(reply.value)
    except (ValueError, RecursionError):
        return [*problems, f"outside the protocol: value {reply.value[:60]!r} is no JSON"]
    if not is_able(entry, used) or used >= QUOTA:
        return [*problems, "outside the protocol: you do not give way"]
    _, outcome = apply(entry, Marker(reply.path, value, ""), used, concessions_only=True)
    return problems if outcome.applied else [*problems, f"outside the protocol: {outcome.why}"]


def _is_asked_elsewhere(item: Any, wishes_asked_for: set[tuple[str, str]]) -> bool:
    """Return whether the same value stands in a field that was asked for: saying it is then no leak."""
    return any(value == str(item.value) for _, value in wishes_asked_for)


def _quoted(entry: dict[str, Any]) -> dict[str, Any]:
    if entry["type"] == "message":
        return {"from": entry["role"], "says": _cut(entry["content"])}
    return {name: _cut(value) if isinstance(value, str) else value for name, value in entry.items()}


def _cut(text: str) -> str:
    return cleaned(text, MOST_CHARACTERS).text


def _empty_form(cities: list[str]) -> dict[str, Any]:
    return {"User1": empty_table(tuple(cities))}
