"""A group's words: the query, and each member's opening message, read back before they ship."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from assets.family import Worded
from assets.grouptravel.archetypes import BY_ID
from assets.grouptravel.facts.world import World
from assets.grouptravel.records import tables_of
from assets.grouptravel.wishes.message_reading import Terms, read_message
from assets.grouptravel.wishes.messages import MAX_PREFERENCES, opening, worded
from assets.grouptravel.wishes.preferences import items_of
from assets.grouptravel.wishes.queries import Trip, query
from assets.grouptravel.wishes.query_reading import unsaid
from schemas.counts import counted


def word(task_id: str, record: Mapping[str, Any], world: World, seed: int) -> Worded:
    """Return the query, and the opening message of every member with a table, by templates."""
    messages = []
    roles = BY_ID[record["metadata"]["group_id"]].roles
    for user, table in sorted(tables_of(record).items()):
        keys = (seed, task_id, f"User{user}")
        items = opening(table, *keys, is_child=roles[user - 1].is_minor)
        text = worded(items, world.vocabulary.language, world.currency, *keys)
        messages.append({"role": f"User{user}", "content": text})
    return Worded(query_of(task_id, record, world), messages)


def read(words: Worded, record: Mapping[str, Any], world: World) -> list[str]:
    """Return what of the trip the query leaves out, and each message that is not its member's preferences (G4).

    A message reads back as one to three preferences of its member's table, each once.
    """
    terms = Terms(record["metadata"]["cities"], world.vocabulary.language, world.currency)
    tables = {f"User{user}": table for user, table in tables_of(record).items()}
    said_by = [message["role"] for message in words.messages]
    problems = [] if sorted(said_by) == sorted(tables) else [f"{said_by} speak, expected {sorted(tables)} once each"]
    problems += unsaid(words.query, world.vocabulary, _trip_of(record))
    for message in words.messages:
        table_wishes = {(item.path, item.value) for item in items_of(tables.get(message["role"], {}))}
        reading = read_message(message["content"], terms)
        stated_wishes = [(item.path, item.value) for item in reading.items]
        wrong = [
            *reading.doubts,
            *(f"added: {path} {value!r} is not of the table" for path, value in set(stated_wishes) - table_wishes),
        ]
        if not 1 <= len(stated_wishes) <= MAX_PREFERENCES or len(set(stated_wishes)) < len(stated_wishes):
            wrong.append(
                f"states {counted(len(stated_wishes), 'preference')}, expected 1 to {MAX_PREFERENCES}, each once"
            )
        problems += [f"{message['role']}: {message['content']!r:.120}: {problem}" for problem in wrong]
    return problems


def query_of(task_id: str, record: Mapping[str, Any], world: World) -> str:
    """Return the query in which a record is asked: where, when, who."""
    return query(world.vocabulary, _trip_of(record), task_id, "query")


def _trip_of(record: Mapping[str, Any]) -> Trip:
    meta = record["metadata"]
    people = len({child["user"] for child in meta["child_members"]} | set(record["user_preferences"]))
    return Trip(
        tuple(meta["cities"]),
        meta["departure_city"],
        dt.date.fromisoformat(record["time"]),
        record["days"],
        meta["group_id"],
        people,
        tuple(child["role"] for child in meta["child_members"]),
    )
