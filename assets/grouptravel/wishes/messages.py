"""Opening messages by rules: one to three preferences of a user, in words as strong as their tier (G4).

What a message says, whoever worded it, is judged by `message_reading.py`, which knows nothing of these phrases.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from assets.grouptravel.draws import ranked, uniform_int
from assets.grouptravel.vocabulary import Language
from assets.grouptravel.wishes.frames import ENDINGS, FRAMES, GREETINGS, OF_NO_WORD
from assets.grouptravel.wishes.message_reading import QUOTES
from assets.grouptravel.wishes.preferences import STRONG, Field, Item, Table, items_of
from assets.grouptravel.wishes.spoken import Part, currency_words, is_plain_city, word_of
from schemas.counts import listed

MAX_PREFERENCES = 3
"""Preferences that an opening message may reveal (paper; the release exceeds it, G4)."""

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")

STRONG_SHARE = 3.0
"""A strong preference is so many times likelier to be said than a weak one; our choice [I]."""


class WordingError(ValueError):
    """An item cannot be put in words that read back: it holds every kind of quotation mark, or a line break."""


PARTS: dict[str, Part] = {
    "category_pref": "kind",
    "food": "food",
    "hotel_preference": "hotel",
    "transport": "transport",
}
"""What a field's items are kinds of; those of the others are places."""

JOINED: dict[Language, str] = {"en": " ", "zh": ""}


NAME_THEN_CITY = "{item} in {city}"
"""What nobody says of a place whose name holds the city's: Schloss Vaduz in Vaduz."""

OF_ONE = [" for one meal ", " for a meal ", "One meal ", " once."]
"""Parts of frames that are of one thing: nobody has a meal of pizza and burgers."""

OF_PARENTS = ("avg_budget", "hotel_preference")
"""What a child says nothing of."""


def opening(table: Table, *seed: str | int, is_child: bool = False) -> list[Item]:
    """Return the one to three of the table's preferences that an opening message reveals, the strong ones more often.

    A child says nothing of budgets or kinds of hotels: its parents pay and book. Raises WordingError if the table holds
    nothing that can be said.
    """
    options = [
        (f"{item.path}/{item.value}", item, STRONG_SHARE if item.field.weight == STRONG else 1.0)
        for item in items_of(table)
        if _can_be_said(item) and not (is_child and item.field.path[0] in OF_PARENTS)
    ]
    if not options:
        raise WordingError("the table holds no preference that can be put in words")
    return ranked(options, *seed, "opening")[: uniform_int(1, MAX_PREFERENCES, *seed, "count")]


def worded(items: Iterable[Item], language: Language, currency: str, *seed: str | int) -> str:
    """Return the preferences in words: what is of one field and city in one sentence, between a greeting and an end.

    Raises WordingError for an item that cannot be quoted.
    """
    together: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        together.setdefault((item.path, "" if item.field.is_list else str(item.value)), []).append(item)
    sentences = [_sentence(sentence_items, language, currency, seed) for sentence_items in together.values()]
    message_parts = [_one(GREETINGS[language], *seed, "greeting"), *sentences, _one(ENDINGS[language], *seed, "ending")]
    return JOINED[language].join(sentence for sentence in message_parts if sentence)


def _sentence(items: list[Item], language: Language, currency: str, seed: tuple[str | int, ...]) -> str:
    first = items[0]
    key = _key(first.field)
    frames = FRAMES[language][key]
    if any(_part(item) and _word(item, language) is None for item in items):
        frames = (OF_NO_WORD[language][key],)
    values = "/".join(str(item.value) for item in items)
    frame = frames[uniform_int(0, len(frames) - 1, *seed, first.path, values)]
    unfit = [NAME_THEN_CITY] if first.city and first.city in values else []
    unfit += OF_ONE if len(items) > 1 else []
    others = tuple(other for other in frames if not any(part in other for part in unfit))
    if frame not in others and others:
        frame = others[uniform_int(0, len(others) - 1, *seed, first.path, values)]
    texts = [item_text(item, language, is_many=" in {item}" not in frame) for item in items]
    city = city_text(first.city, language) if first.field.per_city else ""
    space = " " if language == "en" else ""
    money = f"{texts[0]}{space}{currency_words(currency, language)[0]}"
    text = frame.format(item=_list_in_words(texts, first.field.sign, language), city=city, money=money, n=texts[0])
    return text[:1].upper() + text[1:]


def _list_in_words(texts: list[str], sign: int, language: Language) -> str:
    """Return a list in words, with `or` in a refusal."""
    return "、".join(texts) if language == "zh" else listed(texts, "or" if sign < 0 else "and")


def _one(options: tuple[str, ...], *seed: str | int) -> str:
    return options[uniform_int(0, len(options) - 1, *seed)]


def item_text(item: Item, language: Language, *, is_many: bool = False) -> str:
    """Return the item as messages write it: a kind by its word, a place in marks, a number with its thousands.

    Raises WordingError for what has neither a word nor marks.
    """
    if not item.field.is_list:
        return f"{item.value:,}" if isinstance(item.value, int) else f"{item.value:g}"
    word = _word(item, language, is_many=is_many)
    return word if word is not None else quoted(item.value)


def _part(item: Item) -> Part | None:
    """Return what the item is a kind of; None for a place or a number."""
    if item.field.path[-1].endswith("_visit"):
        return None
    return next((PARTS[part] for part in reversed(item.field.path) if part in PARTS), None)


def _word(item: Item, language: Language, *, is_many: bool = False) -> str | None:
    part = _part(item)
    return word_of(part, item.value, language, is_many=is_many) if part else None


def city_text(city: str, language: Language) -> str:
    """Return a city's name as it is where it can be told from the words around it, else in marks."""
    return city if is_plain_city(city, language) else quoted(city)


def _can_be_said(item: Item) -> bool:
    """Return whether an item can be put in words: an English kind by a word of its own, all else in marks."""
    if not item.field.is_list:
        return _NUMBER.fullmatch(str(item.value)) is not None
    if _part(item) and item.value.isascii() and _word(item, "en") is None:
        return False
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
