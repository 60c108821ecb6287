"""The rules engine's wording: a record told as a request, from the sentences of `phrases.py`, chosen by the task.

Reading a wording back belongs in `rules.py`, which judges a model's wording just the same. The persona is given beside
the query, not in it, as published (1.D).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence

from assets.family import Worded
from assets.tripcraft import phrases
from assets.tripcraft.draws import Draws
from assets.tripcraft.names import region_name
from assets.tripcraft.numbers import MONTHS, NUMBER_WORDS, SIGNS
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.rules import disagreements
from schemas.counts import listed
from schemas.stable import content_hash

VOWELS = "AEIOUaeiou"

Pick = Callable[[str, Sequence[str]], str]
"""How one of several wordings of a part is chosen."""


def word(task_id: str, record: Record, world: Reference, seed: int) -> Worded:
    """Return the record in words: the published text if there is one that says it, else one of templates."""
    query = world.queries.get(content_hash(record)) if world.queries else None
    is_kept = query is not None and not disagreements(query, record, world)
    return Worded(query if query is not None and is_kept else request(record, world, seed=seed, task_id=task_id))


def request(record: Record, reference: Reference, *, seed: int, task_id: str) -> str:
    """Return the record as a request in English, with every fact of it and no other; the level is never named."""
    draws = Draws(seed, task_id, 0)
    people = record["people"]
    when = _when(record["dates"], draws.one("when", phrases.WHENS))
    words = {
        **_voice(people),
        **_numbers(people),
        "days": draws.one("days", (str(record["days"]), NUMBER_WORDS[record["days"]])),
        "party": draws.one("party", _parties(people)),
        "origin": reference.cities[record["origin_city_id"]].name,
        "where": _where(record, reference),
        "when": when,
        "When": _capitalized(when),
        "amount": _amount(record["budget"], reference.currency),
    }
    sentences: list[str] = []
    for part in draws.one("layout", phrases.LAYOUTS).split():
        if part == "wishes":
            sentences += draws.order("wishes", wishes(record, draws.one).values())
        elif part == "party":
            sentences.append(draws.one(part, _party_sentences(people)).format_map(words))
        else:
            sentences.append(draws.one(part, phrases.SENTENCES[part]).format_map(words))
    return " ".join(sentences)


def wishes(record: Record, pick: Pick) -> dict[str, str]:
    """Return the sentence of each constraint that the record has, in the words that are picked."""
    constraints = record["constraints"]
    words: dict[str, tuple[str, dict[str, str]]] = {}
    if constraints["house_rule"]:
        words["house_rule"] = "house_rule", _rule(constraints["house_rule"])
    if constraints["room_type"]:
        words["room_type"] = "room_type", {"room": _room(constraints["room_type"], record["people"])}
    if constraints["cuisine"]:
        words["cuisine"] = "cuisine", _food(constraints["cuisine"])
    if constraints["attraction"]:
        words["attraction"] = "attraction", _sights(constraints["attraction"])
    if constraints["event"]:
        words["event"] = "event", {"events": _events(constraints["event"])}
    if constraints["transportation"]:
        words["transportation"] = constraints["transportation"], {}
    voice = _voice(record["people"])
    return {
        name: pick(part, phrases.SENTENCES[part]).format_map({**voice, **part_words})
        for name, (part, part_words) in words.items()
    }


def plain_wishes(record: Record) -> dict[str, str]:
    """Return the sentence of each constraint in its first wording, which says it shortest."""
    return wishes(record, lambda _, sentences: sentences[0])


def _voice(people: int) -> Mapping[str, str]:
    """Return how those who ask speak of themselves."""
    return phrases.OF_ONE if people == 1 else phrases.OF_MANY


def _parties(people: int) -> list[str]:
    return [who.format_map(_numbers(people)) for who in phrases.PARTIES.get(people, phrases.MANY)]


def _party_sentences(people: int) -> tuple[str, ...]:
    return phrases.PARTY_SENTENCES.get(people, phrases.MANY_SENTENCES)


def _numbers(people: int) -> dict[str, str]:
    word = NUMBER_WORDS[people] if people < len(NUMBER_WORDS) else str(people)
    return {"number": str(people), "word": word, "Word": _capitalized(word)}


def _rule(rule: str) -> dict[str, str]:
    return {"rule": rule, "is_are": "is" if rule == "smoking" else "are"}


def _room(room: str, people: int) -> str:
    """Return what the room must be; more than two people want several."""
    return phrases.ROOMS[room][people > 2].format_map(_voice(people))


def _food(cuisines: Sequence[str]) -> dict[str, str]:
    return {"food": listed(cuisines), "once": "at least once" if len(cuisines) == 1 else "each at least once"}


def _sights(kinds: Sequence[str]) -> dict[str, str]:
    """Return what is said of kinds of sights, which read like what people like, not like labels."""
    such, one = ("to such a place", "one such place") if len(kinds) == 1 else ("to a place of each kind", "one of each")
    return {"kinds": listed([kind.lower() for kind in kinds]), "such": such, "one": one}


def _events(kinds: Sequence[str]) -> str:
    return listed([f"{'an' if kind[0] in VOWELS else 'a'} {kind.lower()} event" for kind in kinds])


def _where(record: Record, reference: Reference) -> str:
    if record["dest_city_id"] is not None:
        return reference.cities[record["dest_city_id"]].name
    where = region_name(record["dest_region"], record["dest_country"])
    return f"{NUMBER_WORDS[record['visiting_city_number']]} cities in {where}"


def _when(dates: Sequence[str], form: tuple[str, str]) -> str:
    """Return the first and the last date; the year stands once unless the trip ends in the next."""
    first, last = dt.date.fromisoformat(dates[0]), dt.date.fromisoformat(dates[-1])
    between, day = form
    comma = ", " if day.startswith("{month}") else " "
    begins = f"{_day(first, day)}{comma}{first.year}" if first.year != last.year else _day(first, day)
    return between.format(first=begins, last=f"{_day(last, day)}{comma}{last.year}")


def _day(date: dt.date, form: str) -> str:
    return form.format(month=MONTHS[date.month - 1], day=date.day)


def _amount(amount: int, currency: str) -> str:
    """Return an amount as people write it: with the currency's sign, or its code where the sign is not its own."""
    return f"{SIGNS[currency]}{amount:,}" if currency in SIGNS else f"{amount:,} {currency}"


def _capitalized(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
