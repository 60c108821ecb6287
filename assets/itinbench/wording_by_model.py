"""What a model is told of a record to put it into words; the judge of what it writes is `rules.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from assets.itinbench import prompts, rules
from assets.itinbench.tables import CUISINE_WORDS, Record
from assets.language.answers import Shape
from assets.language.asking import Ask
from assets.language.reading_by_model import BlindReading
from assets.language.wording_by_model import ToWord, Wordings, worded

INSTRUCTIONS, READING = files(prompts) / "wording.md", files(prompts) / "reading.md"


class Request(Shape):
    """What a request states, to one who reads it without its record."""

    days: int
    price: str
    orientation: str
    cuisine: str
    restaurant: list[str]
    hotel: list[str]


@cache
def reading() -> BlindReading:
    """Return how another model reads a request back."""
    return BlindReading(READING.read_text(encoding="utf-8"), Request)


def word_by_model(drafts: Sequence[Mapping[Any, Any]], world: Any, section: Any, seed: int, ask: Ask) -> Wordings:  # noqa: ARG001
    """Return each draft in the words of a model that is asked."""
    tasks = [to_word(row["task_id"], row["record"]) for row in drafts]
    return worded(tasks, INSTRUCTIONS.read_text(encoding="utf-8"), ask, reading())


def to_word(task_id: str, record: Record) -> ToWord:
    """Return the record's facts in the words that a request uses, with the check by reading it back."""
    cuisine = CUISINE_WORDS.get(record["cuisine"], record["cuisine"])
    facts: dict[str, Any] = {
        "days": record["days"],
        "budget": record["price"],
        "attractions": f"{record['orientation']}-oriented",
        "cuisine": cuisine,
        "restaurant": list(record["restaurant"]),
        "hotel": list(record["hotel"]),
    }
    walk_m, signs = record.get("most_walk_m"), record.get("most_signs")
    if walk_m:
        facts["way_of_each_day"] = (
            f"from the hotel to the attractions and back, at most {walk_m / 1000:g} km as the crow flies"
        )
    if signs:
        facts["price_signs"] = f"all places of the trip, the hotel counted once, at most {signs} price signs"
    stated = {name: cuisine if name == "cuisine" else record[name] for name in Request.model_fields}
    return ToWord(task_id, facts, lambda text: [*rules.validate(record, text), *rules.additions(record, text)], stated)
