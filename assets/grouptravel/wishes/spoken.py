"""How things are called when people speak of them: kinds in the plural, stays with their article, modes with `by`.

Categories stand in tables and plans as the vocabulary has them; here is what a message says instead, and back.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Literal

from assets.grouptravel.facts.categories import ATTRACTIONS, FOOD, TAGS, VAGUE
from assets.grouptravel.facts.kinds import MANNERS, PARENTS
from assets.grouptravel.vocabulary import VOCABULARIES, Language

Part = Literal["kind", "food", "hotel", "transport"]
"""What a thing is a kind of: sights, meals, stays, or ways between cities."""

PLURALS = {
    "public art": "public art", "nightlife": "nightlife", "shopping": "shopping", "amusement": "fun and games",
    "arts": "arts venues", "ruins": "ruins", "tour": "guided tours", "spa": "spas", "department store": "shops",
    "church": "churches", "beach": "beaches", "outdoor activity": "outdoor activities", "fortress": "fortresses",
}  # fmt: skip
"""Kinds of sights whose plural the rule does not give, or of which another word is said."""

DISHES = {"deli": "deli food", "cafe": "café food", "bakery": "things from a bakery", "tea": "tea and cake",
          "juice": "fresh juice"}  # fmt: skip
"""Food of which another word is said than its category."""

STAYS = {
    "comfort": ("a comfortable hotel", "comfortable hotels"), "economy": ("a cheap hotel", "cheap hotels"),
    "upscale": ("an upscale hotel", "upscale hotels"), "luxury": ("a luxury hotel", "luxury hotels"),
    "budget chain": ("a budget chain hotel", "budget chain hotels"), "homestay": ("a homestay", "homestays"),
    "business hotel": ("a business hotel", "business hotels"), "hostel": ("a hostel", "hostels"),
    "guest house": ("a guest house", "guest houses"), "resort": ("a resort", "resorts"),
    "esports hotel": ("an esports hotel", "esports hotels"),
    "apartment hotel": ("an apartment hotel", "apartment hotels"),
    "themed hotel": ("a themed hotel", "themed hotels"),
}  # fmt: skip
WAYS = {"flight": "by plane", "high-speed train": "by high-speed train", "train": "by train", "car": "by car"}
STAYS_ZH = {"经济型": "经济型酒店", "舒适型": "舒适型酒店", "高档型": "高档酒店", "豪华型": "豪华酒店"}
WAYS_ZH = {"飞机": "坐飞机", "高铁": "坐高铁", "火车": "坐火车", "自驾": "自驾"}

NEVER_SAID = frozenset({"restaurant"})
"""A category that says nothing of what is meant is not put in words."""


@dataclass(frozen=True)
class Spoken:
    """A word of one thing: what it is a kind of, its category or mode, and the word."""

    part: Part
    value: str
    text: str


def plural(noun: str) -> str:
    """Return the plural of an English kind of sight, as it is said."""
    if noun in PLURALS:
        return PLURALS[noun]
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if re.search(r"(s|x|ch|sh)$", noun) else f"{noun}s"


@cache
def lexicon(language: Language) -> tuple[Spoken, ...]:
    """Return every word that a message of the language may use for a kind, a meal, a stay or a mode, longest first."""
    side = 1 if language == "zh" else 0
    sights = {words[side] for table in (ATTRACTIONS, TAGS, VAGUE) for words in table.values()}
    food = {words[side] for words in FOOD.values()}
    words = VOCABULARIES[language]
    if language == "zh":
        spoken_words = [Spoken("kind", kind, kind) for kind in sights]
        spoken_words += [Spoken("food", kind, kind) for kind in food]
        spoken_words += [Spoken("hotel", kind, STAYS_ZH.get(kind, kind)) for kind in words.hotel_categories]
        spoken_words += [Spoken("transport", mode, WAYS_ZH[mode]) for mode in words.modes.values()]
    else:
        sights |= {kind for kind in _below(set(MANNERS) | sights) if kind not in food}
        food |= {kind for kind in PARENTS if kind not in sights} | {p for k in PARENTS if k in food for p in PARENTS[k]}
        spoken_words = [Spoken("kind", kind, plural(kind)) for kind in sights]
        spoken_words += [Spoken("food", kind, DISHES.get(kind, kind)) for kind in food]
        spoken_words += [Spoken("hotel", kind, text) for kind, texts in STAYS.items() for text in texts]
        spoken_words += [Spoken("transport", mode, WAYS[mode]) for mode in words.modes.values()]
    word_by_text = {(one.part, one.text): one for one in sorted(spoken_words, key=lambda one: one.value)
            if one.value and one.value not in NEVER_SAID}  # fmt: skip
    return tuple(sorted(word_by_text.values(), key=lambda one: (-len(one.text), one.part, one.text)))


def _below(kinds: set[str]) -> set[str]:
    """Return the kinds that are part of one of these."""
    all_kinds = set(kinds)
    while more := {kind for kind, parents in PARENTS.items() if set(parents) & all_kinds} - all_kinds:
        all_kinds |= more
    return all_kinds


def word_of(part: Part, value: str, language: Language, *, is_many: bool = False) -> str | None:
    """Return how a thing is called; None for what has no word, which is then not spoken of.

    A stay is one of its kind, or all of them where `is_many`.
    """
    if part == "hotel" and language == "en":
        return STAYS[value][is_many] if value in STAYS else None
    return next((one.text for one in lexicon(language) if one.part == part and one.value == value), None)


@cache
def by_text(language: Language) -> dict[str, tuple[Spoken, ...]]:
    """Return what each word, in lower case, can mean; one may be of two parts, such as a kind of sight and of meal."""
    meanings: dict[str, tuple[Spoken, ...]] = {}
    for one in lexicon(language):
        meanings[one.text.casefold()] = (*meanings.get(one.text.casefold(), ()), one)
    return meanings


@cache
def pattern(language: Language) -> re.Pattern[str]:
    """Return the expression that finds a word of the lexicon, in text of any case."""
    return re.compile(any_of(by_text(language), language), re.IGNORECASE)


def any_of(texts: Collection[str], language: Language) -> str:
    """Return the expression of any of the texts as words of their own, the longest first; of none it finds nothing."""
    edge = (r"(?<![\w-])", r"(?![\w-])") if language == "en" else ("", "")
    listed = "|".join(re.escape(text) for text in sorted(texts, key=lambda text: (-len(text), text)))
    return f"{edge[0]}(?:{listed}){edge[1]}" if listed else "(?!)"


_HAN = re.compile(r"[\u4e00-\u9fff]+")
_BETWEEN_WORDS = re.compile(r"\. | - |[ '’·-]")
FEWEST_LETTERS, MOST_WORDS = 3, 6
"""Of a city's name that stands without marks; a shorter one in Latin letters may be a word of the sentence."""


def is_plain_city(city: str, language: Language) -> bool:
    """Return whether a city's name can be told from the words around it, so that it stands without marks.

    Such is a name in letters of any script, the first of them no small one, that no word of ours begins.
    """
    if pattern(language).match(city) or (language == "zh" and _HAN.fullmatch(city) and len(city) < 2):
        return False
    words = _BETWEEN_WORDS.split(city)
    return (
        len(words) <= MOST_WORDS
        and all(word and all(unicodedata.category(sign)[0] in "LM" for sign in word) for word in words)
        and unicodedata.category(city[0]) in ("Lu", "Lt", "Lo")
        and (len(city) >= FEWEST_LETTERS or not city.isascii())
    )


@cache
def currency_words(currency: str, language: Language) -> tuple[str, ...]:
    """Return how a currency is written after an amount: by its name in the plural, and by its code.

    By its code alone where the name has a figure, a stop that a sentence would seem to end at, as St. Helena's has, or
    another word of ours, as Tonga's has soup in Chinese.
    """
    from babel import UnknownLocaleError
    from babel.numbers import get_currency_name

    try:
        name = get_currency_name(currency, count=2, locale=language)
    except (UnknownLocaleError, KeyError):
        name = currency
    currency_name = {"人民币": "元"}.get(name, name)
    is_plain = (
        currency_name
        and currency_name.isprintable()
        and not any(sign.isdigit() or sign in ".!?;:" for sign in currency_name)
    )
    return (currency_name, currency) if is_plain and not pattern(language).search(currency_name) else (currency,)
