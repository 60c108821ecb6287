"""What a model is told of a record to put it into words, and what keeps its text from saying exactly that."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from assets.language.answers import Shape
from assets.language.asking import Ask
from assets.language.reading_by_model import BlindReading
from assets.language.wording_by_model import ToWord, Wordings, worded
from assets.tripcraft import prompts, rules
from assets.tripcraft.names import region_name
from assets.tripcraft.numbers import NUMBER_WORDS
from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.wording import plain_wishes

INSTRUCTIONS, READING = files(prompts) / "wording.md", files(prompts) / "reading.md"


class Request(Shape):
    """What a request states, to one who reads it without its record; a list is empty where nothing is asked."""

    origin: str
    destination: str
    cities: int
    days: int
    people: int
    first_day: str
    last_day: str
    budget: int
    house_rule: list[str]
    room_type: list[str]
    cuisine: list[str]
    event: list[str]
    attraction: list[str]
    transportation: list[str]


@cache
def reading() -> BlindReading:
    """Return how another model reads a request back."""
    return BlindReading(READING.read_text(encoding="utf-8"), Request)


def word_by_model(drafts: Sequence[Mapping[Any, Any]], world: Reference, section: Any, seed: int, ask: Ask) -> Wordings:  # noqa: ARG001
    """Return each draft in the words of a model that is asked."""
    requests = [to_word(row["task_id"], row["record"], world) for row in drafts]
    return worded(requests, INSTRUCTIONS.read_text(encoding="utf-8"), ask, reading())


def to_word(task_id: str, record: Record, reference: Reference) -> ToWord:
    """Return the record's facts in the words that a request uses, with the check by reading it back."""
    constraints, plain = record["constraints"], plain_wishes(record)
    wishes = [
        plain.get("house_rule", ""),
        plain.get("room_type", ""),
        f"{' and '.join(constraints['cuisine'])} food" if constraints["cuisine"] else "",
        *(f'sights of the kind "{kind}"' for kind in constraints["attraction"] or ()),
        *(f'an event of the kind "{kind}"' for kind in constraints["event"] or ()),
        plain.get("transportation", ""),
    ]
    facts: dict[str, Any] = {
        "origin": reference.cities[record["origin_city_id"]].name,
        "destination": _destination(record, reference),
        "days": record["days"],
        "people": record["people"],
        "first_day": _day(record["dates"][0]),
        "last_day": _day(record["dates"][-1]),
        "budget": f"{record['budget']:,} {reference.currency}",
        "wishes": [wish for wish in wishes if wish],
    }
    return ToWord(task_id, facts, lambda text: problems(text, record, reference), _expected_reading(record, reference))


def _expected_reading(record: Record, reference: Reference) -> dict[str, Any]:
    """Return what a blind reader must find in a faithful wording, as `Request` names it."""
    facts = rules.expected_facts(record, reference)
    dest = record["dest_city_id"]
    return {
        "origin": reference.cities[record["origin_city_id"]].name,
        "destination": reference.cities[dest].name if dest is not None else _region(record),
        "cities": record["visiting_city_number"],
        "first_day": facts["dates"][0],
        "last_day": facts["dates"][1],
        **{name: facts[name] for name in Request.model_fields if name in facts and name not in ("origin", "cities")},
    }


def problems(text: str, record: Record, reference: Reference) -> list[str]:
    """Return what the text leaves out, changes or adds: read back, and every word that is of no fact of the record."""
    return [*rules.disagreements(text, record, reference), *rules.additions(text, record, reference)]


def _destination(record: Record, reference: Reference) -> str:
    if record["dest_city_id"] is not None:
        return reference.cities[record["dest_city_id"]].name
    return f"{NUMBER_WORDS[record['visiting_city_number']]} cities in {_region(record)}"


def _region(record: Record) -> str:
    return region_name(record["dest_region"], record["dest_country"])


def _day(iso: str) -> str:
    date = dt.date.fromisoformat(iso)
    return f"{date:%B} {date.day}, {date.year}"
