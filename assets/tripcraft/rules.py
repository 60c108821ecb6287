"""Post-validation: what a query says, read back and held against the record, whoever worded it.

A query is untrusted text: it is only searched. Of one that a model worded, every word has to be of a fact, or one that
asks for nothing. Names of cities and regions are taken out first, so that "American Fork"
is no cuisine and "Reading" no pastime.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from assets.family import Worded
from assets.language.plain_words import unexplained
from assets.tripcraft.names import region_name
from assets.tripcraft.numbers import MONTHS, NUMBER_WORDS, SIGNS
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.vocabulary import CATEGORY_DURATION_H, FORBIDDEN_BY, QUERY_CUISINES, SEGMENTS

_NUMBER = rf"(\d+|{'|'.join(NUMBER_WORDS)})"
_DAYS = re.compile(rf"\b{_NUMBER}[- ]days?\b|\b{_NUMBER} nights? and {_NUMBER} days?\b", re.IGNORECASE)
_CITIES = re.compile(rf"\b{_NUMBER} (?:different |distinct )?(?:cities|towns|city|town)\b", re.IGNORECASE)
_PEOPLE = re.compile(
    rf"\b(?:group|party|family|team) of {_NUMBER}\b"
    rf"|\b{_NUMBER} (?:people|persons?|travell?ers?|adults?|guests?|friends|of us)\b",
    re.IGNORECASE,
)
_ALONE = re.compile(r"\b(?:solo|alone|by myself|just me|on my own)\b", re.IGNORECASE)
_COUPLE = re.compile(r"\b(?:couple|the two of us|both of us)\b", re.IGNORECASE)
_MONTH = "|".join(f"{name}|{name[:3]}\\.?" for name in MONTHS)
_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(\d{{4}})\b)?", re.IGNORECASE)
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({_MONTH})\b(?:,?\s+(\d{{4}})\b)?", re.IGNORECASE)
_LEAVING = re.compile(r"(?:\bfrom|\bleaving|\bdeparting|\bout of|\bbased in|\bstarting (?:in|at))\s+$", re.IGNORECASE)
_ROOMS = {
    "not shared room": re.compile(r"\b(?:non-shared|not? (?:a )?shared|unshared) rooms?\b", re.IGNORECASE),
    "shared room": re.compile(r"\bshared rooms?\b", re.IGNORECASE),
    "private room": re.compile(r"\bprivate rooms?\b", re.IGNORECASE),
    "entire room": re.compile(r"\bentire (?:room|home|place|apartment|house)s?\b", re.IGNORECASE),
}
_NOT = r"(?:\b(?:no|without|avoid\w*|rather not|not?)|n['’]t)\b[^.;!?]{0,30}"
_TRANSPORT = {
    "no self-driving": re.compile(rf"{_NOT}\b(?:self-driving|driv(?:e|ing) (?:ourselves|myself))", re.IGNORECASE),
    "no flight": re.compile(rf"{_NOT}\b(?:fly\w*|flights?)", re.IGNORECASE),
}

MAX_CHARACTERS = 1_500
_CEILING = r"(?:at most|no more than|not more than|up to|not (?:(?:want|wish|like) to )?spend more than)"
_NO_EXCESS = (
    r"(?:not|cannot|can['’]t) (?:to )?(?:exceed|go over)(?: (?:a|our|my|the))?", r"without (?:exceeding|going over)",
)  # fmt: skip
"""How a budget is said to be the most; what says that it is the least, or for each, is of no fact."""
_ONCE = (
    r"(?:each )?at least (?:one|once)(?: of each| each)?|one of each|(?:of )?each (?:kind|type)|each of (?:these|them)"
)
_ASKED = {
    "house_rule": (r"allow(?:s|ed|ing)?", r"permit(?:s|ted|ting)?", r"accept(?:s|ed|ing)?", r"okay"),
    "room_type": (r"rooms?",),
    "cuisine": (_ONCE, r"foods?", r"cuisines?", r"dish(?:es)?", r"restaurants?", r"try", r"taste"),
    "event": (_ONCE, r"events?", r"attend(?:ing)?", r"catch", r"kinds?", r"types?"),
    "attraction": (_ONCE, r"kinds?", r"types?"),
    "transportation": (
        r"(?:not|rather not|will not|won['’]t|don['’]t|never) (?:want to |wish to |like to |be )?"
        r"(?:fly(?:ing)?|take (?:a |any )?flights?|driv(?:e|ing) (?:ourselves|myself))",
        r"(?:no|without|avoid(?:ing)?|skip(?:ping)?) (?:any )?"
        r"(?:fly(?:ing)?|flights?|self-driving|driving (?:ourselves|myself))",
        r"(?:flying|self-driving) is not an option",
    ),
}  # fmt: skip
"""The words in which a wish may be said, where the record has it."""
_OF_REQUESTS = ("group", "party", "family", "team", "traveler", "travelers", "traveller", "travellers")


def read(words: Worded, record: Record, world: Reference) -> list[str]:
    """Return what the words say otherwise than the record; of a model's words, also what they say beside it."""
    otherwise = disagreements(words.query, record, world)
    return [*otherwise, *additions(words.query, record, world)] if words.generation_ids else otherwise


def additions(text: str, record: Record, reference: Reference) -> list[str]:
    """Return the words and signs of the text that are of no fact of the record, and do not go without saying."""
    if len(text) > MAX_CHARACTERS:
        return [f"added: {len(text)} characters, at most {MAX_CHARACTERS} say a record"]
    constraints, nights = record["constraints"], record["days"] - 1
    rest = _take_names(text, _names(record, reference))[0].replace("§", " ")
    code, sign = re.escape(reference.currency), re.escape(SIGNS.get(reference.currency, reference.currency))
    money = rf"(?:{code}|{sign})? ?{record['budget']:,}(?:\.0+)? ?(?:{code}|{sign})?".replace(",", ",?")
    kinds = {kind for name in ("cuisine", "event", "attraction") for kind in constraints[name] or ()}
    wishes = (form for name, forms in _ASKED.items() if constraints[name] for form in forms)
    facts = [
        *map(re.escape, sorted(kinds, key=lambda kind: (-len(kind), kind))),
        *([constraints["house_rule"]] if constraints["house_rule"] else []),
        *([_ROOMS[constraints["room_type"]].pattern] if constraints["room_type"] else []), *wishes,
        _ISO.pattern, _MONTH_FIRST.pattern, _DAY_FIRST.pattern, *_NO_EXCESS,
        rf"{_CEILING} (?:a (?:total|budget) of )?{money}", rf"{money}(?: (?:in all|altogether))? at most", money,
        _DAYS.pattern, rf"(?:{nights}|{_word(nights)}) nights?", _CITIES.pattern, _PEOPLE.pattern, _ALONE.pattern,
        _COUPLE.pattern,
    ]  # fmt: skip
    return [f"added: {word!r} is no word of the record's facts" for word in unexplained(rest, facts, _OF_REQUESTS)]


def read_back(text: str, record: Record, reference: Reference) -> dict[str, Any]:
    """Return what the text says, as the facts of a record: None or empty where it says nothing.

    Place names cannot be told from other words without knowing them, so those of the reference are looked for; of the
    record only the names it holds are used, to tell a region's name from a city's.
    """
    cuisines = {*QUERY_CUISINES, *(record["constraints"]["cuisine"] or ())}
    canonical_names = {c.region: region_name(c.region, c.country) for c in reference.cities.values()}
    return facts_of(text, _names(record, reference), canonical_names, cuisines, reference.currency)


def facts_of(
    text: str, names: Iterable[str], canonical_names: Mapping[str, str], cuisines: Iterable[str], currency: str
) -> dict[str, Any]:
    """Return what the text says: the names of these that it holds, the longest first, and the facts of a record.

    `canonical_names` says which other name a name stands for.
    """
    rest, mentions, origins = _take_names(text, names)
    return {
        "places": sorted({canonical_names.get(name, name) for name in mentions}),
        "origin": sorted({canonical_names.get(name, name) for name in origins}),
        "days": _one(_DAYS, rest),
        "cities": _one(_CITIES, rest),
        "people": _people(rest),
        "dates": _dates(rest),
        "budget": _budget(rest, currency),
        "house_rule": [rule for rule in FORBIDDEN_BY if re.search(rf"\b{rule}\b", rest, re.IGNORECASE)],
        "room_type": _first_of_each(_ROOMS, rest),
        "cuisine": _mentioned(cuisines, rest),
        "event": _mentioned(SEGMENTS, _text_without(rest, CATEGORY_DURATION_H)),
        "attraction": _mentioned(CATEGORY_DURATION_H, rest),
        "transportation": _first_of_each(_TRANSPORT, rest),
    }


def expected_facts(record: Record, reference: Reference) -> dict[str, Any]:
    """Return what `read_back` must find in a faithful wording of the record."""
    constraints = record["constraints"]
    origin = reference.cities[record["origin_city_id"]].name
    is_region = record["dest_city_id"] is None
    region = region_name(record["dest_region"], record["dest_country"])
    dest = region if is_region else reference.cities[record["dest_city_id"] or ""].name
    return {
        "places": sorted({origin, dest}),
        "origin": [origin],
        "days": record["days"],
        "cities": record["visiting_city_number"] if is_region else None,
        "people": record["people"],
        "dates": [record["dates"][0], record["dates"][-1]],
        "budget": record["budget"],
        "house_rule": [constraints["house_rule"]] if constraints["house_rule"] else [],
        "room_type": [constraints["room_type"]] if constraints["room_type"] else [],
        "cuisine": sorted(constraints["cuisine"] or ()),
        "event": sorted(constraints["event"] or ()),
        "attraction": sorted(constraints["attraction"] or ()),
        "transportation": [constraints["transportation"]] if constraints["transportation"] else [],
    }


def disagreements(text: str, record: Record, reference: Reference) -> list[str]:
    """Return every fact that the text leaves out, adds or changes, in words; none for a faithful wording."""
    facts, expected = read_back(text, record, reference), expected_facts(record, reference)
    return [
        f"{fact}: the query says {facts[fact]!r}, the record {expected[fact]!r}"
        for fact in expected
        if facts[fact] != expected[fact] and not (fact == "cities" and facts[fact] == record["visiting_city_number"])
    ]


def _names(record: Record, reference: Reference) -> list[str]:
    """Return the names to look for, the longest first. A region that is a number, such as 18, is no name in a text."""
    cities = reference.cities.values()
    names = {name for c in cities for name in (c.name, c.region, region_name(c.region, c.country))}
    spelt = {name for name in names if any(letter.isalpha() for letter in name)}
    region_names = {record["dest_region"]} - {""} if record["dest_city_id"] is None else set()
    return sorted(spelt | region_names, key=lambda name: (-len(name), name))


def _take_names(text: str, names: Iterable[str]) -> tuple[str, list[str], list[str]]:
    """Return the text with a mark for each name, the names found, and those that a trip is said to leave from."""
    mentions, origins, rest = [], [], text
    for name in names:
        if name not in rest:
            continue
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", rest):
            mentions.append(name)
            if _LEAVING.search(rest[: match.start()]):
                origins.append(name)
        rest = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "§", rest)
    return rest, mentions, origins


def _number(text: str) -> int:
    return int(text) if text.isdigit() else NUMBER_WORDS.index(text.lower())


def _word(number: int) -> str:
    return NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else str(number)


def _one(pattern: re.Pattern[str], text: str) -> int | None:
    """Return the one number that all matches give, or None."""
    numbers = {_number([group for group in match.groups() if group][-1]) for match in pattern.finditer(text)}
    return numbers.pop() if len(numbers) == 1 else None


def _people(text: str) -> int | None:
    numbers = {_number(next(g for g in match.groups() if g)) for match in _PEOPLE.finditer(text)}
    numbers |= {1} if _ALONE.search(text) else set()
    numbers |= {2} if _COUPLE.search(text) else set()
    return numbers.pop() if len(numbers) == 1 else None


def _dates(text: str) -> list[str]:
    """Return the first and last date named, ISO; a date without a year has that of another date in the text."""
    months = {name[:3].lower(): i for i, name in enumerate(MONTHS, start=1)}
    parts = [(int(m[1]), int(m[2]), int(m[3])) for m in _ISO.finditer(text)]
    parts += [(int(m[3] or 0), months[m[1][:3].lower()], int(m[2])) for m in _MONTH_FIRST.finditer(text)]
    if not parts:
        parts = [(int(m[3] or 0), months[m[2][:3].lower()], int(m[1])) for m in _DAY_FIRST.finditer(text)]
    years = {year for year, _, _ in parts if year}
    if len(years) == 1:
        parts = [(year or next(iter(years)), month, day) for year, month, day in parts]
    dates = sorted({f"{year:04d}-{month:02d}-{day:02d}" for year, month, day in parts})
    return [dates[0], dates[-1]] if dates else []


def _budget(text: str, currency: str) -> int | None:
    """Return the one amount of the currency that the text names, by its code or, of some, by its sign."""
    code, sign = re.escape(currency), re.escape(SIGNS.get(currency, currency))
    amounts = re.findall(rf"(?<![\d,.])(\d[\d,]*)(?:\.0+)?\s*(?:{code}\b|{sign})", text)
    amounts += re.findall(rf"(?:\b{code}|{sign})\s*(\d[\d,]*)", text)
    budgets = {int(amount.replace(",", "")) for amount in amounts}
    return budgets.pop() if len(budgets) == 1 else None


def _mentioned(kinds: Iterable[str], text: str) -> list[str]:
    return sorted(kind for kind in kinds if re.search(rf"(?<!\w){re.escape(kind)}(?!\w)", text, re.IGNORECASE))


def _text_without(text: str, kinds: Iterable[str]) -> str:
    for kind in kinds:
        text = re.sub(re.escape(kind), "§", text, flags=re.IGNORECASE)
    return text


def _first_of_each(patterns: dict[str, re.Pattern[str]], text: str) -> list[str]:
    """Return the values whose pattern the text holds, each match taken out before the next is looked for."""
    values = []
    for value, pattern in patterns.items():
        if pattern.search(text):
            values.append(value)
            text = pattern.sub("§", text)
    return sorted(values)
