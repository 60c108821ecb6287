"""A task in the published shape: query, context, members with their tables, opening messages, difficulty (3.D)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assets.grouptravel.draft import Skeleton
from assets.grouptravel.section import GroupTravelSection
from assets.grouptravel.vocabulary import VOCABULARIES, context_text, duration_text
from assets.grouptravel.wishes.preferences import Table
from assets.grouptravel.wishes.queries import Trip, query


def task_record(
    skeleton: Skeleton,
    tables: Mapping[int, Table],
    names: Mapping[str, str],
    messages: Mapping[int, str],
    section: GroupTravelSection,
) -> dict[str, Any]:
    """Return the task record; `tables` in order of generation, which the keys of user_preferences keep.

    `names` gives each city_id's name; `messages` the opening message of each user with a table.
    """
    words, archetype = VOCABULARIES[section.language], skeleton.archetype
    language = 0 if section.language == "zh" else 1
    people = len(archetype.roles)
    roles = {n: role.name(section.language) for n, role in enumerate(archetype.roles, 1)}
    children = [n for n in roles if n not in archetype.with_table]
    departure = names[skeleton.departure_city_id]
    cities = tuple(names[city] for city in skeleton.city_ids)
    trip = Trip(
        cities,
        departure,
        skeleton.first_date,
        skeleton.days,
        archetype.group_id,
        people,
        tuple(roles[n] for n in children),
    )
    return {
        "task_id": skeleton.task_id,
        "query": query(words, trip, skeleton.task_id, "query"),
        "time": skeleton.date,
        "context": context_text(
            words, departure, skeleton.date, archetype.name[language], people, tuple(roles[n] for n in children)
        ),
        "metadata": {
            "departure_city": departure,
            "cities": list(cities),
            "date": duration_text(words, skeleton.days),
            "group_id": archetype.group_id,
            "group_name": archetype.name[language],
            "group_tags": [tag[language] for tag in archetype.tags],
            "compromise_pattern": [f"User{n}" for n in skeleton.compromisable],
            "child_members": [{"user": f"User{n}", "role": roles[n]} for n in children],
        },
        "user_preferences": {
            f"User{n}": {"role": roles[n], "preference": table, "compromisable": n in skeleton.compromisable}
            for n, table in tables.items()
        },
        "initial_messages": [{"role": f"User{n}", "content": messages[n]} for n in sorted(messages)],
        "difficulty_score": skeleton.score,
        "difficulty_type": skeleton.difficulty,
    }
