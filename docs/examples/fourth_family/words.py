"""A record in words, and the words read back: what they do not say as it was drawn is no task."""

from __future__ import annotations

import re

from assets.family import Worded
from assets.roundtrips.tables import Record
from assets.roundtrips.world import World
from schemas.stable import stable_hash

OPENINGS = ("We have {days} for", "Please plan {days} in", "I would like to spend {days} in")
PATTERN = re.compile(
    r"(\d) days .*? \(([a-z0-9-]+)\), flying directly from .*? \(([a-z0-9-]+)\) on ([\d-]+) and back on ([\d-]+)\. "
    r"Both flights cost (\d+) ([A-Z]{3}) at most"
)


def word(task_id: str, record: Record, world: World, seed: int) -> Worded:
    """Return the record in words; the same for the same record and task."""
    opening = OPENINGS[stable_hash("roundtrips", seed, task_id) % len(OPENINGS)].format(days=f"{record['days']} days")
    return Worded(
        f"{opening} {_named(record['dest_city_id'])}, flying directly from {_named(record['origin_city_id'])} on "
        f"{' and back on '.join(record['dates'])}. Both flights cost {record['budget']} {world.currency} at most. "
        "Something else to see on each day, please."
    )


def read(words: Worded, record: Record, world: World) -> list[str]:
    """Return what the words say otherwise than the record."""
    statements = [match.groups() for match in PATTERN.finditer(words.query)]
    cities = (record["dest_city_id"], record["origin_city_id"])
    expected = (record["days"], *cities, *record["dates"], record["budget"], world.currency)
    return [] if statements == [tuple(map(str, expected))] else [f"the words say {statements}, the record {expected}"]


def _named(city_id: str) -> str:
    """Return a city by its name and its id, since several may share a name."""
    return f"{city_id.split('-', 2)[-1].replace('-', ' ').title()} ({city_id})"
