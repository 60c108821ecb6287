"""What an agent's question is about: topics, cities, things named, and whether it asks somebody to give way.

Users answer by it, and a user by a model is held to it: who is asked about food says nothing of a budget. The words
are searched for, wherever they stand; a question in other words is about nothing known.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from assets.grouptravel.vocabulary import Language
from assets.grouptravel.wishes.message_reading import QUOTES
from assets.grouptravel.wishes.message_words import Topic
from assets.grouptravel.wishes.preferences import Field, Item, Table, items_of
from assets.grouptravel.wishes.spoken import word_of

FIELD_TOPICS: Mapping[str, Topic] = {
    "avg_budget": "budget", "transport": "transport", "max_poi_per_day": "sights_a_day", "max_active_hours": "hours",
    "hotel_preference": "hotel", "must_visit": "sight", "reject_visit": "sight", "category_pref": "kind",
    "food": "food",
}  # fmt: skip

_TOPICS: Mapping[Language, Mapping[Topic, str]] = {
    "en": {
        "budget": r"budget|spend|afford|cost|pay|money",
        "sights_a_day": r"(?:how many|number of|most) (?:sights|places|attractions)|"
        r"(?:sights?|places|attractions) (?:a|per|each|every|in (?:a|one)) day",
        "hours": r"hours?|how long|on your feet|active",
        "kind": r"(?:kinds?|types?|sorts?) of (?:sights?|places|attractions)|"
        r"(?:sights?|places|attractions) of (?:a|the|this|what|which) (?:kind|type)",
        "hotel": r"hotels?|stay(?:ing)?|sleep(?:ing)?|accommodation|nights?|lodging",
        "transport": r"travel(?:ling)? (?:there|by|between)|between (?:the )?cities|transport|"
        r"by (?:plane|train|car|high-speed)|get there",
        "food": r"food|eat(?:ing)?|meals?|restaurants?|dish(?:es)?|cuisines?",
        "sight": r"sights?|see|seeing|visit(?:ing)?|attractions|places",
    },
    "zh": {
        "budget": r"预算|花费|花|费用|多少钱",
        "sights_a_day": r"几个景点|多少个?景点|个景点",
        "hours": r"小时|活动多久|多长时间",
        "kind": r"(?:哪|什么|这|种|类)[^，。？]{0,3}(?:类|类型|种)[^，。？]{0,2}景点|景点类型",
        "hotel": r"住宿|入住|住|酒店",
        "transport": r"交通|乘坐|怎么去|出行方式",
        "food": r"吃|美食|餐",
        "sight": r"景点|参观|游览|想看|想去|不想去",
    },
}
"""Words of a topic, searched for in this order; a word of one is not searched again for the next."""

_GIVE_WAY: Mapping[Language, str] = {
    "en": r"give up|do without|could you (?:accept|live with)|can you (?:accept|live with)|raise|compromise|let go of|"
    r"be all right with",
    "zh": r"放弃|能不能接受|能接受|让步|提高|妥协|将就",
}
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_NAMES = re.compile("@[A-Za-z]+[0-9]*|" + "|".join(f"{a}[^{a}{b}]+{b}" for a, b in QUOTES))


@dataclass(frozen=True)
class Question:
    """What a message asks: topics, cities (none: all), numbers, and whether somebody is to give way."""

    text: str
    topics: frozenset[Topic]
    cities: frozenset[str]
    numbers: tuple[float, ...]
    gives_way: bool


def read_question(text: str, cities: Collection[str], language: Language) -> Question:
    """Return what the message asks; what a name in marks says is no topic."""
    rest = _NAMES.sub(" ", text).casefold()
    is_giving = re.search(_GIVE_WAY[language], rest) is not None
    numbers = tuple(float(number.replace(",", "")) for number in _NUMBER.findall(rest))
    topics: set[Topic] = set()
    for topic, words in _TOPICS[language].items():
        edged = rf"(?<![a-z])(?:{words})(?![a-z])"
        rest, count = re.subn(edged, " ", rest)
        topics |= {topic} if count else set()
    named_cities = frozenset(city for city in cities if city and city in text)
    return Question(text, frozenset(topics), named_cities, numbers, is_giving)


def topic_of(field: Field) -> Topic:
    """Return what a field is about."""
    return next(FIELD_TOPICS[part] for part in field.path if part in FIELD_TOPICS)


def asked_items(question: Question, table: Table, language: Language) -> list[Item]:
    """Return the items of a table that the question asks for: of its topics and cities, and those it names itself."""
    return [
        item
        for item in items_of(table)
        if (not item.field.per_city or not question.cities or item.city in question.cities)
        and (topic_of(item.field) in question.topics or is_named(item, question.text, language))
    ]


def is_named(item: Item, text: str, language: Language) -> bool:
    """Return whether a text says an item: its name, the word for it, or its number."""
    if not item.field.is_list:
        return float(item.value) in {float(number.replace(",", "")) for number in _NUMBER.findall(text)}
    return any(_stands_in(word, text, language) for word in words_of(item, language))


def words_of(item: Item, language: Language) -> list[str]:
    """Return what a list item may be called in a text."""
    part = {"kind": "kind", "food": "food", "hotel": "hotel", "transport": "transport"}.get(topic_of(item.field))
    spoken: Iterable[str | None] = ()
    if part is not None:
        spoken = (word_of(part, item.value, language, is_many=many) for many in (False, True))  # type: ignore[arg-type]
    return list(dict.fromkeys([item.value, *(word for word in spoken if word)]))


def _stands_in(word: str, text: str, language: Language) -> bool:
    word, text = word.casefold(), text.casefold()
    if language == "zh" or not word.isascii():
        return word in text
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) is not None
