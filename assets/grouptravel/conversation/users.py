"""Users by rules: they speak from their own table alone, say what they are asked, and give way by the protocol.

No chance and no model: the same question has the same answer. A polled user says nothing; one who is asked and has no
wish there says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assets.grouptravel.checks.compromise import AGENT, QUOTA, SILENCE, is_able, is_concession, resolve_path
from assets.grouptravel.conversation.protocol import Turn
from assets.grouptravel.conversation.questions import Question, asked_items, is_named, read_question, topic_of
from assets.grouptravel.vocabulary import Language
from assets.grouptravel.wishes.message_words import Topic
from assets.grouptravel.wishes.messages import WordingError, worded
from assets.grouptravel.wishes.preferences import Item, Table, get, items_of, unwrapped

SAID: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "nothing": "I have no wishes about that.",
        "unclear": "What would you like to know: money, travel, hotels, sights, food, or the pace of a day?",
        "yes": "All right, I can live with that.",
        "no": "No, that I will not change.",
    },
    "zh": {
        "nothing": "这方面我没有要求。",
        "unclear": "您想知道哪方面：预算、交通、住宿、景点、美食，还是每天的节奏？",
        "yes": "好吧，我可以接受。",
        "no": "不行，这个我不会改。",
    },
}
CAPS: Mapping[Topic, str] = {"budget": "avg_budget", "sights_a_day": "max_poi_per_day", "hours": "max_active_hours"}


@dataclass(frozen=True)
class Tongue:
    """What users of one trip speak with: its cities, its language, its currency."""

    cities: tuple[str, ...]
    language: Language
    currency: str


def by_rules(
    user: str, entry: Any, used: int, turn: Turn, visible_history: Sequence[Mapping[str, Any]], tongue: Tongue
) -> str:
    """Return what the user says in its turn. `entry` is its table as it is now, `used` its compromises so far."""
    if turn.kind != "mentioned":
        return SILENCE
    question = last_question(visible_history, tongue)
    phrases = SAID[tongue.language]
    table: Table = unwrapped(entry)
    if question.gives_way:
        marker = conceding(question, table, tongue) if is_able(entry, used) and used < QUOTA else None
        return f"{phrases['yes']}\n{marker}" if marker else phrases["no"]
    items = asked_items(question, table, tongue.language)
    if not items:
        return phrases["nothing"] if question.topics else phrases["unclear"]
    return items_in_words(items, tongue, user)


def last_question(visible_history: Sequence[Mapping[str, Any]], tongue: Tongue) -> Question:
    """Return what the agent asked last."""
    text = next((entry["content"] for entry in reversed(visible_history) if entry["role"] == AGENT), "")
    return read_question(text, tongue.cities, tongue.language)


def items_in_words(items: Sequence[Item], tongue: Tongue, *seed: str | int) -> str:
    """Return the items in words that read back; what cannot be put in words is left unsaid."""
    sayable = []
    for item in items:
        try:
            worded([item], tongue.language, tongue.currency, *seed)
        except WordingError:
            continue
        sayable.append(item)
    return worded(sayable, tongue.language, tongue.currency, *seed) if sayable else SAID[tongue.language]["nothing"]


def conceding(question: Question, table: Table, tongue: Tongue) -> str | None:
    """Return the marker of what the question asks to give up, None if it asks for nothing that can be.

    A cap rises to the number named; of one list, the items that are named go.
    """
    for topic in question.topics & CAPS.keys():
        path = f"global_constraints.{'intensity.' if topic != 'budget' else ''}{CAPS[topic]}"
        way = resolve_path(table, path)
        for number in question.numbers if way else ():
            cap = next((item.value for item in items_of(table) if item.path == path), 0)
            value = int(number) if number.is_integer() else number
            if way and cap and value > cap and is_concession(way, cap, value):
                return f"[{path} : {value}]"
    for item in items_of(table):
        if item.field.is_list and _is_meant(item, question, tongue.language):
            remaining_items = [
                value
                for value in get(table, item.field, item.city)
                if not is_named(Item(item.field, item.city, value), question.text, tongue.language)
            ]
            return f"[{item.path} : {json.dumps(remaining_items, ensure_ascii=False)}]"
    return None


def _is_meant(item: Item, question: Question, language: Language) -> bool:
    in_city = not item.field.per_city or not question.cities or item.city in question.cities
    about = not question.topics or topic_of(item.field) in question.topics
    return in_city and about and is_named(item, question.text, language)
