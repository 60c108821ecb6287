"""Post-validation: whether a request, whoever worded it, says what its record says, once each, and nothing more."""

from __future__ import annotations

import unicodedata
from typing import Any

from assets.itinbench.section import DAYS
from assets.itinbench.tables import LIMITS, PRICES, Record
from assets.itinbench.words.reading import ATTRIBUTE_WORDS, Reading, read_request
from assets.itinbench.words.vocabulary import CUISINE_PATTERNS
from assets.language.plain_words import unexplained
from schemas.reviews import ATTRACTION_ORIENTATIONS

MAX_CHARACTERS = 1_000
"""The longest published request has 314 characters; a text three times as long says more than its record."""

_PRICE = "|".join(PRICES)
_FACTS = (
    r"(?:over )?(?:\d+|one|two|three|four)[ -]days?",
    rf"(?:{_PRICE}) budget|budget (?:is|of|should be|that is) (?:{_PRICE})",
    rf"(?:{'|'.join(ATTRACTION_ORIENTATIONS)})[ -]oriented", "|".join(CUISINE_PATTERNS), "cuisines?", "restaurants?",
    "good", "|".join(ATTRIBUTE_WORDS), "hotels?", "budget", "serv(?:e|es|ing)", "around", "travell?er",
)  # fmt: skip
_FACTS_OF_LIMITS = (
    r"at most \d+(?:\.\d+)? (?:km|price signs)", r"(?:on )?(?:each|every|a) day(?:'s)?", "as the crow flies",
    "straight lines", "hotel counted once|counting the hotel once", "added up", "round",
)  # fmt: skip
"""The words in which a record's demands may be said; every other has to be one that asks for nothing."""

PROBLEMS: dict[str, str] = {
    "missing": "The record has a demand that the text does not state.",
    "added": "The text states a demand that the record does not have.",
    "repeated": "The text states a demand more than once.",
    "grade_missing": "A preference is mentioned in a sentence that does not say `good`.",
    "other_grade": "The text grades something in another word than `good`.",
    "negation": "The text negates something.",
    "topic_unclear": "Nothing says whether a preference is about the restaurants or the hotel.",
    "topic_wrong": "A preference is asked of a kind of place that is not rated for it.",
    "length_unknown": "The trip has a length that no record has.",
    "other_number": "The text has a number that is not the trip's length.",
    "limit_unclear": "A sentence states a number of kilometres or price signs, and not of what it is the most.",
    "stranger": "The text uses a word for a wish that a record cannot hold.",
    "not_plain": "The text has characters that a request does not need: markup, line breaks, symbols.",
    "too_long": f"The text has more than {MAX_CHARACTERS} characters.",
}
"""Every name that a problem may have, which is the part before its colon."""


def validate(record: Record, text: str) -> list[str]:
    """Return everything that keeps the text from saying exactly the record; empty if nothing does.

    Each problem is `name: what was found`, the name one of `PROBLEMS`. The text is read by words (`reading.py`),
    independently of how it was written.
    """
    if len(text) > MAX_CHARACTERS:
        return [f"too_long: {len(text)} characters, at most {MAX_CHARACTERS} are read"]
    reading = read_request(text)
    problems = list(reading.doubts)
    for field, demands in (
        ("days", [record["days"]]),
        ("price", [record["price"]]),
        ("orientation", [record["orientation"]]),
        ("cuisine", [record["cuisine"]]),
        ("restaurant", record["restaurant"]),
        ("hotel", record["hotel"]),
        *((limit, [record.get(limit)] if record.get(limit) else []) for limit in LIMITS),
    ):
        stated = getattr(reading, field)
        problems += [f"missing: {field} {value}" for value in demands if value not in stated]
        problems += [f"added: {field} {value}" for value in dict.fromkeys(stated) if value not in demands]
        problems += [
            f"repeated: {field} {v}, {stated.count(v)} times" for v in dict.fromkeys(stated) if stated.count(v) > 1
        ]
    return problems


def additions(record: Record, text: str) -> list[str]:
    """Return the words of a model's text that are of no demand, and do not go without saying."""
    limits = _FACTS_OF_LIMITS if any(record.get(limit) for limit in LIMITS) else ()
    words = unexplained(unicodedata.normalize("NFKC", text), (*limits, *_FACTS))
    return [f"stranger: {word!r} is no word of the record's demands" for word in words]


def parse(text: str) -> tuple[Record | None, list[str]]:
    """Return the record that a text states, None if it states too little or too much, and every problem of the text."""
    reading = read_request(text)
    problems = list(reading.doubts)
    for field in ("days", "price", "orientation", "cuisine"):
        stated = dict.fromkeys(getattr(reading, field))
        if len(stated) != 1:
            problems.append(
                f"{'added' if stated else 'missing'}: {field} is stated as {list(stated)}, expected one value"
            )
    for field in ("restaurant", "hotel"):
        stated = dict.fromkeys(getattr(reading, field))
        if not 1 <= len(stated) <= 3:
            problems.append(f"{'added' if stated else 'missing'}: {field} preferences {list(stated)}, expected 1 to 3")
    problems += [f"added: {limit} is stated twice" for limit in LIMITS if len(set(getattr(reading, limit))) > 1]
    return _record(reading), problems


def _record(reading: Reading) -> Record | None:
    limits: Any = {limit: getattr(reading, limit)[0] for limit in LIMITS if len(set(getattr(reading, limit))) == 1}
    single = (reading.days, reading.price, reading.orientation, reading.cuisine)
    several = (reading.restaurant, reading.hotel)
    if any(len(set(values)) != 1 for values in single) or any(not 1 <= len(set(values)) <= 3 for values in several):
        return None
    if reading.days[0] not in DAYS:
        return None
    return Record(
        days=reading.days[0],
        price=reading.price[0],
        orientation=reading.orientation[0],
        cuisine=reading.cuisine[0],
        restaurant=list(dict.fromkeys(reading.restaurant)),
        hotel=list(dict.fromkeys(reading.hotel)),
        **limits,
    )
