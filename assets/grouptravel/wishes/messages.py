"""Opening messages by rules: one to three preferences of a user, in words as strong as their tier (G4).

What a message says, whoever worded it, is judged by `message_reading.py`, which knows nothing of these phrases.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from assets.grouptravel.draws import ranked, uniform_int
from assets.grouptravel.vocabulary import Language
from assets.grouptravel.wishes.message_reading import QUOTES
from assets.grouptravel.wishes.preferences import STRONG, Field, Item, Table, items_of

MAX_PREFERENCES = 3
"""Preferences that an opening message may reveal (paper; the release exceeds it, G4)."""

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")

STRONG_SHARE = 3.0
"""A strong preference is so many times likelier to be said than a weak one; our choice [I]."""


class WordingError(ValueError):
    """An item cannot be put in words that read back: it holds every kind of quotation mark, or a line break."""


PHRASES: dict[Language, dict[str, tuple[str, ...]]] = {
    "en": {
        "avg_budget": ("My budget is at most {item} {currency} per person, no more.",
                       "I cannot spend more than {item} {currency} per person, full stop."),
        "transport.must": ("I must travel by {item} between cities.", "Between cities it has to be {item} for me."),
        "transport.prefer": ("I would like to travel by {item} if possible.",),
        "transport.avoid": ("I would rather not travel by {item}.",),
        "transport.reject": ("I will under no circumstances travel by {item}.",),
        "intensity.max_poi_per_day": ("I can do at most {item} sights a day, no more.",),
        "intensity.max_active_hours": ("I can be on my feet at most {item} hours a day, no more.",),
        "hotel_preference.prefer": ("I would like to stay somewhere of the kind {item} if possible.",),
        "hotel_preference.avoid": ("I would rather not stay somewhere of the kind {item}.",),
        "attractions.must_visit": ("In {city} I must see {item}.",
                                   "I have to go to {item} in {city}, whatever happens."),
        "attractions.reject_visit": ("In {city} I will under no circumstances go to {item}.",),
        "attractions.category_pref.positive": ("In {city} I would enjoy sights of the kind {item}.",),
        "attractions.category_pref.negative": ("In {city} I would rather skip sights of the kind {item}.",),
        "food.must_eat": ("In {city} I must eat {item}.", "I have to have {item} in {city}, whatever happens."),
        "food.prefer_eat": ("In {city} I would like to eat {item} if possible.",),
        "food.avoid_eat": ("In {city} I would rather not eat {item}.",),
        "food.reject_eat": ("In {city} I will under no circumstances eat {item}.",),
    },
    "zh": {
        "avg_budget": ("我的人均预算绝对不能超过{item} {currency}。",
                       "我这边人均最多{item} {currency}，一分也不能多。"),
        "transport.must": ("城市之间我必须坐{item}。", "这次出行我一定要坐{item}。"),
        "transport.prefer": ("可以的话，我想坐{item}。",),
        "transport.avoid": ("{item}能不坐就尽量不坐。",),
        "transport.reject": ("我坚决不坐{item}。",),
        "intensity.max_poi_per_day": ("我每天最多只能去{item}个景点，不能再多。",),
        "intensity.max_active_hours": ("我每天最多只能活动{item}个小时，不能再多。",),
        "hotel_preference.prefer": ("可以的话，我想住{item}。",),
        "hotel_preference.avoid": ("住宿尽量不要选{item}。",),
        "attractions.must_visit": ("在{city}我必须去{item}。", "{city}的{item}，我无论如何都要去。"),
        "attractions.reject_visit": ("在{city}我坚决不去{item}。",),
        "attractions.category_pref.positive": ("在{city}我比较喜欢逛{item}这一类景点。",),
        "attractions.category_pref.negative": ("在{city}我不太想逛{item}这一类景点。",),
        "food.must_eat": ("在{city}我必须吃{item}。", "{city}的{item}，我无论如何都要吃到。"),
        "food.prefer_eat": ("在{city}可以的话，我想吃{item}。",),
        "food.avoid_eat": ("在{city}我不太想吃{item}。",),
        "food.reject_eat": ("在{city}我坚决不吃{item}。",),
    },
}  # fmt: skip
"""How each field is said. Strong tiers are said without a way out, weak ones with one."""

JOINED: dict[Language, str] = {"en": " ", "zh": ""}


def opening(table: Table, *seed: str | int) -> list[Item]:
    """Return the one to three of the table's preferences that an opening message reveals, the strong ones more often.

    Raises WordingError if the table holds nothing that can be said.
    """
    options = [
        (f"{item.path}/{item.value}", item, STRONG_SHARE if item.field.weight == STRONG else 1.0)
        for item in items_of(table)
        if _can_be_said(item)
    ]
    if not options:
        raise WordingError("the table holds no preference that can be put in words")
    return ranked(options, *seed, "opening")[: uniform_int(1, MAX_PREFERENCES, *seed, "count")]


def worded(items: Iterable[Item], language: Language, currency: str, *seed: str | int) -> str:
    """Return the preferences in words, one sentence each. Raises WordingError for an item that cannot be quoted."""
    return JOINED[language].join(_sentence(item, language, currency, seed) for item in items)


def _sentence(item: Item, language: Language, currency: str, seed: tuple[str | int, ...]) -> str:
    phrases = PHRASES[language][_key(item.field)]
    phrase = phrases[uniform_int(0, len(phrases) - 1, *seed, item.path, str(item.value))]
    city = quoted(item.city) if item.field.per_city else ""
    return phrase.format(item=value_text(item), city=city, currency=currency)


def value_text(item: Item) -> str:
    """Return the item's name in marks, or its number, as messages write it. Raises WordingError if it has no marks."""
    if item.field.is_list:
        return quoted(item.value)
    return f"{item.value:g}" if item.value < 1e5 else str(int(item.value))


def _can_be_said(item: Item) -> bool:
    if not item.field.is_list:
        return _NUMBER.fullmatch(str(item.value)) is not None
    return all(_quotes(text) for text in (item.value, item.city or "-"))


def quoted(text: str) -> str:
    """Return the text in marks that it does not hold. Raises WordingError if it holds all."""
    quotes = _quotes(text)
    if quotes is None:
        raise WordingError(f"{text!r:.60} holds every kind of quotation mark, or a line break, or nothing")
    return f"{quotes[0]}{text}{quotes[1]}"


def _quotes(text: str) -> str | None:
    if not text or not text.isprintable():
        return None
    return next((pair for pair in QUOTES if not set(pair) & set(text)), None)


def _key(field: Field) -> str:
    return ".".join(field.path)
