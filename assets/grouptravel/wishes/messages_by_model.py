"""Opening messages by a model: told which preferences to say, it words them; `message_reading.py` judges the words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any

from assets.grouptravel import prompts
from assets.grouptravel.vocabulary import Language
from assets.grouptravel.wishes.message_reading import Terms, misread
from assets.grouptravel.wishes.messages import WordingError, city_text, item_text, opening
from assets.grouptravel.wishes.preferences import STRONG, Item
from assets.grouptravel.wishes.preferences_by_model import ModelTask
from assets.language.answers import Shape
from assets.language.asking import Ask, Later, Prompt, Unanswered, estimated_tokens
from assets.language.untrusted import FENCE_RULES, fenced
from assets.language.wording_by_model import TONES
from schemas.stable import stable_hash

INSTRUCTIONS = files(prompts) / "messages.md"
ANSWER_TOKENS = 60

ABOUT = {
    "avg_budget": "the budget of a person, in all",
    "transport": "travelling between cities",
    "max_poi_per_day": "sights a day",
    "max_active_hours": "hours a day on one's feet",
    "hotel_preference": "a kind of place to stay",
    "must_visit": "a sight to visit",
    "reject_visit": "a sight to visit",
    "category_pref": "sights of a kind",
    "food": "food to eat",
}
"""What the fields are about, by a part of their path."""


class Message(Shape):
    """An opening message."""

    message: str


def estimate() -> Later:
    """Return what one message will use, as estimated."""
    return Later(1, estimated_tokens(INSTRUCTIONS.read_text(encoding="utf-8") + FENCE_RULES) + 100, ANSWER_TOKENS)


def ask_for_messages(tasks: Sequence[ModelTask], ask: Ask, currency: str) -> None:
    """Fill in the opening message of every member with a table; a task of which one fails stops with the problem."""
    turns: list[tuple[ModelTask, int, Prompt]] = []
    for task in tasks:
        try:
            turns += [(task, user, _prompt(task, user, currency)) for user in sorted(task.tables) if not task.problem]
        except WordingError as error:
            task.problem = str(error)
    turns = [turn for turn in turns if not turn[0].problem]
    for (task, user, _), answer in zip(turns, ask(prompt for _, _, prompt in turns), strict=True):
        if isinstance(answer, Unanswered):
            task.problem = f"User{user}'s message: {answer.problem}"
        else:
            task.messages[user] = _one_line(answer.value)
            task.generation_ids.append(answer.generation_id)


def _prompt(task: ModelTask, user: int, currency: str) -> Prompt:
    task_id = task.skeleton.task_id
    is_child = task.skeleton.archetype.roles[user - 1].is_minor
    items = opening(task.tables[user], task.seed, task_id, f"User{user}", is_child=is_child)
    language = task.setting.vocabulary.language
    wishes = [_wish(item, language, currency) for item in items]
    tone = TONES[stable_hash("opening_message", task_id, user) % len(TONES)]
    return Prompt(
        row=f"{task_id}/User{user}/message",
        system=f"{INSTRUCTIONS.read_text(encoding='utf-8')}\nWrite in a tone that is {tone}.\n"
        f'Answer in JSON: {{"message": text}}\n\n{FENCE_RULES}',
        user=fenced([{"language": "Chinese" if language == "zh" else "English"}, *wishes]),
        shape=Message,
        check=_checker(items, Terms(tuple(task.setting.cities), language, currency)),
        answer_tokens=ANSWER_TOKENS,
    )


def _checker(items: list[Item], terms: Terms) -> Callable[[Message], list[str]]:
    return lambda value: misread(_one_line(value), items, terms)


def _wish(item: Item, language: Language, currency: str) -> dict[str, Any]:
    about = next(ABOUT[part] for part in item.field.path if part in ABOUT)
    is_strong = item.field.weight == STRONG
    strength = {1: ("would_like", "must"), -1: ("rather_not", "never"), 0: ("at_most", "at_most")}
    value = item_text(item, language)
    return {
        "about": about,
        "strength": strength[item.field.sign][is_strong],
        **({"city": city_text(item.city, language)} if item.field.per_city else {}),
        "says": f"{value} {currency}" if item.field.path == ("avg_budget",) else value,
    }


def _one_line(value: Message) -> str:
    return " ".join(value.message.split())
