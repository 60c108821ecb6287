"""The world of one city's strolls, and the judge of plans made of it; nothing here knows how plans are found."""

from __future__ import annotations

from typing import Any

from assets.family import ReleaseTables, TaskView, Violation
from assets.strolls.tables import Proof, Record
from schemas.places import Place

KIND_OF = {"see": "attraction", "eat": "restaurant"}

World = dict[str, dict[str, Any]]
"""The city's places that say how many stars they have, by id."""


def world(tables: ReleaseTables) -> World:
    """Return the world of one city's tables."""
    rows = tables[Place]
    return {row["place_id"]: row for row in rows[rows["stars"].notna()].to_dict("records")}


def check(record: Record, plan: Any, world: World) -> list[Violation]:
    """Return every break of the three checks; a plan may be any JSON value."""
    days = plan.get("days") if isinstance(plan, dict) else None
    if not isinstance(days, list) or len(days) != record["days"]:
        return [Violation("length", f"expected {record['days']} days")]
    named = [(number, part, day.get(part)) for number, day in enumerate(days) for part in KIND_OF]
    found = []
    for number, part, place in named:
        row = world.get(place["place_id"])
        if row is None or row["name"] != place["name"] or row["kind"] != KIND_OF[part]:
            found.append(Violation("known", f"day {number}: {place} is no {KIND_OF[part]} of the city"))
        elif row["stars"] < record["least_stars"]:
            found.append(Violation("stars", f"day {number}: {row['name']} has {row['stars']} stars"))
    if len({place["place_id"] for *_, place in named}) < len(named):
        found.append(Violation("known", "a place is named twice"))
    return found


def verify(_: Record, plan: Any, proof: Proof, world: World) -> list[Violation]:
    """Return whether what is said beside a plan is what its places say."""
    stars = mean_stars([world[place_id]["stars"] for place_id in places_of(plan)])
    return [] if proof["mean_stars"] == stars else [Violation("stars", f"their mean is {stars}")]


def uses(task: TaskView, _: World) -> set[tuple[str, str]]:
    """Return the rows that the plan names."""
    return {(Place.table_name(), f"{task.city_id}/{place_id}") for place_id in places_of(task.plan)}


def places_of(plan: Any) -> list[str]:
    """Return the ids of a plan's places, in its order."""
    return [day[part]["place_id"] for day in plan["days"] for part in KIND_OF]


def mean_stars(stars: list[float]) -> float:
    """Return the mean of places' stars: how the proof's figure is derived from their cells."""
    return round(sum(stars) / len(stars), 4)
