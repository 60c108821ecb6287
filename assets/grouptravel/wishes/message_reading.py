"""Reading an opening message back: a text, whoever wrote it, as the preferences it states, with every doubt named (G4).

Each sentence must state one strength about one topic, and every word of it must be understood: a word that is neither
of strength nor of topic, names nothing, and is not known to say nothing, is a doubt. Places stand in marks; cities may,
and kinds stand in the words of `spoken.py`. Nothing here knows in which sentences `messages.py` words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

from assets.grouptravel.vocabulary import Language
from assets.grouptravel.wishes.message_words import HOLDS_SIGHT, SAYS_NOTHING, TIERS, TOPICS, Tier, Topic
from assets.grouptravel.wishes.preferences import FIELDS, STRONG, WEAK, Field, Item
from assets.grouptravel.wishes.spoken import Part, Spoken, any_of, by_text, currency_words, is_plain_city, pattern

QUOTES = ("“”", "«»", "「」", "『』", "‹›")
"""Places stand in marks that they do not hold themselves, so that any name can be read back."""
MAX_CHARACTERS = 1_000

_NAME, _NUMBER = "\ue000", "\ue001"
_QUOTED = re.compile("|".join(f"{a}([^{a}{b}]+){b}" for a, b in QUOTES))
_DIGITS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_SENTENCE = re.compile(r"[.!?;。！？；]+")
_SEPARATORS = re.compile(rf"[\s,:'，、：\-–—{_NAME}{_NUMBER}]+")
_IN = re.compile(r"(?:\bin\s|在)$", re.IGNORECASE)

_SIGNS: dict[Tier, tuple[int, int]] = {
    "must": (1, STRONG),
    "prefer": (1, WEAK),
    "avoid": (-1, WEAK),
    "reject": (-1, STRONG),
    "cap": (0, STRONG),
}
_TOPIC_OF: dict[str, Topic] = {
    "avg_budget": "budget",
    "transport": "transport",
    "max_poi_per_day": "sights_a_day",
    "max_active_hours": "hours",
    "hotel_preference": "hotel",
    "must_visit": "sight",
    "reject_visit": "sight",
    "category_pref": "kind",
    "food": "food",
}
_FIELD: dict[tuple[Topic, tuple[int, int]], Field] = {
    (next(_TOPIC_OF[part] for part in field.path if part in _TOPIC_OF), (field.sign, field.weight)): field
    for field in FIELDS
}


@dataclass(frozen=True)
class Terms:
    """What messages of one trip are read by: the names of its cities, which tell a city from an item, and its words."""

    cities: Collection[str]
    language: Language
    currency: str


@dataclass
class Reading:
    """What a message states, in order, and what is doubtful about it."""

    items: list[Item] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Token:
    """A name or word that a message says: what it names, and what it is a kind of; `""` for a name in marks."""

    text: str
    part: Part | Literal["city", ""] = ""


def read_message(text: str, terms: Terms) -> Reading:
    """Return what the text states."""
    reading = Reading()
    plain = frozenset(city for city in terms.cities if is_plain_city(city, terms.language))
    tokens: list[_Token | tuple[Spoken, ...]] = []
    pieces, at = list[str](), 0
    for match in _names(text, plain, terms.language):
        quoted = next((group for group in match.groups() if group), None)
        if quoted is not None:
            tokens.append(_Token(quoted))
        elif match[0] in plain:
            tokens.append(_Token(match[0], "city"))
        else:
            tokens.append(by_text(terms.language)[match[0].casefold()])
        pieces += [text[at : match.start()], _NAME]
        at = match.end()
    rest = "".join([*pieces, text[at:]])
    if len(rest) > MAX_CHARACTERS or not text.isprintable():
        reading.doubts.append(f"not_plain: expected one line of at most {MAX_CHARACTERS} characters beside names")
        return reading
    numbers = [match[0] for match in _DIGITS.finditer(rest)]
    for sentence in _SENTENCE.split(_DIGITS.sub(_NUMBER, rest)):
        own_tokens = [tokens.pop(0) for _ in range(sentence.count(_NAME))]
        own_numbers = [numbers.pop(0) for _ in range(sentence.count(_NUMBER))]
        if sentence.strip():
            _read_sentence(sentence, own_tokens, own_numbers, terms, reading)
    return reading


def _names(text: str, cities: frozenset[str], language: Language) -> Iterator[re.Match[str]]:
    """Yield what names something: text in marks, a city, a word for a kind; the leftmost counts, of two the longer.

    The words for kinds are many, and one expression for all trips; that of a trip's cities is soon made.
    """
    searched = (_cities(cities, language), _marked_or_spoken(language))
    matches = [expression.search(text) for expression in searched]
    while any(matches):
        leftmost = min(filter(None, matches), key=lambda match: (match.start(), -match.end()))
        yield leftmost
        at = leftmost.end()
        matches = [
            expression.search(text, at) if match is not None and match.start() < at else match
            for expression, match in zip(searched, matches, strict=True)
        ]


@cache
def _cities(cities: frozenset[str], language: Language) -> re.Pattern[str]:
    return re.compile(any_of(cities, language))


@cache
def _marked_or_spoken(language: Language) -> re.Pattern[str]:
    return re.compile(f"{_QUOTED.pattern}|(?i:{pattern(language).pattern})")


def misread(text: str, preferences: Iterable[Item], terms: Terms) -> list[str]:
    """Return what keeps the text from stating exactly the wanted preferences, each once; empty if nothing does."""
    reading = read_message(text, terms)
    stated_wishes, expected_wishes = (
        Counter((i.path, i.value) for i in items) for items in (reading.items, preferences)
    )
    missing = [
        f"missing: {path} {value!r} is not stated, or not as strongly"
        for path, value in expected_wishes - stated_wishes
    ]
    added = [
        f"added: {path} {value!r} is stated, or once more than asked for"
        for path, value in stated_wishes - expected_wishes
    ]
    return [*reading.doubts, *missing, *added]


def _read_sentence(
    sentence: str,
    tokens: list[_Token | tuple[Spoken, ...]],
    numbers: list[str],
    terms: Terms,
    reading: Reading,
) -> None:
    """Add what the sentence states, or why it cannot be told."""
    excerpt = sentence.replace(_NAME, "…").replace(_NUMBER, "#").strip()[:80]
    currency_names = "|".join(re.escape(word) for word in currency_words(terms.currency, terms.language))
    currency = re.compile(rf"(?<![A-Za-z])(?:{currency_names})(?![A-Za-z])")
    rest = currency.sub(" ", sentence).casefold().replace("’", "'")
    tiers, rest = _kinds_and_rest(TIERS[terms.language], rest)
    found_topics, rest = _kinds_and_rest(TOPICS[terms.language], rest)
    names = [_meant(token, found_topics) for token in tokens]
    about_money: list[Topic] = ["budget"] if currency.search(sentence) else []
    spoken_of: list[Topic] = [name.part for name in names if name.part and name.part != "city"]
    topics: list[Topic] = list(dict.fromkeys([*found_topics, *about_money, *spoken_of]))
    if HOLDS_SIGHT & set(topics):
        topics = [topic for topic in topics if topic != "sight"]
    words = _SEPARATORS.split(_pattern(SAYS_NOTHING[terms.language]).sub(" ", rest))
    reading.doubts += [f"added: {word[:40]!r} in {excerpt!r} is no word of what is asked for" for word in words if word]
    if not (tiers or topics or names or numbers):
        return  # a greeting
    about = _FIELD.get((topics[0], _SIGNS[tiers[0]])) if len(tiers) == len(topics) == 1 else None
    if about is None:
        strength, topic = " and ".join(tiers) or "no strength", " and ".join(topics) or "nothing known"
        reading.doubts.append(f"unclear: {excerpt!r} says {strength} about {topic}; a sentence has one of each")
    elif len(currency.findall(sentence)) != (about.path == ("avg_budget",)):
        reading.doubts.append(f"unclear: {excerpt!r}: expected {terms.currency} once with a budget, and nowhere else")
    elif about.is_list:
        city = _city(sentence, names, terms.cities) if about.per_city else None
        items = [name.text for n, name in enumerate(names) if n != city]
        if numbers or not items or (about.per_city and city is None):
            with_city = " and the city's" if about.per_city else ""
            reading.doubts.append(f"unclear: {excerpt!r}: expected the names{with_city}, and no number")
        else:
            reading.items += [Item(about, names[city].text if city is not None else "", item) for item in items]
    elif names or len(numbers) != 1:
        reading.doubts.append(f"unclear: {excerpt!r}: expected one number and no name")
    else:
        value = numbers[0].replace(",", "")
        reading.items.append(Item(about, "", float(value) if "." in value else int(value)))


def _meant(token: _Token | tuple[Spoken, ...], topics: list[Topic]) -> _Token:
    """Return what a word means where it could be of two parts: the one that the sentence speaks of, else the first."""
    if isinstance(token, _Token):
        return token
    one = next((spoken for spoken in token if spoken.part in topics), token[0])
    return _Token(one.value, one.part)


def _kinds_and_rest(patterns: Mapping[Any, str], text: str) -> tuple[list[Any], str]:
    """Return the kinds of which the text holds a phrase, and the text without those phrases."""
    kinds = []
    for kind, phrases in patterns.items():
        text, count = _pattern(phrases).subn(" ", text)
        kinds += [kind] if count else []
    return kinds, text


def _city(sentence: str, names: list[_Token], cities: Collection[str]) -> int | None:
    """Return which of the names is the city: of those that are one, the one at a word of place, else the first."""
    are_cities = [n for n, name in enumerate(names) if name.text in cities and name.part in ("city", "")]
    parts = sentence.split(_NAME)
    placed = [n for n in are_cities if _IN.search(parts[n]) or parts[n + 1].startswith("的")]
    return next(iter([*placed, *are_cities]), None)


@cache
def _pattern(phrases: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z'])(?:{phrases})(?![a-z'])")
