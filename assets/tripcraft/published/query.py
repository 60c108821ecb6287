"""A task's record under the published keys, with plan names for ids (1.D)."""

from __future__ import annotations

from typing import Any

from assets.tripcraft.records import Record
from assets.tripcraft.reference import Reference
from assets.tripcraft.vocabulary import PERSONA

CONSTRAINT_LABELS = {
    "house_rule": "house rule",
    "cuisine": "cuisine",
    "room_type": "room type",
    "transportation": "transportation",
    "event": "event",
    "attraction": "attraction",
}

SINGLE_IF_ONE = ("event", "attraction")
"""Constraints that are a string where one value is asked for, and a list else (1.D)."""


def published_record(record: Record, reference: Reference) -> dict[str, Any]:
    """Return the record under the published keys, with plan names for ids."""
    is_region = record["dest_city_id"] is None
    dest = record["dest_region"] if is_region else reference.cities[record["dest_city_id"] or ""].name
    constraints: dict[str, Any] = {}
    for key, label in CONSTRAINT_LABELS.items():
        value: Any = record["constraints"][key]
        constraints[label] = value[0] if key in SINGLE_IF_ONE and value and len(value) == 1 else value
    return {
        "org": reference.cities[record["origin_city_id"]].name,
        "dest": dest,
        "days": record["days"],
        "visiting_city_number": record["visiting_city_number"],
        "date": record["dates"],
        "people_number": record["people"],
        "local_constraint": constraints,
        "budget": record["budget"],
        "level": record["level"],
    }


def persona_text(persona: dict[str, str]) -> str:
    """Return the persona as published: `Component: value; …` in the published order."""
    return "; ".join(f"{component}: {persona[component]}" for component in PERSONA if component in persona)
