"""What a hard record asks beyond the published ones: two limits below what a greedy plan takes. Knows no solver.

A limit a day couples where one sleeps with what one sees; one on all price signs couples every place with the others.
"""

from __future__ import annotations

from typing import Any

from assets.family import Refused, Slot
from assets.itinbench.planners import greedy
from assets.itinbench.tables import Record
from assets.itinbench.world import World
from schemas.stable import stable_hash

WALK_SHARES = (0.4, 0.5, 0.6, 0.7, 0.8)
SIGN_SHARES = (0.85, 0.9, 0.95)
"""Shares of a greedy plan's longest day and price signs that a limit may be; our choice."""

WALK_STEP_M = 100


def limited_record(slot: Slot, attempt: int, record: Record, world: World) -> Record | Refused:
    """Return the record with its two limits, each a share drawn by the slot, or that a greedy plan has no figures."""
    ways_m, signs = world.checker.ways_and_signs(greedy(slot.task_id, record, world))
    known_m = [way_m for way_m in ways_m if way_m is not None]
    if signs is None or not known_m:
        return Refused("a greedy plan has no known way or price", "no_limit")

    def share(what: str, shares: tuple[float, ...]) -> float:
        return shares[stable_hash("itinbench", what, slot.seed, slot.task_id, attempt) % len(shares)]

    limits: Any = {
        "most_walk_m": max(1, int(max(known_m) * share("walk", WALK_SHARES)) // WALK_STEP_M) * WALK_STEP_M,
        "most_signs": int(signs * share("signs", SIGN_SHARES)),
    }
    return Record(**record, **limits)
