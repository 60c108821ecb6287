"""What a model is told of a record to put it into words; the judge of what it writes is `rules.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assets.itinbench import rules
from assets.itinbench.tables import Record
from assets.itinbench.wording import CUISINE_WORDS
from assets.wording_by_model import ToWord

INSTRUCTIONS = Path(__file__).with_name("prompts") / "wording.md"


def to_word(task_id: str, record: Record) -> ToWord:
    """Return the record's facts in the words that a request uses, with the check by reading it back."""
    facts: dict[str, Any] = {
        "days": record["days"],
        "budget": record["price"],
        "attractions": f"{record['orientation']}-oriented",
        "cuisine": CUISINE_WORDS.get(record["cuisine"], record["cuisine"]),
        "restaurant": list(record["restaurant"]),
        "hotel": list(record["hotel"]),
    }
    return ToWord(task_id, facts, lambda text: rules.validate(record, text))
