"""The witness: of the places that are good enough, those that come first in an order of the task's own."""

from __future__ import annotations

from typing import Any

from assets.family import Refused, Solved
from assets.strolls.tables import Record, StrollsSection
from assets.strolls.world import KIND_OF, World, mean_stars
from schemas.stable import stable_hash


def solve(task_id: str, record: Record, world: World, _: StrollsSection) -> Solved | Refused:
    """Return a plan, or of what there is too little."""
    chosen = {}
    for part, kind in KIND_OF.items():
        good = _good(record, world, kind)
        if len(good) < record["days"]:
            return Refused(f"{len(good)} of kind {kind} have {record['least_stars']} stars, {record['days']} needed")
        chosen[part] = sorted(good, key=lambda row: stable_hash(task_id, row["place_id"]))[: record["days"]]
    days = [
        {part: {"place_id": rows[day]["place_id"], "name": rows[day]["name"]} for part, rows in chosen.items()}
        for day in range(record["days"])
    ]
    stars = [rows[day]["stars"] for day in range(record["days"]) for rows in chosen.values()]
    return Solved({"days": days}, {"mean_stars": mean_stars(stars)})


def depends(_: str, record: Record, world: World, __: StrollsSection) -> list[Any]:
    """Return what the plan rests on: the places it may be made of. While they stay, so does it."""
    good = (row for kind in KIND_OF.values() for row in _good(record, world, kind))
    return sorted([row["place_id"], row["name"], row["stars"]] for row in good)


def _good(record: Record, world: World, kind: str) -> list[dict[str, Any]]:
    return [row for row in world.values() if row["kind"] == kind and row["stars"] >= record["least_stars"]]
