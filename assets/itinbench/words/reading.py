"""Reading a request back: a text, whoever wrote it, as the record it states, with every doubt named.

Words and positions only; nothing here knows how `wording.py` writes. What a text must say is `rules.py`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache

from assets.itinbench.section import DAYS
from assets.itinbench.tables import PRICES
from assets.itinbench.words.vocabulary import (
    CUISINE_PATTERNS,
    GRADES,
    LIMIT_WORDS,
    NEGATIONS,
    NOUNS,
    NUMBER_WORDS,
    STRANGERS,
    TOPICS,
)
from schemas.reviews import ATTRACTION_ORIENTATIONS, RESTAURANT_ATTRIBUTES, STAY_ATTRIBUTES

ATTRIBUTES_OF = {"restaurant": RESTAURANT_ATTRIBUTES, "hotel": STAY_ATTRIBUTES}
ATTRIBUTE_WORDS = tuple(dict.fromkeys((*RESTAURANT_ATTRIBUTES, *STAY_ATTRIBUTES)))
_NUMBER = rf"\d+|{'|'.join(NUMBER_WORDS)}"
_LENGTH = re.compile(rf"\b({_NUMBER})[\s-]*days?\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_PLAIN = re.compile(r"[A-Za-z0-9 .,;:!?'()\-]*")


@dataclass
class Reading:
    """What a text states, each demand as often as it states it, and what is doubtful about the text itself."""

    days: list[int] = field(default_factory=list)
    price: list[str] = field(default_factory=list)
    orientation: list[str] = field(default_factory=list)
    cuisine: list[str] = field(default_factory=list)
    restaurant: list[str] = field(default_factory=list)
    hotel: list[str] = field(default_factory=list)
    most_walk_m: list[int] = field(default_factory=list)
    most_signs: list[int] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)


def read_request(text: str) -> Reading:
    """Return what the text states. Preferences are given to restaurants or hotel by the nearest word that names one."""
    reading = Reading()
    plain = _without_limits(_plain(text), reading)
    reading.days = [_number(match[1]) for match in _LENGTH.finditer(plain)]
    reading.price = [m.lower() for m in re.findall(rf"\b({'|'.join(PRICES)})\b", plain, re.IGNORECASE)]
    orientations = rf"\b({'|'.join(ATTRACTION_ORIENTATIONS)})[\s-]*oriented\b"
    reading.orientation = [m.lower() for m in re.findall(orientations, plain, re.IGNORECASE)]
    places = sorted(
        (m.start(), c) for p, c in CUISINE_PATTERNS.items() for m in re.finditer(rf"\b(?:{p})(?!\w)", plain)
    )
    reading.cuisine = [cuisine for _, cuisine in places]
    topic = ""
    for sentence in _SENTENCE.split(plain):
        topic = _read_sentence(sentence.lower(), topic, reading)
    reading.doubts += _doubts(plain, reading)
    return reading


def _without_limits(plain: str, reading: Reading) -> str:
    """Add the limits that sentences of their own state to what was found; return the text without these sentences.

    A limit is a number of kilometres of a day's way, or of price signs of the whole trip, that is said to be the most.
    """
    other_sentences = []
    for sentence in re.split(f"({_SENTENCE.pattern})", plain):
        stated = [(name, m) for name, (unit, _) in LIMIT_WORDS.items() for m in re.finditer(unit, sentence, re.I)]
        if not stated:
            other_sentences.append(sentence)
            continue
        name, match = stated[0]
        needs = LIMIT_WORDS[name][1]
        lacking = [what for what in needs if not re.search(what, sentence, re.IGNORECASE)]
        if len(stated) > 1 or lacking or len(re.findall(r"\d+(?:\.\d+)?", sentence)) > 1:
            reading.doubts.append(f"limit_unclear: {sentence[:80]!r} does not say one limit")
        elif name == "most_walk_m":
            reading.most_walk_m.append(round(float(match[1]) * 1000))
        else:
            reading.most_signs.append(int(match[1]))
    return "".join(other_sentences)


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).replace("\u2019", "'").replace("\u2018", "'")
    return re.sub(r"[\u2010-\u2015]", "-", folded)


def _number(word: str) -> int:
    return NUMBER_WORDS.get(word.lower()) or int(word)


def _read_sentence(sentence: str, topic: str, reading: Reading) -> str:
    """Add the sentence's preferences to what was found; return the topic that the next sentence starts with."""
    topics = sorted((m.start(), name) for name, words in TOPICS.items() for m in _word(words).finditer(sentence))
    stated = list(_word("|".join(ATTRIBUTE_WORDS)).finditer(sentence))
    if stated and not _word("good").search(sentence):
        reading.doubts.append(f"grade_missing: {stated[0][0]} is mentioned in a sentence without `good`")
    for match in stated:
        about = _noun_after(sentence, match.end()) or _topic_at(topics, match.start(), topic)
        attribute = match[0]
        if about not in ATTRIBUTES_OF:
            reading.doubts.append(
                f"topic_unclear: nothing says whether {attribute} is asked of restaurants or the hotel"
            )
        elif attribute not in ATTRIBUTES_OF[about]:
            reading.doubts.append(f"topic_wrong: {attribute} is asked of the {about}, which is not rated for it")
        else:
            getattr(reading, about).append(attribute)
    return topics[-1][1] if topics else topic


def _noun_after(sentence: str, end: int) -> str:
    """Return the topic whose noun the preference stands right before, as in `good quality hotel`; empty if none."""
    link = r"(?:\s*,?\s*(?:and\s+)?(?:a\s+)?good\s+\w+)*\s+"
    name = "(?:" + "|".join(CUISINE_PATTERNS).lower() + r")\s+(?:cuisine\s+)?"
    for topic, nouns in NOUNS.items():
        if re.match(rf"{link}(?:{name})?(?:{nouns})\b", sentence[end:], re.IGNORECASE):
            return topic
    return ""


def _topic_at(topics: list[tuple[int, str]], position: int, before: str) -> str:
    """Return the last topic named before the position, else the first after it, else the previous sentence's."""
    earlier = [name for start, name in topics if start < position]
    return earlier[-1] if earlier else topics[0][1] if topics else before


def _doubts(plain: str, reading: Reading) -> list[str]:
    """Return what a request should not hold: other grades, negations, other numbers, strangers, markup."""
    doubts = []
    words = re.findall(r"[a-z][a-z'-]*", plain.lower())
    for name, listed in (("other_grade", GRADES), ("negation", NEGATIONS), ("stranger", STRANGERS)):
        doubts += [f"{name}: the text says {word!r}" for word in dict.fromkeys(words) if word in listed]
    text_without_length = _LENGTH.sub(" ", plain)
    others = [m for m in _word(_NUMBER).findall(text_without_length) if m.lower() != "one"]
    doubts += [f"other_number: {number} is not the length of the trip" for number in others]
    doubts += [
        f"length_unknown: {n} days; a trip has {', '.join(map(str, DAYS))}" for n in reading.days if n not in DAYS
    ]
    if not _PLAIN.fullmatch(plain):
        strange = "".join(dict.fromkeys(c for c in plain if not _PLAIN.fullmatch(c)))
        doubts.append(f"not_plain: characters that a request does not need: {strange[:20]!r}")
    return doubts


@cache
def _word(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)
