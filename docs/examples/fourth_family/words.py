"""A record in words, and the words read back: what they do not say as it was drawn is no task."""

from __future__ import annotations

import re
from typing import Any

from assets.family import Worded
from assets.strolls.tables import Record
from schemas.stable import stable_hash

OPENINGS = ("I have {days} to spend in town", "We would like to stroll around for {days}", "Plan {days} for me")
WISHES = ("nothing below {stars} stars", "every place with {stars} stars or more")
PATTERN = re.compile(r"\b(\d) days?\b.*?\b(\d\.\d) stars\b")


def word(task_id: str, record: Record, _: Any, seed: int) -> Worded:
    """Return the record in words; the same for the same record and task."""
    opening, wish = (
        options[stable_hash("strolls", seed, task_id, number) % len(options)]
        for number, options in enumerate((OPENINGS, WISHES))
    )
    days = f"{record['days']} day{'s' if record['days'] > 1 else ''}"
    return Worded(
        f"{opening.format(days=days)}: each day something to see and somewhere to eat, never the same twice, "
        f"and {wish.format(stars=record['least_stars'])}, please."
    )


def read(words: Worded, record: Record, _: Any) -> list[str]:
    """Return what the words say otherwise than the record."""
    found = [(int(days), float(stars)) for days, stars in PATTERN.findall(words.query)]
    asked = (record["days"], record["least_stars"])
    return [] if found == [asked] else [f"the words say {found}, the record {asked}"]
