"""The rules engine's wording: a record told as a request, from templates chosen by the task.

Reading a wording back belongs in `rules.py`, which judges a model's wording just the same. The persona is given beside
the query, not in it, as published (1.D).
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from assets.family import Worded
from assets.tripcraft.draws import Draws
from assets.tripcraft.names import region_name
from assets.tripcraft.numbers import MONTHS, NUMBER_WORDS, SIGNS
from assets.tripcraft.reference import Reference
from assets.tripcraft.rules import disagreements
from assets.tripcraft.tables import Record
from schemas.stable import content_hash

OPENINGS = (
    "Please plan a {days}-day trip for {party} from {origin} to {where}, {when}.",
    "Could you put together a {days}-day itinerary for {party}, leaving from {origin} and visiting {where}, {when}?",
    "We need a travel plan: {days} days in {where} for {party}, departing from {origin}, {when}.",
    "Design a journey of {days} days for {party} that starts from {origin} and takes in {where}, {when}.",
)

BUDGETS = (
    "The budget for the whole trip is {amount}.",
    "In total it may cost no more than {amount}.",
    "Please keep all expenses within {amount}.",
)

ROOMS = {
    "shared room": "We are looking for a shared room.",
    "not shared room": "We would rather have a non-shared room.",
    "private room": "We want a private room.",
    "entire room": "We want an entire room to ourselves.",
}

RULES = {
    "parties": "The place should be one where parties are allowed.",
    "smoking": "The place should be one where smoking is allowed.",
    "children under 10": "The place should be one where children under 10 are allowed.",
    "visitors": "The place should be one where visitors are allowed.",
    "pets": "The place should be one where pets are allowed.",
}

TRANSPORT = {
    "no flight": "We do not want to fly.",
    "no self-driving": "We would rather not be driving ourselves.",
}


VOWELS = "AEIOUaeiou"

OF_ONE = ((r"^We are\b", "I am"), (r"^We\b", "I"), (r"\bourselves\b", "myself"))
"""What a party says, and what one person says instead."""


def word(task_id: str, record: Record, world: Reference, seed: int) -> Worded:
    """Return the record in words: the published text if there is one that says it, else one of templates."""
    given = world.queries.get(content_hash(record)) if world.queries else None
    is_kept = given is not None and not disagreements(given, record, world)
    return Worded(given if given is not None and is_kept else request(record, world, seed=seed, task_id=task_id))


def request(record: Record, reference: Reference, *, seed: int, task_id: str) -> str:
    """Return the record as a request in English, with every fact of it and no other; the level is never named."""
    draws = Draws(seed, task_id, 0)
    asked = record["constraints"]
    sentences = [
        draws.one("opening", OPENINGS).format(
            days=record["days"],
            party=_party(record["people"]),
            origin=reference.cities[record["origin_city_id"]].name,
            where=_where(record, reference),
            when=_when(record["dates"]),
        ),
        draws.one("budget", BUDGETS).format(amount=_amount(record["budget"], reference.currency)),
    ]
    wishes = [
        RULES[asked["house_rule"]] if asked["house_rule"] else "",
        _room(asked["room_type"], record["people"]) if asked["room_type"] else "",
        f"We would like to eat {_join(asked['cuisine'])} food." if asked["cuisine"] else "",
        _sights(asked["attraction"]) if asked["attraction"] else "",
        f"We want to attend {_events(asked['event'])}." if asked["event"] else "",
        TRANSPORT[asked["transportation"]] if asked["transportation"] else "",
    ]
    told = [*sentences, *draws.order("wishes", [wish for wish in wishes if wish])]
    return " ".join([_of_one(sentence) for sentence in told] if record["people"] == 1 else told)


def _room(room: str, people: int) -> str:
    """Return what the room must be; more than two people want several private ones."""
    return "We want private rooms." if room == "private room" and people > 2 else ROOMS[room]


def _of_one(sentence: str) -> str:
    """Return the sentence as one person says it: what begins with "We", or says "ourselves"."""
    for plural, singular in OF_ONE:
        sentence = re.sub(plural, singular, sentence)
    return sentence


def _events(kinds: Sequence[str]) -> str:
    return _join([f"{'an' if kind[0] in VOWELS else 'a'} {kind.lower()} event" for kind in kinds])


def _sights(kinds: Sequence[str]) -> str:
    """Return the sentence that asks for sights of each kind; what it names reads like what people like, not a label."""
    of_them = "to such a place" if len(kinds) == 1 else "to a place of each kind"
    return f"We like {_join([kind.lower() for kind in kinds])}, and at least one visit should be {of_them}."


def _party(people: int) -> str:
    words = NUMBER_WORDS[people] if people < len(NUMBER_WORDS) else str(people)
    return f"{words} {'person' if people == 1 else 'people'}"


def _where(record: Record, reference: Reference) -> str:
    if record["dest_city_id"] is not None:
        return reference.cities[record["dest_city_id"]].name
    where = region_name(record["dest_region"], record["dest_country"])
    return f"{NUMBER_WORDS[record['visiting_city_number']]} cities in {where}"


def _when(dates: Sequence[str]) -> str:
    first, last = dt.date.fromisoformat(dates[0]), dt.date.fromisoformat(dates[-1])
    year = f", {first.year}" if first.year != last.year else ""
    return f"from {_day(first)}{year} to {_day(last)}, {last.year}"


def _day(date: dt.date) -> str:
    return f"{MONTHS[date.month - 1]} {date.day}"


def _amount(amount: int, currency: str) -> str:
    """Return an amount as people write it: with the currency's sign, or its code where the sign is not its own."""
    return f"{SIGNS[currency]}{amount:,}" if currency in SIGNS else f"{amount:,} {currency}"


def _join(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
